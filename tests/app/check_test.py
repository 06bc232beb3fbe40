"""rigor check: problems before they bite, as a table and as JSON, with exit code 1 where a run would fail."""

import unittest

from program import ROBOT, ProgramTest


class Check(ProgramTest):
    def problems(self, file, *options, code=0):
        answer = self.rigor("check", file, "--json", *options)
        self.assertEqual(answer.code, code, answer.err)
        found = answer.json()["problems"]
        for problem in found:
            self.assertEqual(set(problem), {"kind", "severity", "element", "file", "line", "message", "remedy"})
            self.assertIn(problem["severity"], ["error", "warning"])
            self.assertTrue(problem["message"] and problem["remedy"], problem)
        return found

    def kinds(self, file, *options, code=0):
        return [problem["kind"] for problem in self.problems(file, *options, code=code)]

    def test_a_sound_robot_and_its_scene_have_no_problems(self):
        self.assertEqual(self.problems("toy.urdf"), [])
        self.assertEqual(self.problems("toy.toml"), [])
        self.assertIn("no problems", self.rigor("check", "toy.urdf").out)

    def test_a_missing_mesh_is_an_error_with_the_places_searched(self):
        self.write("holes.urdf", ROBOT.replace('<sphere radius="0.05"/>', '<mesh filename="package://toy/arm.stl"/>'))
        found = self.problems("holes.urdf", code=1)
        self.assertEqual([(p["kind"], p["severity"]) for p in found][0], ("missing_shape", "error"))
        self.assertIn("toy/arm.stl", found[0]["message"])
        self.assertGreater(found[0]["line"], 0)

    def test_a_name_that_comes_twice_is_an_error_with_its_line(self):
        self.write("twice.urdf", ROBOT.replace('<link name="arm">', '<link name="trunk">', 1))
        found = self.problems("twice.urdf", code=1)
        self.assertEqual([(p["kind"], p["severity"]) for p in found], [("file", "error")])
        self.assertIn("trunk", found[0]["message"] + found[0]["element"])

    def test_a_file_that_is_not_there_is_bad_input(self):
        self.assertRefused(self.rigor("check", "nowhere.urdf"), "nowhere.urdf")

    def test_bodies_that_start_inside_each_other_are_told_by_pair_and_depth(self):
        self.write("deep.toml", "[ground]\n" + 2 * '[[body]]\nshape = { sphere = 0.1 }\nmass = 1\nposition = [0, 0, 0.5]\n')
        found = self.problems("deep.toml")
        self.assertEqual(found[0]["kind"], "overlap")
        self.assertIn("0.2 m", found[0]["message"])
        self.assertIn('"body" and "body_2"', found[0]["element"])

    def test_the_step_decides_whether_a_spring_is_too_fast(self):
        self.write("fast.toml", '[[robot]]\nmodel = "toy.urdf"\n[[controller]]\nkind = "hold"\nkp = 1e5\nkd = 1\n')
        self.assertIn("step", self.kinds("fast.toml"))
        self.assertNotIn("step", self.kinds("fast.toml", "--dt", "1e-5"))

    def test_strict_makes_every_problem_count(self):
        self.write("weak.urdf", ROBOT.replace('effort="20"', 'effort="0"'))
        self.assertEqual(self.kinds("weak.urdf"), ["effort"])
        self.assertEqual(self.kinds("weak.urdf", "--strict", code=1), ["effort"])

    def test_the_table_names_kind_place_and_remedy(self):
        self.write("weak.urdf", ROBOT.replace('effort="20"', 'effort="0"'))
        answer = self.rigor("check", "weak.urdf")
        for word in ["warning", "effort", 'joint "shoulder"', "limp", "<limit>"]:
            self.assertIn(word, answer.out)


if __name__ == "__main__":
    unittest.main()
