#include "verify/smooth_motions.h"

#include <algorithm>
#include <cmath>

#include "verify/motion.h"

namespace rigor {
namespace {

using Eigen::Vector3d;
using Eigen::VectorXd;
using Real = long double;

constexpr Real kG = 9.81L;

void append(std::vector<double>& to, const VectorXd& values) { to.insert(to.end(), values.begin(), values.end()); }

void appendNode(const verify::World& world, const Instant& node, double time, Recording& r) {
  const verify::Reals q(node.q.begin(), node.q.end()), v(node.v.begin(), node.v.end());
  const verify::Sums sums = verify::computeSums(world, q, v);
  r.time.push_back(time);
  append(r.q, node.q), append(r.v, node.v);
  for (const Real x : {sums.kinetic, sums.potential}) r.energy.push_back(static_cast<double>(x));
  for (const verify::Vec& p : {sums.linear, sums.angular})
    for (const Real x : {p.x, p.y, p.z}) r.momentum.push_back(static_cast<double>(x));
}

void appendSubstep(const Instant& from, const Instant& to, double h, Recording& r) {
  r.substep_h.push_back(h), r.substep_theta.push_back(1), r.substep_smooth.push_back(1);
  r.substep_kick.insert(r.substep_kick.end(), r.kick_columns, h);
  append(r.substep_q, from.q), append(r.substep_v, from.v), append(r.substep_v_mean, from.v);
  append(r.substep_v_end, to.v);
  for (const Instant::Touch& touch : from.touches) {
    r.contact_id.push_back(touch.id);
    r.contact_body.push_back(touch.body_1), r.contact_body.push_back(touch.body_2);
    append(r.contact_point, touch.point), append(r.contact_normal, touch.normal),
        append(r.contact_impulse, h * touch.force);
    r.contact_gap.push_back(0), r.contact_gap_end.push_back(0);
    r.contact_mode.push_back(static_cast<std::uint8_t>(touch.mode));
  }
  for (const Instant::Row& row : from.rows) {
    r.row_id.push_back(row.id);
    for (const double force : row.force) r.row_impulse.push_back(h * force);
  }
  r.contact_start.push_back(static_cast<std::int64_t>(r.contact_id.size()));
  r.row_start.push_back(static_cast<std::int64_t>(r.row_id.size()));
}

void appendStep(const SmoothMotion& motion, const Instant& node, int steps, Recording& r) {
  r.tau.insert(r.tau.end(), r.nv, 0.0), r.input_tau.insert(r.input_tau.end(), r.nv, 0.0);
  if (node.tau.size() > 0) std::copy(node.tau.begin(), node.tau.end(), r.tau.end() - r.nv);
  for (const HoldSpec& hold : motion.scene.holds) r.ctrl.push_back(hold.target);
  r.residual.insert(r.residual.end(), 3, 0.0);
  r.penetration.push_back(0);
  r.iterations.push_back(0), r.passes.push_back(1);
  r.fresh.push_back(steps == 0);
  r.wrench_start.push_back(0);
}

/// A corner of the only body's shape on the only plane.
RowId onPlane(const Scene& scene, int corner) {
  const std::uint64_t plane = scene.model.shapes()[0].body == kWorld ? 0 : 1, solid = 1 - plane;
  return {plane << 34 | solid << 8, static_cast<std::uint64_t>(corner)};
}
RowId rowId(int kind, std::uint64_t index) { return {static_cast<std::uint64_t>(kind) << 60, index}; }

/// A body on a plane z = 0 under gravity that leans by `slope` towards x.
Scene onSlope(const Shape& shape, double friction, double slope) {
  ModelBuilder builder("slope");
  builder.setGravity(
      {static_cast<double>(kG * std::sin(Real(slope))), 0, static_cast<double>(-kG * std::cos(Real(slope)))});
  builder.addWorldShape({"floor", makePlane(), {}, "floor"});
  builder.addMaterialPair({"floor", "", friction, -1.0, 0.0, 0.01});
  BodySpec body;
  body.name = "body", body.joint.name = "base", body.joint.type = kFree;
  body.mass = computeMassProperties(shape, 1000.0);
  body.shapes.push_back({"body", shape, {}, "default"});
  builder.addBody(body);
  Scene scene;
  scene.stepper = "event";
  scene.model = builder.build();
  scene.q = scene.model.q0();
  scene.v = VectorXd::Zero(6);
  return scene;
}

/// A link on a joint in the world, or on another link.
BodySpec link(const std::string& name, int parent, JointType type, const Vector3d& at, const Vector3d& axis,
              double mass, const Vector3d& centre) {
  BodySpec body;
  body.name = name, body.parent = parent;
  body.joint.name = name + "_joint", body.joint.type = type, body.joint.axis = axis;
  body.joint.X_PJ.position = at;
  body.mass = {mass, centre, Vector3d(0.01, 0.02, 0.015).asDiagonal()};
  return body;
}

Scene sceneOfModel(const ModelBuilder& builder) {
  Scene scene;
  scene.stepper = "event";
  scene.model = builder.build();
  scene.q = scene.model.q0();
  scene.v = VectorXd::Zero(scene.model.nv());
  return scene;
}

VectorXd numbers(std::initializer_list<Real> values) {
  VectorXd out(static_cast<Eigen::Index>(values.size()));
  std::transform(values.begin(), values.end(), out.begin(), [](Real x) { return static_cast<double>(x); });
  return out;
}

Vector3d vector(Real x, Real y, Real z) { return numbers({x, y, z}); }

/// θ'' = f(θ) from rest of θ₀ with speed ω₀, in small steps of fourth order.
struct Swing {
  Real angle, speed;
};
Swing swing(Real angle, Real speed, Real time, const std::function<Real(Real)>& f) {
  const int pieces = 1 + static_cast<int>(time / 1e-4L);
  const Real h = time / pieces;
  for (int i = 0; i < pieces; ++i) {
    const Real k1 = f(angle), l1 = speed;
    const Real k2 = f(angle + h / 2 * l1), l2 = speed + h / 2 * k1;
    const Real k3 = f(angle + h / 2 * l2), l3 = speed + h / 2 * k2;
    const Real k4 = f(angle + h * l3), l4 = speed + h * k3;
    angle += h / 6 * (l1 + 2 * l2 + 2 * l3 + l4), speed += h / 6 * (k1 + 2 * k2 + 2 * k3 + k4);
  }
  return {angle, speed};
}

Scene slider(double dry_friction, const Vector3d& gravity, bool limited) {
  ModelBuilder builder("slider");
  builder.setGravity(gravity);
  BodySpec body = link("slider", kWorld, kSlide, Vector3d::Zero(), Vector3d::UnitX(), 2.0, Vector3d::Zero());
  body.joint.dry_friction = dry_friction;
  if (limited) body.joint.range = Range{-1.0, 0.25};
  builder.addBody(body);
  return sceneOfModel(builder);
}

}  // namespace

Recording record(const SmoothMotion& motion, int steps) {
  Recording r = makeRecording(motion.scene);
  const verify::World world = verify::readWorld(r.header);
  for (int step = 0; step < steps; ++step) {
    const double begin = step * r.dt, end = (step + 1) * r.dt;
    appendNode(world, motion.at(begin, false), begin, r);
    double from = begin;
    std::vector<double> ends = {end};
    for (const double event : motion.events)
      if (event > begin && event < end) ends.insert(ends.end() - 1, event);
    appendStep(motion, motion.at(begin, true), step, r);
    for (const double to : ends) {
      const double h = ends.size() == 1 ? r.dt : to - from;
      appendSubstep(motion.at(from, true), motion.at(to, false), h, r);
      from = to;
    }
    r.substep_start.push_back(static_cast<std::int64_t>(r.substep_h.size()));
  }
  appendNode(world, motion.at(steps * r.dt, false), steps * r.dt, r);
  return r;
}

SmoothMotion slidingBlock() {
  const Real mu = 0.5L, slope = 0.3L, a = 0.1L, b = 0.05L, c = 0.08L;
  const Real along = kG * std::sin(slope), down = kG * std::cos(slope), brake = mu * down - along, stop = 0.1004L;
  const Real mass = 1000 * 8 * a * b * c;
  SmoothMotion motion;
  motion.scene = onSlope(makeBox({0.1, 0.05, 0.08}), 0.5, 0.3);
  motion.events = {static_cast<double>(stop)};
  motion.at = [=, scene = motion.scene](double time, bool after) {
    const bool slides = time < stop || (time == stop && !after);
    const Real t = std::min<Real>(time, stop);
    const Real x = brake * stop * t - brake * t * t / 2, speed = slides ? brake * (stop - t) : 0;
    Instant out;
    out.q = numbers({x, 0, c, 1, 0, 0, 0}), out.v = numbers({speed, 0, 0, 0, 0, 0});
    const Real friction = slides ? mu * down : along;  // of 1 kg, against x
    for (int corner = 0; corner < 4; ++corner) {
      const Real sx = corner & 1 ? 1 : -1, sy = corner & 2 ? 1 : -1;
      const Real share = (1 + sx * friction * c / (down * a)) / 4;  // the front carries the moment of friction
      out.touches.push_back({onPlane(scene, corner), -1, 0, vector(x + sx * a, sy * b, 0), vector(0, 0, 1),
                             vector(-mass * friction * share, 0, mass * down * share), slides ? 2 : 1});
    }
    return out;
  };
  return motion;
}

SmoothMotion rollingBall() {
  const Real r = 0.1L, slope = 0.2L, along = kG * std::sin(slope), a = along * 5 / 7;
  const Real mass = 1000 * 4 / 3.0L * std::acos(-1.0L) * r * r * r;
  SmoothMotion motion;
  motion.scene = onSlope(makeSphere(0.1), 0.8, 0.2);
  motion.at = [=, scene = motion.scene](double time, bool) {
    const Real t = time, x = a * t * t / 2 + 0.3L * t, speed = a * t + 0.3L, half = x / r / 2;
    Instant out;
    out.q = numbers({x, 0, r, std::cos(half), 0, std::sin(half), 0}), out.v = numbers({speed, 0, 0, 0, speed / r, 0});
    out.touches.push_back({onPlane(scene, 0), -1, 0, vector(x, 0, 0), vector(0, 0, 1),
                           vector(mass * (a - along), 0, mass * kG * std::cos(slope)), 1});
    return out;
  };
  return motion;
}

SmoothMotion tippingBox() {
  const Real a = 0.1L, b = 0.05L, c = 0.2L, mass = 1000 * 8 * a * b * c;
  const Real arm = std::sqrt(a * a + c * c), lean = std::atan2(a, c);
  const Real about_edge = mass * (a * a + c * c) / 3 + mass * arm * arm;
  // θ: of the line from the edge to the centre, from the vertical; the box has turned by θ + lean
  const auto f = [=](Real angle) { return mass * kG * arm * std::sin(angle) / about_edge; };
  SmoothMotion motion;
  motion.scene = onSlope(makeBox({0.1, 0.05, 0.2}), 0.8, 0.0);
  motion.at = [=, scene = motion.scene](double time, bool) {
    const auto [angle, speed] = swing(0.1L - lean, 0.9L, time, f);
    const Real turned = angle + lean, rate = f(angle);
    const Real x = arm * std::sin(angle), z = arm * std::cos(angle);
    const Real ax = z * rate - x * speed * speed, az = -x * rate - z * speed * speed;
    Instant out;
    out.q = numbers({x, 0, z, std::cos(turned / 2), 0, std::sin(turned / 2), 0});
    out.v = numbers({z * speed, 0, -x * speed, 0, speed, 0});
    for (const int corner : {1, 3})
      out.touches.push_back({onPlane(scene, corner), -1, 0, vector(0, corner == 3 ? b : -b, 0), vector(0, 0, 1),
                             vector(mass * ax / 2, 0, mass * (az + kG) / 2), 1});
    return out;
  };
  return motion;
}

SmoothMotion parallelogram() {
  const Real length = 0.5L, m = 1, l = 0.25L, about_hinge = 0.02L + m * l * l, coupler = 2;
  const Real inertia = 2 * about_hinge + coupler * length * length, lever = 2 * m * l + coupler * length;
  ModelBuilder builder("parallelogram");
  const Vector3d axis = Vector3d::UnitY(), end(0, 0, -0.5);
  const int left = builder.addBody(link("left", kWorld, kHinge, {0, 0, 0}, axis, 1.0, {0, 0, -0.25}));
  const int bar = builder.addBody(link("bar", left, kHinge, end, axis, 2.0, {0.3, 0, 0}));
  const int right = builder.addBody(link("right", kWorld, kHinge, {0.6, 0, 0}, axis, 1.0, {0, 0, -0.25}));
  LoopSpec loop;
  loop.name = "pin", loop.body_1 = bar, loop.body_2 = right;
  loop.X_1F.position = {0.6, 0, 0}, loop.X_2F.position = end;
  builder.addLoop(loop);
  const auto f = [=](Real angle) { return -lever * kG * std::sin(angle) / inertia; };
  SmoothMotion motion;
  motion.scene = sceneOfModel(builder);
  motion.at = [=](double time, bool) {
    const auto [angle, speed] = swing(0.7L, -1.5L, time, f);
    const Real rate = f(angle), s = std::sin(angle), k = std::cos(angle);
    Instant out;  // turned about y, a crank has its end at −length (s, 0, k)
    out.q = numbers({angle, -angle, angle}), out.v = numbers({speed, -speed, speed});
    const Real az = length * (s * rate + k * speed * speed);
    // on the right crank: half of what carries the coupler, and along x what turns it
    const Real fz = -coupler * (az + kG) / 2;
    const Real turning =
        about_hinge * rate + m * kG * l * s;  // torque about y = r_z F_x − r_x F_z, r = −length (s, 0, k)
    const Real fx = (turning - length * s * fz) / (-length * k);
    out.rows.push_back({rowId(4, 0), {static_cast<double>(fx), 0, static_cast<double>(fz)}});
    return out;
  };
  return motion;
}

SmoothMotion rubbingSlider() {
  const Real friction = 3, mass = 2, pull = 0.4L, stop = 0.05L, brake = friction / mass - pull;
  SmoothMotion motion;
  motion.scene = slider(3.0, {static_cast<double>(pull), 0, 0}, false);
  motion.events = {static_cast<double>(stop)};
  motion.at = [=](double time, bool after) {
    const bool moves = time < stop || (time == stop && !after);
    const Real t = std::min<Real>(time, stop);
    Instant out;
    out.q = numbers({brake * stop * t - brake * t * t / 2}), out.v = numbers({moves ? brake * (stop - t) : 0});
    out.rows.push_back({rowId(3, 0), {static_cast<double>(moves ? -friction : -mass * pull), 0, 0}});
    return out;
  };
  return motion;
}

SmoothMotion sliderAtLimit() {
  SmoothMotion motion;
  motion.scene = slider(0.0, {9.81, 0, 0}, true);
  motion.at = [](double, bool) {
    Instant out;
    out.q = numbers({0.25L}), out.v = numbers({0});
    out.rows.push_back({rowId(1, 1), {2 * 9.81, 0, 0}});
    return out;
  };
  return motion;
}

SmoothMotion drivenSlider() {
  SmoothMotion motion;
  ModelBuilder builder("slider");
  builder.setGravity(Vector3d::Zero());
  BodySpec body = link("slider", kWorld, kSlide, Vector3d::Zero(), Vector3d::UnitX(), 2.0, Vector3d::Zero());
  body.joint.stiffness = 40, body.joint.damping = 1, body.joint.spring_reference = VectorXd::Constant(1, 0.3);
  builder.addBody(body);
  motion.scene = sceneOfModel(builder);
  HoldSpec hold;
  hold.joint = 0, hold.kp = 160, hold.kd = 3, hold.target = 0.3;
  motion.scene.holds.push_back(hold);
  const Real decay = 1, omega = std::sqrt(Real(100) - decay * decay);  // 2 x″ = 200 (0.3 − x) − 4 x′
  motion.at = [=](double time, bool) {
    const Real t = time, start = -0.3L, fade = std::exp(-decay * t);
    const Real c = std::cos(omega * t), s = std::sin(omega * t), sine = start * decay / omega;
    const Real y = fade * (start * c + sine * s);
    const Real rate = fade * (omega * (sine * c - start * s) - decay * (start * c + sine * s));
    Instant out;
    out.q = numbers({Real(0.3) + y}), out.v = numbers({rate});
    out.tau = VectorXd::Constant(1, 160 * (0.3 - out.q[0]) - 3 * out.v[0]);
    return out;
  };
  return motion;
}

SmoothMotion freeTop() {
  const Real across = 0.02L, along = 0.005L;  // moments of inertia
  ModelBuilder builder("top");
  BodySpec body;
  body.name = "top", body.joint.name = "base", body.joint.type = kFree;
  body.mass = {1.5, Vector3d::Zero(), Vector3d(0.02, 0.02, 0.005).asDiagonal()};
  builder.addBody(body);
  SmoothMotion motion;
  motion.scene = sceneOfModel(builder);
  motion.at = [=](double time, bool) {
    const Real t = time, w_x = 3, w_z = 20;  // at the start, axes of the body and of the world
    const verify::Vec momentum{across * w_x, 0, along * w_z};
    const Real slower = w_z * (across - along) / across;
    const verify::Quaternion q = verify::turnBy((t / across) * momentum) * verify::turnBy({0, 0, slower * t});
    Instant out;
    out.q = numbers({0.2L * t, 0, -kG * t * t / 2, q.w, q.x, q.y, q.z});
    out.v = numbers({0.2L, 0, -kG * t, w_x * std::cos(slower * t), -w_x * std::sin(slower * t), w_z});
    return out;
  };
  return motion;
}

}  // namespace rigor
