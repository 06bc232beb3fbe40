#!/usr/bin/env python3
"""least_rounding.py PROBLEM ANSWER …: could any impulses of this motion be judged in doubles?

PROBLEM is a contact problem of contacts alone with W, ANSWER what `rigor solve PROBLEM --json` printed. Impulses of redundant
contacts may change along the null space of W without changing the motion. A linear programme (scipy) finds, of all that stay in
their cones, those with the least 8·eps·Σ|W||λ| of any block in units of its ceiling. Above 1 the judge can accept none of them:
the number is a lower bound, since cones are replaced by pyramids around them and norms by some of their tangents.
"""
import json
import sys

import numpy as np
from scipy.optimize import linprog

EPS = 2.0**-52
TANGENTS = [(1, 0, 0), (0, 1, 0), (0, 0, 1), (1, 1, 0), (1, 0, 1), (0, 1, 1), (1, 1, 1), (9, 4, 2), (4, 9, 2)]


def least_ratio(problem, impulse):
    b = np.array(problem["b"])
    m = len(b)
    W = np.array(problem["W"], float).reshape(m, m)
    bias = np.array(problem.get("bias", np.zeros(m)))
    mu = [block["mu"] for block in problem["blocks"]]
    velocity = (W.astype(np.longdouble) @ impulse.astype(np.longdouble) + b).astype(float)
    root = np.sqrt(np.repeat([np.trace(W[3 * i : 3 * i + 3, 3 * i : 3 * i + 3]) / 3 for i in range(m // 3)], 3))
    singular, turned = np.linalg.svd(W / np.outer(root, root))[1:]
    rank = int(np.sum(singular > 1e-13 * singular[0]))
    free = (turned[rank:] / root).T
    size = np.abs(impulse).max()
    free /= np.abs(free).max(axis=0) / size if free.shape[1] else 1
    k, rows, limits = free.shape[1], [], []

    def add(on_free, limit, on_size=None, on_ratio=0.0):
        rows.append(np.concatenate([on_free / size, np.zeros(m) if on_size is None else on_size, [on_ratio]]))
        limits.append(limit)

    for j in range(m):  # |λ_j| ≤ a_j
        for sign in (1, -1):
            add(sign * free[j], -sign * impulse[j] / size, -np.eye(m)[j])
    for i in range(m // 3):
        at = slice(3 * i, 3 * i + 3)
        scale = max(np.linalg.norm(b[at]), np.linalg.norm((W @ impulse)[at]), problem.get("velocity_scale", 0))
        for tangent in TANGENTS:
            row = np.array(tangent) / np.linalg.norm(tangent) @ np.abs(W[at])
            add(np.zeros(k), 0.0, 8 * EPS * size * row / (1e-6 * scale), -1.0)
        add(-free[3 * i], impulse[3 * i] / size + 1e-9)
        for angle in np.arange(16) * np.pi / 8:
            side = np.array([-mu[i], np.cos(angle), np.sin(angle)])
            add(side @ free[at], -side @ impulse[at] / size + 1e-9)
        if velocity[3 * i] + bias[3 * i] > 1e-6:
            for j in range(3 * i, 3 * i + 3):
                add(free[j], -impulse[j] / size + 1e-9)
                add(-free[j], impulse[j] / size + 1e-9)
    bounds = [(None, None)] * k + [(0, None)] * (m + 1)
    found = linprog(np.eye(k + m + 1)[-1], A_ub=np.array(rows), b_ub=limits, bounds=bounds, method="highs")
    return found.x[-1] if found.status == 0 else float("nan")


for problem, answer in zip(sys.argv[1::2], sys.argv[2::2]):
    with open(problem) as file, open(answer) as solved:
        ratio = least_ratio(json.load(file), np.array(json.load(solved)["impulses"]))
    print(f"{problem}: {ratio:.3f} of the ceiling at least")
