import { expect, it } from 'vitest';

import { arePlacedAlike, commonOf, isInside, NearOrder } from '../../src/columns/span-likeness.ts';
import { NearSpans } from '../../src/columns/span-pairs.ts';
import { readCases } from '../../src/data/read-cases.ts';
import { memorySource } from '../../src/data/source.ts';
import { isSpanCase } from '../../src/data/span-case.ts';
import { SpanList } from '../../src/data/span-list.ts';
import { iou } from '../../src/text/span.ts';
import { compareText } from '../../src/text/compare.ts';
import { spanDocuments } from './span-documents.ts';

it('finds how spans lie to each other by more than half of their characters', () => {
  const numbers = new Int32Array([0, 4, 0, 0, 2, 8, 0, 1, 1, 8, 0, 2]);
  const spans = new SpanList(numbers, 0, 3, ['A']);
  // 0 to 4 and 2 to 8 have 2 characters in common: half of the first. 0 to 4 and 1 to 8: 3 of 4, and of 7.
  expect([commonOf(spans, 0, spans, 1), isInside(spans, 0, spans, 1)]).toEqual([2, false]);
  expect([isInside(spans, 0, spans, 2), isInside(spans, 2, spans, 0)]).toEqual([true, false]);
  expect([arePlacedAlike(spans, 0, spans, 0), arePlacedAlike(spans, 0, spans, 1)]).toEqual([true, false]);
});

it('orders near pairs by overlap, label, places and words', async () => {
  const near = new NearSpans();
  for await (const given of readCases({ cases: memorySource('d.jsonl', spanDocuments(300, 17, 3)) })) {
    if (!isSpanCase(given)) throw new Error('spans are not read in columns');
    const { gold, predicted } = given.spans;
    gold.sort();
    predicted.sort();
    near.find(gold, predicted);
    const inOrder = (list: SpanList) =>
      list.items(given.text, 1).sort((a, b) => a.start - b.start || a.end - b.end || compareText(a.label, b.label));
    const [golds, predicteds] = [inOrder(gold), inOrder(predicted)];
    /** What is compared, number by number and text by text. */
    const keyOf = (at: number): (number | string)[] => {
      const [g, p] = [near.gold[at]!, near.predicted[at]!];
      const [one, other] = [golds[g]!, predicteds[p]!];
      const words = [one, other].map(({ label, text }) => JSON.stringify([label, text])).sort(compareText);
      return [
        -iou(one.start, one.end, other.start, other.end),
        -Number(one.label === other.label),
        Math.min(one.start, other.start),
        Math.max(one.start, other.start),
        Math.min(one.end, other.end),
        Math.max(one.end, other.end),
        words.join(),
        g,
        p,
      ];
    };
    const order = new NearOrder(given, near);
    const keys = Array.from({ length: near.count }, (_, at) => keyOf(at));
    const expected = [...keys.keys()].sort((a, b) => {
      const place = keys[a]!.findIndex((value, at) => value !== keys[b]![at]);
      return place < 0 ? 0 : keys[a]![place]! < keys[b]![place]! ? -1 : 1;
    });
    expect([...keys.keys()].sort((a, b) => order.compare(a, b))).toEqual(expected);
  }
});
