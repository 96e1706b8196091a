import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync, zstdCompressSync } from 'node:zlib';

import { describe, expect, it } from 'vitest';

import { UsageError } from '../../src/data/problems.ts';
import { readCases } from '../../src/data/read-cases.ts';
import { fileSource, memorySource, type Source, standardInput } from '../../src/data/source.ts';
import { casesOf, complaint, cutSource, jsonl, problems, readerOf, shown, temporaryFolder } from './reading.ts';

const text = 'Ann met Bo.';
const ann = { start: 0, end: 3, label: 'PER', text: 'Ann' };
const many = (count: number, make: (id: string, at: number) => object): string =>
  jsonl(...Array.from({ length: count }, (_, at) => make(`d${at}`, at)));

describe('the join', () => {
  it('takes the cases in the order of the case file, whatever the order of the others', async () => {
    const read = await casesOf({
      cases: jsonl({ id: 'a', text }, { id: 'b', text }, { id: 'c', text }),
      gold: jsonl({ id: 'c', spans: [] }, { id: 'a', spans: [ann] }, { id: 'b', spans: [] }),
      predictions: jsonl({ id: 'b', spans: [ann] }, { id: 'c', spans: [] }, { id: 'a', spans: [] }),
    });
    expect(read.map(({ id, gold, predicted }) => [id, gold.length, predicted.length])).toEqual([
      ['a', 1, 0],
      ['b', 0, 1],
      ['c', 0, 0],
    ]);
  });

  it('takes the cases from gold where there is no case file', async () => {
    const read = await casesOf({
      gold: jsonl({ id: 'a', text, spans: [ann] }),
      predictions: jsonl({ id: 'a', spans: [] }),
    });
    expect(read.map(({ id, text: own }) => [id, own])).toEqual([['a', text]]);
  });

  it('takes the text from whichever file has it', async () => {
    const read = await casesOf({
      gold: jsonl({ id: 'a', spans: [{ start: 0, end: 3, label: 'PER' }] }),
      predictions: jsonl({ id: 'a', text, spans: [] }),
    });
    expect(shown(read[0]!.gold)).toEqual(['PER Ann 0..3']);
  });

  it('keeps ids apart that differ only in case', async () => {
    const file = jsonl({ id: 'a', spans: [] }, { id: 'A', spans: [] });
    expect((await casesOf({ gold: file, predictions: file })).map(({ id }) => id)).toEqual(['a', 'A']);
  });

  it('counts cases without a prediction, and treats them by policy', async () => {
    const files = {
      gold: jsonl({ id: 'a', spans: [] }, { id: 'b', spans: [] }),
      predictions: jsonl({ id: 'b', spans: [] }),
    };
    const reader = readerOf(files);
    expect((await Array.fromAsync(reader)).map(({ answered }) => answered)).toEqual([false, true]);
    expect(reader.notices.unansweredCases).toBe(1);
    expect(await problems(files, { missingPrediction: 'error' })).toEqual([
      'predictions.jsonl: no prediction for "a" (or count it as empty: --set data.missingPrediction=empty)',
    ]);
  });

  it('misses gold of a case, unless the policy is empty', async () => {
    const files = {
      cases: jsonl({ id: 'a', text }, { id: 'b', text }),
      gold: jsonl({ id: 'b', spans: [] }),
      predictions: jsonl({ id: 'a', spans: [ann] }, { id: 'b', spans: [] }),
    };
    expect(await problems(files)).toEqual([
      'gold.jsonl: no gold for "a" (leave such cases out: --set data.missingGold=leave-out; or count them as empty: --set data.missingGold=empty)',
    ]);
    const reader = readerOf(files, { missingGold: 'empty' });
    expect((await Array.fromAsync(reader)).map(({ gold }) => gold)).toEqual([[], []]);
    expect(reader.notices.casesWithoutGold).toBe(1);
    const left = readerOf(files, { missingGold: 'leave-out' });
    expect((await Array.fromAsync(left)).map(({ id }) => id)).toEqual(['b']);
    expect(left.notices).toMatchObject({ casesLeftOut: 1 });
    const none = { cases: jsonl({ id: 'a', text }), predictions: jsonl({ id: 'a', spans: [ann] }) };
    expect(await problems(none, { missingGold: 'leave-out' })).toEqual([
      'cases.jsonl: no gold items in this file, read as spans (give them with --gold FILE)',
    ]);
  });

  it('refuses predictions and gold for unknown cases, with the id that may have been meant', async () => {
    expect(
      await problems({
        cases: jsonl({ id: 'J001', text }),
        gold: jsonl({ id: 'J001', spans: [] }, { id: 'j001 ', spans: [] }),
        predictions: jsonl({ id: 'J001', spans: [] }, { id: 'J999', spans: [] }),
      }),
    ).toEqual([
      'gold.jsonl:2: gold for "j001 ", which is not in cases.jsonl (did you mean "J001"?)',
      'predictions.jsonl:2: predictions for "J999", which is not in cases.jsonl (or count them as spurious: --set data.unknownCase=spurious)',
    ]);
  });

  it('counts predictions for unknown cases as cases of their own when the recipe says so', async () => {
    const reader = readerOf(
      {
        gold: jsonl({ id: 'a', spans: [] }),
        predictions: jsonl(
          { id: 'x', spans: [{ start: 0, end: 3, label: 'PER' }] },
          { id: 'a', spans: [] },
          { id: 'y', text, spans: [ann], year: 1 },
        ),
      },
      { unknownCase: 'spurious' },
    );
    const read = await Array.fromAsync(reader);
    expect(
      read.map(({ id, text: own, gold, predicted, answered }) => [id, own, gold, shown(predicted), answered]),
    ).toEqual([
      ['a', null, [], [], true],
      ['x', null, [], ['PER  0..3'], true],
      ['y', text, [], ['PER Ann 0..3'], true],
    ]);
    expect(read[2]!.fields).toEqual({ year: 1 });
    expect(reader.notices.unknownCasesAsSpurious).toBe(2);
  });

  it('refuses texts that differ, and shows where', async () => {
    expect(
      await problems({
        cases: jsonl({ id: 'a', text: 'The quick brown fox met Ann.' }),
        gold: jsonl({ id: 'a', text: 'The quick brown fox met Ann.', spans: [] }),
        predictions: jsonl({ id: 'a', text: 'The quick brown fox  met Ann.', spans: [] }),
      }),
    ).toEqual([
      'predictions.jsonl:1: text: the text of "a" differs from the one in cases.jsonl: "brown fox  met Ann." here, "brown fox met Ann." there (both files must speak of the same text)',
    ]);
  });

  it('names the file that a text came from, also when it is not the first', async () => {
    const [found] = await problems({
      cases: memorySource('c.json', JSON.stringify([{ id: 'a', gold: [], predicted: [] }])),
      gold: jsonl({ id: 'a', text: 'x', spans: [] }),
      predictions: jsonl({ id: 'a', text: 'y', spans: [] }),
    });
    expect(found).toContain(
      'predictions.jsonl:1: text: the text of "a" differs from the one in gold.jsonl: "y" here, "x" there',
    );
  });

  it('says what is missing when a side is', async () => {
    expect(await problems({ gold: jsonl({ id: 'a', spans: [] }) })).toEqual([
      'gold.jsonl: no predictions in this file, read as spans (give them with --predictions FILE)',
    ]);
    expect(await problems({ cases: jsonl({ id: 'a', text }), predictions: jsonl({ id: 'a', spans: [] }) })).toEqual([
      'cases.jsonl: no gold items in this file, read as spans (give them with --gold FILE)',
    ]);
    expect(() => readCases({ predictions: memorySource('p', '') })).toThrow(UsageError);
    expect(() => readCases({})).toThrow('nothing to score');
  });

  it('reads standard input once only', () => {
    expect(() => readCases({ gold: standardInput(), predictions: standardInput() })).toThrow(
      'standard input can be read once only',
    );
  });
});

