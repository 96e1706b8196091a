import { describe, expect, it } from 'vitest';

import type { DataOptions, OffsetConvention } from '../../src/data/data-options.ts';
import { type OffsetUnit } from '../../src/text/offsets.ts';
import { caseOf, casesOf, jsonl, problems, readerOf, shown } from './reading.ts';

/** Emoji, a letter with a combining mark, Hindi with joined signs, a family of joined emoji, and right-to-left text. */
const TEXT = '😀 Ann, é́ हिन्दी 👨‍👩‍👧 שלום Bo 🇮🇳.';
const WORDS = ['Ann', 'हिन्दी', '👨‍👩‍👧', 'שלום', 'Bo', '🇮🇳'];

const LENGTHS: Readonly<Record<OffsetUnit, (text: string) => number>> = {
  utf16: (text) => text.length,
  codepoint: (text) => [...text].length,
  byte: (text) => Buffer.byteLength(text),
};

/** Spans of the words as a file that counts this way has them. */
function spansIn({ unit, inclusive = false, oneBased = false }: OffsetConvention, withText = true): object[] {
  const count = LENGTHS[unit];
  return WORDS.map((text) => {
    const start = count(TEXT.slice(0, TEXT.indexOf(text))) + (oneBased ? 1 : 0);
    return { start, end: start + count(text) - (inclusive ? 1 : 0), label: 'X', ...(withText ? { text } : {}) };
  });
}

const record = (spans: readonly object[], text = TEXT): string => jsonl({ id: 'd1', text, spans });
const EXPECTED = WORDS.map((text) => {
  const start = TEXT.indexOf(text);
  return `X ${text} ${start}..${start + text.length}`;
});

const WAYS = (['utf16', 'codepoint', 'byte'] as const).flatMap((unit) =>
  [false, true].flatMap((inclusive) => [false, true].map((oneBased) => ({ unit, inclusive, oneBased }))),
);

describe('a way of counting', () => {
  it.each(WAYS)('%j of one side is read as declared, with and without texts', async (way) => {
    for (const withText of [true, false])
      for (const side of ['gold', 'predicted'] as const) {
        const own = record(spansIn(way, withText));
        const other = record(spansIn({ unit: 'codepoint' }));
        const files = side === 'gold' ? { gold: own, predictions: other } : { gold: other, predictions: own };
        const read = await caseOf(files, { conventions: { [side]: way } });
        expect([shown(read.gold), shown(read.predicted)]).toEqual([EXPECTED, EXPECTED]);
      }
  });

  it('may be another one for each side', async () => {
    const [gold, predicted] = [{ unit: 'byte', oneBased: true } as const, { unit: 'utf16', inclusive: true } as const];
    const files = { gold: record(spansIn(gold)), predictions: record(spansIn(predicted)) };
    const read = await caseOf(files, { conventions: { gold, predicted } });
    expect([shown(read.gold), shown(read.predicted)]).toEqual([EXPECTED, EXPECTED]);
  });

  it('counts for both sides of one file too', async () => {
    const way = { unit: 'utf16', inclusive: true } as const;
    const cases = jsonl({ id: 'd1', text: TEXT, gold: spansIn(way), predicted: spansIn(way) });
    const read = await caseOf({ cases }, { conventions: { gold: way, predicted: way } });
    expect([shown(read.gold), shown(read.predicted)]).toEqual([EXPECTED, EXPECTED]);
  });

  it.each<[OffsetConvention, number, number]>([
    [{ unit: 'codepoint', oneBased: true }, 4, 8],
    [{ unit: 'codepoint', inclusive: true }, 3, 6],
    [{ unit: 'utf16', inclusive: true, oneBased: true }, 4, 7],
    [{ unit: 'byte' }, 4, 8],
  ])('%j counts in records of plain spans too, which give no texts', async (way, start, end) => {
    const spans = [{ start, end, label: 'X' }];
    const cases = jsonl({ id: 'd1', text: 'På Anna met Bert.', gold: spans, predicted: spans });
    const read = await caseOf({ cases }, { offsets: way.unit, conventions: { gold: way, predicted: way } });
    expect([shown(read.gold), shown(read.predicted)]).toEqual([['X Anna 3..7'], ['X Anna 3..7']]);
  });

  it('does not touch quotes, which have no place yet', async () => {
    const gold = record(WORDS.map((text) => ({ text, label: 'X' })));
    const way = { unit: 'utf16', inclusive: true, oneBased: true } as const;
    const read = await caseOf({ gold, predictions: record([]) }, { conventions: { gold: way } });
    expect(shown(read.gold)).toEqual(EXPECTED);
  });

  it('that is inclusive has spans of one character, and none before the first', async () => {
    const inclusive = { conventions: { gold: { unit: 'codepoint', inclusive: true } } } as const;
    const one = { gold: record([{ start: 2, end: 2, label: 'X' }]), predictions: record([]) };
    expect(shown((await caseOf(one, inclusive)).gold)).toEqual(['X A 3..4']);
    const oneBased = { conventions: { gold: { unit: 'codepoint', oneBased: true } } } as const;
    const zero = { gold: record([{ start: 0, end: 2, label: 'X' }]), predictions: record([]) };
    expect((await problems(zero, oneBased))[0]).toContain('d1 gold item 0: the span -1..1 is negative');
  });
});

