import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { pairwiseSpanF1 } from '../../../src/stats/agreement/pairwise-span-f1.ts';
import type { AnnotatedSpan, SpanDocument } from '../../../src/stats/agreement/pairwise-span-f1.ts';

const span = (start: number, end: number, label = 'PERSON'): AnnotatedSpan => ({ start, end, label });
const doc = (id: string, ...spans: SpanDocument['spans']): SpanDocument => ({ id, spans });
const quick = { interval: false } as const;

describe('F1 between annotators', () => {
  it('is 2 · matches / spans of both, over the documents that both annotated', () => {
    const found = pairwiseSpanF1(
      [
        doc('d1', [span(0, 3), span(5, 9), span(12, 15, 'LOC')], [span(0, 3), span(5, 8), span(12, 15, 'ORG')], null),
        doc('d2', [span(0, 4)], [span(0, 4), span(6, 9)], [span(0, 4)]),
        doc('d3', [], null, []),
        doc('d4', null, [span(1, 2)], null),
      ],
      quick,
    );
    // a, b: d1 and d2: 1 + 1 matches of 4 + 5 spans. a, c: d2 and d3: 1 match of 1 + 1. b, c: d2: 1 match of 2 + 1.
    expect(found.pairs).toMatchObject([
      { a: 0, b: 1, documents: 2, matches: 2, spansA: 4, spansB: 5 },
      { a: 0, b: 2, documents: 2, matches: 1, spansA: 1, spansB: 1 },
      { a: 1, b: 2, documents: 1, matches: 1, spansA: 2, spansB: 1 },
    ]);
    expect(found.pairs.map(({ value }) => value)).toEqual([4 / 9, 1, 2 / 3]);
    expect(found.value).toBeCloseTo((4 / 9 + 1 + 2 / 3) / 3, 12);
    expect(found.pooled.value).toBeCloseTo(8 / 14, 12);
    expect(found).toMatchObject({ n: 3, left: 1, raters: 3 });
    expect(found.prevalence[0]).toEqual({ category: 'PERSON', share: 0.8, count: 8 });
    expect(found.notes.join()).toContain('not read as "no spans found"');
    expect(found.notes.join()).toContain('1 of 4 documents have fewer than two annotators');
  });

  it('matches by overlap or by intersection over union where asked, one to one', () => {
    const documents = [doc('d1', [span(0, 10), span(20, 30)], [span(0, 4), span(5, 10), span(22, 40)])];
    const f1 = (options: Parameters<typeof pairwiseSpanF1>[1]): number | null =>
      pairwiseSpanF1(documents, { ...quick, ...options }).value;
    expect(f1({})).toBe(0);
    // Both short spans lie in the first long one, which can match one of them only.
    expect(f1({ match: 'overlap' })).toBeCloseTo(4 / 5, 12);
    // IoU of 0..10 and 5..10 is 0.5, of 20..30 and 22..40 it is 8/20.
    expect(f1({ match: 'iou' })).toBeCloseTo(2 / 5, 12);
    expect(f1({ match: 'iou', threshold: 0.4 })).toBeCloseTo(4 / 5, 12);
    expect(() => f1({ match: 'iou', threshold: 0 })).toThrow('threshold 0');
  });

  it('counts spans in pieces by their pieces, not by what lies between', () => {
    const pieces = { ...span(0, 17), fragments: [span(0, 4), span(11, 17)] };
    const documents = [
      doc('d1', [pieces], [span(5, 10)]),
      doc('d2', [pieces], [span(0, 17)]),
      doc('d3', [pieces], [{ ...pieces, fragments: [span(11, 17), span(0, 4)] }]),
    ];
    const f1 = (options: Parameters<typeof pairwiseSpanF1>[1]): number | null =>
      pairwiseSpanF1(documents, { ...quick, ...options }).value;
    expect(f1({})).toBeCloseTo(1 / 3, 12);
    expect(f1({ match: 'overlap' })).toBeCloseTo(2 / 3, 12);
    // 10 characters of 17.
    expect(f1({ match: 'iou', threshold: 10 / 17 })).toBeCloseTo(2 / 3, 12);
    expect(f1({ match: 'iou', threshold: 0.6 })).toBeCloseTo(1 / 3, 12);
  });

  it('can leave labels out of account', () => {
    const documents = [doc('d1', [span(0, 3, 'LOC')], [span(0, 3, 'ORG')])];
    expect(pairwiseSpanF1(documents, quick).value).toBe(0);
    expect(pairwiseSpanF1(documents, { ...quick, labels: false }).value).toBe(1);
  });

  it('is undefined with a reason, and an undefined pair leaves the mean', () => {
    expect(pairwiseSpanF1([], quick).undefined).toBe('there are no documents');
    expect(pairwiseSpanF1([doc('d1', [span(0, 1)])], quick).undefined).toContain('one annotator only');
    expect(pairwiseSpanF1([doc('d1', [span(0, 1)], null)], quick).undefined).toBe('no document has two annotators');
    expect(pairwiseSpanF1([doc('d1', [], [])], quick).undefined).toContain('neither annotator marked a span');
    const found = pairwiseSpanF1([doc('d1', [], [], [span(0, 1)])], quick);
    expect(found.value).toBe(0);
    expect(found.pairs.map(({ value }) => value)).toEqual([null, 0, 0]);
    expect(found.notes.join()).toContain('1 of 3 pairs have no F1');
  });

  it('refuses spans that have no place and documents with another number of annotators', () => {
    expect(() => pairwiseSpanF1([doc('d1', [span(3, 3)], [])])).toThrow('document d1, annotator 1: the span 3..3');
    expect(() => pairwiseSpanF1([doc('d1', [], []), doc('d2', [])])).toThrow('document d2');
  });

  it('draws an interval over documents from their counts', () => {
    // Twenty documents with one match of 1 + 1 spans, twenty with none of 1 + 1: F1 of a resample is the share of the first.
    const documents = Array.from({ length: 40 }, (_, at) =>
      doc(`d${at}`, [span(0, 3)], [span(0, at % 2 === 0 ? 3 : 4)]),
    );
    const { value, interval, pooled, pairs } = pairwiseSpanF1(documents);
    expect(value).toBe(0.5);
    // Binomial(40, ½) / 40: 2.5 and 97.5 per cent lie at 14/40 and 26/40.
    expect([interval?.low, interval?.high]).toEqual([0.35, 0.65]);
    expect(pooled.interval).toEqual(interval);
    expect(pairs[0]!.interval).toEqual(interval);
    expect(pairwiseSpanF1(documents.slice(0, 4)).noInterval).toContain('fewer than 5 documents');
  });

  it('does not depend on the order of annotators or documents', () => {
    const spans = fc.uniqueArray(
      fc.record({
        start: fc.integer({ min: 0, max: 20 }),
        length: fc.integer({ min: 1, max: 6 }),
        label: fc.constantFrom('A', 'B'),
      }),
      { maxLength: 6, selector: ({ start, length, label }) => `${start} ${length} ${label}` },
    );
    const documents = fc.array(fc.tuple(fc.option(spans), fc.option(spans), fc.option(spans)), { maxLength: 8 });
    fc.assert(
      fc.property(documents, fc.constantFrom('exact' as const, 'overlap' as const, 'iou' as const), (all, match) => {
        const made = all.map((row, at) =>
          doc(
            `d${at}`,
            ...row.map((own) => own?.map(({ start, length, label }) => span(start, start + length, label)) ?? null),
          ),
        );
        const options = { match, resamples: 40 };
        const found = pairwiseSpanF1(made, options);
        const reversed = pairwiseSpanF1(made.toReversed(), options);
        expect([reversed.value, reversed.interval, reversed.pooled]).toEqual([
          found.value,
          found.interval,
          found.pooled,
        ]);
        const turned = pairwiseSpanF1(
          made.map(({ id, spans: own }) => doc(id, ...own.toReversed())),
          options,
        );
        expect(turned.value === null).toBe(found.value === null);
        expect(turned.value ?? 0).toBeCloseTo(found.value ?? 0, 12);
        expect(turned.pooled.value).toBe(found.pooled.value);
      }),
      { numRuns: 80 },
    );
  });
});
