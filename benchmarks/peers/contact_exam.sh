#!/bin/sh
# contact_exam.sh [N]: N random problems of every class that has contacts alone (20), put to siconos, Pinocchio and every solver of
# rigor, and judged by independent code in long double. Needs ninja -C build/release contact_exam, Debian's python3-siconos, and
# a Python with Pinocchio: PINOCCHIO_PYTHON, else a venv that is made in build/peers (pip install pin).
set -e
cd "$(dirname "$0")/../.."
each=${1:-20} folder=build/peers/contact_exam exam=build/release/tests/contact_exam
rm -rf "$folder" && mkdir -p "$folder"
python=${PINOCCHIO_PYTHON:-build/peers/venv/bin/python}
[ -x "$python" ] || { python3 -m venv build/peers/venv && build/peers/venv/bin/pip install --quiet pin numpy; }
"$exam" make "$folder" "$each"
/usr/bin/python3 benchmarks/peers/contact_exam.py siconos "$folder" >"$folder/siconos.log" 2>&1
"$python" benchmarks/peers/contact_exam.py pinocchio "$folder" >"$folder/pinocchio.log" 2>&1
"$exam" judge "$folder"
