import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import type { Measures } from '../../src/score/run.ts';

/** Every file of a run folder but timing.json, which is the one that may differ. */
export function runBytes(folder: string): Record<string, string> {
  const names = readdirSync(folder).filter((name) => name !== 'timing.json');
  return Object.fromEntries(names.toSorted().map((name) => [name, readFileSync(join(folder, name), 'utf8')]));
}

export function measuresOf(folder: string): Measures {
  // The shape is checked against its schema in schema.test.ts.
  return JSON.parse(readFileSync(join(folder, 'measures.json'), 'utf8')) as Measures;
}

export function overall(measures: Measures, name: string): number | null | undefined {
  return measures.measures.find((measure) => measure.name === name && Object.keys(measure.slice).length === 0)?.value;
}

/** Verdicts of the recipe's own pairing, added up. */
export function verdicts(measures: Measures, verdict: string, kind?: string): number {
  return measures.rules.reduce(
    (sum, count) =>
      count.scheme === null && count.verdict === verdict && (kind === undefined || count.kind === kind)
        ? sum + count.n
        : sum,
    0,
  );
}
