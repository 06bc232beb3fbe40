#!/bin/sh
# A reduced pass with the address and undefined-behaviour sanitizers: the step and what it is made of.
# All of it: cmake --preset asan && cmake --build --preset asan && ctest --preset asan -j2
#
# Usage: scripts/check_with_sanitizers.sh          builds in build/asan, from nothing but packages.txt
set -eu
cd "$(dirname -- "$(dirname -- "$(readlink -f -- "$0")")")"
programs='test_math test_geometry test_model test_collision test_contact test_minimal'
log=build/log/asan.log

# quietly COMMAND…: what it says is shown only if it fails.
quietly() {
  "$@" >>"$log" 2>&1 </dev/null && return 0
  echo "sanitizers: failed: $*. The end of $log:" >&2
  tail -n 30 "$log" | sed 's/^/  /' >&2
  exit 1
}

began=$(date +%s)
mkdir -p build/log && : >"$log"
quietly cmake --preset asan -DRIGOR_TESTS=ON
# shellcheck disable=SC2086 # a list of words, here and below
quietly cmake --build build/asan --parallel 2 --target $programs
# the dense twins of loops of every type take minutes here; those of the four kinds run the same code
for program in $programs; do
  build/asan/tests/"$program" --gtest_brief=1 --gtest_filter='-OfType/StepWithALoop.*' || exit 1
done
echo "sanitizers: $(($(date +%s) - began)) s" >&2
