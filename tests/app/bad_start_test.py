"""Starts that lead nowhere: an error with a remedy, or a status; never "done"."""

import struct
import unittest
import zipfile

from program import ProgramTest

BALL = """[simulation]
time = 0.1
{simulation}
[ground]
friction = 0.8
[[body]]
shape = {{ sphere = 0.1 }}
{body}
"""


class Starts(ProgramTest):
    def run_ball(self, body, simulation="", *options):
        self.write("ball.toml", BALL.format(body=body, simulation=simulation))
        return self.rigor("run", "ball.toml", "--json", *options)

    def test_positions_beyond_what_doubles_resolve_are_refused(self):
        for x in ["1e308", "-1e300", "1e154", "2e9"]:
            with self.subTest(x):
                self.assertRefused(self.run_ball(f"mass = 1\nposition = [{x}, 0, 1]"), "ball.toml", "resolve")
        self.write("hinge.toml", '[[robot]]\nmodel = "toy.urdf"\nq = { shoulder = 1e300 }\n')
        self.assertRefused(self.rigor("run", "hinge.toml"), "shoulder", "1e+300")
        self.write("deep.toml", BALL.format(body="mass = 1", simulation="").replace("friction = 0.8", "height = 1e308"))
        self.assertRefused(self.rigor("run", "deep.toml"), "1e+308")

    def test_a_snapshot_with_shapes_in_each_other_is_told_counted_and_found_by_verify_geometry(self):
        self.write("ball.toml", BALL.format(body="mass = 1\nposition = [0, 0, 0.5]", simulation=""))
        self.assertEqual(self.rigor("run", "ball.toml", "--save-snapshot", "a.npz").code, 0)
        with zipfile.ZipFile(self.folder / "a.npz") as before, zipfile.ZipFile(self.folder / "b.npz", "w") as after:
            for name in before.namelist():
                data = before.read(name)
                if name == "q.npy":  # the third of seven doubles: the height, 2 cm too low
                    data = data[:-40] + struct.pack("<d", 0.08) + data[-32:]
                after.writestr(name, data)
        told = self.rigor("run", "ball.toml", "--from", "b.npz", "--json")
        self.assertEqual(told.code, 0)
        self.assertIn("overlap by 0.02 m in the snapshot", told.err)
        self.assertAlmostEqual(told.json()["penetration_max"], 0.02, delta=1e-12)
        self.assertTrue(any("in the snapshot" in warning["message"] for warning in told.json()["warnings"]))
        verified = self.rigor("run", "ball.toml", "--from", "b.npz", "--verify-geometry")
        self.assertEqual(verified.code, 1)
        self.assertIn("the snapshot begins with shapes that overlap by 0.02 m", verified.err)
        self.assertEqual(self.rigor("run", "ball.toml", "--from", "a.npz", "--verify-geometry").code, 0)

    def test_a_quaternion_of_length_zero_is_refused(self):
        self.assertRefused(self.run_ball("mass = 1\nquaternion_wxyz = [0, 0, 0, 0]"), "quaternion", "ball.toml")

    def test_an_overlap_that_nothing_can_move_is_refused(self):
        self.write("slide.urdf", """<robot name="s"><link name="world"/><joint name="rail" type="prismatic">
          <parent link="world"/><child link="cart"/><axis xyz="1 0 0"/><limit lower="-1" upper="1" effort="1" velocity="1"/>
          </joint><link name="cart"><inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/>
          </inertial><collision><geometry><sphere radius="0.1"/></geometry></collision></link></robot>""")
        self.write("slide.toml", '[ground]\nheight = -0.05\n[[robot]]\nmodel = "slide.urdf"\n')
        self.assertRefused(self.rigor("run", "slide.toml"), "overlap by 0.05 m", "exclude")

    def test_a_clock_that_no_longer_advances_is_refused(self):
        self.assertEqual(self.run_ball("mass = 1", "", "--save-snapshot", "now.npz").code, 0)
        late = self.folder / "late.npz"
        with zipfile.ZipFile(self.folder / "now.npz") as source, zipfile.ZipFile(late, "w") as target:
            for name in source.namelist():
                data = source.read(name)
                target.writestr(name, data[:-8] + struct.pack("<d", 1e17) if name == "time.npy" else data)
        self.assertRefused(self.rigor("run", "ball.toml", "--from", "late.npz"), "late.npz", "advance the clock")

    def test_a_run_of_no_length_or_without_end_is_refused(self):
        for option, value in [("--dt", "1e-300"), ("--time", "1e300"), ("--dt", "0"), ("--time", "nan"), ("--dt", "inf")]:
            with self.subTest(option + value):
                self.assertRefused(self.rigor("run", "toy.toml", option, value))

    def test_speeds_and_gravity_beyond_mechanics_are_refused(self):
        for v in ["1e300", "1e150", "3e8"]:
            self.assertRefused(self.run_ball(f"mass = 1\nposition = [0, 0, 1]\nvelocity = [0, 0, -{v}]"), "light", "body")
            self.assertRefused(self.run_ball(f"mass = 1\nangular_velocity = [0, {v}, 0]"), "light")
        for g in ["1e300", "1e20", "2e9"]:
            self.assertRefused(self.run_ball("mass = 1", f"gravity = [0, 0, -{g}]"), "gravity", "9.81")

    def test_a_spring_too_fast_for_the_steps_is_told(self):
        self.write("spring.toml", '[[robot]]\ndh = "standard"\n[[robot.link]]\nmass = 1\nstiffness = 1e6\n'
                   "inertia = [1, 1, 1, 0, 0, 0]\n")  # fmt: skip
        self.assertIn("too fast for steps of 1 s", self.rigor("run", "spring.toml", "--dt", "1", "--time", "3").err)
        self.assertNotIn("too fast", self.rigor("run", "spring.toml", "--dt", "0.001", "--time", "0.01").err)

    def test_wild_numbers_end_with_an_error_or_a_true_status(self):
        wild = [(f"mass = {m}\nposition = [0, 0, 0.1]", "") for m in ["1e-300", "1e300", "5e-324", "1e-150"]]
        wild += [("mass = 1\nposition = [0, 0, 0.1]", f"gravity = [0, 0, -{g}]") for g in ["1e9", "1e-300"]]
        wild += [(f"mass = 1\nposition = [0, 0, 1]\nvelocity = [0, 0, -{v}]", "") for v in ["1e6", "1e8"]]
        wild += [(f"mass = 1\nposition = [0, 0, 1]\nangular_velocity = [0, {w}, 0]", "") for w in ["1e5", "1e8"]]
        for body, simulation in wild:
            with self.subTest(body + simulation):
                answer = self.run_ball(body, simulation)
                self.assertIn(answer.code, [0, 1, 2], answer.err)
                if answer.code == 2:
                    self.assertRefused(answer)
                    continue
                run = answer.json()  # no NaN, no infinity
                self.assertEqual(answer.code == 0, run["status"] == "done")
                if answer.code == 0:
                    self.assertEqual(run["failed_steps"], 0)
                    self.assertLessEqual(run["penetration_max"], 1e-9)

    def test_a_time_that_is_no_whole_number_of_steps_says_what_runs(self):
        answer = self.rigor("run", "toy.toml", "--time", "0.0105", "--json")
        self.assertIn("11 steps will run, 0.011 s", answer.err)
        self.assertEqual(answer.json()["steps"], 11)
        self.assertNotIn("whole number", self.rigor("run", "toy.toml", "--time", "0.3", "--json").err)


if __name__ == "__main__":
    unittest.main()
