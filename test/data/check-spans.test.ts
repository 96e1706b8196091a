import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';

import type { DataOptions } from '../../src/data/data-options.ts';
import { runs, validText } from '../text/arbitraries.ts';
import { caseOf, jsonl, problems, readerOf, shown } from './reading.ts';

interface GivenSpan {
  readonly start: unknown;
  readonly end: unknown;
  readonly text?: string;
}

/** The files for one text with spans on one side. */
function files(text: string | undefined, side: 'gold' | 'predicted', ...spans: readonly GivenSpan[]) {
  const labelled = spans.map((span) => ({ ...span, label: 'X' }));
  return {
    gold: jsonl({ id: 'd1', text, spans: side === 'gold' ? labelled : [] }),
    predictions: jsonl({ id: 'd1', spans: side === 'predicted' ? labelled : [] }),
  };
}

async function gold(text: string, options: Partial<DataOptions>, ...spans: readonly GivenSpan[]): Promise<string[]> {
  return shown((await caseOf(files(text, 'gold', ...spans), options)).gold);
}

async function goldProblem(text: string, span: GivenSpan, options: Partial<DataOptions> = {}): Promise<string> {
  return (await problems(files(text, 'gold', span), options)).join('\n');
}

describe('a span whose text composes letters in another way than the document', () => {
  const composed = 'In Kraków today';
  const apart = composed.normalize('NFD');
  it.each([
    [
      'apart in the document, composed in the span',
      apart,
      { start: 3, end: 10, text: 'Kraków' },
      'X Krako\u0301w 3..10',
    ],
    ['the reverse', composed, { start: 3, end: 9, text: 'Krako\u0301w' }, 'X Kraków 3..9'],
    ['Hangul', '서울'.normalize('NFD'), { start: 0, end: 5, text: '서울' }, `X ${'서울'.normalize('NFD')} 0..5`],
  ])('is at its place, with the document’s characters: %s', async (_, text, span, expected) => {
    expect(await gold(text, {}, span)).toEqual([expected]);
  });

  it('in pieces, too', async () => {
    const text = 'In Krakó todáy'.normalize('NFD');
    const piece = {
      start: 0,
      end: 16,
      label: 'X',
      text: 'In todáy',
      fragments: [
        [0, 2],
        [10, 16],
      ],
    };
    const only = await caseOf({
      gold: jsonl({ id: 'd1', text, spans: [piece] }),
      predictions: jsonl({ id: 'd1', spans: [] }),
    });
    expect(only.gold[0]!.text).toBe('In toda\u0301y');
  });

  it('moves to the closest place that has its words', async () => {
    const moved = await caseOf(files(apart, 'predicted', { start: 0, end: 6, text: 'Kraków' }), { badSpan: 'align' });
    expect(shown(moved.predicted)).toEqual(['X Krako\u0301w 3..10']);
  });

  it('has offsets in the document as it is: offsets counted in the other form do not fit, with the reason', async () => {
    const spans = Array.from({ length: 5 }, () => ({ start: 10, end: 15, text: 'today' }));
    expect((await problems(files(apart, 'gold', ...spans))).at(-1)).toContain(
      '5 of 5 gold spans that do not fit would fit if letters and accents counted as one character (NFC)',
    );
    const reverse = spans.map((span) => ({ ...span, start: 7, end: 12 }));
    expect((await problems(files('Żółw today.', 'gold', ...reverse))).at(-1)).toContain('counted apart (NFD)');
  });
});

describe('a span whose text looks like the document’s', () => {
  it.each([
    ['An\u200bna', 'Anna', 'U+200B (zero width space)'],
    ['Anna', '\ufeffAnna', 'U+FEFF (zero width no-break space or byte order mark)'],
    ['An\u00adna', 'Anna', 'U+00AD (soft hyphen)'],
    ['An\u2060na', 'Anna', 'U+2060 (word joiner)'],
    ['An\u200c\u200dna', 'Anna', 'U+200C (zero width non-joiner), U+200D (zero width joiner)'],
    ['\u200fAnna\u202c', 'Anna', 'U+200F (right-to-left mark), U+202C (pop directional formatting)'],
    ['A\u200bnna', 'An\u200bna', 'U+200B (zero width space)'],
    ['Jo\u200bse\u0301', 'José', 'U+200B (zero width space)'],
    ['An\u{e0020}na', 'Anna', 'U+E0020'],
  ])('%j and %j: the invisible characters that differ are named', async (text, words, named) => {
    const message = await goldProblem(text, { start: 0, end: Array.from(text).length, text: words });
    expect(message).toContain(
      ` there. They differ only in ${named} (write the text of the span as the document has it`,
    );
  });

  it('but has other letters, or another case, is no such text', async () => {
    expect(await goldProblem('An\u200bna', { start: 0, end: 5, text: 'anna' })).not.toContain('differ only');
  });
});

