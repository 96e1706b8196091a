import { describe, expect, test } from 'vitest';

import { CONTENT_CHECKS } from '../../../src/audit/checks.ts';
import { cleanConsultations, cleanDocuments, cleanGraphs, cleanJournals, cleanStreams } from './clean-sets.ts';
import { type FoundBy, foundBy } from './found-by.ts';

const SIZES = [12, 40, 300];
/** Several draws of the small ones, so that no lucky one hides a fault. */
const SEEDS = [1, 2, 3];

const TASKS: readonly (readonly [name: string, found: (n: number, seed: number) => Promise<FoundBy>])[] = [
  ['journals', (n, seed) => foundBy(CONTENT_CHECKS, 'journal/ashwam', cleanJournals(n, seed))],
  ['documents', (n, seed) => foundBy(CONTENT_CHECKS, 'pii/iou', cleanDocuments(n, seed))],
  ['documents, strictly', (n, seed) => foundBy(CONTENT_CHECKS, 'pii/strict', cleanDocuments(n, seed))],
  ['graphs', (n, seed) => foundBy(CONTENT_CHECKS, 'graph/openspec', cleanGraphs(n, seed))],
  ['consultations', (n, seed) => foundBy(CONTENT_CHECKS, 'consult/ayurmind', cleanConsultations(n, seed))],
  ['streams', async (n, seed) => foundBy(CONTENT_CHECKS, 'stream/exaid', await cleanStreams(n, seed))],
];

describe('sets with ordinary mistakes raise no alarm', () => {
  test.each(TASKS.flatMap(([name, found]) => SIZES.map((n) => ({ name, n, found }))))(
    '$n $name',
    async ({ n, found }) => {
      for (const seed of n > 100 ? SEEDS.slice(0, 1) : SEEDS)
        expect((await found(n, seed)).findings.map(({ title }) => title)).toEqual([]);
    },
  );
});
