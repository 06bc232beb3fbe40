#!/usr/bin/env python3
"""Lets every kind of body come to rest on every kind of support, and measures how still it lies.

    scripts/run_rest.py flat round askew stacks [--program rigor] [--dt 0.001 …] [--keep FOLDER]

flat: dropped by 1 mm onto plane, box, end of a cylinder, hull, triangles and height field. round: balanced on a sphere, a lying
capsule or cylinder and an ellipsoid of 1 m. askew: turned by 6 degrees and dropped by 2 cm. stacks: five bodies of two kinds in
turn. Each runs 5 s, then 60 s more from the snapshot. One line each: refused steps, deepest overlap [m], way of any coordinate in
the 60 s, largest velocity at their end, time of a step. Exit code 1 if a step is refused, the overlap exceeds 1e-11 m, something
creeps by more than 1e-9 m or keeps a kinetic energy of 1e-12 J; such scenes are kept in FOLDER.
"""
import argparse
import json
import math
import subprocess
import sys
import tempfile
from pathlib import Path

from run_urdf_corpus import ROOT, read_doubles

LYING = (math.sqrt(0.5), math.sqrt(0.5), 0.0, 0.0)
UPRIGHT = (1.0, 0.0, 0.0, 0.0)
BODIES = {  # shape, half of its height [m], quaternion
    "sphere": ("sphere = 0.1", 0.1, UPRIGHT),
    "lying capsule": ("capsule = {radius = 0.05, length = 0.2}", 0.05, LYING),
    "box": ("box = [0.2, 0.16, 0.12]", 0.06, UPRIGHT),
    "cylinder": ("cylinder = {radius = 0.08, length = 0.16}", 0.08, UPRIGHT),
    "lying cylinder": ("cylinder = {radius = 0.08, length = 0.16}", 0.08, LYING),
    "cone": ("cone = {radius = 0.1, height = 0.16}", 0.08, UPRIGHT),
    "ellipsoid": ("ellipsoid = [0.12, 0.1, 0.06]", 0.06, UPRIGHT),
    "hull": ("hull = [[0.1, 0, -0.08], [0.03, 0.095, -0.08], [-0.08, 0.058, -0.08], [-0.08, -0.058, -0.08],"
             " [0.03, -0.095, -0.08], [0.1, 0, 0.08], [0.03, 0.095, 0.08], [-0.08, 0.058, 0.08], [-0.08, -0.058, 0.08],"
             " [0.03, -0.095, 0.08]]", 0.08, UPRIGHT),
}
SLAB = "".join(f"v {x} {y} {z}\n" for z in (-0.2, 0) for x, y in ((-1, -1), (1, -1), (1, 1), (-1, 1))) + (
    "f 1 4 3 2\nf 5 6 7 8\nf 1 2 6 5\nf 2 3 7 6\nf 3 4 8 7\nf 4 1 5 8\n")
ROW = "[0, 0, 0, 0, 0]"


def fixed(shape, z, turn=UPRIGHT):
    return (f'[[body]]\nname = "table"\nfixed = true\nshape = {{{shape}}}\nposition = [0, 0, {z}]\n'
            f"quaternion_wxyz = {list(turn)}\n")


FLAT = {
    "plane": "[ground]\nfriction = 0.5\n",
    "box": fixed("box = [2, 2, 0.4]", -0.2),
    "cylinder's end": fixed("cylinder = {radius = 1, length = 0.4}", -0.2),
    "hull": fixed('mesh = "slab.obj"', 0),
    "triangles": fixed('triangles = "slab.obj"', 0),
    "height field": fixed(f"heightfield = {{size = [2, 2], heights = [{', '.join([ROW] * 5)}]}}", 0),
}
ROUND = {
    "sphere": fixed("sphere = 1", -1),
    "capsule": fixed("capsule = {radius = 1, length = 1}", -1, LYING),
    "cylinder": fixed("cylinder = {radius = 1, length = 1}", -1, LYING),
    "ellipsoid": fixed("ellipsoid = [1, 1, 0.8]", -0.8),
}


def times(a, b):
    w, x, y, z = a
    W, X, Y, Z = b
    return [w * W - x * X - y * Y - z * Z, w * X + x * W + y * Z - z * Y, w * Y - x * Z + y * W + z * X,
            w * Z + x * Y - y * X + z * W]


