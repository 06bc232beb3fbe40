#!/usr/bin/env python3
"""The project's own checks find what they claim to find: each is shown a small tree with one fault in it."""

import sys
import tempfile
import unittest
from pathlib import Path

import docs
import hygiene
import kinds
import lane_symbols
import layers
import lengths
import readme

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "scripts"))
import count_instructions  # noqa: E402
import sign_flips  # noqa: E402

LAYERS = "math:\ncontact: math\nsolvers: math contact\n"


class Tree(unittest.TestCase):
    """A temporary checkout, filled by the tests."""

    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.root = Path(self.folder.name)
        self.write("src/layers.txt", LAYERS)
        self.write("src/math/vec3.h", "#include <cmath>\n")
        self.write("src/contact/judge.h", '#include "math/vec3.h"\n#include "rigor/state.h"\n')
        self.write("include/rigor/state.h", "#include <vector>\n")

    def write(self, name, text):
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)


class Layers(Tree):
    def complaint(self):
        problems = layers.find_problems(self.root)
        self.assertEqual(len(problems), 1, problems)
        return problems[0]

    def test_a_sound_tree_passes(self):
        self.assertEqual(layers.find_problems(self.root), [])

    def test_including_upwards_is_found(self):
        self.write("src/math/vec3.h", '#include "contact/judge.h"\n')
        self.assertIn("src/math/vec3.h:1", self.complaint())

    def test_a_public_header_may_not_include_a_source_header(self):
        self.write("include/rigor/state.h", '#include "math/vec3.h"\n')
        self.assertIn("include/rigor/state.h:1", self.complaint())

    def test_angle_brackets_do_not_hide_an_include(self):
        self.write("src/math/vec3.h", "#include <contact/judge.h>\n")
        self.assertIn("is ours", self.complaint())

    def test_a_folder_without_a_row_is_found(self):
        self.write("src/magic/wand.h", "")
        self.assertIn("src/magic", self.complaint())

    def test_solvers_may_not_be_given_more(self):
        self.write("src/layers.txt", "math:\nmodel: math\ncontact: math\nsolvers: math contact model\n")
        self.assertIn("solvers", self.complaint())

    def test_a_cycle_in_the_table_is_found(self):
        self.write("src/layers.txt", "math: contact\ncontact: math\nsolvers: math contact\n")
        self.assertIn("math names contact", self.complaint())

    def test_the_program_may_not_reach_into_the_library(self):
        self.write("apps/rigor/main.cpp", '#include "math/vec3.h"\n')
        self.assertIn("apps/rigor/main.cpp:1", self.complaint())


class Kinds(Tree):
    def test_the_visitor_may_ask(self):
        self.write("src/contact/visit_block.h", "switch (kind) {\n  case BlockKind::kBox:\n")
        self.write("src/contact/fill.cpp", "block.kind = BlockKind::kBox;\n")
        self.assertEqual(kinds.find_problems(self.root), [])

    def test_nobody_else_may(self):
        for test in ("if (block.kind == BlockKind::kBox)", "kind != BlockKind::kBox", "case BlockKind::kBox:",
                     "BlockKind::kBox == kind"):
            self.write("src/solvers/ladder.cpp", f"void f() {{\n{test}\n}}\n")
            self.assertEqual(len(kinds.find_problems(self.root)), 1, test)
            self.assertIn("src/solvers/ladder.cpp:2", kinds.find_problems(self.root)[0])


class Lengths(Tree):
    def test_a_function_of_sixty_lines_passes_and_one_more_does_not(self):
        for lines, complaints in ((60, 0), (61, 1)):
            body = "".join(f"  work({k});\n" for k in range(lines - 3))
            text = "namespace rigor {\n\nstatic int x = 0;\n\nvoid longest(int a,\n             int b) {\n" + body + "}\n"
            self.write("src/math/long.cpp", text)
            self.assertEqual(len(lengths.find_problems(self.root)), complaints, lines)


class Docs(Tree):
    def setUp(self):
        super().setUp()
        self.write("docs/headers.md", "`state.h` has `State`\n")
        self.write("src/minimal/step.h", "void takeStep();\nstruct State { int time; };\n")
        self.write("src/minimal/README.md", "`step`: `takeStep`, see [headers](../../docs/headers.md)\n")

    def complaint(self):
        problems = docs.find_problems(self.root)
        self.assertEqual(len(problems), 1, problems)
        return problems[0]

    def test_true_pages_pass(self):
        self.assertEqual(docs.find_problems(self.root), [])

    def test_a_function_that_is_gone_is_found(self):
        self.write("docs/step.md", "first\n`makeStep` makes a step\n")
        self.assertIn("docs/step.md:2: no source has the name makeStep", self.complaint())

    def test_a_member_that_is_gone_is_found(self):
        self.write("docs/step.md", "`State::time` and `State::place`\n")
        self.assertIn("State::place", self.complaint())

    def test_a_file_that_is_gone_is_found(self):
        self.write("docs/step.md", "`src/minimal/step.h`, `step.h` and `src/minimal/walk.h`\n")
        self.assertIn("no file src/minimal/walk.h", self.complaint())

    def test_code_in_blocks_is_not_read(self):
        self.write("docs/step.md", "```cpp\n`makeStep`\n```\n\n    `makeStep`\n")
        self.assertEqual(docs.find_problems(self.root), [])

    def test_a_link_that_leads_nowhere_is_found(self):
        self.write("docs/step.md", "[the papers](references.md)\n")
        self.assertIn("references.md leads nowhere", self.complaint())

    def test_a_header_that_no_page_explains_is_found(self):
        self.write("include/rigor/shape.h", "")
        self.assertIn("include/rigor/shape.h", self.complaint())

    def test_a_file_of_the_step_that_no_page_explains_is_found(self):
        self.write("src/minimal/walk.h", "")
        self.assertIn("src/minimal/walk.h", self.complaint())


