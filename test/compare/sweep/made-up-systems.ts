import { memorySource } from '../../../src/data/source.ts';
import type { SweepSystem } from '../../../src/compare/sweep/sweep.ts';

/** Characters of a gold span of ten that a system's span covers, from its start: IoU is a tenth of it. 0: nothing. */
export type Covered = readonly (readonly number[])[];

const TEXT = 'ten signs and ten more '.repeat(10);
const PLACE = 20;

/** Gold spans of ten characters, as many a case as the lists are long. */
export function goldLines(cases: Covered): string {
  return lines(cases.map((spans) => spans.map(() => 10)));
}

export function lines(cases: Covered): string {
  const records = cases.map((spans, at) => ({
    id: `c${String(at + 1).padStart(2, '0')}`,
    text: TEXT,
    spans: spans.flatMap((covered, place) =>
      covered === 0 ? [] : [{ start: place * PLACE, end: place * PLACE + covered, label: 'X' }],
    ),
  }));
  return `${records.map((record) => JSON.stringify(record)).join('\n')}\n`;
}

/** A system over cases that all have the same gold. */
export function system(name: string, cases: Covered): SweepSystem {
  return {
    name,
    sources: {
      gold: memorySource('gold.jsonl', goldLines(cases)),
      predictions: memorySource(`${name}.jsonl`, lines(cases)),
    },
  };
}

/** So many cases of one span. */
export function alike(count: number, covered: number): number[][] {
  return Array.from({ length: count }, () => [covered]);
}

/** Spans are paired where their IoU reaches the threshold. */
export const IOU = { task: 'pii', pair: { gate: ['label'], similarity: 'iou', threshold: 0.5 } } as const;
/** Resampling takes most of the time, and a few hundred are enough for a test. */
export const QUICK = ['interval.resamples=400'] as const;
