"""rigor gait: a motion that numpy and rigor can read, feet by name or from the scene, and speeds that are none."""

import json
import unittest

from program import SOURCE, ProgramTest

KEYS = ["feet", "speed", "period", "duty", "stride", "step_height", "base_height", "ground", "dt", "rows", "slip_max",
        "off_ground_max", "joint_speed_max", "fastest_joint"]
SCENES = SOURCE / "scenes"


class Gait(ProgramTest):
    def test_a_scene_that_names_its_feet_walks(self):
        answer = self.rigor("gait", SCENES / "anymal_trot.toml", "--speed", "0.5", "--time", "1", "--out", "walk.npz", "--json")
        self.assertEqual(answer.code, 0, answer.err)
        at = answer.json()
        self.assertEqual(list(at), KEYS)
        self.assertEqual(at["feet"], ["LF_ADAPTER", "RF_ADAPTER", "LH_ADAPTER", "RH_ADAPTER"])
        self.assertEqual(at["rows"], 1001)
        self.assertLess(at["slip_max"], 1e-12)
        self.assertAlmostEqual(at["stride"], 0.5 * at["period"], delta=1e-15)
        self.assertIn("walk.npz", answer.err)

    def test_feet_may_be_named(self):
        feet = "left_foot,right_foot"
        answer = self.rigor("gait", SCENES / "humanoid.urdf", "--speed", "0.2", "--feet", feet, "--time", "0.1", "--period", "0.8",
                            "--duty", "0.625", "--step-height", "0.05", "--dt", "0.002", "--json")
        self.assertEqual(answer.code, 0, answer.err)
        at = answer.json()
        self.assertEqual(at["feet"], feet.split(","))
        self.assertEqual([at["period"], at["duty"], at["step_height"], at["rows"]], [0.8, 0.625, 0.05, 51])

    def test_a_page_plays_it_without_contacts(self):
        self.write("viewer.html", "@RIGOR_RECORDING@")
        answer = self.rigor("gait", SCENES / "rp_biped.urdf", "--speed", "0.3", "--time", "1", "--out", "walk.html",
                            environment={"RIGOR_VIEWER": str(self.folder / "viewer.html")})
        self.assertEqual(answer.code, 0, answer.err)
        data = json.loads((self.folder / "walk.html").read_text())
        self.assertEqual(data["header"]["name"], "rp_biped")
        self.assertGreater(len(data["frames"]), 0)
        self.assertIsNone(data["end"]["verdict"])

    def test_a_speed_out_of_reach_is_bad_input_with_the_largest(self):
        answer = self.rigor("gait", SCENES / "rp_biped.urdf", "--speed", "50")
        self.assertRefused(answer, "the largest speed that they reach is")

    def test_bad_input_is_refused(self):
        robot = SCENES / "a1.urdf"
        self.assertRefused(self.rigor("gait", robot), "--speed")
        self.assertRefused(self.rigor("gait", robot, "--speed", "0.1", "--feet", "FL_calf,FR_carf"), "FR_carf", "FR_calf")
        self.assertRefused(self.rigor("gait", robot, "--speed", "0.1", "--feet", "FL_calf,FL_calf"), "named twice")
        self.assertRefused(self.rigor("gait", robot, "--speed", "0.1", "--out", "walk.txt"), ".npz")
        self.assertRefused(self.rigor("gait", robot, "--speed", "0.1", "--dt", "-1"), "--dt")
        self.assertRefused(self.rigor("gait", robot, "--speed", "0.1", "--base", "fixed"), "--base free")
        self.assertRefused(self.rigor("gait", "toy.urdf", "--speed", "0.1"), "feet")


if __name__ == "__main__":
    unittest.main()
