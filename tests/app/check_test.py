"""rigor check: problems before they bite, as a table and as JSON, with exit code 1 where a run would fail."""

import unittest

from program import ROBOT, ProgramTest



def link(name, radius):
    return f"""<link name="{name}"><inertial><mass value="1"/>
      <inertia ixx="0.003" iyy="0.003" izz="0.003" ixy="0" ixz="0" iyz="0"/></inertial>
      <collision><geometry><sphere radius="{radius}"/></geometry></collision></link>"""


def hinge(name, parent, child, lower, upper):
    return f"""<joint name="{name}" type="revolute"><parent link="{parent}"/><child link="{child}"/>
      <origin xyz="0.2 0 0"/><axis xyz="0 0 1"/><limit lower="{lower}" upper="{upper}" effort="9" velocity="9"/></joint>"""


def chain(radius, lower, upper):
    """Links a, b, c with 0.2 m between neighbours; the joint between a and b brings c to 0.4 |cos(angle/2)| from a."""
    return ('<robot name="chain">' + link("a", radius) + hinge("ab", "a", "b", lower, upper) + link("b", 0.05)
            + hinge("bc", "b", "c", -0.01, 0.1) + link("c", radius) + "</robot>")


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

    def test_links_that_overlap_in_every_pose_are_told_once_and_do_not_stop_a_run(self):
        self.write("chain.urdf", chain(0.25, -0.01, 0.1))
        self.write("chain.toml", '[ground]\n[[robot]]\nmodel = "chain.urdf"\nposition = [0, 0, 1]\n')
        for file in ["chain.urdf", "chain.toml"]:
            found = self.problems(file)
            self.assertEqual([problem["kind"] for problem in found], ["lasting_overlap"], found)
            self.assertIn('"a_collision" and "c_collision" (0.1 m)', found[0]["message"])
            answer = self.rigor("run", file, "--time", "0.1", "--json")
            self.assertEqual((answer.code, answer.json()["status"]), (0, "done"), answer.err)

    def test_strict_asks_to_name_pairs_that_always_overlap_and_then_takes_them(self):
        self.write("chain.urdf", chain(0.25, -0.01, 0.1))
        refused = self.rigor("run", "chain.urdf", "--strict", "--time", "0.01")
        self.assertRefused(refused, "[collision] exclude")
        scene = '[ground]\n[[robot]]\nmodel = "chain.urdf"\nposition = [0, 0, 1]\n'
        self.write("named.toml", scene + '[collision]\nexclude = [["a_collision", "c_collision"]]\n')
        answer = self.rigor("run", "named.toml", "--strict", "--time", "0.01")
        self.assertEqual(answer.code, 0, answer.err)

    def test_joints_that_a_bare_model_starts_with_elsewhere_are_named(self):
        self.write("fold.urdf", chain(0.1, 2.5, 6.0))  # 0.126 m apart at 2.5 rad, 0.2 m from 4.19 rad on
        found = self.problems("fold.urdf")
        self.assertEqual([problem["kind"] for problem in found], ["pose", "base"], found)  # on one ball it falls over
        self.assertEqual([problem["kind"] for problem in self.problems("fold.urdf", "--base", "fixed")], ["pose"])
        self.assertIn('"ab" from 2.5 to 4.2', found[0]["message"])
        self.assertEqual(self.rigor("run", "fold.urdf", "--time", "0.1").code, 0)

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


    def test_an_srdf_takes_pairs_of_links_out_of_run_info_and_check(self):
        self.write("chain.urdf", chain(0.25, -0.01, 0.1))  # a and c overlap in every pose
        self.write("chain.srdf", '<robot name="chain">\n<disable_collisions link1="a" link2="c" reason="Never"/>\n'
                                 '<disable_collisions link1="a" link2="d" reason="Never"/>\n</robot>\n')
        self.assertEqual(self.kinds("chain.urdf"), ["lasting_overlap"])
        found = self.problems("chain.urdf", "--srdf", "chain.srdf")
        self.assertEqual([(problem["file"], problem["line"]) for problem in found], [("chain.srdf", 3)], found)
        for command in (["info"], ["run", "--time", "0.01"]):
            answer = self.rigor(*command, "chain.urdf", "--srdf", "chain.srdf", "--json")
            self.assertEqual(answer.code, 0, answer.err)
            self.assertIn("chain.srdf", answer.out + answer.err)
            self.assertNotIn("overlap", answer.out + answer.err)


if __name__ == "__main__":
    unittest.main()