class Hygiene(Tree):
    def complaint(self):
        problems = hygiene.find_problems(self.root)
        self.assertEqual(len(problems), 1, problems)
        return problems[0]

    def test_a_sound_tree_passes(self):
        self.assertEqual(hygiene.find_problems(self.root), [])

    def test_a_path_of_one_machine_is_found(self):
        self.write("docs/how.md", "see /ho" + "me/me/rigor\n")
        self.assertIn("docs/how.md:1", self.complaint())

    def test_an_unfinished_note_is_found(self):
        self.write("src/math/vec3.h", "\n// TO" + "DO: later\n")
        self.assertIn("src/math/vec3.h:2", self.complaint())

    def test_a_file_too_long_to_read_is_found(self):
        self.write("src/math/long.cpp", "\n" * 501)
        self.assertIn("501 lines", self.complaint())

    def test_a_private_registry_in_a_lock_file_is_found(self):
        self.write("viewer/package-lock.json", '"resolved": "https://npm.example.com/three.tgz"\n')
        self.assertIn("package-lock.json:1", self.complaint())

    def test_what_a_build_left_behind_is_not_ours(self):
        self.write("build/note.txt", "TO" + "DO")
        self.assertEqual(hygiene.find_problems(self.root), [])


class Readme(Tree):
    def run_readme(self, text, program="true"):
        self.write("README.md", text)
        (self.root / "scenes").mkdir()
        return readme.run_all(self.root, program)

    def test_commands_that_work_pass(self):
        self.assertEqual(self.run_readme("```sh run\n./rig demo  # falls\n```\n"), [])

    def test_a_command_that_fails_is_found(self):
        self.assertIn("exit code 1", self.run_readme("```sh run\n./rig demo\n```\n", program="false")[0])

    def test_a_readme_without_commands_is_found(self):
        self.assertEqual(len(self.run_readme("```sh\n./rig demo\n```\n")), 1)


class SignFlips(Tree):
    ENTRY = "file: src/math/vec3.h\nfind: a - b\nreplace: a + b\ntest: math.Vec3.Subtracts\n"

    def read(self, text):
        self.write("flips.txt", text)
        return sign_flips.read_flips(self.root / "flips.txt")

    def test_an_entry_is_read_and_applied(self):
        flip = self.read("# a comment\n\n" + self.ENTRY)[0]
        self.assertEqual(flip.target, "test_math")
        self.assertEqual(sign_flips.flipped("x = a - b;", flip), "x = a + b;")

    def test_a_snippet_must_occur_exactly_once(self):
        flip = self.read(self.ENTRY)[0]
        for text in ("x = b;", "x = a - b; y = a - b;"):
            with self.assertRaises(sign_flips.BadEntry):
                sign_flips.flipped(text, flip)

    def test_an_incomplete_entry_is_refused(self):
        with self.assertRaises(sign_flips.BadEntry):
            self.read("file: src/math/vec3.h\nfind: a\n")


class LaneSymbols(unittest.TestCase):
    OWN = "0000000000000000 W void rigor::aba<rigor::Pack4<4> >(rigor::Topology const&)\n"

    def leaks(self, *lines):
        return lane_symbols.symbol_problems("lanes.o", self.OWN + "\n".join(lines))

    def test_functions_of_the_pack_and_local_constants_pass(self):
        local = ["0000000000000000 r .LC0", "0000000000000000 t helper()", "0000000000000000 V DW.ref.__gxx_personality_v0"]
        self.assertEqual(self.leaks(*local), [])

    def test_every_kind_of_shared_symbol_is_found(self):
        for kind in "TWVDBuvw":
            problem = self.leaks(f"0000000000000000 {kind} std::vector<int>::operator[](unsigned long) const")
            self.assertEqual(len(problem), 1, kind)
        self.assertEqual(len(self.leaks("0000000000000000 W rigor::sincos<rigor::Pack4<2> >(rigor::Pack4<2>)")), 1)

    def test_an_object_without_packs_is_found(self):
        self.assertEqual(len(lane_symbols.symbol_problems("lanes.o", "0000000000000000 r .LC0\n")), 1)

    def test_narrow_registers_and_fused_instructions_are_found(self):
        self.assertEqual(lane_symbols.code_problems("lanes.o", "vmulpd %ymm0,%ymm1,%ymm2"), [])
        self.assertEqual(len(lane_symbols.code_problems("lanes.o", "mulpd %xmm0,%xmm1")), 1)
        self.assertEqual(len(lane_symbols.code_problems("lanes.o", "vfmadd231pd %ymm0,%ymm1,%ymm2")), 1)


class InstructionCounts(unittest.TestCase):
    def test_a_change_beyond_the_tolerance_is_found_in_both_directions(self):
        known = {"rnea": 1000, "crba": 2000, "aba": 3000}
        problems = count_instructions.compare({"rnea": 1029, "crba": 2061, "aba": 2900}, known)
        self.assertEqual([problem.split(":")[0] for problem in problems], ["crba", "aba"])

    def test_new_and_lost_kernels_are_found(self):
        problems = count_instructions.compare({"rnea": 1000}, {"crba": 1000})
        self.assertEqual(len(problems), 2)


if __name__ == "__main__":
    unittest.main()
