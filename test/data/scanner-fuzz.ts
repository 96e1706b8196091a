import { isUtf8 } from 'node:buffer';

import { expect } from 'vitest';

import type { Case } from '../../src/data/case.ts';
import { DEFAULT_DATA_OPTIONS } from '../../src/data/data-options.ts';
import { spans } from '../../src/data/formats/spans.ts';
import { noNotices } from '../../src/data/item-check.ts';
import { joinCase } from '../../src/data/join-case.ts';
import { Problems } from '../../src/data/problems.ts';
import { isRecord } from '../../src/data/record-fields.ts';
import { makeSpanCase } from '../../src/data/span-case.ts';
import { SpanScanner } from '../../src/data/span-scanner.ts';
import { MersenneTwister } from '../../src/stats/mersenne-twister.ts';
import { ContentHash } from '../../src/text/content-hash.ts';

const PIECES = ['a', 'Ann ', 'é', 'ß', '漢', '\n', '"', '\\', '\t', ' ', '/', 'Ã©', '€', '.', '🍵', '\u0001', 'ł', '0'];
const LABELS = ['PERSON', 'LOC', 'ORG', 'É', 'L'];
const ODD_VALUES = [null, -1, 1.5, 1e20, 'x', true, [], {}, '', 7];

/** Records of plain spans, most of them in order, some with every kind of fault; and what is no record at all. */
export function* fuzzedRecords(count: number, seed: number): Generator<Buffer> {
  const random = new MersenneTwister(seed);
  const below = (n: number): number => random.below(n);
  const pick = <T>(list: readonly T[]): T => list[below(list.length)]!;
  const chance = (oneIn: number): boolean => below(oneIn) === 0;
  const space = (): string => (chance(6) ? pick([' ', '  ', '\t', ' \t']) : '');
  const json = (value: unknown): string => {
    if (Array.isArray(value)) return `[${space()}${value.map(json).join(`${space()},${space()}`)}${space()}]`;
    if (isRecord(value)) {
      const members = Object.entries(value).map(([key, one]) => `"${key}"${space()}:${space()}${json(one)}`);
      if (chance(60)) members.push(...members.slice(0, 1));
      return `{${space()}${members.join(`${space()},${space()}`)}${space()}}`;
    }
    const plain = JSON.stringify(value);
    // The same text, written in another way.
    return typeof value === 'string' && chance(12)
      ? `"${Array.from(value, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`).join('')}"`
      : plain;
  };
  const shuffled = (record: Record<string, unknown>): Record<string, unknown> =>
    chance(4) ? Object.fromEntries(Object.entries(record).sort(() => below(3) - 1)) : record;
  for (let made = 0; made < count; made += 1) {
    const text = Array.from({ length: below(24) }, () => pick(PIECES.slice(0, chance(8) ? undefined : -5))).join('');
    const span = (): Record<string, unknown> => {
      const start = below(text.length + 1);
      const end = Math.min(text.length, start + 1 + below(6)) + (chance(40) ? 3 : 0);
      const own: Record<string, unknown> = { start, end, label: pick(LABELS), text: text.slice(start, end) };
      if (chance(5)) delete own['text'];
      else if (chance(60)) own['text'] = pick(['', null, 'other']);
      if (chance(80)) own[pick(['start', 'end', 'label', 'text'])] = pick(ODD_VALUES);
      if (chance(80)) own[pick(['score', '__proto__', 'text ', 'start'])] = pick(ODD_VALUES);
      return shuffled(own);
    };
    const list = (): unknown => (chance(60) ? pick(ODD_VALUES) : Array.from({ length: below(6) }, span));
    const record: Record<string, unknown> = { id: `doc-${made}`, text, gold: list(), predicted: list() };
    if (chance(40)) record[pick(['id', 'text', 'error', 'meta', 'spans'])] = pick(ODD_VALUES);
    const bytes = Buffer.from(json(shuffled(record)));
    if (!chance(4)) {
      yield bytes;
      continue;
    }
    // Bytes that are lost, added or changed.
    const at = below(bytes.length);
    const other = Buffer.from([
      pick([0x22, 0x5c, 0x7b, 0x7d, 0x5b, 0x5d, 0x2c, 0x3a, 0x30, 0x20, 0xc3, 0xf0, below(256)]),
    ]);
    yield Buffer.concat([bytes.subarray(0, at), ...(chance(3) ? [] : [other]), bytes.subarray(at + below(2))]);
  }
}

/** What the reader makes of a record by `JSON.parse`; null where it finds a fault. */
function parsedCase(bytes: Buffer): Case | null {
  let value: unknown;
  try {
    value = JSON.parse(bytes.toString('utf8'));
  } catch {
    return null;
  }
  const problems = new Problems();
  const names = { driver: 'f', gold: 'f', predictions: 'f' };
  const context = { file: 'f', role: 'cases', options: DEFAULT_DATA_OPTIONS, problems } as const;
  const row = isRecord(value) ? spans.read(value, 1, context) : null;
  if (row === null || !('id' in row)) return null;
  const made = joinCase(row, row, row, { names, options: DEFAULT_DATA_OPTIONS, problems, notices: noNotices() });
  return problems.count > 0 || row.gold === null || row.predicted === null ? null : made;
}

/** Every record that the scanner takes is what parsing makes of it; how many it took, and how many are right at all. */
export function compareScanner(records: Iterable<Buffer>): { readonly scanned: number; readonly right: number } {
  const scanner = new SpanScanner();
  const hash = new ContentHash();
  let [scanned, right] = [0, 0];
  for (const bytes of records) {
    if (!isUtf8(bytes)) continue;
    const expected = parsedCase(bytes);
    const found = scanner.scan(bytes);
    if (expected !== null) right += 1;
    if (found === null) continue;
    scanned += 1;
    const { id, text, fields, gold, predicted, failed, answered, setAside, offsets } = makeSpanCase(found, 1);
    const made = { id, text, fields, gold, predicted, failed, answered, setAside, offsets };
    if (JSON.stringify(made) !== JSON.stringify(expected)) expect(made, bytes.toString('utf8')).toEqual(expected);
    hash.reset(id, text);
    if (hash.state.a !== found.hash.a || hash.state.b !== found.hash.b) expect(found.hash).toEqual(hash.state);
  }
  return { scanned, right };
}
