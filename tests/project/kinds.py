#!/usr/bin/env python3
"""Checks that nobody asks which kind a block or a row is but the one visitor of each (and the files of the kinds): everyone
else asks the block or the row itself.

Usage: kinds.py ROOT
"""

import re
import sys
from pathlib import Path

from tree import files, report

# kind: who may ask
ALLOWED = {
    "BlockKind": {"src/contact/visit_block.h"},
    "RowSource": {
        "src/minimal/row_kinds.h",
        "src/minimal/contact_rows.h",
        "src/minimal/freedom_rows.h",
        "src/minimal/joint_rows.cpp",
        "src/minimal/loop_rows.h",
        "src/event/held.h",
        "src/derivatives/row_terms_of.h",
    },
}


def find_problems(root):
    problems = []
    for kind, allowed in ALLOWED.items():
        question = re.compile(rf"(?:[=!]=|\bcase)\s*{kind}::|{kind}::\w+\s*[=!]=")
        for folder in ("src", "apps", "experiments", "include"):
            for path in files(root / folder, ".h", ".cpp"):
                name = path.relative_to(root).as_posix()
                if name in allowed:
                    continue
                for number, line in enumerate(path.read_text().splitlines(), 1):
                    if question.search(line):
                        problems.append(f"{name}:{number}: asks for a {kind}; give the kind a verb instead")
    return problems


if __name__ == "__main__":
    report(find_problems(Path(sys.argv[1])))