describe('duplicate ids', () => {
  it('are refused, each with its line', async () => {
    const file = jsonl({ id: 'a', spans: [] }, { id: 'b', spans: [] }, { id: 'a', spans: [] }, { id: 'a', spans: [] });
    expect(await problems({ gold: file, predictions: jsonl({ id: 'a', spans: [] }, { id: 'b', spans: [] }) })).toEqual([
      'gold.jsonl:3: the id "a" was given before in this file (one record per case is expected)',
      'gold.jsonl:4: the id "a" was given before in this file (one record per case is expected)',
    ]);
  });
});

describe('problems', () => {
  it('of all files come together, file by file', async () => {
    const found = await problems({
      cases: jsonl({ id: 'a', text }, { id: 'b', text: 5 }, { id: 'a', text }),
      gold: `${jsonl({ id: 'a', spans: [{ ...ann, end: 99 }] })}{"id":"b","spans":[\n`,
      predictions: jsonl({ id: 'a', spans: [{ ...ann, start: 'x' }] }, { id: 'b', spans: [] }),
    });
    expect(found.map((line) => line.split(':').slice(0, 2).join(':'))).toEqual([
      'cases.jsonl:2',
      'cases.jsonl:3',
      'gold.jsonl:1',
      'gold.jsonl:2',
      'predictions.jsonl:1',
    ]);
  });

  it('that are alike are shown three times and counted', async () => {
    const bad = many(1000, (id) => ({ id, text, spans: [{ ...ann, end: 99 }] }));
    const error = await complaint({ gold: bad, predictions: many(1000, (id) => ({ id, spans: [] })) });
    expect([error.problems.length, error.total]).toEqual([3, 1000]);
    expect(error.message.split('\n').at(-1)).toBe('gold.jsonl: … and 997 more like this');
  });

  it.each([
    [
      'inclusive ends',
      { start: 4, end: 6 },
      'the end were the last character instead of the one after it',
      'codepoint+inclusive',
    ],
    ['a count from 1', { start: 5, end: 8 }, 'offsets were counted from 1', 'codepoint+one-based'],
  ])('of %s are explained from five spans on, with the flag', async (_, place, why, flag) => {
    const spans = many(5, (id) => ({ id, text: 'met Ann too', spans: [{ ...place, label: 'PER', text: 'Ann' }] }));
    const found = await problems({ gold: spans, predictions: many(5, (id) => ({ id, spans: [] })) });
    expect(found.at(-1)).toBe(
      `gold.jsonl: 5 of 5 gold spans that do not fit would fit if ${why} (--offsets gold=${flag})`,
    );
  });

  it('of every file that is not there come together', async () => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, 'gold.jsonl'), '');
    mkdirSync(join(folder, 'predictions'));
    const error = await complaint({
      cases: fileSource(join(folder, 'golds.jsonl')),
      gold: fileSource(join(folder, 'gold.jsonl')),
      predictions: fileSource(join(folder, 'predictions')),
    });
    expect(error.problems.map(({ message, next }) => [message, next])).toEqual([
      ['no such file', 'did you mean gold.jsonl?'],
      ['the file is empty, expected at least one record', undefined],
      ['the folder has no files', 'name a folder of annotation files, or one file'],
    ]);
  });

  it('of a broken case file are not drowned in unknown cases, nor those of broken predictions in missing ones', async () => {
    const all = many(50, (id) => ({ id, spans: [] }));
    const cut = all.slice(0, 60);
    expect(await problems({ gold: cut, predictions: all })).toEqual([
      expect.stringMatching(/^gold\.jsonl:3: the JSON is cut off/),
    ]);
    expect(await problems({ gold: all, predictions: cut }, { missingPrediction: 'error' })).toEqual([
      expect.stringMatching(/^predictions\.jsonl:3: the JSON is cut off/),
    ]);
    const texts = many(50, (id) => ({ id, text }));
    expect(await problems({ cases: texts, gold: cut, predictions: all })).toEqual([
      expect.stringMatching(/^gold\.jsonl:3: the JSON is cut off/),
    ]);
  });

  it('of an array that is cut off leave those before it standing', async () => {
    const array = `[${JSON.stringify({ id: 'a', text, spans: [{ ...ann, end: 99 }] })},\n{"id":"b"`;
    expect(
      await problems({ gold: memorySource('gold.json', array), predictions: jsonl({ id: 'a', spans: [] }) }),
    ).toEqual([
      expect.stringMatching(/^gold\.json:1: a gold item 0: the span 0\.\.99 is past the end/),
      expect.stringMatching(/^gold\.json:2: the JSON is cut off/),
    ]);
  });

  it('stop the stream of cases: nothing is scored beside a fault', async () => {
    const seen: string[] = [];
    const reading = (async () => {
      const files = {
        gold: many(40, (id, at) => ({ id, text, spans: at === 20 ? [{ ...ann, end: 99 }] : [] })),
        predictions: many(40, (id) => ({ id, spans: [] })),
      };
      for await (const { id } of readerOf(files)) seen.push(id);
    })();
    await expect(reading).rejects.toThrow('d20 gold item 0');
    expect(seen).toHaveLength(20);
  });
});

