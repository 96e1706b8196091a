#!/bin/sh
# A Slurm array: one task a shard. Submit it, then the merge that waits for all of its tasks:
#   id=$(sbatch --parsable slurm-array.sh)
#   sbatch --dependency=afterok:$id --wrap 'assay merge parts/* --out runs/merged'
# A task that failed is scored again on its own: sbatch --array=7 slurm-array.sh, with SHARDS as before.
#SBATCH --job-name=assay
#SBATCH --array=1-16
#SBATCH --cpus-per-task=1
#SBATCH --mem=1G
set -eu
shards=${SHARDS:-$SLURM_ARRAY_TASK_COUNT}
assay score "${RECIPE:-pii/strict}" --cases "${CASES:-docs.jsonl}" \
  --shard "$SLURM_ARRAY_TASK_ID/$shards" --out "parts/$SLURM_ARRAY_TASK_ID" --quiet
