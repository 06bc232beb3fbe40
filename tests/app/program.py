"""Drives the built program from the outside, as a user or a script would. The tests pass its path as RIGOR."""

import json
import os
import struct
import subprocess
import tempfile
import unittest
import zipfile
from pathlib import Path

RIGOR = os.environ["RIGOR"]
SOURCE = Path(__file__).resolve().parents[2]

# A limp pendulum on a free ball: touches the floor, has a joint with a limit, and settles within a second.
ROBOT = """<?xml version="1.0"?>
<robot name="toy">
  <link name="trunk">
    <inertial><mass value="2"/><inertia ixx="0.01" iyy="0.02" izz="0.03" ixy="0" ixz="0" iyz="0"/></inertial>
    <collision><geometry><box size="0.4 0.3 0.2"/></geometry></collision>
  </link>
  <joint name="shoulder" type="revolute">
    <parent link="trunk"/><child link="arm"/><origin xyz="0.3 0 0"/><axis xyz="0 1 0"/>
    <limit lower="-1.5" upper="1.25" effort="20" velocity="10"/>
  </joint>
  <link name="arm">
    <inertial><origin xyz="0.1 0 0"/><mass value="0.5"/>
      <inertia ixx="0.001" iyy="0.002" izz="0.002" ixy="0" ixz="0" iyz="0"/></inertial>
    <collision><origin xyz="0.1 0 0"/><geometry><sphere radius="0.05"/></geometry></collision>
  </link>
</robot>
"""

SCENE = """[simulation]
dt = 0.001
time = 1.0
[ground]
friction = 0.8
[[robot]]
model = "toy.urdf"
name = "toy"
position = [0, 0, 0.2]
"""


class Answer:
    def __init__(self, code, out, err):
        self.code, self.out, self.err = code, out, err

    def json(self):
        """The one JSON object on stdout; NaN and infinity are not JSON."""

        def refuse(word):
            raise ValueError(f"{word} in the output")

        return json.loads(self.out, parse_constant=refuse)


class ProgramTest(unittest.TestCase):
    """Each test works in its own empty folder with toy.urdf and toy.toml in it."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        self.write("toy.urdf", ROBOT)
        self.write("toy.toml", SCENE)

    def write(self, name, text):
        (self.folder / name).write_text(text)

    def rigor(self, *arguments, environment=None, **options):
        done = subprocess.run(
            [RIGOR, *map(str, arguments)],
            cwd=self.folder,
            env={**os.environ, **(environment or {})},
            stdout=options.pop("stdout", subprocess.PIPE),
            stderr=subprocess.PIPE,
            stdin=subprocess.DEVNULL,
            timeout=options.pop("timeout", 120),
            **options,
        )
        return Answer(done.returncode, (done.stdout or b"").decode(), done.stderr.decode())

    def start(self, *arguments):
        """The program, running; whoever starts it waits for it."""
        process = subprocess.Popen(
            [RIGOR, *map(str, arguments)],
            cwd=self.folder,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            stdin=subprocess.DEVNULL,
            text=True,
        )
        self.addCleanup(process.communicate)
        self.addCleanup(process.kill)  # clean-ups run last to first
        return process

    def assertRefused(self, answer, *words):
        """Bad input: exit 2, nothing on stdout, a message that names the trouble and a remedy on its second line."""
        self.assertEqual(answer.code, 2, answer.err)
        self.assertEqual(answer.out, "")
        for word in words:
            self.assertIn(word, answer.err)
        lines = answer.err.rstrip("\n").split("\n")
        self.assertGreaterEqual(len(lines), 2, f"no remedy in: {answer.err}")
        self.assertTrue(lines[-1].startswith("  "), answer.err)
        self.assertNotIn("defect", answer.err)


def read_array(file, name):
    """One array of an .npz file as (shape, flat tuple); the standard library has no NumPy."""
    with zipfile.ZipFile(file) as archive:
        data = archive.read(name + ".npy")
    assert data[:6] == b"\x93NUMPY"
    length, begin = (struct.unpack_from("<H", data, 8)[0], 10) if data[6] == 1 else (struct.unpack_from("<I", data, 8)[0], 12)
    header = eval(data[begin : begin + length].decode(), {})  # noqa: S307 a Python literal by the format's definition
    code = {"<f8": "d", "<i8": "q", "<u8": "Q", "<i4": "i", "|u1": "B"}[header["descr"]]
    count = 1
    for size in header["shape"]:
        count *= size
    return header["shape"], struct.unpack_from(f"<{count}{code}", data, begin + length)
