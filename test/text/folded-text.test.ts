import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { cutKind, TextFolder } from '../../src/text/folded-text.ts';
import { anyText, runs } from './arbitraries.ts';

/** The symbols of texts, with the stretch that each comes from. */
function stretches(text: string): string[] {
  const { from, to } = new TextFolder().fold(text);
  return Array.from(from, (start, at) => text.slice(start, to[at]));
}

function areEqual(...texts: string[]): boolean {
  const folder = new TextFolder();
  return new Set(texts.map((text) => folder.fold(text).symbols.join(' '))).size === 1;
}

describe('a symbol', () => {
  it('comes from a grapheme cluster, or a run of white space, quotation marks or dashes', () => {
    expect(stretches('a  b')).toEqual(['a', '  ', 'b']);
    expect(stretches('a \r\n\u00a0b--c')).toEqual(['a', ' \r\n\u00a0', 'b', '--', 'c']);
    expect(stretches('e\u0301क्षि👩‍👩‍👧')).toEqual(['e\u0301', 'क्षि', '👩‍👩‍👧']);
    expect(stretches('x\u0301"\u201d')).toEqual(['x\u0301', '"\u201d']);
    expect(stretches('ß…')).toEqual(['ß', 'ß', '…', '…', '…']);
    expect(stretches('a\u200b\u00adb')).toEqual(['a', 'b']);
    expect(stretches('')).toEqual([]);
  });

  it('is the same for all spellings of a character', () => {
    expect(areEqual('Å', 'å', 'A\u030a', '\u212b')).toBe(true);
    expect(areEqual('Straße', 'STRASSE', 'STRAẞE')).toBe(true);
    expect(areEqual('"', "'", '«', '„', '`', '´', '″', '＂', '״')).toBe(true);
    expect(areEqual('-', '–', '—', '−', '‑', '־', '---')).toBe(true);
    expect(areEqual(' ', '\n', '\u00a0', '\u3000', '\u0085', '\r\n\t')).toBe(true);
    expect(areEqual('ŉ', 'ʼn', "'N")).toBe(true);
    expect(areEqual('i', 'I', 'İ', 'ı', 'i\u0307')).toBe(true);
    expect(areEqual('ﾊﾞ', 'バ')).toBe(true);
  });

  it('is not the same for different characters', () => {
    for (const [one, other] of ['eé', 'नण', '.,', '<>', '😀😁', '👍👎', 'oö'].map((pair) => [...pair]))
      expect(areEqual(one!, other!)).toBe(false);
    expect(areEqual('👍', '👍🏽')).toBe(false);
    expect(areEqual('👩👧', '👩‍👧')).toBe(false);
    expect(areEqual('🏴󠁧󠁢󠁥󠁮󠁧󠁿', '🏴󠁧󠁢󠁷󠁬󠁳󠁿')).toBe(false);
  });
});

describe('a cut', () => {
  /** c through a cluster, w through a word, - clean. */
  const cutsOf = (text: string): string =>
    Array.from(new TextFolder().fold(text).unitCuts, (own) =>
      own === cutKind.clean ? '-' : own === cutKind.word ? 'w' : 'c',
    ).join('');

  it.each([
    ['ab c', '-w---'],
    ['Ann’s', '-ww---'],
    ['e\u0301a', '-cw-'],
    ['a\u00adb', '-ww-'],
    ['3.5, 3.', '-ww-----'],
    ['1,000', '-wwww-'],
    ['東京ab', '---w-'],
    ['😀😀', '-c-c-'],
    ['\r\n', '-c-'],
    ['', '-'],
  ])('of %j is %s', (text, cuts) => {
    expect(cutsOf(text)).toBe(cuts);
  });
});

it('is the same in any Unicode form and case, whatever the character', () => {
  const folder = new TextFolder();
  const spelling = (text: string): string => folder.fold(text).symbols.join(' ');
  const different: string[] = [];
  // Latin to Arabic, then letters with several marks, punctuation and signs, then what is wide or half as wide.
  for (let code = 0; code < 0xfff0; code = code === 0x6ff ? 0x1e00 : code === 0x21ff ? 0xff00 : code + 1) {
    const character = String.fromCodePoint(code);
    const forms = ['NFC', 'NFD', 'NFKC', 'NFKD'].map((form) => character.normalize(form));
    // A mark for a quote here, a space with an accent there.
    if (character === '´' || character === '\u1ffd') forms.splice(2);
    const spellings = new Set([...forms, character.toUpperCase(), character.toLowerCase()].map(spelling));
    if (spellings.size > 1 || !spellings.has(spelling(character))) different.push(`U+${code.toString(16)}`);
  }
  expect(different).toEqual([]);
});

it('covers the text in order, with stretches that begin and end between clusters', () => {
  fc.assert(
    fc.property(anyText, (text) => {
      const { from, to, unitCuts, symbolCuts, symbols } = new TextFolder().fold(text);
      expect(symbolCuts).toHaveLength(symbols.length + 1);
      for (let at = 0; at < symbols.length; at += 1) {
        expect(unitCuts[from[at]!]).not.toBe(cutKind.cluster);
        expect(unitCuts[to[at]!]).not.toBe(cutKind.cluster);
        expect(from[at]!).toBeLessThan(to[at]!);
        expect(from[at]!).toBeGreaterThanOrEqual(from[at - 1] ?? 0);
      }
    }),
    runs,
  );
});
