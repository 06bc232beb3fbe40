#!/usr/bin/env python3
"""Checks that an object compiled for AVX2 defines nothing but functions of its own pack type.

The linker keeps one copy of each inline function or template instance. A copy from an AVX2 object under a name that
other objects use too would crash CPUs without AVX2 in code that has nothing to do with packs.

Usage: lane_symbols.py OBJECT…
"""

import re
import subprocess
import sys

from tree import report

OWN = "Pack4<4>"
HARMLESS = {"DW.ref.__gxx_personality_v0"}  # a pointer to the C++ runtime, no code
SYMBOL = re.compile(r"^(?:[0-9a-f]+)?\s+(\w) (.*)$")


def symbol_problems(name, listing):
    """Symbols of `nm -C --defined-only` that other objects could be given instead of their own."""
    problems, own = [], 0
    for line in listing.splitlines():
        match = SYMBOL.match(line)
        if not match:
            continue
        kind, symbol = match.groups()
        visible = kind.isupper() or kind in "uvw"
        if visible and OWN in symbol:
            own += 1
        elif visible and symbol not in HARMLESS:
            problems.append(f"{name}: {symbol} ({kind}) is compiled for AVX2, but other objects may share it")
    if not own:
        problems.append(f"{name}: no symbol of {OWN}: this is not an object of lanes")
    return problems


def code_problems(name, listing):
    """What `objdump -d` shows of the instructions: registers of four doubles, nothing fused."""
    problems = []
    if "%ymm" not in listing:
        problems.append(f"{name}: no register of four doubles is used: is -mavx2 missing?")
    if re.search(r"\bvfn?m(?:add|sub)", listing):
        problems.append(f"{name}: a fused multiplication rounds once where the double kernels round twice")
    return problems


def run(*command):
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


if __name__ == "__main__":
    found = []
    for path in sys.argv[1:] or sys.exit(__doc__):
        found += symbol_problems(path, run("nm", "-C", "--defined-only", path))
        found += code_problems(path, run("objdump", "-d", "--no-show-raw-insn", path))
    report(found)
