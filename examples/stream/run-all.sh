#!/bin/sh
# All phases on this example, without containers, keys or a network.
# Usage: sh examples/stream/run-all.sh [OUT]   (OUT: runs/stream, made where it is missing)
set -eu

here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
out=${1:-runs/stream}

assay() {
  printf '\n$ assay %s\n' "$*"
  node "$here/../../bin/assay.js" "$@"
}

# Phase 0: are the frozen traces whole, and which concepts do nearly all of them have?
assay stream validate --traces "$here/traces" --runs "$here/answers" --complete
assay stream stoplist --traces "$here/traces" --config "$here/config" --out "$out/stoplists"

# Phase 1: a trace from streamed events. It is the one that was frozen.
assay stream record --case case-03 --run-id mas_example --model written-by-hand \
  --out "$out/recorded" --force <"$here/events/case-03.events.jsonl"
cmp "$out/recorded/case-03.trace.jsonl.gz" "$here/traces/case-03.trace.jsonl.gz"

# Phase 3: the variants, answered from the record. Phase 2: their logs are checked.
assay stream replay --traces "$here/traces" --config "$here/config" --model "recorded:$here/answers" \
  --stoplists "$out/stoplists" --out "$out/runs"
assay stream validate --traces "$here/traces" --runs "$out/runs" --complete

# Phases 4 and 5: measures with intervals; is one variant better than another?
assay stream measure --traces "$here/traces" --runs "$out/runs" --out "$out/measures"
assay compare "$out/measures/V0" "$out/measures/V2"

# Figures, and the settings of the gate.
assay stream figures "$out/measures" --traces "$here/traces" --runs "$out/runs" --out "$out/figures"
assay stream calibrate --runs "$out/runs" --out "$out/calibration"
assay stream calibrate --traces "$here/traces" --sweep --out "$out/calibration"
