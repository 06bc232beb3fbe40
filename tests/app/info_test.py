"""rigor info: the contract's keys, the numbers of the file."""

import unittest

from program import ProgramTest

KEYS = {
    "file", "format", "name", "nq", "nv", "mass", "gravity", "bodies", "joints", "actuators", "constraints", "shapes",
    "keyframes", "q0", "warnings",
}  # fmt: skip


class Info(ProgramTest):
    def test_json_has_the_keys_of_the_contract(self):
        answer = self.rigor("info", "toy.urdf", "--json")
        self.assertEqual(answer.code, 0, answer.err)
        info = answer.json()
        self.assertEqual(set(info), KEYS)
        self.assertEqual((info["file"], info["format"], info["name"]), ("toy.urdf", "urdf", "toy"))
        self.assertEqual((info["nq"], info["nv"], info["shapes"]), (8, 7, 2))
        self.assertEqual(info["mass"], 2.5)
        self.assertEqual(info["gravity"], [0, 0, -9.81])
        self.assertEqual(info["q0"], [0, 0, 0, 1, 0, 0, 0, 0])
        self.assertEqual(
            info["bodies"],
            [{"name": "trunk", "parent": "world", "mass": 2.0}, {"name": "arm", "parent": "trunk", "mass": 0.5}],
        )
        free, shoulder = info["joints"]
        self.assertEqual((free["type"], free["body"], free["q_index"], free["v_index"]), ("free", "trunk", 0, 0))
        self.assertEqual(
            shoulder,
            {"name": "shoulder", "type": "hinge", "body": "arm", "q_index": 7, "v_index": 6, "range": [-1.5, 1.25],
             "mimic": None},
        )  # fmt: skip

    def test_a_mimicking_joint_is_listed_as_a_constraint(self):
        model = (self.folder / "toy.urdf").read_text()
        finger = """<link name="finger"><inertial><mass value="0.1"/>
          <inertia ixx="0.01" iyy="0.01" izz="0.01" ixy="0" ixz="0" iyz="0"/></inertial></link>
          <joint name="knuckle" type="continuous"><parent link="arm"/><child link="finger"/>
          <mimic joint="shoulder" multiplier="-2" offset="0.5"/></joint></robot>"""
        self.write("toy.urdf", model.replace("</robot>", finger))
        answer = self.rigor("info", "toy.urdf", "--json", "--strict")
        self.assertEqual(answer.code, 0, answer.err)
        info = answer.json()
        self.assertEqual(info["constraints"], [{"name": "knuckle", "kind": "joint"}])
        self.assertEqual(info["joints"][2]["mimic"], {"joint": "shoulder", "multiplier": -2.0, "offset": 0.5})
        self.assertIn("knuckle = 0.5 - 2 shoulder\n", self.rigor("info", "toy.urdf").out)

    def test_the_text_names_every_loop_and_what_it_ties(self):
        self.write("loop.toml", """[[robot]]
model = "toy.urdf"
[[body]]
name = "ball"
mass = 1
position = [1, 0, 0]
shape = { sphere = 0.1 }
[[loop]]
name = "string"
kind = "connect"
body_1 = "arm"
body_2 = "ball"
point_1 = [0.2, 0, 0]
point_2 = [-0.5, 0, 0]
""")
        answer = self.rigor("info", "loop.toml")
        self.assertEqual(answer.code, 0, answer.err)
        self.assertRegex(answer.out, r"\n  loop +kind +what it ties\n  string +connect +arm, ball\n")
        self.assertNotIn("what it ties", self.rigor("info", "toy.urdf").out)

    def test_a_fixed_base_leaves_the_joint_alone(self):
        info = self.rigor("info", "toy.urdf", "--json", "--base", "fixed").json()
        self.assertEqual((info["nq"], info["nv"]), (1, 1))
        self.assertEqual([joint["name"] for joint in info["joints"]], ["shoulder"])
        self.assertEqual(len(info["bodies"]), 2)

    def test_the_table_names_every_body_and_joint(self):
        answer = self.rigor("info", "toy.urdf")
        self.assertEqual(answer.code, 0, answer.err)
        for word in ["trunk", "arm", "shoulder", "hinge", "free", "-1.5 … 1.25", "2.5 kg", "nq 8", "nv 7"]:
            self.assertIn(word, answer.out)

    def test_numbers_read_back_to_the_same_double(self):
        model = (self.folder / "toy.urdf").read_text().replace('value="2"', 'value="0.30000000000000004"')
        self.write("toy.urdf", model.replace('lower="-1.5"', 'lower="-1.4999999999999998"'))
        info = self.rigor("info", "toy.urdf", "--json").json()
        self.assertEqual(info["bodies"][0]["mass"], 0.30000000000000004)
        self.assertEqual(info["joints"][1]["range"][0], -1.4999999999999998)

    def test_strict_turns_warnings_into_errors(self):
        # An inertia that no body can have: ixx + iyy < izz. The motion is still defined.
        model = (self.folder / "toy.urdf").read_text().replace('izz="0.03"', 'izz="0.031"')
        self.write("toy.urdf", model)
        lenient = self.rigor("info", "toy.urdf", "--json")
        self.assertEqual(lenient.code, 0, lenient.err)
        warnings = lenient.json()["warnings"]
        self.assertEqual(len(warnings), 1)
        self.assertEqual(set(warnings[0]), {"file", "line", "element", "message"})
        self.assertRefused(self.rigor("info", "toy.urdf", "--json", "--strict"), "toy.urdf")


if __name__ == "__main__":
    unittest.main()
