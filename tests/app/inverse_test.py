"""rigor inverse: requests that are refused with a reason."""

import unittest

from program import ProgramTest


class Inverse(ProgramTest):
    def test_a_motion_that_is_no_file_is_refused(self):
        answer = self.rigor("inverse", "toy.urdf", "--motion", "none.npz")
        self.assertEqual(answer.code, 2)
        self.assertIn("none.npz", answer.err)

    def test_a_scene_is_no_motion(self):
        answer = self.rigor("inverse", "toy.urdf", "--motion", "toy.toml")
        self.assertEqual(answer.code, 2, answer.err)


if __name__ == "__main__":
    unittest.main()
