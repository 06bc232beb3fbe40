"""The files of the checkout as the project tests see them: sources, not what a build or a tool left behind."""

import os
import sys
from pathlib import Path

NOT_OURS = {".git", "build", "out", "node_modules", "__pycache__", ".cache"}


def files(root, *endings):
    """Paths of all files below root, sorted; only those with one of the endings if any are given."""
    found = []
    for folder, subfolders, names in os.walk(root):
        subfolders[:] = sorted(set(subfolders) - NOT_OURS)
        names = sorted(set(names) - NOT_OURS)  # .git is a file where git keeps a second checkout
        found += [Path(folder) / name for name in names if not endings or name.endswith(endings)]
    return found


def report(problems):
    """Prints each problem on a line of its own; exit code 1 if there are any."""
    for problem in problems:
        print(problem)
    sys.exit(1 if problems else 0)
