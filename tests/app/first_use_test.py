"""What a new user meets in the first hour: names, endings, defaults, messages."""

import os
import unittest
import zipfile

from program import ROBOT, SCENE, ProgramTest

INERTIAL = '<inertial><mass value="{mass}"/><inertia ixx="{ixx}" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial>'


class Outputs(ProgramTest):
    def test_several_files_are_written_whatever_the_case_of_their_endings(self):
        names = ["a.NPZ", "b.Csv", "c.npz"]
        answer = self.rigor("run", "toy.toml", "--time", "0.01", *(word for name in names for word in ("--out", name)))
        self.assertEqual(answer.code, 0, answer.err)
        self.assertEqual((self.folder / "a.NPZ").read_bytes(), (self.folder / "c.npz").read_bytes())
        self.assertIn("time", (self.folder / "b.Csv").read_text().splitlines()[0])

    def test_one_name_for_two_files_is_refused(self):
        self.assertRefused(self.rigor("run", "toy.toml", "--out", "a.npz", "--out", "a.npz"), "a.npz", "twice")

    def test_scenes_and_torques_may_have_endings_in_capitals(self):
        self.write("TOY.TOML", SCENE)
        self.write("PUSH.CSV", "time,shoulder\n0,1\n")
        answer = self.rigor("run", "TOY.TOML", "--torques", "PUSH.CSV", "--time", "0.01")
        self.assertEqual(answer.code, 0, answer.err)

    def test_info_takes_scenes(self):
        answer = self.rigor("info", "toy.toml", "--json")
        self.assertEqual(answer.code, 0, answer.err)
        info = answer.json()
        self.assertEqual((info["format"], info["nq"], len(info["bodies"]), info["shapes"]), ("toml", 8, 2, 3))
        self.assertIn("toml", self.rigor("info", "toy.toml").out)


class Messages(ProgramTest):
    @unittest.skipIf(os.geteuid() == 0, "root may read everything")
    def test_a_file_that_may_not_be_read_is_not_called_missing(self):
        os.chmod(self.folder / "toy.urdf", 0)
        for file in "toy.urdf", "toy.toml":
            answer = self.rigor("run", file)
            self.assertRefused(answer, "Permission denied", "permissions")
            self.assertNotIn("no such file", answer.err)

    def test_the_printed_defaults_are_those_that_run(self):
        self.write("push.csv", "time,shoulder\n0,1\n")
        answer = self.rigor("run", "toy.urdf", "--dt", "0.002", "--time", "0.1", "--torques", "push.csv")
        self.assertIn("steps of 2 ms for 0.1 s, joints driven by push.csv", answer.err)
        self.assertNotIn("PD", answer.err)
        self.assertIn("1 joint held", self.rigor("run", "toy.urdf", "--time", "0.1").err)
        self.assertIn("limp", self.rigor("run", "toy.urdf", "--time", "0.1", "--limp").err)

    def test_unknown_keys_name_the_nearest_and_every_known_one(self):
        keys = {
            "[ground]\nfrictoin = 1": ["friction", "friction_static", "height", "normal", "point", "restitution"],
            "[[body]]\nshape = { sphere = 1 }\nmass = 1\ncolour = 1": ["density", "fixed", "material", "velocity"],
            "[[material]]\nname = \"a\"\nfricton = 1": ["pair", "friction_static", "threshold", "restitution"],
            "[reset]\nevery = 1\nat = 1": ["at_rest", "every"],
            "[[controller]]\nkind = \"hold\"\nkq = 1": ["kd", "kp", "robot", "kind"],
        }
        for text, names in keys.items():
            with self.subTest(text):
                self.write("bad.toml", SCENE + text + "\n" if not text.startswith("[ground]") else SCENE.replace("friction = 0.8", "frictoin = 1"))
                answer = self.rigor("run", "bad.toml")
                self.assertRefused(answer, "unknown key", "Known:", *names)

    def test_a_massless_free_base_is_told_to_be_fixed(self):
        self.write("arm.urdf", ROBOT.replace('<inertial><mass value="2"/><inertia ixx="0.01" iyy="0.02" izz="0.03" ixy="0" ixz="0" iyz="0"/></inertial>', ""))
        self.assertRefused(self.rigor("run", "arm.urdf"), "trunk", "--base fixed")
        self.assertEqual(self.rigor("run", "arm.urdf", "--base", "fixed", "--time", "0.01").code, 0)

    def test_dust_in_an_inertia_is_accepted_and_more_only_when_lenient(self):
        for ixx, options, code in [("-1e-20", [], 0), ("-0.1", [], 2), ("-0.1", ["--lenient"], 0)]:
            self.write("r.urdf", f'<robot name="r"><link name="base">{INERTIAL.format(mass=1, ixx=ixx)}'
                       '<collision><geometry><sphere radius="1"/></geometry></collision></link></robot>')
            answer = self.rigor("info", "r.urdf", *options)
            self.assertEqual(answer.code, code, answer.err)
            self.assertIn("negative principal moment", answer.out + answer.err)

    def test_names_cannot_speak_to_the_terminal(self):
        nasty = "a&#27;[31m&#10;b"
        self.write("r.urdf", ROBOT.replace('"arm"', f'"{nasty}"').replace('<box size="0.4 0.3 0.2"/>', f'<mesh filename="{nasty}"/>'))
        for command in ["info", "run"], ["info", "--json"], ["run", "--json", "--time", "0.01"]:
            answer = self.rigor(command[0], "r.urdf", *[word for word in command[1:] if word != "run"])
            self.assertNotIn("\x1b", answer.out + answer.err)

    def test_a_member_larger_than_memory_is_refused(self):
        # A gigantic array of zeros packs to a small file.
        with zipfile.ZipFile(self.folder / "bomb.npz", "w", zipfile.ZIP_DEFLATED) as archive:
            with archive.open("header.npy", "w", force_zip64=False) as member:
                for _ in range(64):
                    member.write(bytes(1 << 20))
        data = bytearray((self.folder / "bomb.npz").read_bytes())
        size = (4 << 30) - 2  # the directory claims almost 4 GB
        at = data.rindex(b"PK\x01\x02")
        data[at + 24 : at + 28] = size.to_bytes(4, "little")
        (self.folder / "bomb.npz").write_bytes(data)
        answer = self.rigor("run", "toy.toml", "--from", "bomb.npz")
        self.assertRefused(answer, "bomb.npz")


if __name__ == "__main__":
    unittest.main()
