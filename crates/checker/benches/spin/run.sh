#!/bin/sh
# Searches the states of dining philosophers with Spin, without reduction, and prints its counts and
# times: run.sh [SEATS] [TIMES]. Spin and a C compiler must be installed.
set -eu
model="$(cd "$(dirname "$0")" && pwd)/philosophers.pml"
folder="$(mktemp -d)"
trap 'rm -rf "$folder"' EXIT
cd "$folder"
spin -DSEATS="${1:-10}" -a "$model"
cc -O3 -DSAFETY -DNOREDUCE -o pan pan.c
for _ in $(seq "${2:-3}"); do
	# -E: a stuck state is no reason to stop; -w21: a hash table of two million places.
	./pan -E -m1000000 -w21 | grep -E 'states, stored|transitions|elapsed time|states/second|error'
done
