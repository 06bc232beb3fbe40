#include <gtest/gtest.h>

#include "files.h"
#include "rigor/io.h"
#include "rigor/simulator.h"

namespace rigor {
namespace {

struct BadScene {
  const char* name;
  std::string text;
  int line;
  const char* message;  // part of what()

  friend void PrintTo(const BadScene& bad, std::ostream* out) { *out << bad.name; }
};

const std::string kBall = "[[body]]\nname = 'ball'\nshape = {sphere = 0.1}\nmass = 1\n";  // 4 lines
const std::string kHingeLoop =
    kBall + "[[loop]]\nkind = 'hinge'\nbody_1 = 'world'\nbody_2 = 'ball'\naxis = [0, 0, 1]\n";
const std::string kRobot = "[[robot]]\nmodel = 'anymal.urdf'\nname = 'dog'\n";                              // 3 lines
const std::string kFeet = kRobot + "feet = ['LF_ADAPTER', 'RF_ADAPTER']\n[[controller]]\nkind = 'gait'\n";  // 6 lines

const BadScene kBadScenes[] = {
    {"UnknownCoordinates", kRobot + "coordinates = 'maximal'\n", 4,
     "coordinates \"maximal\" are unknown\n  Write \"minimal\" (joints) or \"redundant\""},
    {"RedundantWithMovingTargets",
     kRobot + "coordinates = 'redundant'\n[[controller]]\nkind = 'random'\nsigma = 0.1\nevery = 0.1\n", 4,
     "random targets cannot drive"},
    {"BrokenToml", "[ground\n", 1, "broken TOML"},
    {"Nothing", "[ground]\n", 0, "neither a [[robot]] nor a [[body]]"},
    {"UnknownTable", kBall + "[grund]\n", 5, "unknown key \"grund\"\n  Did you mean \"ground\"?"},
    {"UnknownKey", kBall + "[ground]\nfricton = 0.5\n", 6, "unknown key \"fricton\"\n  Did you mean \"friction\"?"},
    {"UnknownBodyKey", kBall + "colour = 'red'\n", 5, "unknown key \"colour\""},
    {"TextForNumber", kBall + "[ground]\nfriction = 'much'\n", 6, "friction is a text, not a number"},
    {"NanGravity", kBall + "[simulation]\ngravity = [0, 0, nan]\n", 6, "not finite"},
    {"ShortVector", kBall + "position = [0, 1]\n", 5, "position is not an array of 3 numbers"},
    {"ZeroStep", kBall + "[simulation]\ndt = 0\n", 6, "dt is 0"},
    {"NegativeTime", kBall + "[simulation]\ntime = -1\n", 6, "time is -1"},
    {"UnknownSolver", kBall + "[simulation]\nsolver = 'magic'\n", 6, "solver \"magic\" is unknown"},
    {"UnknownIntegrator", kBall + "[simulation]\nintegrator = 'rk5'\n", 6, "integrator \"rk5\" is unknown"},
    {"MistypedStepper", kBall + "[simulation]\nstepper = 'events'\n", 6, "Did you mean \"event\"?"},
    {"AccuracyOfAFixedStep", kBall + "[simulation]\nstep_accuracy = 1e-6\n", 6, "stepper \"minimal\" has a fixed step"},
    {"AccuracyBelowRounding", kBall + "[simulation]\nstepper = 'event'\nstep_accuracy = 1e-15\n", 7,
     "cannot be reached"},
    {"EventWithAnotherLaw", kBall + "[simulation]\nstepper = 'event'\nlaw = 'dissipation'\n", 7, "law \"dissipation\""},
    {"EventByEuler", kBall + "[simulation]\nstepper = 'event'\nintegrator = 'heun'\n", 7,
     "does not work with \"heun\""},
    {"MistypedStart", kBall + "[simulation]\nstart = 'first-order'\n", 6, "Did you mean \"first_order\"?"},
    {"MistypedLaw", kBall + "[simulation]\nlaw = 'piramid'\n", 6, "Did you mean \"pyramid\"?"},
    {"MistypedSolver", kBall + "[simulation]\nsolver = 'bisektion'\n", 6, "Did you mean \"bisection\"?"},
    {"SolverOfAnotherLaw", kBall + "[simulation]\nsolver = 'pgs'\nlaw = 'dissipation'\n", 6,
     "solver \"pgs\" does not solve law \"dissipation\""},
    {"OddPolygon", kBall + "[simulation]\nlaw = 'pyramid'\ndirections = 7\n", 7, "directions is 7"},
    {"PolygonOfTwo", kBall + "[simulation]\ndirections = 2\n", 6, "an even number of corners from 4 to 64"},
    {"MistypedImpact", kBall + "[ground]\nimpact = 'poison'\n", 6,
     "unknown law of impact \"poison\"\n  Did you mean \"poisson\"? Known: newton, poisson, stronge."},
    {"ImpactOfNoLaw", kBall + "[[material]]\nname = 'default'\nimpact = 'hertz'\n", 7,
     "unknown law of impact \"hertz\""},
    {"NumberForImpact", kBall + "[ground]\nimpact = 1\n", 6, "impact"},
    {"BouncierThanElastic", kBall + "[ground]\nimpact = 'stronge'\nrestitution = 1.5\n", 7, "restitution is 1.5"},
    {"BounceBelowZero", kBall + "[ground]\nimpact = 'poisson'\nrestitution = -0.1\n", 7, "restitution"},
    {"MistypedOrder", kBall + "[simulation]\nimpacts = 'sequentiel'\n", 6, "Did you mean \"sequential\"?"},
    {"HalfAStop", kBall + "[simulation]\nimpact_stops = 2.5\n", 6, "Give a whole number from 0 to 1000"},
    {"StopsBelowZero", kBall + "[simulation]\nimpact_stops = -1\n", 6, "impact_stops"},
    {"PolygonOfAHalf", kBall + "[simulation]\ndirections = 8.5\n", 6, "directions is 8.5"},
    {"NegativeAccuracy", kBall + "[simulation]\naccuracy = -1e-9\n", 6, "accuracy"},
    {"NegativeFriction", kBall + "[ground]\nfriction = -1\n", 6, "friction is -1, below zero"},
    {"NegativeTorsion", kBall + "[ground]\ntorsion = -0.1\n", 6, "torsion is -0.1, below zero"},
    {"NanRolling", kBall + "[ground]\nrolling = nan\n", 6, "not finite"},
    {"NegativeCompliance", kBall + "[ground]\ncompliance = -1e-4\n", 6, "compliance is -0.0001, below zero"},
    {"SoftBounce", kBall + "[ground]\nrestitution = 0.5\ncompliance = 1e-4\n", 7, "both given"},
    {"ShortBelt", kBall + "[ground]\nsurface_velocity = [1, 0]\n", 6, "not an array of 3 numbers"},
    {"NumberForABelt", kBall + "[ground]\nsurface_velocity = 1\n", 6, "surface_velocity"},
    {"NanBelt", kBall + "[ground]\nsurface_velocity = [nan, 0, 0]\n", 6, "not finite"},
    {"GrainWithoutRatio", kBall + "[ground]\nanisotropy = {direction = [1, 0, 0]}\n", 6, "no ratio"},
    {"ZeroRatio", kBall + "[ground]\nanisotropy = {ratio = 0}\n", 6, "ratio is 0"},
    {"NoGrain", kBall + "[ground]\nanisotropy = {ratio = 1, direction = [0, 0, 0]}\n", 6, "length zero"},
    {"NumberForAGrain", kBall + "[ground]\nanisotropy = 0.3\n", 6, "is a number, not a table"},
    {"BeltOfWhom", kBall + "[[material]]\npair = ['a', 'a']\nsurface_velocity = [1, 0, 0]\n", 7, "both are the same"},
    {"TooMuchRestitution", kBall + "[ground]\nrestitution = 1.5\n", 6, "restitution is 1.5"},
    {"HeightAndNormal", kBall + "[ground]\nheight = 1\nnormal = [0, 0, 1]\n", 6, "both given"},
    {"ZeroNormal", kBall + "[ground]\nnormal = [0, 0, 0]\n", 6, "length zero"},
    {"TwoGrounds", kBall + "[[ground]]\n[[ground]]\n", 5, "not a table"},
    {"OneBracketBody", "[body]\nname = 'ball'\n", 1, "write [[body]] with two brackets"},
    {"NoMass", "[[body]]\nshape = {sphere = 0.1}\n", 1, "neither mass nor density"},
    {"MassAndDensity", kBall + "density = 1\n", 5, "both given"},
    {"ZeroMass", "[[body]]\nshape = {sphere = 0.1}\nmass = 0\n", 3, "mass is 0"},
    {"NoShape", "[[body]]\nmass = 1\n", 1, "needs one shape"},
    {"TwoShapes", "[[body]]\nmass = 1\nshape = {sphere = 1, box = [1, 1, 1]}\n", 3, "needs one shape"},
    {"CylinderWithoutSizes", "[[body]]\nmass = 1\nshape = {cylinder = 1}\n", 3, "is a number, not a table"},
    {"FlatEllipsoid", "[[body]]\nmass = 1\nshape = {ellipsoid = [1, 0, 1]}\n", 3, "not positive"},
    {"ScaledBox", "[[body]]\nmass = 1\nshape = {box = [1, 1, 1], scale = 2}\n", 3, "scale"},
    {"MeshThatIsNotThere", "[[body]]\nmass = 1\nshape = {mesh = 'no.stl'}\n", 3, "no.stl"},
    {"UnknownShape", "[[body]]\nmass = 1\nshape = {shpere = 1}\n", 3, "Did you mean \"sphere\"?"},
    {"ShapeOfAnotherName", "[[body]]\nmass = 1\nshape = {ball = 1}\n", 3, "Did you mean \"sphere\"?"},
    {"ConeWithALength", "[[body]]\nmass = 1\nshape = {cone = {radius = 1, length = 1}}\n", 3, "unknown key \"length\""},
    {"FlatBox", "[[body]]\nmass = 1\nshape = {box = [1, 1, 0]}\n", 3, "not positive"},
    {"NegativeRadius", "[[body]]\nmass = 1\nshape = {sphere = -1}\n", 3, "sphere is -1"},
    {"LongQuaternion", kBall + "quaternion_wxyz = [1, 1, 0, 0]\n", 5, "has length 1.41"},
    {"FixedWithVelocity", kBall + "fixed = true\nvelocity = [1, 0, 0]\n", 6, "no velocity"},
    {"SameNameTwice", kBall + kBall, 6, "\"ball\" is taken"},
    {"LoopWithoutKind", kBall + "[[loop]]\nbody_1 = 'ball'\n", 5, "has no kind"},
    {"LoopOfUnknownKind", kBall + "[[loop]]\nkind = 'rope'\n", 6, "kind \"rope\" is unknown"},
    {"LoopOfUnknownBody", kBall + "[[loop]]\nkind = 'weld'\nbody_1 = 'bal'\n", 7, "there is no body \"bal\""},
    {"LoopWithOneEnd", kBall + "[[loop]]\nkind = 'weld'\nbody_1 = 'ball'\n", 5, "has no body_2"},
    {"LoopOfOneBody", kBall + "[[loop]]\nkind = 'weld'\nbody_1 = 'ball'\nbody_2 = 'ball'\n", 5, "both ends are body"},
    {"LoopOfTheWorld", kBall + "[[loop]]\nkind = 'weld'\nbody_1 = 'world'\nbody_2 = 'world'\n", 5,
     "both ends are the world"},
    {"LoopOfFixedBody", kBall + "fixed = true\n[[loop]]\nkind = 'connect'\nbody_1 = 'ball'\nbody_2 = 'world'\n", 6,
     "cannot move against"},
    {"HingeWithoutAxis", kBall + "[[loop]]\nkind = 'hinge'\nbody_1 = 'ball'\nbody_2 = 'world'\n", 5,
     "a hinge needs an axis"},
    {"HingeWithZeroAxis", kBall + "[[loop]]\nkind = 'hinge'\nbody_1 = 'ball'\nbody_2 = 'world'\naxis = [0, 0, 0]\n", 5,
     "no direction"},
    {"NanLoopPoint", kBall + "[[loop]]\nkind = 'connect'\nbody_1 = 'ball'\nbody_2 = 'world'\npoint_1 = [0, nan, 0]\n",
     9, "not finite"},
    {"LoopQuaternion",
     kBall + "[[loop]]\nkind = 'weld'\nbody_1 = 'ball'\nbody_2 = 'world'\nquaternion_1 = [1, 1, 0, 0]\n", 9,
     "length 1"},
    {"AxisOfAWeld", kBall + "[[loop]]\nkind = 'weld'\nbody_1 = 'ball'\nbody_2 = 'world'\naxis = [0, 0, 1]\n", 9,
     "unknown key \"axis\""},
    {"LoopOfFreeBodies", kBall + "[[loop]]\nkind = 'free'\n", 6, "closes nothing"},
    {"LoopOfMistypedType", kBall + "[[loop]]\nkind = 'cylindric'\n", 6, "Did you mean \"cylindrical\"?"},
    {"SlideWithoutAxis", kBall + "[[loop]]\nkind = 'slide'\nbody_1 = 'ball'\nbody_2 = 'world'\n", 5,
     "a slide needs an axis"},
    {"ScrewWithoutPitch", kBall + "[[loop]]\nkind = 'helical'\nbody_1 = 'ball'\nbody_2 = 'world'\naxis = [0, 0, 1]\n",
     5, "needs a pitch"},
    {"PitchOfASlide",
     kBall + "[[loop]]\nkind = 'slide'\nbody_1 = 'ball'\nbody_2 = 'world'\naxis = [0, 0, 1]\npitch = 1\n", 10,
     "unknown key \"pitch\""},
    {"NegativeSpringOfALoop", kBall + "[[loop]]\nkind = 'ball'\nbody_1 = 'ball'\nbody_2 = 'world'\nstiffness = -1\n", 9,
     "stiffness is -1"},
    {"NanDamperOfALoop", kBall + "[[loop]]\nkind = 'ball'\nbody_1 = 'ball'\nbody_2 = 'world'\ndamping = nan\n", 9,
     "not finite"},
    {"CrossedStops", kHingeLoop + "limits = [1, -1]\n", 5, "lower limit 1 is above upper limit -1"},
    {"StopsOfAWholeTurn", kHingeLoop + "range = [-4, 4]\n", 5, "tells no turns\n  Make it narrower than 6.273 rad"},
    {"NanStop", kHingeLoop + "limits = [0, nan]\n", 10, "not finite"},
    {"OneStop", kHingeLoop + "limits = [0]\n", 10, "2 numbers"},
    {"StopsTwice", kHingeLoop + "limits = [0, 1]\nrange = [0, 1]\n", 10, "both given"},
    {"NegativeFrictionOfALoop", kHingeLoop + "friction = -1\n", 10, "friction is -1"},
    {"FrictionOfALoopTwice", kHingeLoop + "friction = 1\ndry_friction = 1\n", 10, "both given"},
    {"NanFrictionOfALoop", kHingeLoop + "dry_friction = nan\n", 10, "not finite"},
    {"NegativeGainOfALoop", kHingeLoop + "kp = -1\n", 10, "kp is -1"},
    {"EffortOfNoMotor", kHingeLoop + "effort = 3\n", 10, "there is none"},
    {"TargetOfNoDrive", kHingeLoop + "torque = 1\ntarget = 3\n", 11, "nothing drives there"},
    {"TorqueBeyondTheEffort", kHingeLoop + "torque = -4\neffort = 3\n", 5, "torque -4 is more than the effort 3"},
    {"StopsOfABallLoop", kBall + "[[loop]]\nkind = 'ball'\nbody_1 = 'ball'\nbody_2 = 'world'\nlimits = [0, 1]\n", 9,
     "a ball leaves 3 freedoms, and limits acts on one\n  Leave it out, or take a hinge"},
    {"FrictionOfAWeld", kBall + "[[loop]]\nkind = 'weld'\nbody_1 = 'ball'\nbody_2 = 'world'\nfriction = 1\n", 9,
     "a weld leaves 0 freedoms"},
    {"MotorOfACoupling", kRobot + "[[loop]]\nkind = 'joint'\njoint_1 = 'LF_HAA'\njoint_2 = 'LF_HFE'\nkp = 1\n", 8,
     "unknown key \"kp\""},
    {"SpringTwice", kBall + "[[loop]]\nkind = 'ball'\nbody_1 = 'ball'\nbody_2 = 'world'\nspring = 1\nstiffness = 1\n",
     9, "both given"},
    {"SpringOfAWeld", kBall + "[[loop]]\nkind = 'weld'\nbody_1 = 'ball'\nbody_2 = 'world'\nstiffness = 1\n", 9,
     "a weld leaves nothing free"},
    {"SpringOfACoupling", kRobot + "[[loop]]\nkind = 'joint'\njoint_1 = 'LF_HAA'\njoint_2 = 'LF_HFE'\nstiffness = 1\n",
     8, "unknown key \"stiffness\""},
    {"ShortReference",
     kBall + "[[loop]]\nkind = 'ball'\nbody_1 = 'ball'\nbody_2 = 'world'\nstiffness = 1\nspring_reference = [0]\n", 10,
     "spring_reference"},
    {"ReferenceThatTurnsNothing",
     kBall +
         "[[loop]]\nkind = 'ball'\nbody_1 = 'ball'\nbody_2 = 'world'\nstiffness = 1\nspring_reference = [0,0,0,0]\n",
     10, "the quaternion of spring_reference has length 0"},
    {"ReferenceOfAnotherLengthThanOne",
     kBall +
         "[[loop]]\nkind = 'ball'\nbody_1 = 'ball'\nbody_2 = 'world'\nstiffness = 1\nspring_reference = [2,0,0,0]\n",
     10, "the quaternion of spring_reference has length 2"},
    {"ReferenceOfALoopThatNothingPullsTo",
     kBall + "[[loop]]\nkind = 'ball'\nbody_1 = 'ball'\nbody_2 = 'world'\ndamping = 1\n"
             "spring_reference = [1,0,0,0]\n",
     10, "no spring pulls there"},
    {"ReferenceOfAJointThatNothingPullsTo",
     kBall + "[[body]]\nname = 'b'\nshape = {sphere = 0.1}\nmass = 1\n[[joint]]\ntype = 'hinge'\nparent = 'ball'\n"
             "child = 'b'\naxis = [0,0,1]\nspring_reference = 0.1\n",
     14, "no spring pulls there"},
    {"ReferenceOfAJointThatIsNoRotation",
     kBall + "[[body]]\nname = 'b'\nshape = {sphere = 0.1}\nmass = 1\n[[joint]]\ntype = 'ball'\nparent = 'ball'\n"
             "child = 'b'\nstiffness = 1\nspring_reference = [1,1,0,0]\n",
     14, "the quaternion of spring_reference has length 1.41"},
    {"SpringOfUnknownBody", kBall + "[[spring]]\nbody_1 = 'bal'\n", 6, "there is no body \"bal\""},
    {"SpringWithOneEnd", kBall + "[[spring]]\nbody_1 = 'ball'\n", 5, "has no body_2"},
    {"SpringOfOneBody", kBall + "[[spring]]\nbody_1 = 'ball'\nbody_2 = 'ball'\nstiffness = 1\n", 5,
     "both ends are body \"ball\""},
    {"SpringOfTheWorld", kBall + "[[spring]]\nbody_1 = 'world'\nbody_2 = 'world'\nstiffness = 1\n", 5,
     "both ends are the world"},
    {"SpringOfFixedBody", kBall + "fixed = true\n[[spring]]\nbody_1 = 'ball'\nbody_2 = 'world'\nstiffness = 1\n", 6,
     "cannot move against each other"},
    {"SpringThatDoesNothing", kBall + "[[spring]]\nbody_1 = 'ball'\nbody_2 = 'world'\n", 5,
     "neither stiffness nor damping"},
    {"NegativeSpring", kBall + "[[spring]]\nbody_1 = 'ball'\nbody_2 = 'world'\nstiffness = -2\n", 8, "stiffness is -2"},
    {"NegativeDamper", kBall + "[[spring]]\nbody_1 = 'ball'\nbody_2 = 'world'\ndamping = -2\n", 8, "damping is -2"},
    {"NegativeLength", kBall + "[[spring]]\nbody_1 = 'ball'\nbody_2 = 'world'\nstiffness = 1\nlength = -1\n", 9,
     "length is -1"},
    {"NanSpring", kBall + "[[spring]]\nbody_1 = 'ball'\nbody_2 = 'world'\nstiffness = nan\n", 8, "not finite"},
    {"NanSpringPoint", kBall + "[[spring]]\nbody_1 = 'ball'\nbody_2 = 'world'\nstiffness = 1\npoint_1 = [0, nan, 0]\n",
     9, "not finite"},
    {"MistypedSpringKey", kBall + "[[spring]]\nbody_1 = 'ball'\nbody_2 = 'world'\nstifness = 1\n", 5, "stiffness"},
    {"SpringsOfOneName",
     kBall + "[[spring]]\nname = 's'\nbody_1 = 'ball'\nbody_2 = 'world'\nstiffness = 1\n[[spring]]\nname = "
             "'s'\nbody_1 = 'ball'\nbody_2 = 'world'\nstiffness = 1\n",
     10, "was added before"},
    {"CouplingOfUnknownJoint", kRobot + "[[loop]]\nkind = 'joint'\njoint_1 = 'LF_HA'\njoint_2 = 'LF_HFE'\n", 4,
     "Did you mean \"LF_HAA\"?"},
    {"CouplingGivenTwice",
     kRobot +
         "[[loop]]\nkind = 'joint'\njoint_1 = 'LF_HAA'\njoint_2 = 'LF_HFE'\noffset = 1\npolynomial = [0,1,0,0,0]\n",
     9, "both given"},
    {"MissingModel", "[[robot]]\nmodel = 'cat.urdf'\n", 2, "no such file"},
    {"MissingMesh", "[[body]]\nmass = 1\nshape = {mesh = 'no.stl'}\n", 3, "no such file"},
    {"MissingTriangles", "[[body]]\nfixed = true\nshape = {triangles = 'no.stl'}\n", 3, "no such file"},
    {"MissingHeights", "[[body]]\nfixed = true\nshape = {heightfield = {file = 'no.csv', size = [1, 1]}}\n", 3,
     "no such file"},
    {"MissingTorques", kRobot + "[[controller]]\nkind = 'torques'\nfile = 'no.csv'\n", 6, "no such file"},
    {"Quaternion", kBall + "quaternion_wxyz = [1, 0, 0, 0.1]\n", 5, "length 1.00499, not 1"},
    {"NoModel", "[[robot]]\nname = 'dog'\n", 1, "has no model"},
    {"UnknownJoint", kRobot + "q = {LF_HA = 1}\n", 4, "there is no joint \"LF_HA\"\n  Did you mean \"LF_HAA\"?"},
    {"FixedJoint", kRobot + "q = {LF_SHANK_TO_ADAPTER = 1}\n", 4, "is fixed"},
    {"BaseWord", kRobot + "base = 'loose'\n", 4, "base is \"loose\""},
    {"NamedPose", kRobot + "pose = 'home'\n", 4, "named poses are not supported yet"},
    {"GaitWithoutFeet", kRobot + "[[controller]]\nkind = 'gait'\n", 5, "has 0 feet to walk on"},
    {"GaitOnOneFoot", kRobot + "feet = ['LF_ADAPTER']\n[[controller]]\nkind = 'gait'\n", 6, "has 1 feet"},
    {"UnknownFoot", kRobot + "feet = ['LF_ADAPTR']\n", 4, "Did you mean \"LF_ADAPTER\"?"},
    {"FootTwice", kRobot + "feet = ['LF_ADAPTER', 'LF_ADAPTER']\n", 4, "named twice"},
    {"FootWithoutShape", kRobot + "feet = ['LF_HIP', 'RF_HIP']\n[[controller]]\nkind = 'gait'\n", 0,
     "no collision shape"},
    {"GaitNeverSwings", kFeet + "duty = 1\n", 7, "on the ground for 1 of the time"},
    {"GaitOutOfReach", kFeet + "speed = 9\n", 0, "foot \"LF_ADAPTER\": misses its path"},
    {"GaitTypo", kFeet + "sped = 1\n", 7, "Did you mean \"speed\"?"},
    {"RandomNever", kRobot + "[[controller]]\nkind = 'random'\nevery = 0\n", 6, "every is 0"},
    {"RandomHalfASeed", kRobot + "[[controller]]\nkind = 'random'\nseed = 0.5\n", 6, "not a whole number"},
    {"RandomSigma", kRobot + "[[controller]]\nkind = 'random'\nsigma = -1\n", 6, "sigma is -1"},
    {"RandomJoint", kRobot + "[[controller]]\nkind = 'random'\njoints = ['LF_HA']\n", 6, "Did you mean \"LF_HAA\"?"},
    {"TargetsFromNowhere", kRobot + "[[controller]]\nkind = 'targets'\n", 4, "either table or file"},
    {"TargetsShortRow", kRobot + "[[controller]]\nkind = 'targets'\njoints = ['LF_HAA']\ntable = [[0]]\n", 7,
     "2 numbers"},
    {"TargetsEmpty", kRobot + "[[controller]]\nkind = 'targets'\njoints = ['LF_HAA']\ntable = []\n", 7, "empty"},
    {"TargetsTimesFall", kRobot + "[[controller]]\nkind = 'targets'\njoints = ['LF_HAA']\ntable = [[1, 0], [0, 0]]\n",
     7, "must rise"},
    {"TargetsPeriod",
     kRobot + "[[controller]]\nkind = 'targets'\njoints = ['LF_HAA']\ntable = [[0, 0], [2, 0]]\nperiod = 1\n", 8,
     "shorter than the 2 s"},
    {"TargetsWithoutGain",
     kRobot + "[[controller]]\nkind = 'targets'\nkp = {LF_HFE = 1}\nkd = {LF_HFE = 1}\njoints = ['LF_HAA']\ntable = "
              "[[0, 0]]\n",
     8, "has no drive"},
    {"TargetsNoFile", kRobot + "[[controller]]\nkind = 'targets'\nfile = 'no.csv'\n", 6, "no such file"},
    {"UnknownKind", kRobot + "[[controller]]\nkind = 'holds'\n", 5, "unknown kind \"holds\""},
    {"UnknownRobot", kRobot + "[[controller]]\nkind = 'hold'\nrobot = 'cat'\n", 6, "there is no robot \"cat\""},
    {"OnlyKp", kRobot + "[[controller]]\nkind = 'hold'\nkp = 1\n", 6, "not both given"},
    {"HeldTwice", kRobot + "[[controller]]\nkind = 'hold'\n[[controller]]\nkind = 'hold'\n", 6, "held twice"},
    {"NoRobotToHold", kBall + "[[controller]]\nkind = 'hold'\n", 5, "no robot to drive"},
    {"GainOfUnknownJoint", kRobot + "[[controller]]\nkind = 'hold'\nkp = {LF_HA = 1}\nkd = 1\n", 6, "\"LF_HAA\"?"},
    {"TorqueTimesFall",
     kRobot + "[[controller]]\nkind = 'torques'\ntable = [[1,0,0,0,0,0,0,0,0,0,0,0,0],[0,0,0,0,0,0,0,0,0,0,0,0,0]]\n",
     6, "must rise"},
    {"TorqueRowShort", kRobot + "[[controller]]\nkind = 'torques'\ntable = [[1, 2]]\n", 6, "13 numbers"},
    {"UnknownWrenchBody", kBall + "[[wrench]]\nbody = 'bal'\n", 6, "Did you mean \"ball\"?"},
    {"WrenchFrame", kBall + "[[wrench]]\nbody = 'ball'\nframe = 'moon'\n", 7, "frame is \"moon\""},
    {"WrenchTimes", kBall + "[[wrench]]\nbody = 'ball'\nfrom = 2\nuntil = 1\n", 8, "not after"},
    {"ResetBoth", kBall + "[reset]\nevery = 1\nat_rest = {energy = 1}\n", 6, "either every or at_rest"},
    {"MaterialNameless", kBall + "[[material]]\nfriction = 1\n", 5, "either pair or name"},
    {"MaterialPairOfOne", kBall + "[[material]]\npair = ['a']\n", 6, "two names"},
    {"StaticBelowKinetic", kBall + "[[material]]\nname = 'default'\nfriction = 1\nfriction_static = 0.5\n", 8,
     "is below friction"},
    {"CollisionUnknown", kBall + "[collision]\nonly = ['bal']\n", 6, "\"bal\""},
    {"ExcludeNoPair", kBall + "[collision]\nexclude = ['ball']\n", 6, "pairs of names"},
    {"ExcludeUnknown", kBall + "[collision]\nexclude = [['ball', 'bal']]\n", 6, "Did you mean \"ball\"?"},
    {"PairsUnknown", kBall + "[collision]\npairs = [['ball', 'ball'],\n['ball', 'flor']]\n", 7, "\"flor\""},
    {"PairsNoList", kBall + "[collision]\npairs = 'ball'\n", 6, "not an array"},
    {"HalfAGroup", kBall + "group = 0.5\n", 5, "not 32 bits"},
    {"NegativeMask", kBall + "mask = -1\n", 5, "not 32 bits"},
    {"EmptyShapes", "[[body]]\nmass = 1\nshape = []\n", 3, "list of shapes is empty"},
    {"ShapeWithoutKind", "[[body]]\nmass = 1\n[[body.shape]]\nposition = [0, 0, 1]\n", 3, "needs one shape"},
    {"ShapeTypo", "[[body]]\nmass = 1\n[[body.shape]]\nbox = [1, 1, 1]\npositon = [0, 0, 1]\n", 5, "\"position\"?"},
    {"ShapeAndBodyMass", "[[body]]\nmass = 1\n[[body.shape]]\nsphere = 1\nmass = 2\n", 3, "whole body too"},
    {"ShapeMassAndDensity", "[[body]]\n[[body.shape]]\nsphere = 1\nmass = 2\ndensity = 1\n", 5, "both given"},
    {"OneShapeWithoutMass", "[[body]]\n[[body.shape]]\nsphere = 1\nmass = 2\n[[body.shape]]\nsphere = 1\n", 1,
     "neither mass nor density"},
    {"InertiaWithoutMass", "[[body]]\nshape = {sphere = 1}\ninertia = [1, 1, 1]\n", 3, "without a mass"},
    {"InertiaOfFour", kBall + "inertia = [1, 1, 1, 1]\n", 5, "6 numbers"},
    {"NegativeInertia", kBall + "inertia = [-1, 1, 1]\n", 1, "negative principal moment"},
    {"NanPose", kBall + "position = [0, nan, 0]\n", 5, "body \"ball\": position holds nan, which is not finite"},
    {"NanShape", "[[body]]\nmass = 1\nshape = {sphere = inf}\n", 3, "[[body]]: shape.sphere holds inf"},
    {"StartOfMinimal", kBall + "[simulation]\nstart = 'first_order'\n", 6, "start: \"first_order\" is not for stepper"},
    {"IntegratorOfMaximal", kBall + "[simulation]\nstepper = 'maximal'\nintegrator = 'rk4'\n", 7,
     "integrator of its own"},
    {"FlatHull", "[[body]]\nmass = 1\nshape = {hull = [[0,0,0],[1,0,0],[0,1,0],[1,1,0]]}\n", 3, "hull"},
    {"HullOfPairs", "[[body]]\nmass = 1\nshape = {hull = [[0,0],[1,0]]}\n", 3, "3 numbers"},
    {"ZeroScale", "[[body]]\nmass = 1\nshape = {mesh = 'a.stl', scale = [1, 0, 1]}\n", 3, "not positive"},
    {"MovingPlane", "[[body]]\nmass = 1\ninertia = [1, 1, 1]\nshape = {plane = {}}\n", 1,
     "attached to a body that moves"},
    {"PlaneZeroNormal", kBall + "[[plane]]\nnormal = [0, 0, 0]\n", 6, "length zero"},
    {"PlaneNamesTwice", kBall + "[[plane]]\nname = 'a'\n[[plane]]\nname = 'a'\n", 8, "is taken"},
    {"PlaneMaterialTwice", kBall + "[[plane]]\nfriction = 1\nmaterial = 'ice'\n", 7, "both given"},
    {"PlaneTypo", kBall + "[[plane]]\nfricton = 1\n", 6, "\"friction\"?"},
    {"FixedAndKinematic", kBall + "fixed = true\nkinematic = true\n", 6, "does not move"},
    {"MotionNotKinematic", kBall + "kinematic = false\nmotion = [[0,0,0,0,1,0,0,0],[1,0,0,0,1,0,0,0]]\n", 5,
     "is kinematic"},
    {"MotionOfOneRow", kBall + "motion = [[0,0,0,0,1,0,0,0]]\n", 5, "one row"},
    {"MotionUnsorted", kBall + "motion = [[1,0,0,0,1,0,0,0],[0,0,0,0,1,0,0,0]]\n", 5, "times must rise"},
    {"MotionShortRow", kBall + "motion = [[0,0,0,0],\n[1,0,0,0]]\n", 5, "8 numbers"},
    {"MotionLongQuaternion", kBall + "motion = [[0,0,0,0,1,0,0,0],\n[1,0,0,0,1,1,0,0]]\n", 6, "has length 1.41"},
    {"MotionNan", kBall + "motion = [[0,0,0,0,1,0,0,0],\n[1,nan,0,0,1,0,0,0]]\n", 6, "not finite"},
    {"MotionHalfTurn", kBall + "motion = [[0,0,0,0,1,0,0,0],[1,0,0,0,0,0,0,1]]\n", 5, "either way"},
    {"MotionAndPosition", kBall + "position = [0,0,1]\nmotion = [[0,0,0,0,1,0,0,0],[1,0,0,0,1,0,0,0]]\n", 5,
     "both given"},
    {"MotionFileMissing", kBall + "motion = 'no.csv'\n", 5, "no.csv"},
    {"MotionFileKind", kBall + "motion = 'no.txt'\n", 5, "known kind"},
    {"JointWithoutChild", kBall + "[[joint]]\ntype = 'hinge'\n", 5, "has no child"},
    {"JointOfUnknownChild", kBall + "[[joint]]\nchild = 'bal'\n", 6, "Did you mean \"ball\"?"},
    {"JointOfUnknownParent", kBall + "[[joint]]\nchild = 'ball'\nparent = 'hook'\n", 7, "no [[body]] \"hook\""},
    {"JointToItself", kBall + "[[joint]]\nchild = 'ball'\nparent = 'ball'\n", 6, "both \"ball\""},
    {"JointWithoutType", kBall + "[[joint]]\nchild = 'ball'\nparent = 'world'\n", 5, "has no type"},
    {"JointOfUnknownType", kBall + "[[joint]]\nchild = 'ball'\nparent = 'world'\ntype = 'rope'\n", 8,
     "Known: fixed, hinge"},
    {"JointWithoutAxis", kBall + "[[joint]]\nchild = 'ball'\nparent = 'world'\ntype = 'hinge'\n", 5, "no axis"},
    {"JointZeroAxis", kBall + "[[joint]]\nchild = 'ball'\nparent = 'world'\ntype = 'hinge'\naxis = [0,0,0]\n", 9,
     "length zero"},
    {"JointTwice",
     kBall + "[[joint]]\nchild = 'ball'\nparent = 'world'\ntype = 'ball'\n[[joint]]\nchild = 'ball'\nparent = "
             "'world'\ntype = 'ball'\n",
     10, "by another joint already"},
    {"JointCircle",
     kBall + "[[body]]\nname = 'b'\nshape = {sphere = 1}\nmass = 1\n[[joint]]\nchild = 'ball'\nparent = 'b'\ntype = "
             "'ball'\n[[joint]]\nchild = 'b'\nparent = 'ball'\ntype = 'ball'\n",
     10, "hangs on itself"},
    {"JointOfFixed", kBall + "fixed = true\n[[joint]]\nchild = 'ball'\nparent = 'world'\ntype = 'ball'\n", 5,
     "fixed or kinematic besides"},
    {"JointOnKinematic",
     kBall + "kinematic = true\n[[body]]\nname = 'b'\nshape = {sphere = 1}\nmass = 1\n[[joint]]\nchild = 'b'\nparent = "
             "'ball'\ntype = 'ball'\n",
     6, "which is kinematic"},
    {"JointWithVelocity", kBall + "velocity = [1, 0, 0]\n[[joint]]\nchild = 'ball'\nparent = 'world'\ntype = 'ball'\n",
     5, "no velocity"},
    {"JointLongQuaternion", kBall + "[[joint]]\nchild = 'ball'\nparent = 'world'\ntype = 'ball'\nq = [1, 1, 0, 0]\n", 9,
     "has length 1.41"},
    {"FixedJointStart", kBall + "[[joint]]\nchild = 'ball'\nparent = 'world'\ntype = 'fixed'\nq = 1\n", 9,
     "no coordinates"},
    {"JointTypo", kBall + "[[joint]]\nchild = 'ball'\nparent = 'world'\ntype = 'ball'\ndampng = 1\n", 9,
     "\"damping\"?"},
    {"LoopOfTwoKinematic", kBall + "kinematic = true\n[[loop]]\nkind = 'weld'\nbody_1 = 'ball'\nbody_2 = 'world'\n", 6,
     "no force can move"},
    {"KinematicIntegrator", kBall + "kinematic = true\n[simulation]\nintegrator = 'rk4'\n", 7, "Use the leapfrog"},
    {"MaterialOfUnknownLink", kRobot + "materials = {LF_SHNK = 'rubber'}\n", 4, "LF_SHANK"},
    {"MissingSrdf", kRobot + "srdf = 'no.srdf'\n", 4, "no.srdf"},
};

class BadSceneFile : public testing::TestWithParam<BadScene> {};

TEST_P(BadSceneFile, IsRefusedWithLineAndRemedy) {
  const TemporaryFolder folder;
  std::filesystem::copy_file(scenePath("anymal.urdf"), folder("anymal.urdf"));
  const std::string file = folder.write("scene.toml", GetParam().text);
  const Error error = expectError([&] { loadScene(file); });
  EXPECT_EQ(error.where().file, file) << error.what();
  EXPECT_EQ(error.where().line, GetParam().line) << error.what();
  EXPECT_TRUE(contains(error.what(), GetParam().message)) << error.what();
  EXPECT_FALSE(error.remedy().empty()) << error.what();
}

INSTANTIATE_TEST_SUITE_P(Texts, BadSceneFile, testing::ValuesIn(kBadScenes),
                         [](const auto& info) { return std::string(info.param.name); });

TEST(BadSceneFile, AFileThatIsNotThereIsToldWithTheFolderInWhichItWasLookedFor) {
  const TemporaryFolder folder;
  const std::string file = folder.write("s.toml", "[[body]]\nmass = 1\nshape = {mesh = 'parts/no.stl'}\n");
  const Error error = expectError([&] { loadScene(file); });
  EXPECT_EQ(error.problem(), "mesh \"" + folder("parts/no.stl") + "\": no such file");
  const std::string place = std::filesystem::path(file).parent_path().string();
  EXPECT_EQ(error.remedy(),
            "Paths are relative to the scene file: \"parts/no.stl\" is looked for in \"" + place + "\".");
}

TEST(BadSceneFile, ErrorsInsideTheModelNameTheModelFile) {
  const TemporaryFolder folder;
  std::filesystem::copy_file(badPath("negative_mass.urdf"), folder("bad.urdf"));
  const Error error = expectError([&] { loadScene(folder.write("s.toml", "[[robot]]\nmodel = 'bad.urdf'\n")); });
  EXPECT_EQ(error.where().file, folder("bad.urdf"));
  EXPECT_EQ(error.where().line, 3);
}

TEST(BadSceneFile, StartOutsideTheJointRangeIsAWarningAndAnErrorUnderStrict) {
  const TemporaryFolder folder;
  std::filesystem::copy_file(scenePath("anymal.urdf"), folder("anymal.urdf"));
  const std::string file = folder.write("s.toml", kRobot + "q = {LF_HAA = 10}\n");
  const Scene scene = loadScene(file);
  ASSERT_FALSE(scene.warnings.empty());
  EXPECT_TRUE(contains(scene.warnings.back().message, "outside its range"));
  EXPECT_THROW(loadScene(file, {.strict = true}), Error);
}

TEST(BadSceneFile, StartOutsideTheRangeOfALoopIsAWarningThatNamesItAndAnErrorUnderStrict) {
  const TemporaryFolder folder;
  const std::string file = folder.write("s.toml", kHingeLoop + "name = 'pin'\nlimits = [0.5, 1]\n");
  const Scene scene = loadScene(file);
  ASSERT_EQ(scene.warnings.size(), 1u);
  EXPECT_EQ(scene.warnings[0].where.element, "loop \"pin\"");
  EXPECT_EQ(scene.warnings[0].where.line, 5);
  EXPECT_TRUE(contains(scene.warnings[0].message, "starts at 0, outside its range 0.5 … 1"));
  EXPECT_THROW(loadScene(file, {.strict = true}), Error);
  Simulator sim(scene);  // nothing pulls it in, and nothing lets it farther out
  EXPECT_TRUE(sim.run(0.1).accepted()) << sim.report().explain();
  EXPECT_NEAR(sim.state().q[3], 1.0, 1e-9);
}

TEST(BadSceneFile, DeepNestingDoesNotOverflowTheStack) {
  const TemporaryFolder folder;
  std::string dotted = "a";
  for (int i = 0; i < 100'000; ++i) dotted += ".a";
  for (const std::string& text : {"x = " + std::string(100'000, '['), dotted + " = 1\n", "[" + dotted + "]\n",
                                  "x = {" + dotted + " = 1}\n", "\"a\" . " + dotted + " = 1\n"})
    EXPECT_THROW(loadScene(folder.write("deep.toml", text)), Error) << text.substr(0, 10);
}

}  // namespace
}  // namespace rigor
