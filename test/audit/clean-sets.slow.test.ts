import { describe, expect, test } from 'vitest';

import type { Case } from '../../src/data/case.ts';
import { planRecipe } from '../../src/recipe/plan.ts';
import { CONTENT_CHECKS } from '../../src/audit/checks.ts';
import { auditOf } from './audited.ts';
import { cleanConsultations, cleanDocuments, cleanGraphs, cleanJournals, cleanStreams } from './clean-sets.ts';

const SETS: readonly (readonly [recipe: string, make: (n: number, seed: number) => Case[]])[] = [
  ['journal/ashwam', cleanJournals],
  ['pii/strict', cleanDocuments],
  ['pii/iou', cleanDocuments],
  ['pii/semeval', cleanDocuments],
  ['graph/openspec', cleanGraphs],
  ['consult/ayurmind', cleanConsultations],
  ['stream/exaid', cleanStreams],
];
const SIZES = [10, 20, 40, 250];
const CONTENT = new Set(CONTENT_CHECKS.map(({ name }) => name));
/** Several draws of the small ones, so that no lucky one hides a false alarm. */
const SEEDS = [1, 2, 3];

describe('an honest evaluation with ordinary mistakes raises neither error nor warning', () => {
  test.each(SETS.flatMap(([recipe, make]) => SIZES.map((n) => ({ recipe, n, make }))))(
    '$recipe, $n cases',
    async ({ recipe, n, make }) => {
      const plan = await planRecipe(recipe, ['interval.resamples=100', 'slice=[label]']);
      for (const seed of n > 100 ? SEEDS.slice(0, 1) : SEEDS) {
        const { findings } = await auditOf(plan, make(n, seed));
        // Of what stands in texts and answers there is not even a note.
        const alarms = findings.filter(({ severity, name }) => severity !== 'note' || CONTENT.has(name));
        expect(alarms.map(({ name, title }) => `seed ${seed}: ${name}: ${title}`)).toEqual([]);
      }
    },
  );
});
