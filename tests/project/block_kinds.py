#!/usr/bin/env python3
"""Checks that one file alone asks which kind a block has: the visitor. Everyone else asks the block.

Usage: block_kinds.py ROOT
"""

import re
import sys
from pathlib import Path

from tree import files, report

VISITOR = "src/contact/visit_block.h"
TEST = re.compile(r"(?:[=!]=|\bcase)\s*BlockKind::|BlockKind::\w+\s*[=!]=")


def find_problems(root):
    problems = []
    for folder in ("src", "apps", "experiments", "include"):
        for path in files(root / folder, ".h", ".cpp"):
            name = path.relative_to(root).as_posix()
            for number, line in enumerate(path.read_text().splitlines(), 1):
                if name != VISITOR and TEST.search(line):
                    problems.append(f"{name}:{number}: asks for the kind of a block; give its unit in src/contact a verb")
    return problems


if __name__ == "__main__":
    report(find_problems(Path(sys.argv[1])))
