import { join } from 'node:path';

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import type { Case } from '../../src/data/case.ts';
import type { ItemKind } from '../../src/data/item.ts';
import { readCases } from '../../src/data/read-cases.ts';
import { fileSource, type Source } from '../../src/data/source.ts';
import type { Verdict } from '../../src/judge/verdict.ts';
import { errorTypes } from '../../src/judge/error-types.ts';
import type { Taxonomy } from '../../src/figures/run-figures.ts';
import { taxonomyCounts } from '../../src/figures/taxonomy-counts.ts';
import { hit, missed, spurious } from '../judge/verdicts.ts';
import { caseOf, span } from '../pair/items.ts';
import { type Scored, scoreWith } from '../recipe/score-with.ts';

function taxonomyOf(verdicts: readonly Verdict[], kinds: readonly ItemKind[] = ['span']): Taxonomy[] {
  const counts = taxonomyCounts(kinds);
  for (const own of Map.groupBy(verdicts, (one) => one.case).values()) counts.add(own[0]!.case, own, errorTypes(own));
  return counts.list();
}

/** The types that occur, with missed, spurious, lost credit, part of the gap and F1 if fixed. */
function shown({ errors }: Taxonomy): Record<string, (number | null)[]> {
  return Object.fromEntries(
    errors
      .filter((one) => one.gap > 0)
      .map((one) => [one.type, [one.missed, one.spurious, one.lostCredit, one.gap, one.f1IfFixed]]),
  );
}

describe('parts of the gap', () => {
  test('of a small case, worked out by hand', () => {
    const [taxonomy] = taxonomyOf([
      ...[0, 20, 40].map((at) => hit(span(at, at + 5), span(at, at + 5))),
      missed(span(60, 70)),
      spurious(span(60, 66)),
      missed(span(80, 85)),
      spurious(span(0, 5, 'LOC')),
    ]);
    // 3 hits, 2 missed, 2 spurious: F1 6/10. Boundary right: 4 hits, 1 missed, 1 spurious, 8/10.
    expect(taxonomy).toMatchObject({ kind: 'span', hit: 3, missed: 2, spurious: 2, f1: 0.6, undefined: null });
    expect(shown(taxonomy!)).toEqual({
      boundary: [1, 1, 0, 0.2, 0.8],
      duplicate: [0, 1, 0, 0.1, 6 / 9],
      missed: [1, 0, 0, 0.1, 8 / 11],
    });
    expect(taxonomy!.errors.map(({ type }) => type)).toHaveLength(9);
  });

  test('credit that hits lack counts twice, since it is lacking on both sides', () => {
    const [taxonomy] = taxonomyOf([hit(span(0, 10), span(0, 6), { credit: 0.5 }), hit(span(20, 30), span(20, 30))]);
    // 1.5 of 2: F1 3/4.
    expect(taxonomy!.f1).toBe(0.75);
    expect(shown(taxonomy!)).toEqual({ boundary: [0, 0, 0.5, 0.25, 1] });
  });

  test('tokens count as many times as they are', () => {
    const stretch = (start: number, end: number, label = 'PERSON') => ({ ...span(start, end, label), index: -1 });
    const own = stretch(0, 9);
    const [taxonomy] = taxonomyOf([
      hit(own, own, { weight: 2 }),
      missed(stretch(10, 30), { weight: 3 }),
      spurious(stretch(50, 60), { weight: 1 }),
    ]);
    // 2 hits, 3 missed, 1 spurious: F1 4/8.
    expect(taxonomy!.f1).toBe(0.5);
    expect(shown(taxonomy!)).toEqual({ boundary: [3, 0, 0, 3 / 8, 10 / 11], spurious: [0, 1, 0, 1 / 8, 4 / 7] });
  });

  test('without gold and predictions F1 is undefined and says why; other kinds are not counted', () => {
    const [span_, entity_] = taxonomyOf([missed(span(0, 5))], ['span', 'entity']);
    expect(span_!.f1).toBe(0);
    expect(entity_).toMatchObject({
      f1: null,
      undefined: 'there is neither gold nor a prediction that counts',
      hit: 0,
    });
    expect(entity_!.errors.every(({ gap, f1IfFixed }) => gap === 0 && f1IfFixed === null)).toBe(true);
  });

  test('F1 if fixed is undefined where nothing would be left', () => {
    const [taxonomy] = taxonomyOf([spurious(span(0, 5))]);
    expect(shown(taxonomy!)).toEqual({ spurious: [0, 1, 0, 1, null] });
  });

  test('names the first 200 cases of a type and counts them all', () => {
    const id = (at: number): string => `c${String(at).padStart(3, '0')}`;
    const verdicts = Array.from({ length: 250 }, (_, at) => [
      { ...missed(span(0, 5)), case: id(at) },
      { ...missed(span(10, 15)), case: id(at) },
    ]).flat();
    const { cases } = taxonomyOf(verdicts)[0]!.errors.find(({ type }) => type === 'missed')!;
    expect(cases.total).toBe(250);
    expect(cases.shown).toEqual(Array.from({ length: 200 }, (_, at) => id(at)));
  });
});

