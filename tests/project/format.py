#!/usr/bin/env python3
"""Checks that every C++ file is formatted as .clang-format says. To repair: clang-format-19 -i FILE.

Usage: format.py ROOT
"""

import subprocess
import sys
from pathlib import Path

from tree import files

if __name__ == "__main__":
    sources = [str(path) for path in files(sys.argv[1], ".h", ".cpp")]
    if not sources:
        sys.exit("no C++ files found below " + str(Path(sys.argv[1]).resolve()))
    sys.exit(subprocess.run(["clang-format-19", "--dry-run", "-Werror", *sources], check=False).returncode)
