#!/usr/bin/env python3
"""Keeps the README honest: what it tells the reader to type is typed here.

Blocks that open with ```sh run are run line by line, with the built program in place of ./rig, in an empty folder that
has only the checkout's scenes. The block that opens with ```cpp run is the library example; CMake compiles it.

So are those of docs/graph.md and docs/own-terms.md. The blocks of docs/scenes.md that open with ```toml run are saved
beside those scenes and run.

Usage: readme.py commands ROOT PROGRAM     run the commands
       readme.py example PAGE              print the C++ example of README.md or of another page
"""

import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

TIME_LIMIT = 120  # seconds for one command; a reader would not wait longer


def blocks(text, kind):
    """Contents of the fenced blocks whose opening line is ```kind."""
    found, current = [], None
    for line in text.splitlines():
        if current is None and line.strip() == f"```{kind}":
            current = []
        elif current is not None and line.strip() == "```":
            found.append(current)
            current = None
        elif current is not None:
            current.append(line)
    return found


def commands(text):
    """Command lines of the runnable blocks, without comments."""
    lines = [line.partition("#")[0].strip() for block in blocks(text, "sh run") for line in block]
    return [line for line in lines if line]


def run(command, program, folder):
    """None, or what went wrong."""
    if not command.startswith("./rig "):
        return f"{command}: a runnable command begins with ./rig"
    line = f"{program} {command.removeprefix('./rig ')}"
    try:
        done = subprocess.run(line, shell=True, cwd=folder, capture_output=True, text=True, timeout=TIME_LIMIT)
    except subprocess.TimeoutExpired:
        return f"{command}: not done after {TIME_LIMIT} s"
    if done.returncode != 0:
        return f"{command}: exit code {done.returncode}\n{done.stdout}{done.stderr}"
    return None


def run_all(root, program):
    typed = commands((root / "README.md").read_text())
    if not typed:
        return ["README.md: no runnable command found"]
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "scenes").symlink_to((root / "scenes").resolve())
        return [problem for command in typed if (problem := run(command, program, folder))]


def run_scene(root, program):
    """None, or what went wrong with the first bad example of docs/scenes.md."""
    examples = blocks((root / "docs/scenes.md").read_text(), "toml run")
    if not examples:
        return "docs/scenes.md: no scene found"
    with tempfile.TemporaryDirectory() as folder:
        shutil.copytree(root / "scenes", Path(folder) / "scenes")
        for example in examples:
            (Path(folder) / "scenes/example.toml").write_text("\n".join(example))
            if problem := run("./rig run scenes/example.toml --strict", program, folder):
                return problem


def main(arguments):
    if arguments[0] == "example":
        examples = blocks(Path(arguments[1]).read_text(), "cpp run")
        if len(examples) != 1:
            sys.exit(f"{arguments[1]}: {len(examples)} C++ examples, expected one")
        print("\n".join(examples[0]))
        return
    root, program = Path(arguments[1]), Path(arguments[2]).resolve()
    problems = run_all(root, program)
    if problem := run_scene(root, program):
        problems.append(problem)
    print("\n".join(problems))
    sys.exit(1 if problems else 0)


if __name__ == "__main__":
    main(sys.argv[1:])
