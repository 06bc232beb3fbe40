"""rigor collide: numbers that can be worked out by hand, every kind of shape, and input that is none."""

import math
import unittest

from program import ProgramTest

KEYS = ["distance", "normal", "on_a", "on_b", "points"]
POINT_KEYS = ["on_a", "on_b", "gap", "normal", "feature"]
TETRAHEDRON = """v 0 0 0
v 1 0 0
v 0 1 0
v 0 0 1
f 1 3 2
f 1 2 4
f 1 4 3
f 2 3 4
"""


class Collide(ProgramTest):
    def collide(self, *arguments):
        answer = self.rigor("collide", *arguments, "--json")
        self.assertEqual(answer.code, 0, answer.err)
        return answer.json()

    def test_two_spheres_are_as_far_apart_as_their_surfaces(self):
        at = self.collide("sphere:0.1", "sphere:0.2", "--pose-b", "0 0 1")
        self.assertEqual(list(at), KEYS)
        self.assertAlmostEqual(at["distance"], 0.7, delta=1e-15)
        self.assertEqual(at["normal"], [0, 0, 1])
        self.assertAlmostEqual(at["on_a"][2], 0.1, delta=1e-15)
        self.assertAlmostEqual(at["on_b"][2], 0.8, delta=1e-15)
        self.assertEqual(at["points"], [])

    def test_a_box_on_a_box_touches_with_four_corners(self):
        at = self.collide("box:1,1,1", "box:0.5,0.5,0.5", "--pose-b", "0 0 0.749", "--margin", "0.01")
        self.assertAlmostEqual(at["distance"], -0.001, delta=1e-15)
        self.assertEqual(len(at["points"]), 4)
        for point in at["points"]:
            self.assertEqual(list(point), POINT_KEYS)
            self.assertAlmostEqual(point["gap"], -0.001, delta=1e-15)
            self.assertAlmostEqual(abs(point["on_a"][0]), 0.25, delta=1e-15)

    def test_lengths_are_full_lengths(self):
        self.assertAlmostEqual(self.collide("plane", "cylinder:0.1,2", "--pose-b", "0 0 3")["distance"], 2, delta=1e-15)
        self.assertAlmostEqual(self.collide("plane", "capsule:0.1,2", "--pose-b", "0 0 3")["distance"], 1.9, delta=1e-15)
        self.assertAlmostEqual(self.collide("plane", "cone:0.1,2", "--pose-b", "0 0 3")["distance"], 2, delta=1e-15)
        self.assertAlmostEqual(self.collide("plane", "ellipsoid:1,2,3", "--pose-b", "0 0 5")["distance"], 2, delta=1e-15)

    def test_quaternions_turn_and_need_not_be_unit(self):
        for turn in (f"{math.sqrt(0.5)} {math.sqrt(0.5)} 0 0", "2 2 0 0"):
            at = self.collide("plane", "cylinder:0.1,2", "--pose-b", f"0 0 3 {turn}")
            self.assertAlmostEqual(at["distance"], 2.9, delta=1e-15)

    def test_meshes_are_hulls_or_triangles(self):
        self.write("corner.obj", TETRAHEDRON)
        for shape in ("corner.obj", "triangles:corner.obj"):
            at = self.collide(shape, "sphere:0.1", "--pose-b", "1 1 1")
            self.assertAlmostEqual(at["distance"], 2 / math.sqrt(3) - 0.1, delta=1e-14)
        self.assertAlmostEqual(self.collide("plane", "triangles:corner.obj", "--pose-b", "0 0 1")["distance"], 1, delta=1e-15)

    def test_exchanged_shapes_give_the_exchanged_answer(self):
        one = self.collide("cone:0.1,0.2", "box:1,2,3", "--pose-b", "0.3 0.4 2")
        other = self.collide("box:1,2,3", "cone:0.1,0.2", "--pose-a", "0.3 0.4 2")
        self.assertEqual(one["distance"], other["distance"])
        self.assertEqual(one["on_a"], other["on_b"])

    def test_every_point_says_what_touches_what(self):
        def features(*arguments):
            return sorted(point["feature"] for point in self.collide(*arguments)["points"])

        self.assertEqual(features("box:1,1,1", "box:0.5,0.5,0.5", "--pose-b", "0 0 0.75"), ["face-vertex"] * 4)
        eighth = f"0 0 0.75 {math.cos(math.pi / 8)} 0 0 {math.sin(math.pi / 8)}"
        self.assertEqual(features("box:0.5,0.5,1", "box:0.5,0.5,0.5", "--pose-b", eighth), ["edge-edge"] * 8)
        self.assertEqual(features("plane", "cone:0.1,0.2", "--pose-b", "0 0 0.1 0 1 0 0"), ["face-apex"])
        self.assertEqual(features("plane", "cylinder:0.1,0.2", "--pose-b", "0 0 0.1"), ["face-rim"] * 8)
        self.assertEqual(features("plane", "sphere:0.1", "--pose-b", "0 0 0.1"), ["face-surface"])

    def test_people_see_a_dozen_points_and_scripts_all(self):
        self.write("rugged.obj", "".join(f"v {math.cos(i)} {math.sin(i)} {z}\n" for i in range(40) for z in (0, 1)))
        pair = ("plane", "rugged.obj")
        count = len(self.collide(*pair)["points"])
        self.assertGreater(count, 20)
        text = self.rigor("collide", *pair).out
        self.assertIn(f"and {count - 12} more points; --json has all", text)
        self.assertLess(len(text.splitlines()), 25)

    def test_shapes_may_be_written_as_in_scenes(self):
        at = self.collide("{box = [1, 1, 1]}", "{capsule = {radius = 0.1, length = 2}}", "--pose-b", "0 0 3")
        self.assertAlmostEqual(at["distance"], 1.4, delta=1e-15)
        self.assertRefused(self.rigor("collide", "{ball = 1}", "sphere:1"), "ball")
        self.assertRefused(self.rigor("collide", "{box = [1, 1]}", "sphere:1"), "box")
        self.assertRefused(self.rigor("collide", "{box = [1, 1", "sphere:1"), "box")

    def test_people_get_a_table(self):
        answer = self.rigor("collide", "box:1,1,1", "box:1,1,1", "--pose-b", "0 0 0.999")
        self.assertEqual(answer.code, 0, answer.err)
        for word in ("overlap", "0.001 m", "normal", "gap [m]"):
            self.assertIn(word, answer.out)
        self.assertIn("no points", self.rigor("collide", "sphere:1", "sphere:1", "--pose-b", "0 0 5").out)

    def test_bad_input_is_refused_with_what_would_be_right(self):
        def refuse(*arguments, words):
            self.assertRefused(self.rigor("collide", *arguments), *words)

        refuse("sphere:0", "sphere:1", words=["radius", "0"])
        refuse("sphere:-1", "sphere:1", words=["radius"])
        refuse("sphere:nan", "sphere:1", words=["radius"])
        refuse("sphere:1x", "sphere:1", words=["sphere:1x", "Shapes:"])
        refuse("sphere", "sphere:1", words=["neither a shape nor a file"])
        refuse("box:1,2", "sphere:1", words=["box needs 3 numbers"])
        refuse("ball:1", "sphere:1", words=["ball:1", "Shapes:"])
        refuse("nowhere.stl", "sphere:1", words=["nowhere.stl"])
        refuse("triangles:nowhere.stl", "sphere:1", words=["nowhere.stl"])
        refuse("plane", "plane", words=["plane"])
        refuse("sphere:1", "sphere:1", "--pose-a", "0 0", words=["--pose-a", "3 or 7"])
        refuse("sphere:1", "sphere:1", "--pose-b", "0 0 nan", words=["pose of shape 2"])
        refuse("sphere:1", "sphere:1", "--pose-b", "0 0 0 0 0 0 0", words=["--pose-b", "quaternion"])
        refuse("sphere:1", "sphere:1", "--margin", "nan", words=["margin"])
        refuse("sphere:1", words=["B"])


if __name__ == "__main__":
    unittest.main()
