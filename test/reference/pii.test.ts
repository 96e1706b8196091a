import { describe, expect, test } from 'vitest';

import { readCases } from '../../src/data/read-cases.ts';
import { fileSource } from '../../src/data/source.ts';
import type { Verdict } from '../../src/judge/verdict.ts';
import { planRecipe } from '../../src/recipe/plan.ts';
import { scoreWith } from '../recipe/score-with.ts';
import { noReference, referenceJson, referencePath } from './reference-data.ts';

interface Judged {
  readonly start: number;
  readonly end: number;
  readonly label: string;
  readonly ground_truth_text?: string;
  readonly predicted_text?: string;
}

interface Evaluated {
  readonly doc_id: string;
  readonly evaluation: {
    readonly true_positives: readonly Judged[];
    readonly false_positives: readonly Judged[];
    readonly false_negatives: readonly Judged[];
  };
}

/** One line a span, as the published program reports it. */
function lines(judged: readonly Judged[]): string[] {
  return judged
    .map(({ start, end, label, ground_truth_text = '', predicted_text = '' }) =>
      [start, end, label, ground_truth_text, predicted_text].join(' | '),
    )
    .sort();
}

/** It reports a hit at gold's place; a place in an institution's name at the predicted one, with a text of its own. */
function asItReports({ verdict, rule, label, gold, predicted }: Verdict): Judged {
  const place = verdict === 'spurious' || rule === 'loc-in-org' ? predicted : gold;
  const truth = rule === 'loc-in-org' ? 'LOC within ORG/DEM entity' : gold?.text;
  return {
    start: place?.start ?? -1,
    end: place?.end ?? -1,
    label,
    ...(truth === undefined ? {} : { ground_truth_text: truth }),
    ...(predicted === null ? {} : { predicted_text: predicted.text }),
  };
}

describe.skipIf(noReference)('pii reference', () => {
  test.each([
    ['tab_piranha_10', 10, '92/4/0'],
    ['tab_relabelled_64', 64, '2029/212/41'],
  ] as const)('%s: every span as the published code judged it', async (file, documents, total) => {
    const { data } = await planRecipe('pii/piranha-as-coded');
    const cases = readCases({ cases: fileSource(referencePath(`pii/${file}.json`)) }, data);
    const scored = await scoreWith('pii/piranha-as-coded', cases);
    const answers = referenceJson(`pii/${file}.as_coded.json`) as readonly Evaluated[];
    expect(answers).toHaveLength(documents);
    expect(scored.cases.total).toBe(documents);
    expect(scored.tally).toBe(total);
    for (const { doc_id: id, evaluation } of answers) {
      const own = scored.verdicts().filter((verdict) => verdict.case === id);
      const reported = (verdict: string): string[] =>
        lines(own.filter((one) => one.verdict === verdict).map(asItReports));
      expect(reported('hit'), id).toEqual(lines(evaluation.true_positives));
      expect(reported('spurious'), id).toEqual(lines(evaluation.false_positives));
      expect(reported('missed'), id).toEqual(lines(evaluation.false_negatives));
    }
  });

  // Counted apart from Assay: gold of the first annotator, the five labels mapped by hand, the largest one-to-one set of
  // pairs with the same label and an IoU of at least 0.5.
  test('tab_presidio_64: Presidio’s entities in TAB’s labels', async () => {
    const { data } = await planRecipe('pii/presidio');
    const cases = readCases({ cases: fileSource(referencePath('pii/tab_presidio_64.json')) }, data);
    const scored = await scoreWith('pii/presidio', cases);
    expect(scored.tally).toBe('1893/405/1276');
    const of = (label: string): number[] =>
      (['hit', 'spurious', 'missed'] as const).map(
        (verdict) => scored.verdicts().filter((one) => one.verdict === verdict && one.label === label).length,
      );
    expect(
      Object.fromEntries(
        ['CODE', 'DATETIME', 'DEM', 'LOC', 'MISC', 'ORG', 'PERSON', 'QUANTITY'].map((label) => [label, of(label)]),
      ),
    ).toEqual({
      CODE: [2, 1, 85],
      DATETIME: [1318, 154, 46],
      DEM: [118, 4, 64],
      LOC: [170, 133, 35],
      MISC: [0, 0, 21],
      ORG: [0, 0, 882],
      PERSON: [285, 113, 29],
      QUANTITY: [0, 0, 114],
    });
  });
});
