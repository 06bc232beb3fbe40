"""rigor eval: the contract's keys, numbers that can be worked out by hand, states that are none."""

import json
import math
import unittest
from pathlib import Path

from program import ProgramTest

SCENES = Path(__file__).resolve().parents[2] / "scenes"
KEYS = [
    "M", "Mv", "bias", "gravity", "spring", "damper", "passive", "actuator", "acceleration", "com", "momentum",
    "energy", "bodies",
]  # fmt: skip


class Eval(ProgramTest):
    def evaluate(self, state, *arguments):
        self.write("state.json", json.dumps(state))
        answer = self.rigor("eval", "toy.urdf", "--state", "state.json", "--json", *arguments)
        self.assertEqual(answer.code, 0, answer.err)
        return answer.json()

    def test_an_arm_on_a_fixed_base_is_a_pendulum(self):
        angle, speed, torque = 0.3, 2.0, 0.05
        at = self.evaluate({"q": [angle], "v": [speed], "tau": [torque]}, "--base", "fixed")
        self.assertEqual(list(at), KEYS)
        inertia, weight = 0.002 + 0.5 * 0.1**2, 0.5 * 9.81 * 0.1  # about the hinge; a turn about +y lowers the arm
        self.assertAlmostEqual(at["M"][0][0], inertia, delta=1e-16)
        self.assertAlmostEqual(at["Mv"][0], inertia * speed, delta=1e-16)
        self.assertAlmostEqual(at["bias"][0], -weight * math.cos(angle), delta=1e-15)
        self.assertEqual(at["gravity"], at["bias"])  # one hinge has no Coriolis force
        self.assertAlmostEqual(at["acceleration"][0], (torque + weight * math.cos(angle)) / inertia, delta=1e-12)
        self.assertAlmostEqual(at["energy"]["kinetic"], 0.5 * inertia * speed**2, delta=1e-16)
        self.assertAlmostEqual(at["energy"]["gravity"], -weight * math.sin(angle), delta=1e-15)
        self.assertEqual((at["energy"]["spring"], at["spring"], at["damper"], at["actuator"]), (0, [0], [0], [0]))
        # the trunk cannot move, but it has a mass and its centre counts
        x = (0.5 * (0.3 + 0.1 * math.cos(angle))) / 2.5
        self.assertAlmostEqual(at["com"][0], x, delta=1e-15)
        self.assertEqual(at["bodies"][1]["name"], "arm")
        self.assertAlmostEqual(at["bodies"][1]["quaternion"][2], math.sin(angle / 2), delta=1e-15)

    def test_a_free_fall_has_the_acceleration_of_gravity(self):
        answer = self.rigor("eval", "toy.urdf", "--json").json()
        for got, expected in zip(answer["acceleration"], [0, 0, -9.81, 0, 0, 0, 0]):
            self.assertAlmostEqual(got, expected, delta=1e-13)
        self.assertAlmostEqual(answer["bias"][2], 2.5 * 9.81, delta=1e-13)

    def test_momentum_is_taken_about_the_origin_of_the_world(self):
        at = self.evaluate({"q": [0, 2, 0, 1, 0, 0, 0, 0], "v": [3, 0, 0, 0, 0, 0, 0]})
        self.assertAlmostEqual(at["momentum"]["linear"][0], 7.5, delta=1e-14)
        self.assertAlmostEqual(at["momentum"]["angular"][2], -15.0, delta=1e-13)  # y × x at 2 m

    def test_a_list_of_states_is_answered_by_a_list(self):
        answer = self.evaluate([{"q": [0.1]}, {"q": [0.2], "ctrl": []}], "--base", "fixed")
        self.assertEqual(list(answer), ["states"])
        self.assertEqual([list(state) for state in answer["states"]], [KEYS, KEYS])
        self.assertEqual(answer["states"][1], self.evaluate({"q": [0.2]}, "--base", "fixed"))
        self.assertEqual(self.evaluate([], "--base", "fixed"), {"states": []})

    def test_bad_states_are_refused_with_what_was_expected(self):
        def refuse(state, *words):
            self.write("state.json", state if isinstance(state, str) else json.dumps(state))
            self.assertRefused(self.rigor("eval", "toy.urdf", "--state", "state.json", "--json"), "state.json", *words)

        good = [0, 0, 0, 1, 0, 0, 0, 0]
        refuse({"q": [0] * 7}, "q has 7 numbers, expected 8 = 7 of the free base + 1 of 1 joint")
        refuse({"q": good, "v": [0] * 8}, "v has 8 numbers, expected 7 = 6 of the free base + 1 of 1 joint")
        refuse({"q": good, "tau": [0]}, "tau has 1 numbers")
        refuse({"q": [0, 0, 0, 1.00001, 0, 0, 0, 0]}, "quaternion", "has length 1.00001")
        refuse('[{"q": [0, 0, 0, 1, 0, 0, 0, 1e999]}]', "too large")
        refuse([{"q": good}, {"q": good[:-1]}], "state 1", "q has 7 numbers")
        refuse('{"q": [0, 0, 0, 1, 0, 0, 0, NaN]}', "no JSON")
        refuse({"q": "all"}, "q is not a list")
        refuse({"q": [0, 0, 0, 1, 0, 0, 0, None]}, "q[7] is not a number")
        refuse({"v": [0] * 7}, "has no q")
        refuse({"q": good, "torque": [0]}, "unknown key \"torque\"")
        refuse({"q": good, "ctrl": [1.0]}, "no actuators")
        refuse([3], "state 0", "is not an object")
        refuse("", "no JSON")
        self.write("state.json", json.dumps({"q": good, "v": [1e200] * 7}))
        self.assertRefused(self.rigor("eval", "toy.urdf", "--state", "state.json", "--json"), "state 0", "overflow")
        self.assertRefused(self.rigor("eval", "toy.urdf", "--state", "missing.json"), "missing.json")
        self.assertRefused(self.rigor("eval", "missing.urdf"), "missing.urdf")

    def test_derivatives_of_a_step_that_flies_are_those_of_a_free_fall(self):
        answer = self.rigor("eval", SCENES / "anymal_stand.toml", "--step-derivatives", "--by", "mass:base", "--json")
        self.assertEqual(answer.code, 0, answer.err)
        step = answer.json()
        self.assertTrue(step["known"])
        self.assertEqual(step["parameters"], ["mass:base"])
        self.assertEqual(len(step["dq_dctrl"][0]), 12)
        self.assertEqual(len(step["dv_dparameters"]), 18)
        for i in range(3):  # where the base is plays no part, and it goes on by h v
            for j in range(3):
                self.assertAlmostEqual(step["dq_dq"][i][j], float(i == j), delta=1e-15)
                self.assertAlmostEqual(step["dq_dv"][i][j], 1e-3 * (i == j), delta=1e-12)
        table = self.rigor("eval", SCENES / "anymal_stand.toml", "--step-derivatives")
        self.assertEqual(table.code, 0, table.err)
        self.assertIn("from another mode", table.out)

    def test_derivatives_that_do_not_exist_are_refused(self):
        scene = SCENES / "anymal_stand.toml"
        self.assertRefused(self.rigor("eval", scene, "--step-derivatives", "--by", "mass:bas"), "mass:bas", "base")
        self.assertRefused(self.rigor("eval", scene, "--step-derivatives", "--by", "colour"), "colour", "friction")
        self.assertRefused(self.rigor("eval", scene, "--by", "friction"), "--step-derivatives")
        answer = self.rigor("eval", SCENES / "gripper.toml", "--step-derivatives", "--json")
        self.assertEqual(answer.code, 1)
        self.assertFalse(answer.json()["known"])
        self.assertIn("no derivatives", answer.err)

    def test_people_get_tables(self):
        answer = self.rigor("eval", "toy.urdf")
        self.assertEqual(answer.code, 0, answer.err)
        for word in ("shoulder", "kinetic energy", "centre of mass", "trunk"):
            self.assertIn(word, answer.out)

    def test_the_puma_has_its_published_mass_matrix(self):
        # P. Corke's Robotics Toolbox prints these for the reach pose with the same parameters, to four decimals
        published = [
            [3.6594, -0.4044, 0.1006, -0.0025, 0.0, 0.0],
            [-0.4044, 4.4137, 0.3509, 0.0, 0.0024, 0.0],
            [0.1006, 0.3509, 0.9378, 0.0, 0.0015, 0.0],
            [-0.0025, 0.0, 0.0, 0.1925, 0.0, 0.0],
            [0.0, 0.0024, 0.0015, 0.0, 0.1713, 0.0],
            [0.0, 0.0, 0.0, 0.0, 0.0, 0.1941],
        ]
        at = self.rigor("eval", SCENES / "puma560.toml", "--json").json()
        for row, expected in zip(at["M"], published):
            for got, value in zip(row, expected):
                self.assertAlmostEqual(got, value, delta=0.6e-4)


if __name__ == "__main__":
    unittest.main()
