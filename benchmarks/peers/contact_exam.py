#!/usr/bin/env python3
"""contact_exam.py PEER FOLDER: answers of siconos or Pinocchio to the problems that `contact_exam make FOLDER N` wrote.

Every solver writes FOLDER/NAME.txt, a line per problem: its name, 1 if the solver says that it converged, the impulses; and its
name into FOLDER/answers.txt. All are asked for 1e-12 of the largest velocity within 10 000 iterations. Pinocchio's PGS may end
far from there and say that it converged, so it is asked once more for all of its iterations (pinocchio_pgs_all)."""

import json
import sys
from pathlib import Path

import numpy as np

ITERATIONS = 10_000
TOLERANCE = 1e-12


class Problem:
    """u = W λ + q, rows (normal, tangent, tangent) of each contact; the bias of the law is part of q."""

    def __init__(self, file):
        arrays = np.load(file)
        self.q = arrays["b"] + arrays["bias"]
        size = len(self.q)
        self.W = np.ascontiguousarray(arrays["W"].reshape(size, size))
        blocks = json.loads(arrays["blocks"].tobytes())
        self.mu = np.array([block["mu"] for block in blocks])
        self.tolerance = TOLERANCE * max(1e-300, np.abs(self.q).max())


def siconos_solvers():
    import siconos.numerics as numerics

    def make(code):
        def solve(problem):
            fc3d = numerics.FrictionContactProblem(3, len(problem.mu), problem.W, problem.q, problem.mu)
            options = numerics.SolverOptions(code)
            options.iparam[numerics.SICONOS_IPARAM_MAX_ITER] = ITERATIONS
            options.dparam[numerics.SICONOS_DPARAM_TOL] = TOLERANCE  # relative to |q|
            impulse, velocity = np.zeros(len(problem.q)), np.zeros(len(problem.q))
            return numerics.fc3d_driver(fc3d, impulse, velocity, options) == 0, impulse

        return solve

    return {
        "siconos_nsgs": make(numerics.SICONOS_FRICTION_3D_NSGS),
        "siconos_nsn_ac": make(numerics.SICONOS_FRICTION_3D_NSN_AC),
        "siconos_admm": make(numerics.SICONOS_FRICTION_3D_ADMM),
    }


def pinocchio_solvers():
    import pinocchio

    model = pinocchio.Model()
    model.addJoint(0, pinocchio.JointModelFreeFlyer(), pinocchio.SE3.Identity(), "body")

    def make(kind, tolerance=1.0):
        def solve(problem):
            size = len(problem.q)
            order = np.concatenate([[3 * i + 1, 3 * i + 2, 3 * i] for i in range(size // 3)])  # its normals are last
            models, datas = pinocchio.StdVec_ConstraintModel(), pinocchio.StdVec_ConstraintData()
            for mu in problem.mu:
                contact = pinocchio.PointContactConstraintModel(model, 1)
                contact.setFriction(mu)
                models.append(pinocchio.ConstraintModel(contact))
                datas.append(pinocchio.ConstraintData(contact.createData()))
            settings = getattr(pinocchio, kind + "SolverSettings")()
            settings.max_iterations = ITERATIONS
            settings.solve_ncp = True
            settings.relative_feasibility_tol = settings.relative_complementarity_tol = 0.0
            settings.absolute_feasibility_tol = settings.absolute_complementarity_tol = tolerance * problem.tolerance
            result = getattr(pinocchio, kind + "SolverResult")()
            result.resize(size)
            delassus = pinocchio.DelassusOperatorDense(np.ascontiguousarray(problem.W[np.ix_(order, order)]))
            solver = getattr(pinocchio, kind + "ConstraintSolver")()
            converged = solver.solve(delassus, problem.q[order], models, datas, settings, result)
            impulse = np.zeros(size)
            impulse[order] = np.asarray(result.retrieveConstraintImpulses()).ravel()
            return converged, impulse

        return solve

    return {"pinocchio_pgs": make("PGS"), "pinocchio_pgs_all": make("PGS", 0.0), "pinocchio_admm": make("ADMM")}


def main(peer, folder):
    solvers = {"siconos": siconos_solvers, "pinocchio": pinocchio_solvers}[peer]()
    names = (folder / "problems.txt").read_text().split()
    for solver, solve in solvers.items():
        with open(folder / f"{solver}.txt", "w") as answers:
            for name in names:
                try:
                    converged, impulse = solve(Problem(folder / f"{name}.npz"))
                except Exception as trouble:  # what a peer throws is no answer
                    print(f"{solver} on {name}: {trouble}", file=sys.stderr)
                    converged, impulse = False, []
                print(name, int(bool(converged)), *(repr(float(x)) for x in impulse), file=answers)
        with open(folder / "answers.txt", "a") as list_of_solvers:
            print(solver, file=list_of_solvers)


if __name__ == "__main__":
    if len(sys.argv) != 3 or sys.argv[1] not in ("siconos", "pinocchio"):
        sys.exit(__doc__)
    main(sys.argv[1], Path(sys.argv[2]))
