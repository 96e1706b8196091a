import { describe, expect, it } from 'vitest';

import { spanPlanOf } from '../../src/columns/span-scoring.ts';
import { readCases } from '../../src/data/read-cases.ts';
import { memorySource } from '../../src/data/source.ts';
import { isSpanCase } from '../../src/data/span-case.ts';
import { planRecipe } from '../../src/recipe/plan.ts';
import { ledgerLayout, ledgerLines } from '../../src/score/ledger-writer.ts';
import { Scoring } from '../../src/score/score.ts';
import { SpanLedger } from '../../src/score/span-ledger.ts';
import { GrowingBytes } from '../../src/text/growing-bytes.ts';
import { SPAN_SETTINGS, spanDocuments } from '../columns/span-documents.ts';

const QUICK = ['interval.resamples=200'];
const SETTINGS: readonly (readonly [string, ...string[]])[] = [
  ...SPAN_SETTINGS,
  ['pii/semeval', 'pair.assign=greedy'],
  ['pii/strict', 'pair.similarity=iou', 'pair.threshold=0.3', 'pair.assign=in-order', 'pair.gate=[]'],
  ['pii/partial', 'judge.incorrect={}', 'pair.partial=0.25'],
  ['pii/strict', 'judge.mine={rule: incorrect}'],
];

describe('spans scored in columns', () => {
  it.each(SETTINGS)('are what they are as items: %s %s %s', async (preset, ...set) => {
    const plan = await planRecipe(preset, [...QUICK, ...set]);
    expect(spanPlanOf(plan)).not.toBeNull();
    const reader = readCases({ cases: memorySource('d.jsonl', spanDocuments(400, 11)) }, plan.data);
    const [inColumns, asItems] = [new Scoring(plan), new Scoring(plan)];
    const [ledger, layout] = [new SpanLedger(), ledgerLayout(plan)];
    const bytes = new GrowingBytes();
    let found = 0;
    for await (const given of reader) {
      if (isSpanCase(given)) found += 1;
      const scored = inColumns.add(given);
      // A copy is a case like any other.
      const expected = asItems.add({ ...given });
      const variants = scored.variants.map(({ case: _, schemes, ...own }) => ({
        ...own,
        schemes: schemes.map(({ scheme, verdicts }) => ({ scheme, verdicts })),
      }));
      const others = expected.variants.map(({ case: _, schemes, result, ...own }) => ({
        ...own,
        result: JSON.parse(JSON.stringify(result)) as typeof result,
        schemes: schemes.map(({ scheme, verdicts }) => ({ scheme, verdicts })),
      }));
      expect(variants).toEqual(others);
      const lines = ledgerLines(layout, expected.variants[0]!);
      const { spans } = scored;
      expect(ledger.write(bytes, spans!.given, spans!.scoring)).toBe(lines.length);
      expect(bytes.take().toString()).toBe(lines.join(''));
    }
    expect(found).toBe(400);
    expect(await inColumns.finish()).toEqual(await asItems.finish());
  });

  it('gives the verdicts of any case, also after others were scored', async () => {
    const plan = await planRecipe('pii/semeval', QUICK);
    const cases = await Array.fromAsync(readCases({ cases: memorySource('d.jsonl', spanDocuments(20, 3)) }, plan.data));
    const [held, read] = [new Scoring(plan), new Scoring(plan)];
    const scored = cases.map((given) => held.add(given));
    const expected = cases.map((given) =>
      read.add(given).variants[0]!.verdicts.map(({ rule, verdict }) => [rule, verdict]),
    );
    expect(scored.map(({ variants }) => variants[0]!.verdicts.map(({ rule, verdict }) => [rule, verdict]))).toEqual(
      expected,
    );
  });

  it('are read so from a first record that is longer than what a format is told by', async () => {
    const text = 'Ann '.repeat(40_000);
    const spans = [{ start: 0, end: 3, label: 'PERSON' }];
    const line = JSON.stringify({ id: 'd1', text, gold: spans, predicted: spans });
    const cases = await Array.fromAsync(readCases({ cases: memorySource('d.jsonl', `${line}\n`) }));
    expect(cases.map((given) => [isSpanCase(given), given.gold.length])).toEqual([[true, 1]]);
  });

  it.each([
    ['a rule that looks at more', 'pii/piranha'],
    ['tokens', 'pii/every-scheme'],
    ['slices by a column', 'pii/strict', 'slice=[label, language]'],
    ['clusters', 'pii/strict', 'interval.cluster=author'],
  ])('is left to items under %s', async (_, preset, ...set) => {
    expect(spanPlanOf(await planRecipe(preset, set))).toBeNull();
  });
});
