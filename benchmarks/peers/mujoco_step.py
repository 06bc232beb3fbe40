#!/usr/bin/env python3
"""Standing ANYmal in MuJoCo, beside `bench_steps`: microseconds per step, penetration, creep on a slope.

Usage: python3 mujoco_step.py [PATH/TO/bench_steps]      needs `pip install mujoco==4.0.0` in a venv of your own

MuJoCo reads the same URDF; a free joint, a floor and PD as joint springs and dampers (kp 40, kd 1) are added. Steps are
taken inside one call, so Python costs nothing.
"""

import subprocess
import sys
import time
from pathlib import Path

import mujoco
import numpy as np

URDF = Path(__file__).resolve().parents[2] / "scenes/anymal.urdf"
POSE = {"HAA": (-0.03, 0.03), "HFE": (0.4, 0.4), "KFE": (-0.8, -0.8)}  # front legs: left, right


def target(name):
    leg, joint = name.split("_")
    angle = POSE[joint][leg.startswith("R")]
    return -angle if leg.endswith("H") and joint != "HAA" else angle


def standing_robot(slope=0.0):
    spec = mujoco.MjSpec.from_file(str(URDF))
    spec.compiler.fusestatic = True
    base = next(body for body in spec.bodies if body.name == "base")
    base.add_freejoint()
    floor = spec.worldbody.add_geom()
    floor.type = mujoco.mjtGeom.mjGEOM_PLANE
    floor.size = [10, 10, 0.1]
    for geom in spec.geoms:
        geom.friction = [0.8, 0.005, 0.0001]
        robot = geom is not floor
        geom.contype, geom.conaffinity = (1, 0) if robot else (0, 1)  # the robot meets the floor, not itself
        geom.condim = 3
    for joint in spec.joints:
        if joint.type == mujoco.mjtJoint.mjJNT_HINGE:
            joint.stiffness, joint.damping = [40.0, 0.0, 0.0], [1.0, 0.0, 0.0]  # linear, no higher terms
            joint.springref = target(joint.name)
            joint.limited = mujoco.mjtLimited.mjLIMITED_FALSE
    model = spec.compile()
    model.opt.timestep = 1e-3
    model.opt.gravity = 9.81 * np.array([-np.sin(slope), 0.0, -np.cos(slope)])
    data = mujoco.MjData(model)
    data.qpos[2] = 0.54
    for index in range(model.njnt):
        if model.jnt_type[index] == mujoco.mjtJoint.mjJNT_HINGE:
            data.qpos[model.jnt_qposadr[index]] = target(model.joint(index).name)
    return model, data


SETTINGS = {
    "default": {},
    "CG elliptic": {"solver": mujoco.mjtSolver.mjSOL_CG, "cone": mujoco.mjtCone.mjCONE_ELLIPTIC},
    "Newton elliptic": {"solver": mujoco.mjtSolver.mjSOL_NEWTON, "cone": mujoco.mjtCone.mjCONE_ELLIPTIC},
    "tuned hard": {
        "solver": mujoco.mjtSolver.mjSOL_NEWTON,
        "cone": mujoco.mjtCone.mjCONE_ELLIPTIC,
        "integrator": mujoco.mjtIntegrator.mjINT_DISCRETE,
        "impratio": 100.0,
        "disableflags": mujoco.mjtDisableBit.mjDSBL_REFSAFE,
    },
}
HARD_SOLREF = [0.5e-3, 3.0]  # half a step, damping ratio
HARD_SOLIMP = [0.9999, 0.9999, 0.001, 0.5, 2.0]
STEPS_PER_ROUND = 40  # below 0.5 ms: longer rounds measure the scheduler


def measure(options):
    model, data = standing_robot()
    for name, value in options.items():
        setattr(model.opt, name, value)
    if "impratio" in options:
        model.geom_solref[:] = HARD_SOLREF
        model.geom_solimp[:] = HARD_SOLIMP
    mujoco.mj_step(model, data, 3000)
    best = np.inf
    for _ in range(1000):
        begin = time.perf_counter()
        mujoco.mj_step(model, data, STEPS_PER_ROUND)
        best = min(best, (time.perf_counter() - begin) * 1e6 / STEPS_PER_ROUND)
    depth = max([-contact.dist for contact in data.contact] + [0.0])
    return best, len(data.contact), depth


def main():
    print(f"mujoco {mujoco.__version__}")
    for name, options in SETTINGS.items():
        microseconds, contacts, depth = measure(options)
        print(f"{name:16s} {microseconds:8.3f} us/step   {contacts} contacts, {depth:.2e} m deep")
    for program in sys.argv[1:]:
        print(subprocess.run([program], capture_output=True, text=True, check=True).stdout, end="")


if __name__ == "__main__":
    main()
