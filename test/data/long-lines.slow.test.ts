import { closeSync, openSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

import { describe, expect, it } from 'vitest';

import { fileSource, memorySource, type Source } from '../../src/data/source.ts';
import { casesOf, jsonl, problems, temporaryFolder } from './reading.ts';

// What is merely not collected yet is not held.
setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

const MIB = 1 << 20;
const FILLER = Buffer.alloc(MIB, 'x');
const predictions = jsonl({ id: 'd1', spans: [] }, { id: 'd2', spans: [] });

/** A file whose second record has a text of so many MiB. */
function longFile(name: string, size: number, before: string, after: string): Source {
  const path = join(temporaryFolder(), name);
  const file = openSync(path, 'w');
  writeSync(file, before);
  for (let written = 0; written < size; written += 1) writeSync(file, FILLER);
  writeSync(file, after);
  closeSync(file);
  return fileSource(path);
}

const lines = (size: number): Source =>
  longFile('gold.jsonl', size, '{"id":"d1","spans":[]}\n{"id":"d2","text":"', '","spans":[]}\n{"id":"d3"\n');
const array = (size: number): Source =>
  longFile('gold.json', size, '[{"id":"d1","spans":[]},\n{"id":"d2","text":"', '","spans":[]},\n{"id":"d3"}]');

describe('a line of 100 MB', () => {
  it.each([
    ['lines', lines, ['gold.jsonl:2: the record is longer than 64 MiB', 'gold.jsonl:3: the JSON is cut off']],
    ['an array', array, ['gold.json:2: the record is longer than 64 MiB', 'gold.json:3: spans: expected']],
  ] as const)('among %s is refused, and what follows is read', async (_, make, expected) => {
    const source = make(100);
    const found = await problems({ gold: { ...source, name: source.name.replace(/.*\//, '') }, predictions });
    expect(found.map((line, at) => line.slice(0, expected[at]?.length))).toEqual(expected);
  });

  it('in a table is refused as soon as it is too long', async () => {
    let sent = 0;
    const table: Source = {
      name: 'gold.csv',
      path: null,
      async *open() {
        yield Buffer.from('id,start,end,label,text\nd1,,,,\nd2,0,1,X,"');
        for (; sent < 100; sent += 1) yield FILLER;
      },
    };
    expect(await problems({ gold: table, predictions }, { maxRecordMiB: 2 })).toEqual([
      expect.stringContaining('gold.csv:3: the record that begins here is too long'),
    ]);
    expect(sent).toBeLessThan(5);
  });

  it('passes where the recipe allows it', async () => {
    const source = longFile('gold.jsonl', 100, '{"id":"d1","spans":[]}\n{"id":"d2","text":"', '","spans":[]}\n');
    const read = await casesOf({ gold: source, predictions }, { maxRecordMiB: 101 });
    expect(read.map(({ text }) => text?.length ?? 0)).toEqual([0, 100 * MIB]);
  });

  it.each([
    ['a line', '{"id":"d1","spans":[]}\na'],
    ['an element of an array', '[{"id":"d1","spans":[]},\n{"id":"'],
  ])('in %s is not held while it is skipped', async (_, beginning) => {
    let most = 0;
    const base = process.memoryUsage().arrayBuffers;
    const endless: Source = {
      name: 'endless',
      path: null,
      async *open() {
        yield Buffer.from(beginning);
        for (let sent = 0; sent < 400; sent += 1) {
          yield FILLER;
          if (sent % 20 > 0) continue;
          collect();
          most = Math.max(most, process.memoryUsage().arrayBuffers - base);
        }
      },
    };
    expect((await problems({ gold: endless, predictions }, { maxRecordMiB: 8 }))[0]).toContain(
      'endless:2: the record is longer than 8 MiB',
    );
    expect(most / MIB).toBeLessThan(50);
  });
});

describe('a very long id', () => {
  it('is taken, and shortened in messages', async () => {
    const id = 'd'.repeat(100_000);
    const gold = jsonl({ id, text: 'a', spans: [] });
    expect(await casesOf({ gold, predictions: jsonl({ id, spans: [] }) })).toHaveLength(1);
    const bad = jsonl({
      id,
      text: 'a',
      spans: [{ start: 0, end: 5, label: 'X'.repeat(100_000), text: 'y'.repeat(100_000) }],
    });
    const [first] = await problems({ gold: bad, predictions: memorySource('p', jsonl({ id, spans: [] })) });
    expect(first!.length).toBeLessThan(300);
    const other = jsonl({ id: `${id}x`, spans: [] });
    for (const message of await problems({ gold: `${gold}${gold}`, predictions: other }))
      expect(message.length).toBeLessThan(300);
  });
});
