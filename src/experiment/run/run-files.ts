import { join } from 'node:path';

export interface RunFiles {
  readonly items: string;
  readonly outputs: string;
  /** Outputs as their task writes predictions, where the target was asked for them. */
  readonly predictions: string;
  /** Where its scores go. */
  readonly score: string;
}

/** The files of one repeat: `items.jsonl`, `outputs.jsonl` and `score`, numbered where there are several repeats. */
export function runFiles(folder: string, repeat: number, repeats: number): RunFiles {
  const number = repeats === 1 ? '' : `-${repeat}`;
  return {
    items: join(folder, `items${number}.jsonl`),
    outputs: join(folder, `outputs${number}.jsonl`),
    predictions: join(folder, `predictions${number}.jsonl`),
    score: join(folder, `score${number}`),
  };
}

/** The file of answers of one repeat: `results_rag.jsonl`, or `results_rag-2.jsonl`. */
export function resultsFile(path: string, repeat: number, repeats: number): string {
  return repeats === 1 ? path : path.replace(/\.jsonl$/, `-${repeat}.jsonl`);
}