test('texts of two files that look the same are told apart', async () => {
  const told = (a: string, b: string) =>
    problems({ gold: jsonl({ id: 'd1', text: a, spans: [] }), predictions: jsonl({ id: 'd1', text: b, spans: [] }) });
  expect((await told('Kraków', 'Krako\u0301w'))[0]).toContain(
    'there. They differ only in how letters and accents are composed (Unicode NFC and NFD)',
  );
  expect((await told('Anna', 'Ann\u200da'))[0]).toContain('there. They differ only in U+200D (zero width joiner)');
});

describe('a span', () => {
  it('without its text takes the slice', async () => {
    expect(await gold('Ann met Bo.', {}, { start: 0, end: 3 }, { start: 8, end: 10 })).toEqual([
      'X Ann 0..3',
      'X Bo 8..10',
    ]);
  });

  it('may overlap others, lie inside them, or be there twice', async () => {
    const spans = [
      { start: 0, end: 7 },
      { start: 4, end: 10 },
      { start: 0, end: 3 },
      { start: 0, end: 3 },
    ];
    expect(await gold('Ann met Bo.', {}, ...spans)).toEqual([
      'X Ann met 0..7',
      'X met Bo 4..10',
      'X Ann 0..3',
      'X Ann 0..3',
    ]);
  });

  it('may reach exactly to the end', async () => {
    expect(await gold('Bo', {}, { start: 0, end: 2, text: 'Bo' })).toEqual(['X Bo 0..2']);
  });

  it.each([
    [{ start: 8, end: 12 }, 'the span 8..12 is past the end of the text (11 characters)'],
    [{ start: 0, end: 9_007_199_254_740_991 }, 'the span 0..9007199254740991 is past the end of the text'],
    [{ start: -1, end: 3 }, 'the span -1..3 is negative'],
    [{ start: 3, end: -1 }, 'the span 3..-1 is negative'],
    [{ start: 3, end: 1 }, 'the span 3..1 is reversed'],
    [{ start: 3, end: 3 }, 'the span 3..3 is empty'],
    [{ start: 0, end: 3, text: 'Bo' }, 'the text of the span 0..3 is "Bo", but the document has "Ann" there'],
    [{ start: 0, end: 3, text: '' }, 'the text of the span 0..3 is "", but the document has "Ann" there'],
    [{ start: 0, end: 3, text: '\u0000' }, 'the text of the span 0..3 is "\\u0000", but the document has "Ann" there'],
  ])('%j is refused in gold', async (span, message) => {
    expect(await goldProblem('Ann met Bo.', span)).toContain(`gold.jsonl:1: d1 gold item 0: ${message}`);
  });

  it.each([
    [{ start: 0.5, end: 3 }, 'spans[0].start: expected a whole number below 2^53, found 0.5'],
    [{ start: 1e300, end: 1e300 }, 'spans[0].start: expected a whole number below 2^53, found 1e+300'],
    [{ start: 0, end: 1e300 }, 'spans[0].end: expected a whole number below 2^53, found 1e+300'],
    [{ start: '0', end: 3 }, 'spans[0].start: expected a whole number below 2^53, found "0"'],
    [{ start: 0, end: null }, 'spans[0].end: expected a whole number below 2^53, found null'],
    [{ start: true, end: 3 }, 'spans[0].start: expected a whole number below 2^53, found true'],
    [{ start: [0], end: 3 }, 'spans[0].start: expected a whole number below 2^53, found a list of 1'],
  ])('%j has no offsets', async (span, message) => {
    expect(await goldProblem('Ann met Bo.', span)).toBe(`gold.jsonl:1: ${message}`);
  });

  it('with an offset too large for JavaScript is refused, not read as something else', async () => {
    const given = {
      gold: '{"id":"d1","text":"Ann","spans":[{"start":0,"end":1e400,"label":"X"}]}',
      predictions: '{"id":"d1","spans":[]}',
    };
    expect(await problems(given)).toEqual([
      'gold.jsonl:1: spans[0].end: expected a whole number below 2^53, found Infinity',
    ]);
  });

  it('is reported with the others, each with its number', async () => {
    const given = files('Ann met Bo.', 'gold', { start: 9, end: 99 }, { start: 0, end: 3 }, { start: 5, end: 4 });
    expect((await problems(given)).map((line) => line.split(':')[2])).toEqual([' d1 gold item 0', ' d1 gold item 2']);
  });
});

