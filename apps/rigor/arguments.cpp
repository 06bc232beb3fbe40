// Reads the command line. The only file that includes CLI11, which takes seconds to compile.
#include <CLI/CLI.hpp>

#include "commands.h"

namespace rigor::app {
namespace {

void addModelOptions(CLI::App& command, LoadOptions& load) {
  command
      .add_option_function<std::string>(
          "--base", [&](const std::string& base) { load.base = base == "fixed" ? BaseKind::kFixed : BaseKind::kFree; },
          "Root of a URDF robot; free unless its root link is called world")
      ->check(CLI::IsMember({"fixed", "free"}))
      ->option_text("fixed|free");
  command.add_flag("--strict", load.strict, "Warnings become errors, all but mere notices");
  command.add_flag("--lenient", load.lenient, "Impossible inertias are repaired, with a warning");
  command.add_option("--srdf", load.srdf, "SRDF beside the URDF: links whose collisions it disables do not meet")
      ->option_text("FILE");
  command.add_option("--package-path", load.package_path, "Where package:// is looked up; may be repeated")
      ->option_text("DIR")
      ->allow_extra_args(false);
}

void addJsonFlag(CLI::App& command, bool& json) {
  command.add_flag("--json", json, "One JSON object on stdout, everything else on stderr");
}

void addDemo(CLI::App& app, Command& chosen, DemoArguments& demo) {
  CLI::App* command = app.add_subcommand("demo", "A limp robot falls: a verdict and one HTML page");
  command->add_option("--out", demo.out, "Page or recording to write; may be repeated")
      ->option_text("FILE (rigor_demo.html)")
      ->allow_extra_args(false);
  command->add_option("--time", demo.time, "Seconds to simulate")->option_text("T (5)");
  addJsonFlag(*command, demo.json);
  command->footer("Example:\n  rigor demo --out fall.html");
  command->callback([&] { chosen = demo; });
}

void addInfo(CLI::App& app, Command& chosen, InfoArguments& info) {
  CLI::App* command = app.add_subcommand("info", "Bodies, joints, shapes, mass and warnings of a model");
  command->add_option("model", info.model, "URDF file or scene (TOML)")->required()->option_text("MODEL");
  addModelOptions(*command, info.load);
  addJsonFlag(*command, info.json);
  command->footer("Example:\n  rigor info robot.urdf --base fixed");
  command->callback([&] { chosen = info; });
}

void addEval(CLI::App& app, Command& chosen, EvalArguments& eval) {
  CLI::App* command = app.add_subcommand("eval", "Mass matrix, forces, accelerations, energies and poses at a state");
  command->add_option("model", eval.model, "URDF file or scene (TOML)")->required()->option_text("MODEL");
  command->add_option("--state", eval.state, "JSON: {\"q\": […], \"v\": […], \"tau\": […]}, or a list of these")
      ->option_text("FILE");
  command->add_flag("--dense", eval.dense, "Write M even above 500 freedoms");
  CLI::Option* derivatives = command->add_flag("--step-derivatives", eval.step_derivatives,
                                               "Of a scene: derivatives of a step from its state, instead");
  command
      ->add_option("--by", eval.parameters,
                   "With --step-derivatives: also by friction[:BODY[,BODY]], restitution…, mass:BODY, centre.x:BODY, "
                   "inertia.xy:BODY")
      ->option_text("NUMBER …")
      ->needs(derivatives);
  addModelOptions(*command, eval.load);
  addJsonFlag(*command, eval.json);
  command->footer(
      "Without --state: the reference configuration at rest, or where a scene starts. Accelerations are those of\nthe "
      "tree under tau, springs and dampers; contacts, limits, dry friction, loops and the scene's controllers "
      "and\nwrenches have no part in them.\n\n"
      "With --step-derivatives: one step of the scene, contacts, controllers and all, and what its end (q', v') is by "
      "q, v, tau, "
      "ctrl\nand the numbers of --by; v of a state is that of the node.\n\n"
      "Example:\n  rigor eval robot.urdf --state pose.json --json\n"
      "  rigor eval scenes/anymal_stand.toml --step-derivatives --by friction mass:base --json");
  command->callback([&] { chosen = eval; });
}

OnFailure policyOf(const std::string& name) {
  if (name == "stop") return OnFailure::kStop;
  return name == "continue" ? OnFailure::kContinue : OnFailure::kSubstep;
}

constexpr const char* kRunFooter =
    R"(A step that the judge refuses leaves the last good state. --on-failure says what then:
  substep   halve the step, up to 8 times; refused even so: stop (default)
  stop      no halving: stop
  continue  halve; refused even so: count it and try again without the memory of earlier steps;
            stop after 100 refusals in a row
Integrators of steps in which nothing can touch:
  leapfrog (default), leapfrog_carried, explicit_euler, semi_implicit_euler, heun, rk4,
  implicit_euler_fixed_point, implicit_euler_newton, implicit_midpoint, dormand_prince
Integrators of stepper event, for all smooth motion:
  rk4 (default), dormand_prince, implicit_midpoint
The verdict is one of
  done         to the end, every step accepted
  incomplete   to the end, but shapes without contact code met or were left out of the model (exit code 1)
  refused      a step was not accepted (exit code 1)
  interrupted  by Ctrl-C; what was recorded is written (exit code 130)
Torques replace the scene's controllers: a recording (.npz), or a .csv that begins with time,joint,joint,…;
each row acts until the next.

Example:
  rigor run robot.urdf --time 2 --out fall.html
  rigor run scene.toml --dt 0.005 --json)";

void addRun(CLI::App& app, Command& chosen, RunArguments& run) {
  CLI::App* command = app.add_subcommand("run", "Simulates a scene, or a bare model above a floor");
  command->add_option("scene", run.scene, "Scene (TOML) or model (URDF)")->required()->option_text("SCENE|MODEL");
  command->add_option("--time", run.time, "Seconds to simulate, from the start or the snapshot")->option_text("T");
  command->add_option("--dt", run.dt, "Length of a step [s]")->option_text("H");
  command->add_option("--stepper", run.stepper, "minimal, maximal or event")->option_text("S");
  command->add_option("--accuracy", run.accuracy, "Stepper event: its error per second, in place of --dt")
      ->option_text("E");
  command->add_option("--integrator", run.integrator, "How steps without contact are taken, see below")
      ->option_text("I (leapfrog)");
  command->add_option("--solver", run.solver, "Contact solver, see rigor solve --list")->option_text("S");
  command->add_option("--law", run.law, "coulomb, dissipation or pyramid")->option_text("L");
  command->add_option("--directions", run.directions, "Corners of law pyramid, even, 4 to 64")->option_text("N (8)");
  command->add_option("--tol", run.tolerance, "Limit of the judge, relative")->option_text("E (1e-10)");
  command->add_option("--out", run.out, "Recording (.npz .csv) or page (.html); may be repeated")
      ->option_text("FILE")
      ->allow_extra_args(false);
  command
      ->add_option_function<std::string>(
          "--on-failure", [&](const std::string& name) { run.on_failure = policyOf(name); },
          "What to do with a refused step, see below")
      ->check(CLI::IsMember({"stop", "continue", "substep"}))
      ->option_text("stop|continue|substep");
  command
      ->add_option("--threads", run.threads, "Solve islands of many contacts on N threads; the result stays the same")
      ->check(CLI::Range(1, 256))
      ->option_text("N (1)");
  command->add_option("--from", run.from, "Start from this snapshot")->option_text("SNAPSHOT");
  command->add_option("--save-snapshot", run.save_snapshot, "Write the last state, bit for bit")->option_text("FILE");
  command
      ->add_option("--save-problem", run.save_problem,
                   "Write a step's contact problem, the largest of its sub-steps (.json .npz), for rigor solve")
      ->option_text("STEP FILE");
  command->add_option("--torques", run.torques, "Drive the joints by a table, see below")->option_text("FILE");
  command->add_flag("--limp", run.limp, "A bare model is not held by PD control");
  command->add_flag_function(
      "--no-self-collision", [&](std::int64_t) { run.load.self_collision = false; },
      "Links of one robot do not meet each other");
  command->add_flag("--allow-missing-contact", run.allow_missing_contact,
                    "Exit code 0 although shapes without contact code met or were left out");
  command->add_flag("--verify-geometry", run.verify_geometry,
                    "Measure true distances after every step by separate code; exit code 1 below -1e-11 m");
  addModelOptions(*command, run.load);
  addJsonFlag(*command, run.json);
  command->footer(kRunFooter);
  command->callback([&] { chosen = run; });
}

void addCompare(CLI::App& app, Command& chosen, CompareArguments& compare) {
  CLI::App* command =
      app.add_subcommand("compare", "One scene with every contact solver and law, or stepper, side by side");
  command->add_option("scene", compare.scene, "Scene (TOML) or model (URDF)")->required()->option_text("SCENE|MODEL");
  command->add_option("--time", compare.time, "Seconds to simulate")->option_text("T");
  command->add_option("--dt", compare.dt, "Length of a step [s]")->option_text("H");
  command->add_option("--solvers", compare.solvers, "These alone, see rigor solve --list")
      ->delimiter(',')
      ->option_text("S,S,…");
  command->add_option("--laws", compare.laws, "These alone")->delimiter(',')->option_text("L,L,…");
  command
      ->add_option(
          "--steppers", compare.steppers,
          "minimal, maximal. Two of them, with solver auto and law coulomb unless others are named: how they converge "
          "to each other")
      ->delimiter(',')
      ->option_text("S,S");
  command->add_option("--out", compare.out, "Folder for compare.csv, pictures and report.html; created if needed")
      ->option_text("DIR");
  command->add_flag("--limp", compare.limp, "A bare model is not held by PD control");
  addModelOptions(*command, compare.load);
  addJsonFlag(*command, compare.json);
  command->footer(
      "Every run begins at the same start. Exit code 0 only if every step of every run was accepted.\n\n"
      "Example:\n  rigor compare scene.toml --time 2 --solvers auto,newton --out comparison\n"
      "  rigor compare scene.toml --time 0.5 --steppers minimal,maximal");
  command->callback([&] { chosen = compare; });
}

void addReproduce(CLI::App& app, Command& chosen, ReproduceArguments& reproduce) {
  CLI::App* command = app.add_subcommand("reproduce", "Repeats the papers' experiments: tables, pictures, a verdict");
  CLI::Option* names = command->add_option("names", reproduce.names, "Experiments, see --list");
  names->option_text("NAME …");
  command->add_flag("--all", reproduce.all, "Every experiment; those with measurements only if --data is given");
  command->add_option("--out", reproduce.out, "Folder to write to; created if needed")
      ->option_text("DIR (rigor_reproduce)");
  command->add_option("--data", reproduce.data, "Folder of measurements, for experiments that compare with some")
      ->option_text("DIR");
  command
      ->add_option("--steps", reproduce.steps,
                   "Steps of every run, fewer than the paper's for a quick look; 1 or more. For pc alone: the runs of "
                   "the others "
                   "have their length")
      ->option_text("N");
  command->add_flag(
      "--quick", reproduce.quick,
      "Fewer and shorter runs: whether all works, in seconds. What needs the full length is then not shown");
  command->add_flag("--list", reproduce.list, "Table of the experiments");
  addJsonFlag(*command, reproduce.json);
  command->footer(
      "NAME is an experiment or a paper (pc, rp, lt, vg, os: all of its experiments). Exit code 1 if one could not be "
      "done; where "
      "what\n"
      "was found differs from the paper, or nothing was found that could tell, the verdict says so. 130 after Ctrl-C, "
      "with "
      "what\n"
      "was done until then.\n\n"
      "Example:\n  rigor reproduce rp-pendulum --out results\n  rigor reproduce pc --steps 1000\n"
      "  rigor reproduce vg lt --quick");
  command->callback([&, names] {
    if (static_cast<int>(!names->empty()) + reproduce.all + reproduce.list != 1)
      throw CLI::ValidationError("reproduce", "give names of experiments, or --all, or --list");
    chosen = reproduce;
  });
}

void addSolve(CLI::App& app, Command& chosen, SolveArguments& solve) {
  CLI::App* command = app.add_subcommand("solve", "Solves one saved contact problem or LCP and judges the answer");
  CLI::Option* problem = command->add_option("problem", solve.problem, "Problem file (.json .npz)");
  problem->option_text("PROBLEM");
  command->add_option("--solver", solve.solver, "One of --list")->option_text("S (auto)");
  command->add_option("--law", solve.law, "coulomb, dissipation or pyramid, in place of the file's")->option_text("L");
  command->add_option("--directions", solve.directions, "Corners of law pyramid, even, 4 to 64")->option_text("N");
  command->add_option("--tol", solve.tolerance, "Limit of the judge, relative; of an LCP 1e-9")
      ->option_text("E (1e-10)");
  command->add_flag("--list", solve.list, "Table of the solvers");
  addJsonFlag(*command, solve.json);
  command->footer(
      "Example:\n  rigor solve problem.npz --solver newton\n  rigor solve lcp.json --json\n  rigor solve --list");
  command->callback([&, problem] {
    if (solve.list == !problem->empty()) throw CLI::ValidationError("solve", "give either a PROBLEM file or --list");
    chosen = solve;
  });
}

void addVerify(CLI::App& app, Command& chosen, VerifyArguments& verify) {
  CLI::App* command = app.add_subcommand("verify", "Judges a recording again, with code of its own");
  command->add_option("recording", verify.recording, "Recording (.npz)")->required()->option_text("RECORDING");
  command->add_option("--out", verify.out, "Write the energy ledger, a row per step (.csv)")->option_text("FILE");
  addJsonFlag(*command, verify.json);
  command->footer(
      "Recomputes in long double, from the recording alone: gaps of all pairs, momentum balance of every sub-step,\n"
      "friction, complementarity, loops, limits, energy, momentum and time. Exit code 0 if all of it holds, 1 if "
      "not.\n"
      "The ledger says who changed the energy: drives, dampers, friction, impacts, ...; the integrator has the "
      "rest.\n\n"
      "Example:\n  rigor verify run.npz\n  rigor verify run.npz --out ledger.csv");
  command->callback([&] { chosen = verify; });
}

void addCollide(CLI::App& app, Command& chosen, CollideArguments& collide) {
  CLI::App* command = app.add_subcommand("collide", "Distance, normal and all touching points of two shapes");
  command->add_option("A", collide.shape_a, "Shape, see below")->required()->option_text("A");
  command->add_option("B", collide.shape_b, "Shape, see below")->required()->option_text("B");
  command->add_option("--pose-a", collide.pose_a, "Pose of A")->option_text("\"x y z qw qx qy qz\" (at the origin)");
  command->add_option("--pose-b", collide.pose_b, "Pose of B; x y z alone will do")->option_text("\"x y z …\"");
  command->add_option("--margin", collide.margin, "Points with gaps up to this are listed [m]")->option_text("M (0)");
  addJsonFlag(*command, collide.json);
  command->footer(
      "Shapes are sphere:r, capsule:r,length, box:x,y,z, cylinder:r,length, cone:r,height, ellipsoid:a,b,c "
      "(semi-axes),\n"
      "plane (solid below z = 0), a mesh file (its hull), triangles:FILE (as it is), or a table as in scenes.\n"
      "Lengths are full lengths in metres; that of a capsule is without its half spheres. The normal points from A to "
      "B.\n\n"
      "Example:\n  rigor collide box:1,1,1 cylinder:0.1,0.3 --pose-b \"0 0 0.649\" --margin 0.01\n"
      "  rigor collide '{box = [1, 1, 1]}' foot.stl --pose-b \"0 0 0.52 1 0.1 0 0\" --json");
  command->callback([&] { chosen = collide; });
}

void addCheck(CLI::App& app, Command& chosen, CheckArguments& check) {
  CLI::App* command = app.add_subcommand("check", "Problems of a model or scene before they bite, with remedies");
  command->add_option("scene", check.scene, "Model (URDF) or scene (TOML)")->required()->option_text("MODEL|SCENE");
  command->add_option("--dt", check.dt, "Length of a step [s]")->option_text("H");
  addModelOptions(*command, check.load);
  addJsonFlag(*command, check.json);
  command->footer(
      "Nothing is simulated. Kinds of problems: overlap, lasting_overlap, pose, open_loop, unclosable_loop, start,\n"
      "missing_shape, hull, no_shape, mass_ratio, inertia, compliance, rolling, torsion, units, base, step, limit, "
      "effort,\n"
      "file. Exit code 1 if an error is among them: a run would be refused or incomplete.\n\n"
      "Example:\n  rigor check robot.urdf\n  rigor check scene.toml --dt 0.005 --json");
  command->callback([&] { chosen = check; });
}

void addGait(CLI::App& app, Command& chosen, GaitArguments& gait) {
  CLI::App* command = app.add_subcommand("gait", "A walking motion for a robot with legs, by foot placement");
  command->add_option("robot", gait.robot, "Model (URDF) or scene (TOML)")->required()->option_text("ROBOT");
  command->add_option("--speed", gait.speed, "Speed of the base along its x axis [m/s]; negative: backwards")
      ->required()
      ->option_text("V");
  command->add_option("--feet", gait.feet, "Links it walks on, in pairs, left and right, from the front to the back")
      ->delimiter(',')
      ->option_text("A,B,…");
  command->add_option("--step-height", gait.step_height, "How high feet are lifted [m]")->option_text("H");
  command->add_option("--period", gait.period, "Time from one landing of a foot to the next [s]")->option_text("T");
  command->add_option("--duty", gait.duty, "Share of the period that a foot stands, 0.5 to 1")->option_text("D (0.6)");
  command->add_option("--dt", gait.dt, "Time between two rows [s]")->option_text("H (0.001)");
  command->add_option("--time", gait.time, "Length of the motion [s]")->option_text("T (5)");
  command->add_option("--out", gait.out, "Motion (.npz) or page (.html); may be repeated")
      ->option_text("FILE")
      ->allow_extra_args(false);
  addModelOptions(*command, gait.load);
  addJsonFlag(*command, gait.json);
  command->footer(
      "Feet are those of --feet, else of feet = [...] in the scene's [[robot]], else what the robot stands on. Four "
      "feet "
      "trot,\ntwo take turns. It starts from the pose of the scene, or of a bare model as rigor run has it; the base "
      "comes "
      "down as far\nas its strides need. A speed that the legs cannot keep up with is refused with the largest that "
      "they "
      "can.\n\nExample:\n  rigor gait scenes/anymal_stand.toml --speed 0.5 --out walk.npz --out walk.html");
  command->callback([&] { chosen = gait; });
}

void addInverse(CLI::App& app, Command& chosen, InverseArguments& inverse) {
  CLI::App* command = app.add_subcommand("inverse", "Torques that make a robot follow a motion under contact");
  command->add_option("scene", inverse.scene, "Scene (TOML) or model (URDF)")->required()->option_text("SCENE|MODEL");
  command->add_option("--motion", inverse.motion, "Motion to follow (.npz .csv)")->required()->option_text("FILE");
  command->add_option("--time", inverse.time, "Seconds to follow it")->option_text("T");
  command->add_option("--dt", inverse.dt, "Length of a step [s]")->option_text("H");
  command->add_option("--out", inverse.out, "Torques and contact forces (.npz .csv) or page (.html); may be repeated")
      ->option_text("FILE")
      ->allow_extra_args(false);
  command->add_option("--save-start", inverse.save_start, "Write the state that it begins in, for rigor run --from")
      ->option_text("FILE");
  command->add_option("--passive", inverse.passive, "Joints that no torque acts on")
      ->delimiter(',')
      ->option_text("JOINT,JOINT,…");
  command
      ->add_option_function<std::string>(
          "--forces",
          [&](const std::string& name) {
            inverse.choice = name == "least-force"    ? ForceChoice::kLeastForce
                             : name == "least-torque" ? ForceChoice::kLeastTorque
                             : name == "near-last"    ? ForceChoice::kNearLast
                                                      : ForceChoice::kAsFound;
          },
          "Which, where the motion leaves several")
      ->check(CLI::IsMember({"as-found", "least-force", "least-torque", "near-last"}))
      ->option_text("as-found|least-force|least-torque|near-last");
  command->add_flag("--keep-limits", inverse.keep_limits,
                    "Torques stay within the effort limits of the joints, and the motion is missed where it must be");
  addModelOptions(*command, inverse.load);
  addJsonFlag(*command, inverse.json);
  command->footer(
      "Joints follow the motion, held by nothing but the torques that are found; what is not driven does what contact\n"
      "and gravity make of it. The robot begins where the motion does. Exit code 1 if a step was not solved, or "
      "missed\n"
      "the motion for a limit.\n\n"
      "Example:\n  rigor inverse scenes/anymal_stand.toml --motion walk.npz --out torques.npz --save-start start.npz\n"
      "  rigor run scenes/anymal_stand.toml --from start.npz --torques torques.npz");
  command->callback([&] { chosen = inverse; });
}

Error usageError(const CLI::App& app, const std::string& problem, int count, const char* const* arguments) {
  for (const CLI::App* command : app.get_subcommands())
    return Error("rigor " + command->get_name() + ": " + problem, "See rigor " + command->get_name() + " --help.");
  const std::string what = count > 1 ? std::string("no such command or option: ") + arguments[1] : "no command given";
  return Error("rigor: " + what,
               "Commands: demo, info, eval, run, compare, solve, reproduce, verify, collide, check, gait, inverse. See "
               "rigor --help.");
}

}  // namespace

