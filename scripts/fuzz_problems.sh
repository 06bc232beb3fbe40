#!/bin/sh
# fuzz_problems.sh [SECONDS [JOBS]]: readers of contact problems and complementarity problems (JSON and NPZ) and all solvers behind them, under libFuzzer with
# the address and undefined-behaviour sanitizers; ten minutes on one core unless told otherwise. Needs what
# packages.txt has under [fuzz] (CLANG names another clang++). What it finds lies in build/fuzz, with its log: give the file to
# build/fuzz/problem_fuzz, mend it, and keep it as a test.
set -e
seconds=${1:-600} jobs=${2:-1} clang=${CLANG:-clang++-19}
cd "$(dirname "$0")/.."
folder=build/fuzz
mkdir -p "$folder/objects" "$folder/corpus"

flags="-std=c++20 -g -O1 -fsanitize=fuzzer-no-link,address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer
  -D_GLIBCXX_ASSERTIONS -DEIGEN_MAX_ALIGN_BYTES=16 -Iinclude -Isrc -I/usr/include/eigen3"
objects=
for source in tests/fuzz/problem_fuzz.cpp src/io/problem.cpp src/io/lcp.cpp src/io/file.cpp src/io/npz/*.cpp src/io/id_arrays.cpp \
  src/text/*.cpp src/contact/*.cpp src/solvers/*.cpp; do
  object=$folder/objects/$(echo "$source" | tr / _).o
  objects="$objects $object"
  ccache "$clang" $flags -c "$source" -o "$object"
done
"$clang" -fsanitize=fuzzer,address,undefined $objects -lfmt -lz -o "$folder/problem_fuzz"

# Small problems to begin with, in both formats.
find tests/exam tests/solvers/problems -name '*.json' -size -8k -exec cp {} "$folder/corpus" \;
cp tests/fuzz/seeds/*.json tests/fuzz/seeds/*.npz "$folder/corpus"
cd "$folder"
exec ./problem_fuzz -max_total_time="$seconds" -jobs="$jobs" -workers="$jobs" -max_len=32768 -timeout=20 \
  -rss_limit_mb=3000 -print_final_stats=1 -dict=../../tests/fuzz/problem.dict corpus
