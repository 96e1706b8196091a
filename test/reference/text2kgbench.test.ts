import { readFileSync } from 'node:fs';

import { describe, expect, test } from 'vitest';

import type { Case } from '../../src/data/case.ts';
import { planRecipe } from '../../src/recipe/plan.ts';
import { scoreCases } from '../../src/score/score.ts';
import { caseOf, relationship } from '../pair/items.ts';
import { noReference, referencePath } from './reference-data.ts';

/** A sentence with its triples and the figures that the benchmark publishes for it. */
interface Sentence {
  readonly id: string;
  readonly sent: string;
  readonly precision: number;
  readonly recall: number;
  readonly f1: number;
  readonly gt_triples: readonly (readonly [string, string, string])[];
  readonly llm_triples: readonly (readonly [string, string, string])[];
  /** Those of them whose relation occurs in gold: the benchmark scores no others. */
  readonly filtered_llm_triples: readonly (readonly [string, string, string])[];
}

/** How Text2KGBench compares (src/evaluation/run_eval.py): lower case, without white space and underscores, as sets. */
const AS_PUBLISHED = {
  extends: 'triples/exact',
  prepare: { dedupe: { side: 'both', normalise: ['lower', 'separators'] } },
  pair: { relationship: { normalise: ['lower', 'separators'], normaliseTypes: ['lower', 'separators'] } },
  zeroDivision: 0,
  interval: 'off',
};

function casesOf(sentences: readonly Sentence[], part: 'llm_triples' | 'filtered_llm_triples'): Case[] {
  return sentences.map(({ id, sent, gt_triples: gold, [part]: predicted }) =>
    caseOf({
      id,
      text: sent,
      gold: gold.map((triple) => relationship(...triple)),
      predicted: predicted.map((triple) => relationship(...triple)),
    }),
  );
}

const close = (value: number): unknown => expect.closeTo(value, 12);

async function figuresOf(cases: readonly Case[]): Promise<Map<string, readonly (number | null)[]>> {
  const found = new Map<string, readonly (number | null)[]>();
  await scoreCases(await planRecipe(AS_PUBLISHED), cases, {
    scored: ({ given, variants }) => {
      const { measures } = variants[0]!.result;
      found.set(
        given.id,
        ['precision', 'recall', 'f1'].map((name) => measures[name] ?? null),
      );
    },
  });
  return found;
}

describe.skipIf(noReference)('the figures that Text2KGBench publishes for Vicuna-13B', () => {
  const file = 'formats/text2kgbench/ont_1_university_eval_results.head.jsonl';
  const sentences = noReference
    ? []
    : readFileSync(referencePath(file), 'utf8')
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line) as Sentence);

  test('precision, recall and F1 of every sentence, by its own normalisation and filter', async () => {
    const found = await figuresOf(casesOf(sentences, 'filtered_llm_triples'));
    expect(found.size).toBe(sentences.length);
    for (const { id, precision, recall, f1 } of sentences)
      expect([id, ...found.get(id)!]).toEqual([id, close(precision), close(recall), close(f1)]);
    expect(sentences.filter(({ f1 }) => f1 > 0).length).toBeGreaterThan(20);
  });

  test('with all that the model said, recall is the same and precision can only be lower', async () => {
    const [all, filtered] = [
      await figuresOf(casesOf(sentences, 'llm_triples')),
      await figuresOf(casesOf(sentences, 'filtered_llm_triples')),
    ];
    let lower = 0;
    for (const [id, [precision, recall]] of all) {
      expect(recall).toBe(filtered.get(id)![1]);
      expect(precision).toBeLessThanOrEqual(filtered.get(id)![0]!);
      if (precision! < filtered.get(id)![0]!) lower += 1;
    }
    expect(lower).toBeGreaterThan(0);
  });
});