describe('a bad predicted span', () => {
  const given = files(
    'Ann met Bo.',
    'predicted',
    { start: 8, end: 99 },
    { start: 0, end: 3, text: 'Bo' },
    { start: 0, end: 3 },
  );

  it('is an error that says how to go on', async () => {
    const [first] = await problems(given);
    expect(first).toMatch(/^predictions\.jsonl:1: d1 predicted item 0: .*--set data\.badSpan=spurious\)$/);
  });

  it('counts as spurious when the recipe says so: without a place, with the reason', async () => {
    const reader = readerOf(given, { badSpan: 'spurious' });
    const [only] = await Array.fromAsync(reader);
    expect(shown(only!.predicted)).toEqual(['X  -1..-1', 'X Bo -1..-1', 'X Ann 0..3']);
    expect(only!.predicted[0]!.refused).toEqual({
      start: 8,
      end: 99,
      because: 'the span 8..99 is past the end of the text (11 characters)',
    });
    expect(only!.predicted[0]!.fields).toEqual({});
    expect(only!.predicted[2]!.fields).toEqual({});
    expect(reader.notices.badSpansAsSpurious).toBe(2);
  });

  it('of gold is an error all the same', async () => {
    expect(await problems(files('Ann', 'gold', { start: 1, end: 9 }), { badSpan: 'spurious' })).toHaveLength(1);
  });

  it('that is no span at all is an error all the same', async () => {
    expect(await problems(files('Ann', 'predicted', { start: 'x', end: 9 }), { badSpan: 'spurious' })).toHaveLength(1);
  });
});

describe('without a text', () => {
  it('spans keep their offsets and are counted as unchecked', async () => {
    const reader = readerOf(files(undefined, 'gold', { start: 5, end: 9 }, { start: 1, end: 2, text: 'x' }));
    const [only] = await Array.fromAsync(reader);
    expect(shown(only!.gold)).toEqual(['X  5..9', 'X x 1..2']);
    expect(reader.notices.uncheckedSpans).toBe(2);
  });

  it('spans still have to be possible', async () => {
    expect(await problems(files(undefined, 'gold', { start: 5, end: 2 }))).toHaveLength(1);
  });
});

