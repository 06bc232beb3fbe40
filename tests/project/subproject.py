#!/usr/bin/env python3
"""Configures a stranger's project that has rigor inside it (add_subdirectory), as tests/consumer/subproject does.

Nothing but the library may be built there, no test may be registered, nothing may be installed, and the stranger's own
file must compile with what rigor::rigor tells it. Whether the library links is the business of install.py.

Usage: subproject.py ROOT WORK COMPILER
"""

import re
import shutil
import subprocess
import sys
from pathlib import Path


def run(*command):
    print("+", *command, flush=True)
    return subprocess.run([str(part) for part in command], check=True, capture_output=True, text=True).stdout


def main(root, work, compiler):
    shutil.rmtree(work, ignore_errors=True)
    run("cmake", "-S", root / "tests/consumer/subproject", "-B", work, "-G", "Ninja", f"-DRIGOR_SOURCE={root}",
        f"-DCMAKE_CXX_COMPILER={compiler}")  # fmt: skip
    targets = dict(re.findall(r"^(\S+): (\w+)", run("ninja", "-C", work, "-t", "targets", "all"), re.MULTILINE))
    linked = [name for name, rule in targets.items() if rule.startswith("CXX_") and "LINKER" in rule]
    others = [name for name in linked if not re.fullmatch(r"rigor/librigor_\w+\.a", name)]
    if len(linked) < 10 or others != ["consumer"]:
        sys.exit(f"of {len(linked)} things that would be built, these are not the library: {others}")
    if "Total Tests: 0" not in run("ctest", "--test-dir", work, "--show-only"):
        sys.exit("tests of rigor would run in the project around it")
    if "file(INSTALL" in (work / "rigor/cmake_install.cmake").read_text():
        sys.exit("rigor would be installed with the project around it")
    run("ninja", "-C", work, *(name for name in targets if name.endswith("/main.cpp.o")))


if __name__ == "__main__":
    main(*(Path(argument).resolve() for argument in sys.argv[1:3]), sys.argv[3])
