import { expect, test } from 'vitest';

import { readablePieces, readableText } from '../../web/src/readable-pieces.ts';

function shown(text: string): string {
  return readablePieces(text)
    .map((piece) => (piece.named === null ? piece.text : `<${piece.named}>`))
    .join('|');
}

test('a character that would turn the text round is named', () => {
  expect(readablePieces('a\u202eb')).toEqual([
    { start: 0, text: 'a', named: null },
    { start: 1, text: '\u202e', named: 'U+202E' },
    { start: 2, text: 'b', named: null },
  ]);
});

test('line feeds, tabs and Windows line ends are layout; a lone carriage return is not', () => {
  expect(shown('a\n\tb\r\nc')).toBe('a\n\tb\r\nc');
  expect(shown('a\rb')).toBe('a|<U+000D>|b');
});

test('Devanagari stays whole, joiners and all', () => {
  expect(shown('क्\u200dष रूखी त्वचा।')).toBe('क्\u200dष रूखी त्वचा।');
});

test('markup is text like any other', () => {
  expect(shown('<script>alert(1)</script>')).toBe('<script>alert(1)</script>');
});

test('an empty text has no pieces', () => {
  expect(readablePieces('')).toEqual([]);
});

test('as a single text, names stand among the letters', () => {
  expect(readableText('PER\u202eSON')).toBe('PERU+202ESON');
});
