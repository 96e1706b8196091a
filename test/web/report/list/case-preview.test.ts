import { expect, test } from 'vitest';

import { casePreview, searchedText } from '../../../../web/src/report/list/case-preview.ts';
import { foundPieces, searchWords, wordFinder } from '../../../../web/src/report/list/search-words.ts';
import { detail, item, record } from '../case/case-detail.ts';

const TEXT = `Anna Lund met Dr. Bo in Aarhus.\n\n${'She said that nothing had changed since then. '.repeat(3)}Then Kim left.`;
const at = (words: string) => ({ text: words, start: TEXT.indexOf(words), end: TEXT.indexOf(words) + words.length });
const hit = record({ gold: item(0, at('Anna Lund')), predicted: item(0, at('Anna Lund')) });
const missed = record({ verdict: 'missed', rule: 'no-match', gold: item(1, at('Kim')) });
const spurious = record({ verdict: 'spurious', rule: 'no-match', predicted: item(2, at('Dr. Bo')) });

/** As one line: words that were found in brackets, places of errors in braces. */
function line(...given: Parameters<typeof casePreview>): string {
  const marks = { plain: ['', ''], found: ['[', ']'], missed: ['{-', '}'], spurious: ['{+', '}'] } as const;
  return casePreview(...given)
    .map(({ text, is }) => `${marks[is][0]}${text}${marks[is][1]}`)
    .join('');
}

test('a preview begins a little before the first error of the run, else with the text', () => {
  expect(line(detail(TEXT, [hit]), 0, [])).toMatch(/^Anna Lund met Dr\. Bo in Aarhus\. She said/);
  expect(line(detail(TEXT, [hit, spurious, missed]), 0, [])).toMatch(/^Anna Lund met \{\+Dr\. Bo\} in Aarhus/);
  expect(line(detail(TEXT, [hit, missed]), 0, [])).toBe('…nothing had changed since then. Then {-Kim} left.');
  expect(line(detail(TEXT, [missed], [hit]), 1, [])).toMatch(/^Anna Lund/);
});

test('a place that is not in the text is not marked', () => {
  const astray = record({ verdict: 'missed', gold: item(0, { text: 'Kim', start: 5, end: 9000 }) });
  expect(line(detail(TEXT, [astray]), 0, [])).toMatch(/^Anna Lund met Dr\. Bo/);
});

test('while one searches, it shows the words: in the text, else in an item', () => {
  const relabelled = record({ label: 'TOWN', gold: item(0, { text: 'Århus', label: 'TOWN' }) });
  const given = detail(TEXT, [missed, relabelled]);
  expect(line(given, 0, ['lund', 'aarhus'])).toMatch(/^Anna \[Lund\] met Dr\. Bo in \[Aarhus\]\. She/);
  expect(line(given, 0, ['århus'])).toBe('TOWN [Århus]');
  // The id has them: the preview is as it is without them.
  expect(line(given, 0, ['case-7'])).toContain('{-Kim}');
});

test('without a text it is that of the first wrong item, and of texts that were left out nothing', () => {
  const relation = record({
    kind: 'relationship',
    label: 'owns',
    verdict: 'missed',
    gold: item(0, { source: 'a', target: 'b' }),
  });
  expect(line(detail(null, [relation]), 0, [])).toBe('owns a → b');
  expect(line(detail(null, []), 0, [])).toBe('');
  expect(line(detail(null, null), 0, [])).toBe('');
});

test('white space is one space, and half a character is shown as such', () => {
  expect(line(detail('a \n\t b\ud800', []), 0, [])).toBe('a b\ufffd');
});

test('a search looks through id, text, labels and words of items that are not those of the text', () => {
  const other = record({
    label: 'TOWN',
    gold: item(0, { text: 'Århus', label: 'CITY' }),
    predicted: item(0, at('Aarhus')),
  });
  const text = searchedText(detail(TEXT, [hit, other], null));
  for (const part of ['c\n', 'anna lund met', 'loc', 'town', 'city', 'århus']) expect(text).toContain(part);
  expect(text.split('anna lund')).toHaveLength(2);
});

test('every word has to occur, and what is in quotes is one word', () => {
  expect(searchWords(' Lund  "Form 7" lund "open ')).toEqual(['lund', 'form 7', 'open']);
  expect(searchWords('" " "a "')).toEqual(['a ']);
});

test('words are found as they are written, whatever is special in them', () => {
  const found = (text: string, ...words: string[]) =>
    foundPieces(text, wordFinder(words)).flatMap((piece) => (piece.found ? [piece.text] : []));
  expect(found('A.B a+b [x] $1 ÅRHUS', 'a.b', '[x]', '$1', 'århus')).toEqual(['A.B', '[x]', '$1', 'ÅRHUS']);
  expect(found('aXb', 'a.b')).toEqual([]);
  expect(foundPieces('abc', null)).toEqual([{ text: 'abc', found: false }]);
});
