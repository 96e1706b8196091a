import { symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import type { Source } from '../../../src/data/source.ts';
import { DEFAULT_LIMITS, recordBatches } from '../../../src/stream/validate/record-file.ts';
import type { FileFinding } from '../../../src/stream/validate/findings.ts';
import { HeldTrace, TraceKeeper } from '../../../src/stream/validate/held-trace.ts';
import { validateFiles } from '../../../src/stream/validate/validate.ts';
import { CASE_LIST, linesOf, madeUpLog, madeUpManifest, madeUpTrace, validate, writeFiles } from './made-up-files.ts';

const MIB = 2 ** 20;

describe('a file that is meant to do harm, or was damaged on the way', () => {
  it.each([
    ['a line that is no JSON', (lines: string[]) => void (lines[3] = 'oops'), 'a.jsonl:4 readable'],
    ['a line that is cut off', (lines: string[]) => void (lines[3] = lines[3]!.slice(0, 40)), 'a.jsonl:4 readable'],
    ['a line that is a list', (lines: string[]) => void (lines[3] = '[]'), 'a.jsonl:4 schema'],
    ['a line that is null', (lines: string[]) => void (lines[3] = 'null'), 'a.jsonl:4 schema'],
    ['a line nested a million deep', (lines: string[]) => void (lines[3] = '['.repeat(1e6)), 'a.jsonl:4 readable'],
    [
      'a record with a field nested a hundred thousand deep',
      (lines: string[]) =>
        void (lines[3] = `{"record_type":"stream_delta","seq":${'['.repeat(1e5)}${']'.repeat(1e5)}}`),
      'a.jsonl:4 schema',
    ],
    [
      'a number without end',
      (lines: string[]) => void (lines[3] = lines[3]!.replace('"seq":2', '"seq":1e999')),
      'a.jsonl:4 schema',
    ],
  ])('%s is told, and what follows is read', async (_, damage, expected) => {
    const lines = linesOf(madeUpTrace()).trimEnd().split('\n');
    damage(lines);
    const { places } = await validate({ 'a.jsonl': `${lines.join('\n')}\n` });
    expect([...new Set(places)]).toEqual([expected]);
  });

  it('extra fields, doubled keys and __proto__ do no harm', async () => {
    const text = linesOf(madeUpTrace())
      .replace('"seq":2,', '"seq":900,"seq":2,"__proto__":{"seq":-1},"constructor":1,')
      .replaceAll('\n', '\r\n');
    expect((await validate({ 'a.jsonl': `\ufeff${text}\r\n` })).places).toEqual([]);
  });

  it('line separators of Unicode do not end a record', async () => {
    const records = madeUpTrace();
    records[3]!['delta_text'] = '\u2028\u0085';
    const { places } = await validate({ 'a.jsonl': records });
    expect(places).toEqual(['a.jsonl:6 content-hash']);
  });

  it('bytes that are not UTF-8 are told with their line', async () => {
    const bytes = Buffer.from(linesOf(madeUpTrace()));
    bytes[bytes.indexOf('began')] = 0xff;
    expect((await validate({ 'a.jsonl': bytes })).places).toEqual(['a.jsonl:4 readable']);
  });

  it('control characters are shown, not sent', async () => {
    const records = madeUpTrace();
    records[3]!['agent_id'] = '\u001b[2J\u202e';
    const { found } = await validate({ 'a.jsonl': records });
    expect(found[0]?.message).toBe('agent_id: found "\\u001b[2J\\u202e", expected "alice" as at the start of turn 1');
  });

  it.each([
    ['packed data that is cut off', 'a.jsonl.gz', gzipSync(linesOf(madeUpTrace())).subarray(0, 200), 'cut off'],
    ['packed data that was changed', 'a.jsonl.gz', changed(gzipSync(linesOf(madeUpTrace()))), 'damaged'],
    [
      'what is called .gz and is none',
      'a.jsonl.gz',
      Buffer.from([0xff, 0x00, 0x01, 0x02]),
      'does not begin as gzip data does',
    ],
    ['UTF-16', 'a.jsonl', Buffer.from('\ufeff{}', 'utf16le'), 'UTF-16'],
    ['an empty file', 'a.jsonl', Buffer.alloc(0), 'found no record'],
    ['blank lines', 'a.jsonl', Buffer.from('\n\n \n'), 'found no record'],
    ['text', 'a.jsonl', Buffer.from('hello\n'), 'not JSON'],
  ])('%s is a problem although it stands in a folder', async (_, name, bytes, message) => {
    const { found } = await validate({ [name]: bytes });
    expect(found).toHaveLength(1);
    expect(found[0]?.message).toContain(message);
  });

  it('what is cut off in the middle is told once, with no guess at what is missing', async () => {
    const text = linesOf(Array.from({ length: 4000 }, (_, at) => ({ ...madeUpTrace()[3]!, seq: at, x: Math.sin(at) })));
    const meta = linesOf(madeUpTrace().slice(0, 2));
    const bytes = gzipSync(meta + text);
    const { places } = await validate({ 'a.jsonl.gz': bytes.subarray(0, bytes.length - 5000) });
    expect(places.filter((place) => place === 'a.jsonl.gz readable')).toHaveLength(1);
    expect(places.filter((place) => /count|hash|never/.test(place))).toEqual([]);
  });

  it.each([
    ['more than the limit', { unpackedBytes: MIB }, 2, 'longer than 1 MiB'],
    ['many times its size', {}, 65, 'more than 250 times its size'],
  ])('what unpacks to %s is refused', async (_, limits, size, message) => {
    const bomb = gzipSync(Buffer.concat([Buffer.from(linesOf(madeUpTrace())), Buffer.alloc(size * MIB, ' ')]));
    const { found } = await validate({ 'a.jsonl.gz': bomb }, { limits: { ...DEFAULT_LIMITS, ...limits } });
    expect(found).toHaveLength(1);
    expect(found[0]?.message).toContain(message);
  });

  it('a line of 200 MiB is told and not held', async () => {
    const filler = Buffer.alloc(MIB, 'x');
    let most = 0;
    const base = process.memoryUsage().arrayBuffers;
    const endless: Source = {
      name: 'a',
      path: null,
      async *open() {
        yield Buffer.from('{"a":1}\n{"b":"');
        for (let sent = 0; sent < 200; sent += 1) {
          yield filler;
          most = Math.max(most, process.memoryUsage().arrayBuffers - base);
        }
        yield Buffer.from('"}\n{"c":1}\n');
      },
    };
    const batches = recordBatches(endless, { ...DEFAULT_LIMITS, recordBytes: 8 * MIB });
    expect((await Array.fromAsync(batches)).flat()).toEqual([
      { line: 1, value: { a: 1 } },
      { line: 2, fault: 'the record is longer than 8 MiB' },
      { line: 3, value: { c: 1 } },
    ]);
    // What is done with is freed when the collector comes to it; all of it would be 200.
    expect(most / MIB).toBeLessThan(150);
  });

  it('links that lead round in circles are not followed, and one that leads nowhere is nothing', async () => {
    const folder = writeFiles({ 'traces/a.jsonl': madeUpTrace() });
    symlinkSync(folder, join(folder, 'traces/up'));
    symlinkSync(join(folder, 'gone'), join(folder, 'b.jsonl'));
    symlinkSync(join(folder, 'traces/a.jsonl'), join(folder, 'c.jsonl'));
    const found: FileFinding[] = [];
    const { files } = await validateFiles({ paths: [folder], report: (finding) => void found.push(finding) });
    expect(found).toEqual([]);
    expect(files.trace).toBe(1);
  });

  it('a log that asks for the whole trace again and again is not followed to the end', () => {
    const [meta, ...rest] = madeUpTrace();
    const keeper = new TraceKeeper(1e9);
    const held = (): HeldTrace => new HeldTrace(keeper.trace('a', '')!);
    const many = Array.from({ length: 2000 }, (_, at) => ({
      ...rest[1]!,
      seq: at + 10,
      agent_id: at === 0 ? 'alice' : 'bob',
    }));
    for (const record of [meta!, ...many]) keeper.keep(record as Parameters<TraceKeeper['keep']>[0]);
    const trace = held();
    trace.beginLog();
    let answered = 0;
    for (let asked = 0; asked < 1000; asked += 1) answered += trace.flushTexts(10, 2009).length;
    // A million looks and fifty passes over 2,000 deltas: 1,100,000 / 2,000.
    expect(answered).toBe(550);
  });

  it('a trace that is too large to hold is checked, and its logs are not compared with it', () => {
    const keeper = new TraceKeeper(1000);
    for (const record of madeUpTrace()) keeper.keep(record as Parameters<TraceKeeper['keep']>[0]);
    expect([keeper.tooLarge, keeper.trace('a', '')]).toEqual([true, null]);
  });
});

describe('any damage', () => {
  it('is told or does not matter: nothing breaks the checks themselves', async () => {
    const texts = [madeUpTrace(), madeUpLog(), madeUpManifest()].map((records) => Buffer.from(linesOf(records)));
    const damage = fc.record({
      file: fc.nat(texts.length - 1),
      at: fc.nat(10_000),
      length: fc.nat(20),
      by: fc.uint8Array({ maxLength: 20 }),
    });
    const folder = writeFiles({ 'case-2.trace.jsonl': madeUpTrace('case-2'), 'list.jsonl': CASE_LIST });
    await fc.assert(
      fc.asyncProperty(fc.array(damage, { minLength: 1, maxLength: 3 }), async (damages) => {
        const files = [...texts];
        for (const { file, at, length, by } of damages) {
          const bytes = files[file]!;
          const from = at % bytes.length;
          files[file] = Buffer.concat([bytes.subarray(0, from), by, bytes.subarray(from + length)]);
        }
        for (const [at, bytes] of files.entries()) writeFileSync(join(folder, `file-${at}.jsonl`), bytes);
        const found: FileFinding[] = [];
        const { problems } = await validateFiles({ paths: [folder], report: (finding) => void found.push(finding) });
        expect(problems).toBe(found.length);
      }),
      { numRuns: 40, seed: 42 },
    );
  });
});

describe('what is told', () => {
  it('is in the order of the records, those that cannot be read among them', async () => {
    const lines = linesOf(madeUpLog()).trimEnd().split('\n');
    lines[2] = 'oops';
    lines[11] = lines[11]!.replace('"summary_ctu":18', '"summary_ctu":17');
    lines[13] = '{';
    const { places } = await validate({ 'log.jsonl': lines.join('\n') });
    expect(places).toEqual(['log.jsonl:3 readable', 'log.jsonl:12 ctu', 'log.jsonl:14 readable']);
  });
});

function changed(bytes: Buffer): Buffer {
  const copy = Buffer.from(bytes);
  copy[copy.length - 6]! ^= 0xff;
  return copy;
}
