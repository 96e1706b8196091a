import { describe, expect, it } from 'vitest';

import { memorySource } from '../../../src/data/source.ts';
import { casesOf, jsonl, problems, readerOf, shown } from '../reading.ts';
import { converted } from './read-side.ts';

const cases = jsonl(
  { id: 'd1', text: '🙂 Ann met Bo.', spans: [] },
  { id: 'd2', text: 'Bo', spans: [] },
  { id: 'd3', text: 'x', spans: [] },
);

describe('masks by document', () => {
  it.each([0, 2])('are one object over any lines (indent %d), places in characters', async (indent) => {
    const predictions = memorySource(
      'masked.json',
      JSON.stringify({ d1: [[2, 5]], d2: [[0, 2]], d3: [] }, null, indent),
    );
    const reader = readerOf({ cases, predictions });
    const found = await Array.fromAsync(reader);
    expect(found.map(({ predicted, answered }) => [shown(predicted), answered])).toEqual([
      [['MASK Ann 3..6'], true],
      [['MASK Bo 0..2'], true],
      [[], true],
    ]);
    expect(reader.files().map(({ format }) => format)).toContain('masks');
  });

  it('may be gold', async () => {
    const gold = jsonl({ d: [[0, 2]] });
    const [only] = await casesOf({ cases: jsonl({ id: 'd', text: 'Bo' }), gold, predictions: jsonl({ d: [] }) });
    expect([shown(only!.gold), shown(only!.predicted)]).toEqual([['MASK Bo 0..2'], []]);
  });

  it('that are no places are named', async () => {
    const predictions = jsonl({ d1: [[0, 1, 2], [0.5, 1], 'x'], d2: 7, d3: [[0, 9]] });
    expect(await problems({ cases, predictions }, { format: 'auto' })).toEqual([
      expect.stringContaining('unknown file format'),
    ]);
    const later = jsonl({ d1: [[0, 9]], d2: [[0, 9]], d3: [] });
    expect(await problems({ cases, predictions: later })).toEqual([
      expect.stringMatching(/d2.*past the end of the text/s),
    ]);
  });

  it('are written for every document, by characters; labels are listed as lost', async () => {
    const spans = [{ start: 2, end: 5, label: 'PER', text: 'Ann' }];
    const given = jsonl({ id: 'd1', text: '🙂 Ann', spans }, { id: 'd2', text: 'x', spans: [] });
    const { files, lost } = await converted('a.jsonl', given, 'out.json', { to: 'masks' });
    expect(files['out.json']).toBe('{"d1":[[2,5]],"d2":[]}\n');
    expect(lost).toEqual(['d1: the text', 'd1: span PER "Ann" at 3..6: the label', 'd2: the text']);
  });
});
