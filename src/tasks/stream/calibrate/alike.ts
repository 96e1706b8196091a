import { hash } from 'node:crypto';

import { CASE_COLUMNS, type CaseTable } from './case-table.ts';
import type { SweepPolicy } from './policies.ts';

/**
 * By policy: the place of the first one that did the same with every case and asks for as few words. Timers that never
 * run out make many policies of a grid one and the same: what is worked out for one of them holds for all.
 */
export function alikePolicies(policies: readonly SweepPolicy[], { cases, columns }: CaseTable): Int32Array {
  const firsts = new Map<string, number>();
  const row = new Float64Array(1 + CASE_COLUMNS.length * cases);
  return Int32Array.from(policies, ({ minWords }, place) => {
    row[0] = minWords;
    for (const [at, name] of CASE_COLUMNS.entries())
      row.set(columns[name].subarray(place * cases, (place + 1) * cases), 1 + at * cases);
    const key = hash('sha256', row);
    const first = firsts.get(key) ?? place;
    firsts.set(key, first);
    return first;
  });
}