def body(name, kind, bottom, yaw=0.3, x=0.03, y=-0.02, tilt=0.0):
    shape, half, turn = BODIES[kind]
    upright = times((math.cos(yaw / 2), 0, 0, math.sin(yaw / 2)), turn)
    turned = times((math.cos(tilt / 2), 0.8 * math.sin(tilt / 2), -0.6 * math.sin(tilt / 2), 0), upright)
    return (f'[[body]]\nname = "{name}"\nshape = {{{shape}}}\nmass = 1.0\nposition = [{x}, {y}, {bottom + half}]\n'
            f"quaternion_wxyz = {turned}\n")


def stack(first, second):
    text, bottom = "", 0.0
    for i in range(5):
        kind = first if i % 2 == 0 else second
        bottom += 1e-3
        text += body(f"b{i}", kind, bottom, 0.3 + 0.2 * i, 0.03 + 0.005 * i * (-1) ** i)
        bottom += 2 * BODIES[kind][1]
    return text


def scenes(families):
    if "flat" in families:
        for kind in BODIES:
            yield from ((f"{kind} on {name}", table + body("one", kind, 1e-3)) for name, table in FLAT.items())
    if "round" in families:
        for kind in ("box", "cylinder", "cone"):
            yield from ((f"{kind} balanced on {name}", table + body("one", kind, 1e-3, 0, 0, 0)) for name, table in ROUND.items())
    if "askew" in families:
        for kind in ("box", "cylinder", "cone", "hull"):
            yield from ((f"{kind} askew on {name}", table + body("one", kind, 2e-2, tilt=0.1)) for name, table in FLAT.items())
    if "stacks" in families:
        kinds = ("box", "cylinder", "hull")
        for i, first in enumerate(kinds):
            for second in kinds[i:]:
                for name in ("plane", "box", "triangles"):
                    yield f"five, {first} and {second}, on {name}", FLAT[name] + stack(first, second)


def measure(program, scene, dt, folder):
    """Refused steps, overlap, way, velocity, µs per step; the way is infinite where the program refuses."""
    (folder / "rest.toml").write_text(scene)

    def run(*options):
        done = subprocess.run([program, "run", "rest.toml", "--dt", str(dt), "--json", *options], cwd=folder,
                              capture_output=True, text=True)
        return json.loads(done.stdout) if done.stdout.strip() else None

    first = run("--time", "5", "--save-snapshot", "a.npz")
    if first is None or first["failed_steps"]:
        return (first["failed_steps"] if first else 1), 0.0, math.inf, math.inf, 0.0
    rest = run("--time", "60", "--from", "a.npz", "--save-snapshot", "b.npz")
    way = max(abs(a - b) for a, b in zip(read_doubles(folder / "a.npz", "q"), read_doubles(folder / "b.npz", "q")))
    return (rest["failed_steps"], max(first["penetration_max"], rest["penetration_max"]), way,
            max(map(abs, read_doubles(folder / "b.npz", "v"))), rest["us_per_step"]["total"])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("families", nargs="+", choices=["flat", "round", "askew", "stacks"])
    parser.add_argument("--program", default=str(ROOT / "build/release/bin/rigor"))
    parser.add_argument("--dt", nargs="+", type=float, default=[0.001, 0.005, 0.01])
    parser.add_argument("--keep", type=Path, help="folder for scenes that do not lie still")
    options = parser.parse_args()
    bad = 0
    print("| scene | step [ms] | refused | overlap [m] | way in 60 s | velocity at the end | µs per step |\n|" + "---|" * 7)
    for name, text in scenes(options.families):
        for dt in options.dt:
            with tempfile.TemporaryDirectory() as folder:
                (Path(folder) / "slab.obj").write_text(SLAB)
                scene = f"[simulation]\ndt = {dt}\n" + text
                refused, overlap, way, velocity, us = measure(options.program, scene, dt, Path(folder))
            still = not refused and overlap <= 1e-11 and way <= 1e-9 and velocity < 1.4e-6  # ½·1 kg·v² = 1e-12 J
            print(f"| {name}{'' if still else ' **missed**'} | {1e3 * dt:g} | {refused} | {overlap:.1e} | {way:.1e} | "
                  f"{velocity:.1e} | {us:.0f} |", flush=True)
            bad += not still
            if not still and options.keep:
                options.keep.mkdir(exist_ok=True)
                (options.keep / "slab.obj").write_text(SLAB)
                (options.keep / f"{name} {1e3 * dt:g} ms.toml".replace(" ", "_")).write_text(scene)
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
