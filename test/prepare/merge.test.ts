import { describe, expect, test } from 'vitest';

import type { Item } from '../../src/data/item.ts';
import { caseOf, quoted, span } from '../pair/items.ts';
import { prepare } from './prepare.ts';

function merged(text: string, predicted: readonly Item[], params: object = {}): string[] {
  return prepare('merge', params, caseOf({ text, predicted })).predicted.map((item) => item.text);
}

describe('merge', () => {
  test('the text is the slice of the document, never a concatenation', () => {
    const text = 'Ann-Marie Lee';
    const out = prepare(
      'merge',
      {},
      caseOf({ text, predicted: [quoted(text, 'Ann', 'P'), quoted(text, 'Marie', 'P')] }),
    );
    expect(out.predicted).toMatchObject([{ text: 'Ann-Marie', start: 0, end: 9, parts: [0, 1] }]);
  });

  test.each([
    ['a b', ['a b']],
    ['a\nb', ['a\nb']],
    ['a,b', ['a,b']],
    ['a’b', ['a’b']],
    ['a$b', ['a', 'b']],
    ['axb', ['a', 'b']],
    ['a  b', ['a', 'b']],
    ['ab', ['ab']],
  ])('%j', (text, expected) => {
    expect(merged(text, [quoted(text, 'a', 'P'), quoted(text, 'b', 'P')])).toEqual(expected);
  });

  test('a gap is counted in characters, not in UTF-16 units', () => {
    // U+10100, an Aegean word separator, is punctuation and two units long.
    const text = 'a\u{10100}b';
    const both = [span(0, 1, 'P'), span(3, 4, 'P')];
    expect(merged(text, both)).toEqual([text]);
    expect(merged(text, both, { gap: 0 })).toEqual(['a', 'b']);
  });

  test('neighbours are looked for within a label, whatever lies between', () => {
    const text = 'Ann Lee';
    const items = [quoted(text, 'Ann', 'P'), span(2, 5, 'L'), quoted(text, 'Lee', 'P')];
    expect(merged(text, items)).toEqual(['Ann Lee', 'n L']);
  });

  test('spans of one label that overlap or nest become one', () => {
    expect(merged('abcdefgh', [span(0, 8, 'P'), span(2, 4, 'P'), span(5, 6, 'P')])).toEqual(['abcdefgh']);
  });

  test('a span without a place stays alone', () => {
    const lost = span(-1, -1, 'P', { text: 'x' });
    expect(merged('ab', [lost, lost, span(0, 1, 'P'), span(1, 2, 'P')])).toEqual(['x', 'x', 'ab']);
  });

  test('parts of parts are kept', () => {
    const text = 'a b c';
    const first = { ...span(0, 3, 'P'), text: 'a b', parts: [0, 1], index: 0 };
    const out = prepare(
      'merge',
      {},
      { ...caseOf({ text }), predicted: [first, { ...quoted(text, 'c', 'P'), index: 2 }] },
    );
    expect(out.predicted[0]?.parts).toEqual([0, 1, 2]);
  });

  test('the order of the input does not show', () => {
    const text = 'a b c d';
    const items = ['a', 'b', 'd'].map((letter) => quoted(text, letter, 'P', { fields: { letter } }));
    const there = prepare('merge', {}, caseOf({ text, predicted: items })).predicted;
    const back = prepare('merge', {}, caseOf({ text, predicted: items.toReversed() })).predicted;
    const plain = (list: readonly Item[]): unknown => list.map(({ start, end, fields }) => [start, end, fields]);
    expect(plain(back)).toEqual(plain(there));
  });

  test('nothing to merge is handed back as it is', () => {
    const given = caseOf({ text: 'a b', predicted: [span(0, 1, 'P'), span(2, 3, 'L')] });
    expect(prepare('merge', {}, given).predicted).toBe(given.predicted);
  });

  test('without a text it is not known what lies between: that is said, where it matters', () => {
    const apart = caseOf({ predicted: [span(0, 1, 'P'), span(5, 6, 'P'), span(6, 7, 'L')] });
    expect(prepare('merge', {}, apart).predicted).toHaveLength(3);
    expect(() => prepare('merge', {}, caseOf({ predicted: [span(0, 1, 'P'), span(2, 3, 'P')] }))).toThrow(
      'case c1 has no text: merge cannot see what lies between its spans',
    );
  });

  test('a long chain costs no more than its length', () => {
    const text = 'a '.repeat(50_000);
    const predicted = Array.from({ length: 50_000 }, (_, at) => span(at * 2, at * 2 + 1, 'P'));
    const out = prepare('merge', {}, caseOf({ text, predicted })).predicted;
    expect(out).toHaveLength(1);
    expect(out[0]?.parts).toHaveLength(50_000);
  });
});

describe('merging as the published program did it', () => {
  test('merge-in-order: in input order, compared with the one before, texts strung together', () => {
    const text = 'Ann Lee Bo';
    const given = caseOf({
      text,
      predicted: [quoted(text, 'Bo', 'LOC'), quoted(text, 'Ann', 'PERSON'), quoted(text, 'Lee', 'PERSON')],
    });
    const out = prepare('merge-in-order', { labels: ['PERSON'] }, given).predicted;
    expect(out).toMatchObject([{ text: 'Bo' }, { text: 'AnnLee', start: 0, end: 7, parts: [1, 2] }]);
    // An earlier end is taken all the same.
    const nested = caseOf({ text, predicted: [span(0, 7, 'PERSON'), span(1, 3, 'PERSON')] });
    expect(prepare('merge-in-order', { labels: ['PERSON'] }, nested).predicted).toMatchObject([{ start: 0, end: 3 }]);
  });

  test('merge-in-order: a prediction of another label in between ends the run', () => {
    const text = 'Ann Lee Bo';
    const predicted = [quoted(text, 'Ann', 'PERSON'), quoted(text, 'Bo', 'LOC'), quoted(text, 'Lee', 'PERSON')];
    const out = prepare('merge-in-order', { labels: ['PERSON'] }, caseOf({ text, predicted })).predicted;
    expect(out.map((item) => item.text)).toEqual(['Ann', 'Bo', 'Lee']);
  });

  test('merge-continued: only what looks like a continuation', () => {
    const joined = (text: string, cut: number): number => {
      const given = caseOf({ text, predicted: [span(0, cut, 'LOC'), span(cut, text.length, 'LOC')] });
      return prepare('merge-continued', {}, given).predicted.length;
    };
    expect(joined('Saint-Denis', 5)).toBe(1);
    expect(joined('Oslo city', 4)).toBe(1);
    expect(joined('abcdef', 3)).toBe(1);
    expect(joined('OsloRome', 4)).toBe(2);
    expect(joined('Oslo5', 4)).toBe(2);
  });

  test('neither joins spans that have no place', () => {
    const lost = span(-1, -1, 'PERSON', { text: 'x' });
    const given = caseOf({ text: 'abc', predicted: [lost, lost] });
    expect(prepare('merge-in-order', { labels: ['PERSON'] }, given).predicted).toHaveLength(2);
    expect(prepare('merge-continued', {}, given).predicted).toHaveLength(2);
  });
});
