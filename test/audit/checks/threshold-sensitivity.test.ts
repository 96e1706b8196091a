import { describe, expect, test } from 'vitest';

import { type Case, makeCase } from '../../../src/data/case.ts';
import { makeItem } from '../../../src/data/item.ts';
import { thresholdSensitivity } from '../../../src/audit/checks/threshold-sensitivity.ts';
import { look } from '../audited.ts';
import { STRICT, times } from '../made-items.ts';

const IOU = { ...STRICT, pair: { gate: ['label'], similarity: 'iou', threshold: 0.5 } };

/** Gold of 100 characters and a prediction of the first so many of them: an IoU of so many hundredths. */
function overlapping(id: string, hundredths: number): Case {
  const span = (end: number) => makeItem({ kind: 'span', index: 0, label: 'A', text: 'a', start: 0, end });
  return makeCase({ id, gold: [span(100)], predicted: [span(hundredths)] });
}
const at = (hundredths: number, n: number) => times(n, (place) => overlapping(`${hundredths}-${place}`, hundredths));

describe('a threshold on a cliff', () => {
  test('is one that many hits just reach', async () => {
    const { said, findings } = await look(thresholdSensitivity, IOU, [...at(100, 16), ...at(52, 4)]);
    // 20 hits; a step higher 16 hits, 4 missed, 4 spurious: 32 / 40.
    expect(said).toEqual([
      'warning: F1 of span items goes from 1.000 to about 0.800 if the threshold is 0.05 higher: 4 pairs lie that close to it',
    ]);
    expect(findings[0]!.todo).toContain('assay sweep RECIPE --over pair.threshold=0.5,0.55 gives the exact scores');
    expect(findings[0]).toMatchObject({ subjects: ['pair.threshold'], cases: { total: 4 }, items: { total: 4 } });
    expect(findings[0]!.items.shown[0]!.note).toBe('similarity 0.520, a hit at 0.5: "a"');
  });

  test('is one that many pairs just miss', async () => {
    const { said } = await look(thresholdSensitivity, IOU, [...at(100, 16), ...at(47, 4)]);
    expect(said).toEqual([
      'warning: F1 of span items goes from 0.800 to about 1.000 if the threshold is 0.05 lower: 4 pairs lie that close to it',
    ]);
  });

  test('is a note where F1 moves by less than a twentieth, or by less than it is unsure', async () => {
    // 97 hits at 100, 3 at 52: 1 to 0.97 is 0.03.
    expect((await look(thresholdSensitivity, IOU, [...at(100, 97), ...at(52, 3)])).said).toEqual([
      'note: F1 of span items goes from 1.000 to about 0.970 if the threshold is 0.05 higher: 3 pairs lie that close to it',
    ]);
    // The interval of so few cases is wider than the move of 0.15.
    const unsure = [...at(100, 10), ...at(10, 7), ...at(52, 3)];
    expect((await look(thresholdSensitivity, IOU, unsure, { set: ['interval.resamples=500'] })).said[0]).toMatch(
      /^note: F1 of span items goes from 0.650 to about 0.500/,
    );
  });

  test('is none where pairs lie elsewhere, are few, or have no threshold to move', async () => {
    expect((await look(thresholdSensitivity, IOU, [...at(100, 10), ...at(60, 5), ...at(40, 5)])).said).toEqual([]);
    expect((await look(thresholdSensitivity, IOU, [...at(100, 10), ...at(52, 2)])).said).toEqual([]);
    expect((await look(thresholdSensitivity, STRICT, [...at(100, 10), ...at(52, 5)])).said).toEqual([]);
  });
});
