#!/bin/sh
# A reduced pass with the address and undefined-behaviour sanitizers: the step and what it is made of.
# All of it: cmake --preset asan && cmake --build --preset asan && ctest --preset asan -j2
#
# Usage: scripts/check_with_sanitizers.sh          builds in build/asan
set -eu
cd "$(dirname -- "$(dirname -- "$(readlink -f -- "$0")")")"
programs='test_math test_geometry test_model test_collision test_contact test_minimal'

began=$(date +%s)
cmake --preset asan -DRIGOR_TESTS=ON >/dev/null
# shellcheck disable=SC2086 # a list of words, here and below
cmake --build build/asan --parallel 2 --target $programs >/dev/null
for program in $programs; do
  build/asan/tests/"$program" --gtest_brief=1 || exit 1
done
echo "sanitizers: $(($(date +%s) - began)) s" >&2
