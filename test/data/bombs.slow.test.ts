import { gzipSync } from 'node:zlib';

import { describe, expect, it } from 'vitest';

import { memorySource, type Source } from '../../src/data/source.ts';
import { casesOf, jsonl, problems } from './reading.ts';

const BLOCK = 1 << 26;
const RECORD = { id: 'd1', text: 'Ann met Bo.', spans: [] };

/** Gigabytes of one thing in a few MB, behind a beginning that says what the file is. */
function bomb(name: string, begin: string, again: string, blocks = 64): Source {
  const block = gzipSync(Buffer.alloc(BLOCK, again));
  return {
    name,
    path: null,
    async *open() {
      yield gzipSync(begin);
      for (let at = 0; at < blocks; at += 1) yield block;
    },
  };
}

describe('4 GiB of nothing in a file of 4 MB', () => {
  it.each([
    ['blank lines after JSON records', 'gold.jsonl.gz', jsonl(RECORD), '\n'],
    ['lines of a space after JSON records', 'gold.jsonl.gz', jsonl(RECORD), ' \r\n'],
    ['white space in a JSON array', 'gold.json.gz', `[${JSON.stringify(RECORD)},`, ' '],
    ['blank lines between tagged tokens', 'gold.conll.gz', 'Ann B-PER\n', '\n'],
    ['blank lines within a table', 'gold.csv.gz', 'id,start,end,label\n', '\n'],
  ])('is refused with advice: %s', async (_, name, begin, again) => {
    const [first] = await problems({ gold: bomb(name, begin, again), predictions: jsonl({ id: 'd1', spans: [] }) });
    expect(first).toMatch(/^gold\.\w+\.gz: the gzip data decompresses to more than 250 times its size.*gunzip/);
  });
});

describe('an honest file', () => {
  it('is read although its texts repeat themselves, which gzip makes much of', async () => {
    const text = Array.from({ length: 400 }, (_, at) => `word${(at * 7919) % 1000}`).join(' ');
    const records = Array.from({ length: 30_000 }, (_, at) => ({ id: `d${at}`, text, spans: [] }));
    const plain = Buffer.from(jsonl(...records));
    const packed = gzipSync(plain, { level: 9 });
    expect([plain.length > BLOCK, plain.length > 60 * packed.length]).toEqual([true, true]);
    const read = await casesOf({ gold: memorySource('gold.jsonl.gz', packed), predictions: jsonl(...records) });
    expect(read).toHaveLength(30_000);
  });

  it('is read behind 300 MiB of blank lines that are really there', async () => {
    const blank = Buffer.alloc(1 << 20, '\n');
    const gold: Source = {
      name: 'gold.jsonl',
      path: null,
      async *open() {
        yield Buffer.from(jsonl(RECORD));
        for (let at = 0; at < 300; at += 1) yield blank;
        yield Buffer.from('{"id":\n');
      },
    };
    const [first] = await problems({ gold, predictions: jsonl({ id: 'd1', spans: [] }) });
    expect(first).toContain(`gold.jsonl:${2 + 300 * (1 << 20)}: the JSON is cut off`);
  });
});