Command parseArguments(int count, const char* const* arguments) {
  CLI::App app("Simulates articulated robots with hard contact and real friction.", "rigor");
  app.set_version_flag("--version", "rigor " RIGOR_VERSION);
  app.require_subcommand(1);
  app.footer(
      "Example:\n  rigor demo\nExit code: 0 done and every step accepted, 1 failed, refused or incomplete, 2 bad input "
      "or usage, 130\ninterrupted.");

  Command chosen;
  DemoArguments demo;
  InfoArguments info;
  EvalArguments eval;
  CompareArguments compare;
  ReproduceArguments reproduce;
  RunArguments run;
  SolveArguments solve;
  VerifyArguments verify;
  InverseArguments inverse;
  CollideArguments collide;
  CheckArguments check;
  GaitArguments gait;
  addDemo(app, chosen, demo);
  addInfo(app, chosen, info);
  addEval(app, chosen, eval);
  addCompare(app, chosen, compare);
  addReproduce(app, chosen, reproduce);
  addRun(app, chosen, run);
  addSolve(app, chosen, solve);
  addVerify(app, chosen, verify);
  addInverse(app, chosen, inverse);
  addCollide(app, chosen, collide);
  addCheck(app, chosen, check);
  addGait(app, chosen, gait);
  try {
    app.parse(count, arguments);
  } catch (const CLI::CallForHelp&) {
    return HelpText{app.help()};
  } catch (const CLI::CallForVersion& version) {
    return HelpText{std::string(version.what()) + "\n"};
  } catch (const CLI::ExtrasError&) {
    throw usageError(app, "not expected: " + CLI::detail::join(app.remaining(true), " "), count, arguments);
  } catch (const CLI::ParseError& error) {
    throw usageError(app, error.what(), count, arguments);
  }
  return chosen;
}

}  // namespace rigor::app
