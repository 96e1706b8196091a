import { describe, expect, it } from 'vitest';

import { makeSpanCase } from '../../src/data/span-case.ts';
import { SpanScanner } from '../../src/data/span-scanner.ts';
import { compareScanner, fuzzedRecords } from './scanner-fuzz.ts';

const scan = (text: string) => new SpanScanner().scan(Buffer.from(text));
const RECORD =
  '{"id":"d1","text":"Ann\\nmet Bo.","gold":[{"start":0,"end":3,"label":"PERSON","text":"Ann"}],"predicted":[]}';

describe('SpanScanner', () => {
  it('reads what parsing would read, and nothing else', () => {
    const { scanned, right } = compareScanner(fuzzedRecords(20_000, 7));
    expect(right).toBeGreaterThan(6_000);
    // Those that it leaves to JSON.parse have escaped names, characters beyond the basic plane, or more than it knows.
    expect(scanned).toBeGreaterThan(0.5 * right);
  });

  it('gives places, labels and positions as numbers, and the text when it is asked for', () => {
    const found = scan(RECORD)!;
    expect([...found.gold.numbers.subarray(found.gold.from, found.gold.from + 4)]).toEqual([0, 3, 0, 0]);
    expect([found.gold.labels, found.predicted.count, found.id, makeSpanCase(found, 1).text]).toEqual([
      ['PERSON'],
      0,
      'd1',
      'Ann\nmet Bo.',
    ]);
  });

  it.each([
    ['a further field', RECORD.replace('"id"', '"kind":1,"id"')],
    ['a field of a span', RECORD.replace('"start"', '"score":1,"start"')],
    ['a text that is not there', RECORD.replace('"text":"Ann"', '"text":"Bob"')],
    ['a place past the end', RECORD.replace('"end":3', '"end":30')],
    ['a number that is none', RECORD.replace('"end":3', '"end":03')],
    ['half a record', RECORD.slice(0, -1)],
    ['two records', RECORD + RECORD],
    ['a field twice', RECORD.replace('"predicted"', '"gold"')],
    ['a key without a colon', RECORD.replace('"id":', '"id"')],
  ])('leaves %s to the parser', (_, record) => {
    expect(scan(record)).toBeNull();
  });

  it('leaves records to the parser once there are more labels than a label set has', () => {
    const scanner = new SpanScanner();
    const record = (label: number): Buffer => Buffer.from(RECORD.replace('PERSON', `L${label}`));
    const taken = Array.from({ length: 1100 }, (_, label) => scanner.scan(record(label)) !== null);
    expect(taken.filter(Boolean).length).toBe(1000);
  });
});
