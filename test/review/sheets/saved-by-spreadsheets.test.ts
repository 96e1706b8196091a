import { readdirSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, it } from 'vitest';

import { fileSource } from '../../../src/data/source.ts';
import { readSheet } from '../../../src/review/sheets/read-sheet.ts';
import { after, labelled, sheetReview, TEXTS } from './sheet-review.ts';

/** Files that LibreOffice saved and files as Excel writes them: fixtures/sheets/README.md says how they were made. */
const FOLDER = join(import.meta.dirname, '../fixtures/sheets');
const saved = (kind: string): string[] => readdirSync(FOLDER).filter((name) => name.startsWith(`${kind}-`));

/** What was filled in, by hand. */
const RATINGS = [
  ['iFormula', 'treatment_relevance', 'safety', 4],
  ['iFormula', 'treatment_relevance', 'efficacy', 5],
  ['iFormula', 'components', 'diet', true],
  ['iFormula', 'components', 'herbs', 'na'],
  ['iFormula', 'comment', null, '=not a formula'],
  ['iCase-_1', 'prakriti', null, 'vata-pitta'],
  ['iHindi', 'treatment_relevance', 'safety', 3],
  ['iHindi', 'treatment_relevance', 'efficacy', 2],
  ['iHindi', 'components', 'diet', true],
  ['iHindi', 'components', 'herbs', false],
  ['iHindi', 'translation', null, 4],
  ['iHindi', 'comment', null, 'अच्छा है।\nपर छोटा है 🌱'],
  ['iPlain', 'treatment_relevance', 'safety', 1],
  ['iPlain', 'comment', null, '+1, "quoted"; semi'],
];

const [f1, f2, f3, f4] = labelled('formula', ['hallucinated', 'inferred', 'grounded', 'none']);
const [h1, h2, h3] = labelled('hindi', ['grounded']);
const [p1, p2] = labelled('plain', [null, 'grounded']);
const CLAIMS = [
  ['iFormula', 'claims', null, [f1, f2, f3, { ...f4, note: '@see page 2' }]],
  [
    'iHindi',
    'claims',
    null,
    [
      // Its danda was taken away.
      { ...h1, text: 'गरम खाना खाइए', end: 13 },
      {
        id: 's2+s3',
        start: h2!.start,
        end: h3!.end,
        text: TEXTS.hindi.slice(h2!.start, h3!.end),
        label: 'inferred',
        from: ['s2', 's3'],
      },
    ],
  ],
  [
    'iPlain',
    'claims',
    null,
    [
      p1,
      { ...p2, text: 'Sleep early', end: p2!.start + 11 },
      { id: expect.any(String), start: 31, end: 42, text: 'walk daily!', label: 'hallucinated', from: ['s2'] },
    ],
  ],
];

describe('a sheet that was saved by a spreadsheet', () => {
  it('is there in many dialects', () => {
    expect(saved('ratings')).toHaveLength(11);
    expect(saved('claims')).toHaveLength(5);
  });

  it.each([
    ...saved('ratings').map((file) => [file, RATINGS] as const),
    ...saved('claims').map((file) => [file, CLAIMS] as const),
  ])('%s gives exactly what was filled in, and no text is changed', async (file, expected) => {
    const source = fileSource(join(FOLDER, file));
    const reading = await readSheet(sheetReview(), null, source);
    expect(reading.problems).toEqual([]);
    // A changed text would be told here.
    expect(reading.notices).toEqual([]);
    expect(reading.events.map(({ itemId, field, part, value }) => [itemId, field, part, value])).toEqual(expected);
    expect(new Set(reading.events.map(({ personId }) => personId))).toEqual(new Set(['pAsha']));
  });

  it.each([...saved('ratings'), ...saved('claims')])('%s changes nothing when it is read again', async (file) => {
    const source = fileSource(join(FOLDER, file));
    const first = await readSheet(sheetReview(), null, source);
    const again = await readSheet(after(sheetReview(), first.events), null, source);
    expect([again.events, again.problems]).toEqual([[], []]);
    // Every filled cell, 14 ratings and comments; every row with a label or a note, with the one that takes a claim out.
    expect(again.unchanged).toBe(file.startsWith('ratings') ? 14 : 9);
    expect(first.changed).toBe(file.startsWith('ratings') ? 14 : 9);
  });
});
