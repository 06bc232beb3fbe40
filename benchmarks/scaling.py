#!/usr/bin/env python3
"""What a step costs per body when there are many of them: balls far apart, balls on a floor, standing ANYmals.

    benchmarks/scaling.py build/release/bin/rigor [balls_apart balls_floor anymals] [--most N] [--instructions]

Every world is run twice, for a few steps and for more of them; the difference of their CPU times is that of the steps, the
rest is the time to set up. CPU time, not time on the wall: other programs may run beside it. With --instructions callgrind
counts instead, which nothing beside it changes.
"""
import argparse
import json
import math
import os
import pathlib
import re
import subprocess
import sys
import tempfile

SCENES = pathlib.Path(__file__).resolve().parent.parent / "scenes"
DT = 1e-3


def place(i, n, pitch):
    side = math.ceil(math.sqrt(n))
    return pitch * (i % side), pitch * (i // side)


def balls(n, height):
    text = f"[simulation]\ndt = {DT}\ntime = 1.0\n[ground]\nfriction = 0.5\n"
    for i in range(n):
        x, y = place(i, n, 1.0)
        text += (f'[[body]]\nname = "ball{i}"\nshape = {{ sphere = 0.1 }}\nmass = 1.0\n'
                 f"position = [{x}, {y}, {height}]\n")
    return text


def anymals(n):
    text = f"[simulation]\ndt = {DT}\ntime = 1.0\n[ground]\nfriction = 0.8\n"
    feet = ["LF_foot", "RF_foot", "LH_foot", "RH_foot"]
    name = lambda i, part: part if n == 1 else f"r{i}/{part}"
    pairs = [f'["{name(i, "torso")}", "{name(i, foot)}"]' for i in range(n) for foot in feet]
    text += f"[collision]\nexclude = [{', '.join(pairs)}]\n"
    pose = {"HAA": (-0.03, 0.03), "HFE": (0.4, -0.4), "KFE": (-0.8, 0.8)}
    for i in range(n):
        x, y = place(i, n, 1.5)
        text += f'[[robot]]\nname = "r{i}"\nmodel = "{SCENES / "anymal.urdf"}"\nposition = [{x}, {y}, 0.5015]\n[robot.q]\n'
        for leg in ["LF", "RF", "LH", "RH"]:
            text += f"{leg}_HAA = {pose['HAA'][leg[0] == 'R']}\n"
            text += f"{leg}_HFE = {pose['HFE'][leg[1] == 'H']}\n{leg}_KFE = {pose['KFE'][leg[1] == 'H']}\n"
    return text + '[[controller]]\nkind = "hold"\nkp = 40.0\nkd = 1.0\n'


WORLDS = {
    "balls_apart": (lambda n: balls(n, 1000.0), [10, 100, 1000, 5000]),
    "balls_floor": (lambda n: balls(n, 0.1), [10, 100, 1000, 5000]),
    "anymals": (anymals, [1, 4, 16, 64, 225]),
}


def run(rigor, scene, steps):
    """CPU seconds, megabytes at most, and what the run says of itself."""
    command = [rigor, "run", scene, "--time", str(steps * DT), "--json"]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    output, trouble = process.stdout.read(), process.stderr.read()
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = status
    if status != 0:
        sys.exit(f"{' '.join(command)} failed: {output.decode()[-500:]}{trouble.decode()[-500:]}")
    return usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024, json.loads(output)


def measure(rigor, make, n, folder):
    scene = pathlib.Path(folder) / f"world_{n}.toml"
    scene.write_text(make(n))
    few, many = 20, 20 + max(10, min(2000, 4000 // n))
    run(rigor, str(scene), 1)  # the first reads files from the disk
    before, _, _ = run(rigor, str(scene), few)
    after, memory, facts = run(rigor, str(scene), many)
    step = (after - before) / (many - few)
    return step, before - few * step, memory, facts


def count(rigor, scene, steps, folder):
    """Instructions of a whole run, by callgrind."""
    command = ["valgrind", "--tool=callgrind", f"--callgrind-out-file={folder}/counts", rigor, "run", scene, "--time",
               str(steps * DT), "--json"]
    told = subprocess.run(command, capture_output=True, text=True, check=True).stderr
    return int(re.search(r"Collected : (\d+)", told).group(1))


def print_counts(rigor, world, make, n):
    with tempfile.TemporaryDirectory() as folder:
        scene = pathlib.Path(folder) / "world.toml"
        scene.write_text(make(n))
        few, many = 20, 120 if n < 64 else 40
        before, after = (count(rigor, str(scene), steps, folder) for steps in (few, many))
    step = (after - before) / (many - few)
    print(f"{world:12} {n:5} {step / n:12.0f} instructions per step and body, {(before - few * step) / n:12.0f} to set up",
          flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("rigor")
    parser.add_argument("worlds", nargs="*", default=list(WORLDS))
    parser.add_argument("--most", type=int, default=10**6, help="leave out larger worlds")
    parser.add_argument("--instructions", action="store_true", help="counted by callgrind")
    arguments = parser.parse_args()
    if arguments.instructions:
        for world in arguments.worlds:
            make, counts = WORLDS[world]
            for n in [n for n in counts if n <= arguments.most]:
                print_counts(arguments.rigor, world, make, n)
        return
    print(f"{'world':12} {'n':>5} {'µs/step':>10} {'µs/step/n':>10} {'set-up [s]':>11} {'memory [MB]':>12}  contacts")
    for world in arguments.worlds:
        make, counts = WORLDS[world]
        for n in [n for n in counts if n <= arguments.most]:
            with tempfile.TemporaryDirectory() as folder:
                step, start, memory, facts = measure(arguments.rigor, make, n, folder)
            print(f"{world:12} {n:5} {1e6 * step:10.0f} {1e6 * step / n:10.2f} {start:11.3f} {memory:12.1f}"
                  f"  {facts['contacts_max']}", flush=True)


if __name__ == "__main__":
    main()
