#!/usr/bin/env python3
"""Reads a recording with numpy alone: energy, the deepest gap, and who touched whom. The same in C++: read_recording.cpp.

    ./rig run scenes/anymal_drop.toml --time 1 --out drop.npz
    python3 examples/read_recording.py drop.npz

The arrays are described in docs/formats.md.
"""

import json
import sys

import numpy


def print_energy(run):
    energy = run["energy"].sum(axis=1)  # kinetic and potential at every node
    print(f"energy: {energy[0]:.6f} J at the start, {energy[-1]:.6f} J at the end, "
          f"never more than {(energy - energy[0]).max():.1e} J above the start")


def print_deepest_gap(run):
    """Gaps at the ends of sub-steps, of all contacts that were near."""
    gaps = run["contact_gap_end"]
    print(f"deepest gap: {gaps.min():.1e} m" if gaps.size else "nothing came near anything")


def print_touches(run, names):
    bodies = run["contact_body"].reshape(-1, 2)
    along = (run["contact_impulse"].reshape(-1, 3) * run["contact_normal"].reshape(-1, 3)).sum(axis=1)
    pressed = along > 0  # the others are near, but open
    for first, second in numpy.unique(bodies[pressed], axis=0):
        mine = pressed & (bodies[:, 0] == first) & (bodies[:, 1] == second)
        name = [names[body] if body >= 0 else "world" for body in (first, second)]
        print(f"{name[1]} touches {name[0]}: {mine.sum()} times, {along[mine].sum():.6f} N s in all")


def main():
    if len(sys.argv) != 2:
        sys.exit("usage: read_recording.py FILE.npz")
    run = numpy.load(sys.argv[1])
    header = json.loads(bytes(run["header"]).decode())
    print(f"{len(run['passes'])} steps of {header['options']['dt']:g} s")
    print_energy(run)
    print_deepest_gap(run)
    print_touches(run, header["names"]["bodies"])


if __name__ == "__main__":
    main()
