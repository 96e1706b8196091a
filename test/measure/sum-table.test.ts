import { deserialize, serialize } from 'node:v8';

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { StateMismatch } from '../../src/data/fold-state.ts';
import { SumLog } from '../../src/measure/sum-log.ts';
import { loggedSums, sumsByUnit } from '../../src/measure/sum-table.ts';

const KEYS = new Map([
  ['hits', 0],
  ['all', 1],
]);

interface Entry {
  readonly unit: string;
  readonly label: string;
  readonly value: number;
  readonly numbers: readonly number[];
  readonly inCluster: boolean;
}

function logOf(entries: readonly Entry[]): SumLog {
  const log = new SumLog(KEYS);
  for (const { unit, label, value, numbers, inCluster } of entries) {
    const from = log.label(label);
    log.add(0, value);
    log.add(from, value);
    log.addNumbers('length', numbers);
    if (inCluster) log.keep(`cluster ${unit}`);
    else log.keepCase(unit);
  }
  return log;
}

const entries = fc.array(
  fc.record({
    unit: fc.constantFrom('a', 'b', 'c', 'd'),
    label: fc.constantFrom('X', 'Y', 'Z'),
    value: fc.constantFrom(0, 1, 0.1, 0.7, -2),
    numbers: fc.array(fc.constantFrom(1, 2, 2.5), { maxLength: 3 }),
    inCluster: fc.boolean(),
  }),
  { maxLength: 8 },
);

describe('sums by unit', () => {
  it('of logs that were merged are those of one log', () => {
    fc.assert(
      fc.property(entries, entries, entries, (one, two, three) => {
        const merged = logOf(one);
        for (const part of [two, three]) merged.merge(deserialize(serialize(logOf(part).save())));
        expect(merged.byUnit()).toEqual(logOf([...one, ...two, ...three]).byUnit());
      }),
    );
  });

  it('add up what each case has, by unit and label', () => {
    const plain = { numbers: [], inCluster: false };
    const log = logOf([
      { unit: 'b', label: 'X', value: 2, ...plain },
      { unit: 'a', label: 'Y', value: 3, ...plain },
      { unit: 'b', label: 'Y', value: 1, ...plain },
    ]);
    const { columns, labels, width } = sumsByUnit(KEYS, loggedSums.parse(log.save()));
    expect(labels).toEqual(['X', 'Y']);
    expect([...columns[0]!.values]).toEqual([3, 3]);
    expect([...columns[2 * width]!.values]).toEqual([3, 1]);
  });

  it('of other measures are refused', () => {
    expect(() => logOf([]).merge(new SumLog(new Map()).save())).toThrow(StateMismatch);
    expect(() => logOf([]).merge({ width: 3 })).toThrow(StateMismatch);
  });
});