describe('offsets', () => {
  // 🍵 is 2 UTF-16 units, 1 code point, 4 bytes; न म स ् त े are 6 code points of 3 bytes; é is here e and a mark.
  const text = '🍵 नमस्ते cafe\u0301 Bo';

  it.each([
    ['utf16', 16, 18],
    ['codepoint', 15, 17],
    ['byte', 31, 33],
  ] as const)('in %s find the last word of a text with emoji, Devanagari and marks', async (offsets, start, end) => {
    expect(await gold(text, { offsets }, { start, end, text: 'Bo' })).toEqual(['X Bo 16..18']);
  });

  it('may part a letter from its mark, since they are two characters', async () => {
    expect(await gold('cafe\u0301', {}, { start: 0, end: 4 })).toEqual(['X cafe 0..4']);
    expect(await gold('नमस्ते', {}, { start: 0, end: 3 })).toEqual(['X नमस 0..3']);
  });

  it.each([
    ['utf16', { start: 1, end: 3 }],
    ['utf16', { start: 0, end: 1 }],
    ['byte', { start: 2, end: 5 }],
    ['byte', { start: 0, end: 6 }],
  ] as const)('in %s must not cut a character, as %j does', async (offsets, span) => {
    const message = await goldProblem('🍵नa', span, { offsets });
    expect(message).toContain(`the span ${span.start}..${span.end} begins or ends inside a character`);
    expect(message).toContain(`offsets are read as ${offsets}`);
  });

  it('in the wrong unit give a hint', async () => {
    expect(await goldProblem('🍵 Bo', { start: 3, end: 5, text: 'Bo' })).toContain(
      'is past the end of the text (4 characters) (offsets are read as codepoint',
    );
    expect(await goldProblem('🍵 Bo is in', { start: 3, end: 5, text: 'Bo' })).toContain(
      'is "Bo", but the document has "o " there (offsets are read as codepoint; change with --set data.offsets=utf16|codepoint|byte)',
    );
  });

  it('are given back in the unit of the file', async () => {
    const { offsets } = await caseOf(files('🍵 Bo', 'gold', { start: 2, end: 4 }));
    expect(offsets?.fromUtf16(3)).toBe(2);
    expect((await caseOf(files('Bo', 'gold', { start: 0, end: 2 }))).offsets).toBeNull();
  });

  it('of every slice of any text are found in every unit', async () => {
    const length = {
      utf16: (part: string) => part.length,
      codepoint: (part: string) => [...part].length,
      byte: (part: string) => Buffer.byteLength(part),
    };
    await fc.assert(
      fc.asyncProperty(
        validText,
        fc.nat(20),
        fc.nat(20),
        fc.constantFrom('utf16', 'codepoint', 'byte'),
        async (any, a, b, offsets) => {
          const points = [...any];
          const [from, to] = [Math.min(a, b, points.length), Math.min(Math.max(a, b), points.length)];
          fc.pre(from < to);
          const before = points.slice(0, from).join('');
          const slice = points.slice(from, to).join('');
          const start = length[offsets](before);
          const span = { start, end: start + length[offsets](slice), text: slice };
          expect(await gold(any, { offsets }, span)).toEqual([
            `X ${slice} ${before.length}..${before.length + slice.length}`,
          ]);
        },
      ),
      runs,
    );
  });
});

describe('mojibake', () => {
  const text = 'Sagen gik til højesteret i går';
  const broken = { start: 14, end: 24, text: 'hÃ¸jesteret' };

  it('is recognised, with the way to repair it', async () => {
    expect(await goldProblem(text, broken)).toBe(
      'gold.jsonl:1: d1 gold item 0: the text "hÃ¸jesteret" is broken UTF-8 for "højesteret" (repair it with --set data.mojibake=repair)',
    );
  });

  it('is repaired when the recipe says so', async () => {
    expect(await gold(text, { mojibake: 'repair' }, broken)).toEqual(['X højesteret 14..24']);
  });

  it('does not excuse a text that is another one anyway', async () => {
    expect(await goldProblem(text, { ...broken, text: 'fÃ¸lge' }, { mojibake: 'repair' })).toContain(
      'but the document has',
    );
  });
});

describe('a span with a wrong place and badSpan: align', () => {
  const text = 'Ann met Bo, and Ann saw Cafe\u0301.';
  const moved = (span: GivenSpan): Promise<string[]> => gold(text, { badSpan: 'align' }, span);

  it('goes to the closest place that has its words', async () => {
    expect(await moved({ start: 9, end: 11, text: 'Bo' })).toEqual(['X Bo 8..10']);
    expect(await moved({ start: 12, end: 15, text: 'Ann' })).toEqual(['X Ann 16..19']);
    expect(await moved({ start: 5, end: 8, text: 'Ann' })).toEqual(['X Ann 0..3']);
    expect(await moved({ start: 90, end: 93, text: 'Ann' })).toEqual(['X Ann 16..19']);
  });

  it('is refused if its words are nowhere, or end before an accent', async () => {
    for (const words of ['Eve', 'Cafe'])
      expect(await goldProblem(text, { start: 1, end: 5, text: words }, { badSpan: 'align' })).toContain(words);
  });

  it('is counted as moved, and as ambiguous if there are several places', async () => {
    const spans = [
      { start: 9, end: 11, text: 'Bo' },
      { start: 5, end: 8, text: 'Ann' },
    ];
    const reader = readerOf(files(text, 'predicted', ...spans), { badSpan: 'align' });
    await Array.fromAsync(reader);
    expect(reader.notices).toMatchObject({ spansMoved: 2, spansMovedAmbiguous: 1 });
  });
});
