import { readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import type { Case } from '../../src/data/case.ts';
import type { DataOptions } from '../../src/data/data-options.ts';
import { FORMATS } from '../../src/data/formats.ts';
import { InputError, UsageError } from '../../src/data/problems.ts';
import { runs } from '../text/arbitraries.ts';
import { cutSource, type Files, jsonl, readerOf } from './reading.ts';

type Contents = Readonly<Partial<Record<keyof Files, Buffer>>>;

const example = (path: string): Buffer => readFileSync(new URL(`../../examples/${path}`, import.meta.url));
const ann = { start: 0, end: 3, label: 'PER', text: 'Ann' };
const text = 'Ann 🙂 met Bø.';
const gold = jsonl({ id: 'a', text, spans: [ann] }, { id: 'b', text: 'x', spans: [] }, { id: 'c', text, spans: [] });
const predictions = jsonl({ id: 'c', error: 'timeout' }, { id: 'a', spans: [{ ...ann, score: 0.5 }] });
const table = Buffer.from('id,start,end,label,text\r\na,0,3,PER,"An\nn"\r\nb,,,,\r\n');
const tokens = Buffer.from('# id = a\nAnn B-PER\n🙂 I-PER\n\n# id = b\nx O\n');

/** Files that belong together and read without a problem. */
const VALID: readonly Contents[] = [
  { gold: Buffer.from(gold), predictions: Buffer.from(predictions) },
  { gold: Buffer.from(`[${gold.trim().replaceAll('\n', ',\n')}]`), predictions: gzipSync(predictions) },
  { cases: Buffer.from(gold), gold: Buffer.from(gold), predictions: Buffer.from(predictions) },
  { cases: Buffer.from(jsonl({ doc_id: 'a', text, annotations: [], x_detected_pii: [ann] })) },
  { gold: table, predictions: table },
  { gold: tokens, predictions: tokens },
  {
    cases: example('journal/journals.jsonl'),
    gold: example('journal/gold.jsonl'),
    predictions: example('journal/predictions.jsonl'),
  },
  { gold: example('graph/items.jsonl'), predictions: example('graph/outputs.jsonl') },
];

const awkward = fc.constantFrom(
  ...'" \\ , ; [ ] { } : - # 🙂 é null NaN -1 1e999 "" [] {} "__proto__":1, \\u0000 B- "id": "start": "text":'.split(
    ' ',
  ),
  ...'\n|\r\n|\r|\t|\u0000|\ufeff|\u2028|\u001b[2J'.split('|'),
);
const junk = fc.oneof(
  awkward.map((part) => Buffer.from(part)),
  fc.uint8Array({ minLength: 1, maxLength: 4 }).map((bytes) => Buffer.from(bytes)),
);
/** Bytes cut out, put in, or put in the place of others. */
const change = fc.record({ at: fc.nat(9000), drop: fc.nat(12), put: fc.option(junk, { nil: Buffer.alloc(0) }) });
type Change = typeof change extends fc.Arbitrary<infer T> ? T : never;

function changed(bytes: Buffer, changes: readonly Change[], cut: number | null): Buffer {
  let out = bytes;
  for (const { at, drop, put } of changes) {
    const place = at % (out.length + 1);
    out = Buffer.concat([out.subarray(0, place), put, out.subarray(place + drop)]);
  }
  return cut === null ? out : out.subarray(0, cut % (out.length + 1));
}

const damage = fc.record({
  changes: fc.array(change, { maxLength: 3 }),
  cut: fc.option(fc.nat(9000), { freq: 1, nil: null }),
});
const damaged = fc
  .tuple(
    fc.constantFrom(...VALID),
    fc.option(damage, { freq: 1 }),
    fc.option(damage, { freq: 1 }),
    fc.option(damage, { freq: 1 }),
  )
  .map(([files, ...damages]): Contents => {
    const entries = Object.entries(files).map(([role, bytes], at) => {
      const own = damages[at] ?? { changes: [], cut: null };
      return [role, changed(bytes, own.changes, own.cut)] as const;
    });
    return Object.fromEntries(entries);
  });
const anyBytes = fc.oneof(
  fc.uint8Array({ maxLength: 60 }).map((bytes) => Buffer.from(bytes)),
  fc.array(junk, { maxLength: 20 }).map((parts) => Buffer.concat(parts)),
);
const contents: fc.Arbitrary<Contents> = fc.oneof(
  { weight: 5, arbitrary: damaged },
  { weight: 1, arbitrary: fc.record({ cases: anyBytes, gold: anyBytes, predictions: anyBytes }, { requiredKeys: [] }) },
);

const policy = fc.constantFrom('error' as const, 'keep' as const);
const sides = fc.record({ gold: policy, predicted: policy });
const options = fc.record<Partial<DataOptions>>(
  {
    format: fc.constantFrom('auto', 'auto', 'auto', 'auto', ...FORMATS.map(({ name }) => name)),
    offsets: fc.constantFrom('utf16', 'codepoint', 'byte'),
    columns: fc.constantFrom({}, {}, {}, { id: 'document', start: 'from', end: 'to', label: 'category' }),
    unknownCase: fc.constantFrom('error', 'spurious'),
    missingGold: fc.constantFrom('error', 'empty', 'leave-out'),
    missingPrediction: fc.constantFrom('empty', 'error', 'failed'),
    badSpan: fc.constantFrom('error', 'spurious'),
    mojibake: fc.constantFrom('report', 'repair'),
    labels: fc.constantFrom([], ['PER', 'X']),
    unknownLabel: sides,
    values: fc.constantFrom({}, { polarity: ['present'], constructor: ['x'] }),
    unknownValue: sides,
    strayInside: fc.constantFrom('begin', 'error'),
    maxRecordMiB: fc.constantFrom(64, 64, 0.0005),
  },
  { requiredKeys: [] },
);
const name = fc.constantFrom('f', 'f', 'f', 'f.jsonl', 'f.json', 'f.csv', 'f.bio', 'f.jsonl.gz');
const input = fc.record({ contents, name, options });
type Input = typeof input extends fc.Arbitrary<infer T> ? T : never;

interface Outcome {
  readonly cases: readonly Case[];
  /** What was complained of; anything else thrown fails the test. */
  readonly message: string | null;
}

async function outcome(given: Input, places: readonly number[] = []): Promise<Outcome> {
  const files = Object.fromEntries(
    Object.entries(given.contents).map(([role, bytes]) => [role, cutSource(`${role}/${given.name}`, bytes, places)]),
  ) satisfies Files;
  try {
    return { cases: await Array.fromAsync(readerOf(files, given.options)), message: null };
  } catch (error) {
    if (error instanceof InputError || error instanceof UsageError) return { cases: [], message: error.message };
    throw error;
  }
}

/** Spans that are not where they say. */
function misplaced(cases: readonly Case[]): unknown[] {
  return cases.flatMap((given) =>
    [...given.gold, ...given.predicted].filter(
      (item) =>
        item.kind === 'span' &&
        given.text !== null &&
        item.start >= 0 &&
        given.text.slice(item.start, item.end) !== item.text,
    ),
  );
}

describe('any bytes', () => {
  it('are read or refused with a message, never with a crash', async () => {
    let valid = 0;
    await fc.assert(
      fc.asyncProperty(input, async (given) => {
        const { cases, message } = await outcome(given);
        if (message === null) valid += 1;
        expect(message ?? '').not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f]|\bundefined\b|\[object /);
        expect(misplaced(cases)).toEqual([]);
      }),
      runs,
    );
    // The property would say little if hardly any input were valid.
    expect(valid).toBeGreaterThan(100);
  });

  it('come out the same wherever they are cut', async () => {
    await fc.assert(
      fc.asyncProperty(input, fc.array(fc.nat(9000), { maxLength: 12 }), async (given, places) => {
        const { message, cases } = await outcome(given, places);
        const uncut = await outcome(given);
        expect(message).toBe(uncut.message);
        // The maps of offsets are functions, which are never equal.
        expect(JSON.stringify(cases)).toBe(JSON.stringify(uncut.cases));
      }),
      runs,
    );
  });
});