describe('spans that do not fit', () => {
  /** The first n words, all counted in one wrong way. */
  async function faults(way: OffsetConvention, count: number, options: Partial<DataOptions> = {}): Promise<string[]> {
    return problems({ gold: record(spansIn(way).slice(0, count)), predictions: record([]) }, options);
  }
  const DIAGNOSIS = /^gold\.jsonl: (\d+ of \d+) gold spans that do not fit would fit if (.*) \(--offsets gold=(.*)\)$/;

  it.each<[way: OffsetConvention, why: string, flag: string]>([
    [{ unit: 'utf16' }, 'offsets were UTF-16 units', 'utf16'],
    [{ unit: 'byte' }, 'offsets were UTF-8 bytes', 'byte'],
    [
      { unit: 'codepoint', inclusive: true },
      'the end were the last character instead of the one after it',
      'codepoint+inclusive',
    ],
    [{ unit: 'codepoint', oneBased: true }, 'offsets were counted from 1', 'codepoint+one-based'],
    [
      { unit: 'codepoint', inclusive: true, oneBased: true },
      'offsets were counted from 1 and the end were the last character',
      'codepoint+inclusive+one-based',
    ],
  ])('since they count as %j get that named from 5 on', async (way, why, flag) => {
    const found = (await faults(way, 5)).flatMap((line) => DIAGNOSIS.exec(line)?.slice(1) ?? []);
    expect(found).toEqual(['5 of 5', why, flag]);
    expect((await faults(way, 4)).filter((line) => DIAGNOSIS.test(line))).toEqual([]);
  });

  it('for different reasons get none named', async () => {
    const [a, b] = [spansIn({ unit: 'codepoint', oneBased: true }), spansIn({ unit: 'codepoint', inclusive: true })];
    const spans = [...a.slice(0, 3), ...b.slice(3)];
    const found = await problems({ gold: record(spans), predictions: record([]) });
    expect(found.filter((line) => line.includes('would fit if'))).toEqual([]);
  });

  it('are moved to their text by align, and what has no such text stays a fault', async () => {
    const wrong = spansIn({ unit: 'codepoint', oneBased: true });
    const files = { gold: record(wrong), predictions: record([]) };
    const reader = readerOf(files, { badSpan: 'align' });
    const [read] = await Array.fromAsync(reader);
    expect(shown(read!.gold)).toEqual(EXPECTED);
    expect(reader.notices).toMatchObject({ spansMoved: WORDS.length });
    const nowhere = { gold: record([{ start: 0, end: 3, label: 'X', text: 'Eve' }]), predictions: record([]) };
    expect((await problems(nowhere, { badSpan: 'align' }))[0]).toContain('is "Eve", but the document has');
  });

  it('are moved to the closest of several places, which is marked', async () => {
    const text = 'Bo saw Bo and Bo.';
    const gold = record([{ start: 8, end: 10, label: 'X', text: 'Bo' }], text);
    const reader = readerOf({ gold, predictions: record([], text) }, { badSpan: 'align' });
    const [read] = await Array.fromAsync(reader);
    expect(shown(read!.gold)).toEqual(['X Bo 7..9']);
    expect(read!.gold[0]!.aligned).toEqual({ status: 'exact', ambiguous: true, similarity: 1 });
  });

  it('in a text without special characters are not blamed on the unit', async () => {
    const off = [{ start: 1, end: 4, label: 'X', text: 'Ann' }];
    const plain = 'Ann met Bo.';
    const [message] = await problems({ gold: record(off, plain), predictions: record([], plain) });
    expect(message).toContain('the closest place with their text: --set data.badSpan=align');
    const [other] = await problems({ gold: record(off), predictions: record([]) });
    expect(other).toContain('offsets are read as codepoint');
  });
});

describe('texts', () => {
  it('keep a character that is several, and a lone half of one, as they are', async () => {
    const text = 'e\u0301 \u202eabc\u202c \u{1f468}\u200d\u{1f469} \ud83d end';
    const gold = jsonl({ id: 'd1', text, spans: [{ start: 0, end: 2, label: 'X' }] });
    const read = await casesOf({ gold, predictions: jsonl({ id: 'd1', spans: [] }) });
    expect(read[0]!.text).toBe(text);
    expect(shown(read[0]!.gold)).toEqual(['X e\u0301 0..2']);
  });

  it('that differ in their Unicode form only are different texts', async () => {
    const [composed, parted] = ['é', 'e\u0301'].map((e) => jsonl({ id: 'd1', text: `caf${e}`, spans: [] }));
    expect((await problems({ gold: composed!, predictions: parted! }))[0]).toContain(
      'differs from the one in gold.jsonl',
    );
  });
});
