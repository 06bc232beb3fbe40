#!/usr/bin/env python3
"""Installs the built library into an empty folder, builds tests/consumer against it as a stranger would, and runs it.

The stranger's program is compiled by the same compiler and with the same flags as the library: one that was built with
sanitizers cannot be linked without them.

Usage: install.py ROOT BUILD WORK COMPILER FLAGS
"""

import shutil
import subprocess
import sys
from pathlib import Path


def run(*command, **options):
    print("+", *command, flush=True)
    return subprocess.run([str(part) for part in command], check=True, **options)


def build_consumer(root, prefix, folder, compiler, flags):
    run("cmake", "-S", root / "tests/consumer", "-B", folder, "-G", "Ninja", f"-DCMAKE_PREFIX_PATH={prefix}",
        "-DCMAKE_BUILD_TYPE=Release", f"-DCMAKE_CXX_COMPILER={compiler}", f"-DCMAKE_CXX_FLAGS={flags}")  # fmt: skip
    run("cmake", "--build", folder)


def main(root, build, work, compiler, flags=""):
    shutil.rmtree(work, ignore_errors=True)
    prefix, consumer = work / "prefix", work / "consumer"
    run("cmake", "--install", build, "--prefix", prefix, stdout=subprocess.DEVNULL)
    build_consumer(root, prefix, consumer, compiler, flags)
    run(consumer / "consumer", prefix / "share/rigor/scenes/anymal.urdf")
    # A user who compiles for newer CPUs than rigor was compiled for: what one side allocates the other must free.
    wide = work / "wide"
    build_consumer(root, prefix, wide, compiler, flags + " -mavx2")
    if " avx2 " in Path("/proc/cpuinfo").read_text():
        run(wide / "consumer", prefix / "share/rigor/scenes/anymal.urdf")
    # headers that a user may include must not need those that he does not get
    for header in sorted((prefix / "include/rigor").glob("*.h")):
        if "#include \"" in header.read_text().replace('#include "rigor/', ""):
            sys.exit(f"{header.name} includes a header that is not installed")
    # the installed program takes the scenes that were installed with it, not those of the source
    scene = prefix / "share/rigor/scenes/anymal_steps.toml"
    scene.write_text(scene.read_text() + "\nspoilt = true\n")
    spoilt = subprocess.run([prefix / "bin/rigor", "demo", "--time", "0.05", "--out", work / "demo.npz"],
                            capture_output=True, text=True)  # fmt: skip
    if spoilt.returncode != 2 or str(scene) not in spoilt.stderr:
        sys.exit(f"the installed program did not read {scene}: {spoilt.stderr}")


if __name__ == "__main__":
    main(*(Path(argument).resolve() for argument in sys.argv[1:4]), *sys.argv[4:6])
