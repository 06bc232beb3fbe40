#!/bin/sh
# rigor beside Pinocchio: builds pinocchio_bench twice and prints one table each.
#
# Usage: pinocchio_bench.sh [CASE …]      e.g. pinocchio_bench.sh anymal humanoid "chain of 100"
#
# Needs a built tree in build/release. Pinocchio 4.1.0 comes as a wheel into a venv in build/peers, headers and library.
#   baseline  -O3, every x86-64: Pinocchio's prebuilt library, rigor's library
#   v3        -O3 -march=x86-64-v3: Pinocchio's templates and rigor's dynamics compiled for AVX2; rigor stays without FMA
# Pinocchio's side takes minutes to compile; its objects are kept. At v3 Eigen aligns memory to 32 bytes there and to 16 in
# rigor, so that side keeps its copies of Eigen's functions to itself.
set -eu
root=$(cd "$(dirname "$0")/../.." && pwd)
peers=$root/build/peers
release=$root/build/release
mkdir -p "$peers/v3"
[ -x "$peers/venv/bin/pip" ] || python3 -m venv "$peers/venv"
"$peers/venv/bin/pip" install -q pin==4.1.0
prefix=$(echo "$peers"/venv/lib/python3*/site-packages/cmeel.prefix)

rigor_flags="-std=c++20 -O3 -ffp-contract=off -fno-math-errno -fno-trapping-math -DEIGEN_MAX_ALIGN_BYTES=16
  -I$root/include -I$root/src -isystem /usr/include/eigen3"
pinocchio_flags="-std=c++20 -O3 -DNDEBUG -Wno-deprecated-declarations -isystem $prefix/include
  -isystem /usr/include/eigen3 -DBOOST_MPL_LIMIT_LIST_SIZE=30 -DBOOST_MPL_LIMIT_VECTOR_SIZE=30
  -fno-gnu-unique -DBOOST_MPL_CFG_NO_PREPROCESSED_HEADERS -DBOOST_FUSION_INVOKE_MAX_ARITY=12"

# compile SOURCE OBJECT FLAG…: unless the object is younger than its source and the header of both sides
compile() {
  source=$1 object=$2
  shift 2
  if [ -e "$object" ] && [ -z "$(find "$source" "$root/benchmarks/peers/peer_case.h" -newer "$object")" ]; then return; fi
  g++ "$@" -c "$source" -o "$object"
}

# shellcheck disable=SC2086 # flags are lists of words
build() {
  variant=$1 machine=$2 instances=$3
  compile "$root/benchmarks/peers/pinocchio_side.cpp" "$peers/pinocchio_side_$variant.o" \
    $pinocchio_flags $machine $instances
  side=$(nm "$peers/pinocchio_side_$variant.o" | awk '/ T .*makePinocchioSide/ { print $3 }')
  ld -r --force-group-allocation "$peers/pinocchio_side_$variant.o" -o "$peers/joined.o"
  objcopy --keep-global-symbol="$side" "$peers/joined.o" "$peers/pinocchio_alone_$variant.o"
  objects=
  for name in pinocchio_bench peer_cases rigor_side; do
    g++ $rigor_flags $machine -c "$root/benchmarks/peers/$name.cpp" -o "$peers/${name}_$variant.o"
    objects="$objects $peers/${name}_$variant.o"
  done
  if [ "$variant" = v3 ]; then  # taken before the same functions in the archive
    for source in "$root"/src/dynamics/*.cpp "$root"/src/algorithms/*.cpp "$root"/src/lanes/*.cpp; do
      case $source in */lanes_*) continue ;; esac
      object="$peers/v3/$(basename "$(dirname "$source")")_$(basename "$source" .cpp).o"
      g++ $rigor_flags $machine -c "$source" -o "$object"
      objects="$objects $object"
    done
  fi
  g++ $objects "$peers/pinocchio_alone_$variant.o" -Wl,--start-group "$release"/librigor_*.a -Wl,--end-group \
    -lfmt -ltinyxml2 -lz "$prefix/lib/libpinocchio_default.so" "$prefix/lib/libboost_serialization.so" \
    -Wl,-rpath,"$prefix/lib" -o "$peers/pinocchio_bench_$variant"
}

build baseline "" -DPINOCCHIO_ENABLE_TEMPLATE_INSTANTIATION
build v3 -march=x86-64-v3 ""
for variant in baseline v3; do
  printf '\n%s\n\n' "$variant"
  "$peers/pinocchio_bench_$variant" "$root/scenes" "$@"
done
