#!/usr/bin/env python3
"""Keeps the pages about the code true: files, functions and types that they name in `code` exist, links lead somewhere, every
public header is in docs/headers.md and every file of the step in src/minimal/README.md.

Usage: docs.py ROOT
"""

import re
import sys
from pathlib import Path

from tree import files, report

# pages that speak of the code itself
PAGES = ("CONTRIBUTING.md", "docs/headers.md", "docs/references.md", "docs/step.md", "docs/own-solver.md", "docs/graph.md",
         "examples/README.md", "src/minimal/README.md", "src/solvers/README.md")
SOURCES = ("src", "include", "apps", "examples", "tests", "viewer/src")

CODE = re.compile(r"`([^`]+)`")
LINK = re.compile(r"\]\(([^)#:]+)\)")
NAME = re.compile(r"[A-Za-z_]\w*(?:::\w+)*(?:\(\))?")
FILE = re.compile(r"[\w.-]*(?:/[\w.-]+)*(?:/|\.(?:h|cpp|py|ts|md|txt|toml|urdf|json))")


def without_blocks(text):
    """The text with fenced and indented blocks emptied, so that line numbers stay."""
    lines, fenced = [], False
    for line in text.splitlines():
        fence = line.startswith("```")
        lines.append("" if fenced or fence or line.startswith("    ") else line)
        fenced ^= fence
    return lines


class Tree:
    def __init__(self, root):
        self.root = root
        self.paths = [path.relative_to(root).as_posix() for path in files(root)]
        self.words = set()
        for folder in SOURCES:
            for path in files(root / folder, ".h", ".cpp", ".py", ".ts"):
                self.words.update(re.findall(r"\w+", path.read_text()))
        for path in root.glob("CMake*"):
            self.words.update(re.findall(r"\w+", path.read_text()))
        self.stems = {Path(name).stem for name in self.paths}
        self.names = {part for name in self.paths for part in Path(name).parts}

    def has_file(self, name):
        """A path from the root, or the end of one; of a folder with a slash after it."""
        if name.endswith("/"):
            return (self.root / name).is_dir()
        return any(path == name or path.endswith("/" + name) for path in self.paths)

    def has_name(self, name):
        """Every part of a qualified name is a word of the sources, or the name of a file or folder without its ending."""
        parts = name.removesuffix("()").split("::")
        return all(part in self.words or part in self.stems or part in self.names for part in parts)


def page_problems(tree, page):
    problems = []
    for number, line in enumerate(without_blocks((tree.root / page).read_text()), 1):
        for code in CODE.findall(line):
            if FILE.fullmatch(code) and not tree.has_file(code):
                problems.append(f"{page}:{number}: there is no file {code}")
            elif NAME.fullmatch(code) and not tree.has_name(code):
                problems.append(f"{page}:{number}: no source has the name {code}")
        for link in LINK.findall(line):
            if not ((tree.root / page).parent / link).exists():
                problems.append(f"{page}:{number}: the link to {link} leads nowhere")
    return problems


def find_problems(root):
    tree = Tree(root)
    problems = [problem for page in PAGES if (root / page).exists() for problem in page_problems(tree, page)]
    for folder, page in (("include/rigor", "docs/headers.md"), ("src/minimal", "src/minimal/README.md")):
        text = (root / page).read_text() if (root / page).exists() else ""
        for path in files(root / folder, ".h"):
            if f"`{path.name}`" not in text and f"`{path.stem}`" not in text and path.name != "rigor.h":
                problems.append(f"{page}: does not say what {folder}/{path.name} is for")
    return problems


if __name__ == "__main__":
    report(find_problems(Path(sys.argv[1])))
