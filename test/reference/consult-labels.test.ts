import { readFileSync } from 'node:fs';

import { describe, expect, test } from 'vitest';
import { z } from 'zod';

import { checklistOf } from '../recipe/checklist.ts';
import labelled from './consult-labels.json' with { type: 'json' };
import { noReference, referencePath } from './reference-data.ts';

/** Counts of answers: ticked by hand and rule, by the rule only, by hand only, by neither. */
type Counts = readonly [both: number, ruleOnly: number, handOnly: number, neither: number];

const answer = z.looseObject({ case_id: z.string(), response: z.string() });

const answersOf = (system: string): z.infer<typeof answer>[] =>
  readFileSync(referencePath(`consult/results_${system}.jsonl`), 'utf8')
    .trim()
    .split('\n')
    .map((line) => answer.parse(JSON.parse(line)));

/** Compares the rule's ticks with marks of the hand labels that count as a tick. */
async function agreement(isTick: (mark: string, item: string) => boolean): Promise<Record<string, Counts>> {
  const checklist = await checklistOf('consult/ayurmind');
  const counts = Object.fromEntries(
    labelled.items.map((item) => [item, [0, 0, 0, 0] as [number, number, number, number]]),
  );
  for (const [system, labels] of Object.entries(labelled.labels))
    for (const { case_id, response } of answersOf(system)) {
      const ticks = checklist(response);
      const marks = labels[case_id as keyof typeof labels];
      labelled.items.forEach((item, at) => {
        const [hand, rule] = [isTick(marks[at]!, item), ticks.includes(item)];
        counts[item]![hand ? (rule ? 0 : 2) : rule ? 1 : 3] += 1;
      });
    }
  return counts;
}

/** Cohen's kappa: (observed - expected) / (1 - expected), to three decimals. */
function kappa([both, ruleOnly, handOnly, neither]: Counts): number {
  const n = both + ruleOnly + handOnly + neither;
  const [hand, rule] = [(both + handOnly) / n, (both + ruleOnly) / n];
  const expected = hand * rule + (1 - hand) * (1 - rule);
  return Number((((both + neither) / n - expected) / (1 - expected)).toFixed(3));
}

describe.skipIf(noReference)('the checklist against 120 stored answers labelled by hand', () => {
  /* The document does not define a follow-up and its program counts "consult": there a referral is one. */
  test('agreement for each component', async () => {
    const counts = await agreement((mark, item) => mark === '+' || (mark === '~' && item === 'follow_up'));
    expect(counts).toEqual({
      // Left: the word near a hedge about something else ("to determine your prakriti", "may be").
      constitution: [10, 7, 1, 102],
      // No answer grades an imbalance; a symptom's "severe" or "excessive" is near in seven.
      imbalance: [0, 7, 0, 113],
      diet: [53, 0, 0, 67],
      // Left: the person's own exercise repeated, "daily" of another habit, and "your daily routine" as the only time.
      lifestyle: [38, 4, 1, 77],
      herbs: [7, 0, 0, 113],
      // Left: a part of a classical text named without citing it.
      sources: [1, 2, 0, 117],
      follow_up: [92, 0, 2, 26],
      disclaimer: [94, 1, 0, 25],
    });
    expect(Object.values(counts).map(kappa)).toEqual([0.678, 0, 1, 0.907, 1, 0.494, 0.952, 0.975]);
  });

  test('a follow-up alone, without referrals, is in 10 answers, and the rule ticks 92', async () => {
    const { follow_up: counts } = await agreement((mark) => mark === '+');
    expect(counts).toEqual([10, 82, 0, 28]);
  });
});