describe('files', () => {
  it.each([
    ['empty', '', 'is empty'],
    ['only a mark', '\ufeff', 'holds only blank lines'],
    ['blank lines', '\n\r\n  \n\t\n', 'holds only blank lines'],
  ])('that are %s are refused', async (_, content, what) => {
    expect(await problems({ gold: content, predictions: content })).toEqual([
      `gold.jsonl: the file ${what}, expected at least one record`,
      `predictions.jsonl: the file ${what}, expected at least one record`,
    ]);
  });

  it('that are a long row of blank lines are refused', async () => {
    expect((await problems({ gold: '\n'.repeat(100_000), predictions: '[]' })).length).toBe(2);
  });

  it('in other encodings are refused with what to do', async () => {
    const record = jsonl({ id: 'a', text: 'højesteret', spans: [] });
    const predictions = jsonl({ id: 'a', spans: [] });
    expect(await problems({ gold: Buffer.from(`${predictions}${record}`, 'latin1'), predictions })).toEqual([
      'gold.jsonl:2: the bytes are not UTF-8 (convert the file, for example: iconv -f WINDOWS-1252 -t UTF-8)',
    ]);
    expect(await problems({ gold: Buffer.from(`\ufeff${record}`, 'utf16le'), predictions })).toEqual([
      'gold.jsonl:1: the file is UTF-16, expected UTF-8 text (convert it, for example: iconv -f UTF-16 -t UTF-8)',
    ]);
  });

  it('that are damaged gzip are refused, and the others are still looked at', async () => {
    const packed = gzipSync(many(1000, (id) => ({ id, spans: [] })));
    const gold = memorySource('gold.jsonl.gz', packed.subarray(0, packed.length - 8));
    expect(await problems({ gold, predictions: '{"id":"d0"\n' })).toEqual([
      expect.stringMatching(/^gold\.jsonl\.gz: the gzip data is damaged or cut off/),
      expect.stringMatching(/^predictions\.jsonl:1: the JSON is cut off/),
    ]);
  });

  it('may begin with a mark, end lines in CR LF, and hold odd characters', async () => {
    const odd = 'a\u2028b\u2029c\u0085d\u00a0';
    const gold = `\ufeff${JSON.stringify({ id: 'a', text: odd, spans: [{ start: 2, end: 3, label: 'X', text: 'b' }] })}\r\n\r\n`;
    const read = await casesOf({ gold, predictions: '{"id":"a","spans":[]}\r\n' });
    expect([read[0]!.text, shown(read[0]!.gold)]).toEqual([odd, ['X b 2..3']]);
  });

  it('of a folder are those of Spark, Beam or Hive without what these write beside them', async () => {
    const folder = temporaryFolder();
    mkdirSync(join(folder, '_temporary'));
    const part = (id: string): Buffer => zstdCompressSync(jsonl({ id, text: 'Ann', spans: [] }));
    writeFileSync(join(folder, 'part-00000.jsonl.zst'), part('a'));
    writeFileSync(join(folder, 'part-00001.jsonl.zst'), part('b'));
    for (const name of ['_SUCCESS', '.part-00000.jsonl.crc', '_temporary/part-00002.jsonl'])
      writeFileSync(join(folder, name), 'x');
    const read = await casesOf({
      gold: fileSource(folder),
      predictions: jsonl({ id: 'a', spans: [] }, { id: 'b', spans: [] }),
    });
    expect(read.map(({ id }) => id)).toEqual(['a', 'b']);
  });

  it('are described with their hash, size, rows and format', async () => {
    const folder = temporaryFolder();
    const path = join(folder, 'gold.jsonl.gz');
    const packed = gzipSync(jsonl({ id: 'a', spans: [] }, { id: 'b', spans: [] }));
    writeFileSync(path, packed);
    const reader = readCases({ gold: fileSource(path), predictions: memorySource('p', jsonl({ id: 'a', spans: [] })) });
    await Array.fromAsync(reader);
    expect(reader.files()).toEqual([
      {
        role: 'gold',
        name: path,
        path,
        format: 'spans',
        sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
        bytes: packed.length,
        rows: 2,
      },
      {
        role: 'predictions',
        name: 'p',
        path: null,
        format: 'spans',
        // printf '{"id":"a","spans":[]}\n' | sha256sum
        sha256: '280bdca25fe892f8241a1ae43edbe629767951d1dfae259d7a7c1a97c27a3696',
        bytes: 22,
        rows: 1,
      },
    ]);
  });

  it('that fail while they are read are the input’s fault, not a crash', async () => {
    const failing: Source = {
      name: 'net',
      path: null,
      async *open() {
        yield Buffer.from(jsonl({ id: 'a', spans: [] }));
        throw new Error('connection lost');
      },
    };
    expect(await problems({ gold: failing, predictions: jsonl({ id: 'a', spans: [] }) })).toEqual([
      'net: reading failed (connection lost)',
    ]);
  });
});

