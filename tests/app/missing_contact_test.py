"""Shapes that pass through each other for want of contact code: never "done"."""

import unittest

from program import ProgramTest

CRATES = """[simulation]
time = 0.5
[[body]]
name = "lower"
shape = {{ triangles = "crate.obj" }}
fixed = true
position = [0, 0, 0.1]
[[body]]
name = "upper"
shape = {{ triangles = "crate.obj" }}
mass = 1
position = {place}
"""

CRATE = """v -0.1 -0.1 -0.1
v 0.1 -0.1 -0.1
v -0.1 0.1 -0.1
v 0.1 0.1 -0.1
v -0.1 -0.1 0.1
v 0.1 -0.1 0.1
v -0.1 0.1 0.1
v 0.1 0.1 0.1
f 1 3 4 2
f 5 6 8 7
f 1 2 6 5
f 3 7 8 4
f 1 5 7 3
f 2 4 8 6
"""

LINK = '<inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial>'


def robot(collision):
    return f'<robot name="r"><link name="base">{LINK}{collision}</link></robot>'


def collision(geometry, height=0):
    return f'<collision><origin xyz="0 0 {height}"/><geometry>{geometry}</geometry></collision>'


MESH = collision('<mesh filename="hull.stl"/>')


class Crates(ProgramTest):
    def setUp(self):
        super().setUp()
        self.write("crate.obj", CRATE)

    def run_crates(self, place, *options):
        self.write("crates.toml", CRATES.format(place=place))
        return self.rigor("run", "crates.toml", "--json", *options)

    def test_two_crates_in_one_place_are_incomplete(self):
        answer = self.run_crates("[0, 0, 0.1]")
        self.assertEqual(answer.code, 1, answer.err)
        run = answer.json()
        self.assertEqual((run["status"], run["ignored"]), ("incomplete", {"pairs": 1, "shapes": 0}))
        self.assertIn("1 pair without contact code came together", answer.err)

    def test_a_crate_that_falls_through_another_is_incomplete(self):
        answer = self.run_crates("[0, 0, 0.5]")
        self.assertEqual((answer.code, answer.json()["status"]), (1, "incomplete"))
        self.assertIn("at 0.2", answer.err)  # it falls 0.2 m in 0.202 s

    def test_crates_that_never_meet_are_done(self):
        answer = self.run_crates("[0.5, 0, 0.5]")
        run = answer.json()
        self.assertEqual((answer.code, run["status"], run["ignored"]["pairs"]), (0, "done", 0), answer.err)

    def test_the_user_may_allow_it_and_the_status_stays_true(self):
        answer = self.run_crates("[0, 0, 0.1]", "--allow-missing-contact")
        self.assertEqual((answer.code, answer.json()["status"]), (0, "incomplete"))

    def test_an_excluded_pair_is_meant(self):
        self.write("crates.toml", CRATES.format(place="[0, 0, 0.1]") + '[collision]\nexclude = [["lower", "upper"]]\n')
        answer = self.rigor("run", "crates.toml", "--json")
        self.assertEqual((answer.code, answer.json()["status"]), (0, "done"))

    def test_the_terminal_says_what_the_json_says(self):
        self.write("crates.toml", CRATES.format(place="[0, 0, 0.1]"))
        answer = self.rigor("run", "crates.toml")
        self.assertEqual(answer.code, 1)
        self.assertTrue(answer.out.startswith("crates: incomplete, 1 pair without contact code"), answer.out)
        self.assertIn("--allow-missing-contact", answer.err)


class Robots(ProgramTest):
    def run_robot(self, collisions, *options):
        self.write("r.urdf", robot(collisions))
        return self.rigor("run", "r.urdf", "--json", "--time", "0.1", *options)

    def test_a_robot_of_meshes_is_incomplete_and_told_before_anything_else(self):
        answer = self.run_robot(4 * MESH)
        run = answer.json()
        self.assertEqual((answer.code, run["status"], run["ignored"]["shapes"]), (1, "incomplete", 4), answer.err)
        warnings = [line for line in answer.err.splitlines() if line.startswith("warning")]
        self.assertIn("all 4 of its collision shapes are left out: it falls through the floor", warnings[0])
        self.assertIn("(and 3 more like this)", warnings[1])
        self.assertEqual(len(warnings), 2)

    def test_a_robot_without_any_shape_is_told(self):
        answer = self.run_robot("")
        self.assertEqual(answer.code, 0)  # nothing was left out of contact
        self.assertIn("it has no collision shapes: it falls through the floor", answer.err)

    def test_a_fixed_arm_of_meshes_above_the_floor_is_incomplete_too(self):
        self.assertEqual(self.run_robot(MESH, "--base", "free").code, 1)

    def test_cylinders_start_above_the_floor(self):
        answer = self.run_robot(collision('<sphere radius="0.1"/>') + collision('<cylinder radius="0.1" length="1"/>'))
        self.assertEqual(answer.json()["ignored"], {"pairs": 0, "shapes": 0})  # it has 5 cm to fall
        self.assertNotIn("below the floor", answer.err)
        self.assertEqual(answer.json()["contacts_max"], 0)  # the ball begins 0.45 m above the floor

    def test_a_left_out_part_that_starts_below_the_floor_is_told_first(self):
        self.write("r.urdf", robot(collision('<sphere radius="0.1"/>') + collision('<mesh filename="hull.stl"/>', -0.5)))
        self.write("r.toml", '[ground]\n[[robot]]\nmodel = "r.urdf"\nposition = [0, 0, 0.2]\n')
        answer = self.rigor("run", "r.toml", "--time", "0.01")
        first = answer.err.splitlines()[0]
        self.assertIn("starts 0.3 m below the floor", first)

    def test_a_missing_mesh_names_the_places_searched(self):
        self.write("r.urdf", robot(MESH.replace("hull.stl", "package://robot/hull.stl")))
        answer = self.rigor("info", "r.urdf", "--package-path", ".")
        self.assertIn("robot/hull.stl", answer.out)
        self.assertIn("looked for", answer.out)
        self.assertIn("--package-path", answer.out)

    def test_a_mesh_in_a_package_is_found(self):
        self.write("r.urdf", robot(MESH.replace("hull.stl", "package://robot/hull.obj")))
        (self.folder / "packages/robot").mkdir(parents=True)
        self.write("packages/robot/hull.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 2 3\nf 1 2 4\nf 1 3 4\nf 2 3 4\n")
        answer = self.rigor("info", "r.urdf", "--package-path", "packages", "--json")
        self.assertEqual(answer.json()["shapes"], 1)
        self.assertEqual(answer.json()["warnings"], [])
        table = self.rigor("info", "r.urdf", "--package-path", "packages").out
        self.assertRegex(table, r"base_collision +4 +4 +4 +4 +hull.obj")

    def test_pairs_within_a_robot_can_be_switched_off(self):
        answer = self.rigor("run", "toy.urdf", "--no-self-collision", "--json", "--time", "0.1")
        self.assertEqual((answer.code, answer.json()["status"]), (0, "done"), answer.err)


if __name__ == "__main__":
    unittest.main()