describe('the parts add up to the gap between F1 and 1', () => {
  const label = fc.constantFrom('PERSON', 'LOC', 'ORG');
  const anySpan = fc
    .tuple(fc.nat(60), fc.integer({ min: 1, max: 12 }), label)
    .map(([start, length, own]) => span(start, start + length, own));
  const spans = fc.array(anySpan, { maxLength: 8 });
  const anyCase = fc
    .tuple(spans, spans)
    .map(([gold, predicted]) => caseOf({ id: 'c1', text: 'a few words here '.repeat(8), gold, predicted }));

  const RECIPES: readonly (readonly [string, object])[] = [
    ...(['greedy', 'in-order', 'optimal', 'every'] as const).map((assign): [string, object] => [
      assign,
      { task: 'pii', pair: { gate: [], similarity: 'iou', threshold: 0.2, assign, partial: 0.4 } },
    ]),
    [
      'excused',
      { task: 'pii', pair: { gate: ['label'] }, judge: { 'excuse-missed': { labels: ['ORG'] }, 'excuse-overlap': {} } },
    ],
    ['tokens', { task: 'pii', pair: { unit: 'token', gate: ['label'] } }],
    ['characters', { task: 'pii', pair: { unit: 'character', gate: [] } }],
    ['cover', { task: 'pii', pair: { unit: 'cover', threshold: 1 } }],
    ['linked', { task: 'pii', pair: { gate: ['label'], similarity: 'exact' }, judge: { incorrect: {} } }],
  ];

  test.each(RECIPES)('%s', async (_, recipe) => {
    await fc.assert(
      fc.asyncProperty(anyCase, async (given: Case) => {
        const scored = await scoreWith(recipe, given);
        const [taxonomy] = taxonomyOf(scored.verdicts());
        if (taxonomy === undefined) return;
        const f1 = scored.value('f1');
        expect(taxonomy.f1 === null).toBe(f1 === null);
        const sum = taxonomy.errors.reduce((total, { gap }) => total + gap, 0);
        const [whole, gap] = f1 === null ? [0, 0] : [f1, 1 - f1];
        expect(taxonomy.f1 ?? 0).toBeCloseTo(whole, 12);
        expect(sum).toBeCloseTo(gap, 12);
        for (const one of taxonomy.errors) {
          expect(Math.min(one.missed, one.spurious, one.gap)).toBeGreaterThanOrEqual(0);
          // Mending errors never makes it worse.
          expect(one.f1IfFixed ?? 1).toBeGreaterThanOrEqual(whole - 1e-12);
        }
      }),
      { seed: 20267, numRuns: 40 },
    );
  });
});

describe('the F1 that errors are parts of is the one of the run', () => {
  const file = (name: string): Source => fileSource(join(import.meta.dirname, '../../examples', name));
  const journal = {
    cases: file('journal/journals.jsonl'),
    gold: file('journal/gold.jsonl'),
    predictions: file('journal/predictions.jsonl'),
  };
  const pii = { cases: file('pii/docs.json') };
  const graph = { gold: file('graph/items.jsonl'), predictions: file('graph/outputs.jsonl') };
  const taxonomies = (scored: Scored): Taxonomy[] => {
    const kinds = [...scored.plan.schemes[0]!.pair.keys()];
    return taxonomyOf(scored.verdicts(), kinds);
  };

  test.each([
    ...['piranha', 'piranha-as-coded', 'strict', 'exact', 'partial', 'type', 'iou', 'token', 'character'].map(
      (preset) => [`pii/${preset}`, pii, { span: 'f1' }] as const,
    ),
    ...['semeval', 'every-scheme'].map((preset) => [`pii/${preset}`, pii, { span: 'f1' }] as const),
    ['journal/ashwam', journal, { object: 'f1' }] as const,
    ...['openspec', 'as-coded'].map(
      (preset) => [`graph/${preset}`, graph, { entity: 'entity_f1', relationship: 'relationship_f1' }] as const,
    ),
  ])('%s', async (preset, sources, names) => {
    const scored = await scoreWith(preset, readCases({ ...sources }));
    const found = taxonomies(scored);
    expect(found.map(({ kind }) => kind)).toEqual(Object.keys(names));
    for (const [kind, name] of Object.entries(names)) {
      const own = found.find((one) => one.kind === kind)!;
      expect(own.f1).toBeCloseTo(scored.value(name)!, 12);
      expect(own.errors.reduce((sum, { gap }) => sum + gap, 0)).toBeCloseTo(1 - own.f1!, 12);
    }
  });
});