describe('memory', () => {
  /** A source that counts how far it has been read. */
  function counted(lines: readonly string[]): { source: Source; read: () => number; closed: () => boolean } {
    let read = 0;
    let closed = false;
    return {
      source: {
        name: 'counted',
        path: null,
        async *open() {
          try {
            for (const line of lines) {
              read += 1;
              yield Buffer.from(line);
            }
          } finally {
            closed = true;
          }
        },
      },
      read: () => read,
      closed: () => closed,
    };
  }
  // Each line is longer than what is looked at to tell the format, and shows it, so a line is a read.
  const rows = (ids: readonly string[]): string[] =>
    ids.map((id) => jsonl({ id, spans: [{ start: 0, end: 1, label: 'A' }], filler: 'x'.repeat(70_000) }));
  const ids = Array.from({ length: 30 }, (_, at) => `d${at}`);

  it('holds one case at a time when the files have the same order', async () => {
    const gold = counted(rows(ids));
    const predictions = counted(rows(ids));
    let at = 0;
    for await (const { id } of readCases({ gold: gold.source, predictions: predictions.source })) {
      expect(id).toBe(ids[at]);
      at += 1;
      expect(gold.read()).toBeLessThanOrEqual(at + 1);
      expect(predictions.read()).toBeLessThanOrEqual(at + 1);
    }
    expect(at).toBe(30);
  });

  it('reads on only until the asked case comes, and keeps the rows in between', async () => {
    const predictions = counted(rows([...ids.slice(10), ...ids.slice(0, 10)]));
    const iterator = readCases({ gold: memorySource('g', rows(ids).join('')), predictions: predictions.source })[
      Symbol.asyncIterator
    ]();
    await iterator.next();
    expect(predictions.read()).toBeGreaterThanOrEqual(21);
    expect(predictions.read()).toBeLessThanOrEqual(22);
    const rest = [];
    for (let next = await iterator.next(); next.done !== true; next = await iterator.next()) rest.push(next.value);
    expect(rest.every(({ answered }) => answered)).toBe(true);
    expect(rest).toHaveLength(29);
  });

  it('closes all files when the reader stops early', async () => {
    const gold = counted(rows(ids));
    const predictions = counted(rows(ids));
    for await (const { id } of readCases({ gold: gold.source, predictions: predictions.source })) {
      expect(id).toBe('d0');
      break;
    }
    expect([gold.closed(), predictions.closed()]).toEqual([true, true]);
  });

  it('closes a file that is refused at its beginning', async () => {
    const workbook = counted(['PK\u0003\u0004'.padEnd(70_000), 'more']);
    await expect(Array.fromAsync(readCases({ cases: workbook.source }))).rejects.toThrow('Excel workbook');
    expect([workbook.read(), workbook.closed()]).toEqual([1, true]);
  });

  it('gives the same cases when the bytes come one at a time', async () => {
    const gold = Buffer.from(jsonl({ id: 'ø', text: 'Ann 🙂', spans: [ann] }));
    const predictions = gzipSync(jsonl({ id: 'ø', spans: [] }));
    const each = (bytes: Buffer): number[] => Array.from(bytes, (_, at) => at);
    const files = {
      gold: cutSource('g', gold, each(gold)),
      predictions: cutSource('p', predictions, each(predictions)),
    };
    expect(shown((await casesOf(files))[0]!.gold)).toEqual(['PER Ann 0..3']);
  });
});
