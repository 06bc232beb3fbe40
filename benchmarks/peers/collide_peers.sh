#!/bin/sh
# rigor's distances and manifolds beside Coal and MuJoCo: builds collide_peers and runs it.
#
# Usage: collide_peers.sh agree COUNT SECONDS [PAIR] | time      e.g. collide_peers.sh agree 1000000 60 box–hull
#
# Needs a built tree with tests in build/release. Coal 3.0.3 and MuJoCo 4.0.0 come as wheels into a venv in build/peers,
# headers and libraries; Coal keeps its default tolerances of 1e-6.
set -eu
root=$(cd "$(dirname "$0")/../.." && pwd)
peers=$root/build/peers
release=$root/build/release
mkdir -p "$peers"
[ -x "$peers/collide/bin/pip" ] || python3 -m venv "$peers/collide"
"$peers/collide/bin/pip" install -q coal==3.0.3 mujoco==4.0.0
packages=$(echo "$peers"/collide/lib/python3*/site-packages)
prefix=$packages/cmeel.prefix

g++ -std=c++20 -O3 -DNDEBUG -ffp-contract=off -fno-math-errno -fno-trapping-math -DEIGEN_MAX_ALIGN_BYTES=16 \
  -Wno-deprecated-declarations -I"$root/include" -I"$root/src" -I"$root/tests" -isystem "$prefix/include" \
  -isystem "$packages/mujoco/include" -isystem /usr/include/eigen3 "$root"/benchmarks/peers/collide_*.cpp \
  "$release/tests/libreference_shapes.a" "$release/librigor_geometry.a" "$release/librigor_text.a" \
  "$prefix/lib/libcoal.so" "$packages"/mujoco/libmujoco.so.4.0.0 -lqhull_r -lfmt \
  -Wl,-rpath,"$prefix/lib" -Wl,-rpath,"$packages/mujoco" -o "$peers/collide_peers"
"$peers/collide_peers" "$@"
