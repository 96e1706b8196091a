import { describe, expect, it } from 'vitest';

import { problemText } from '../../../src/data/problems.ts';
import { memorySource } from '../../../src/data/source.ts';
import { reviewSection } from '../../../src/recipe/review-section.ts';
import { readSheet, type SheetReading } from '../../../src/review/sheets/read-sheet.ts';
import { sheetsFor } from '../../../src/review/sheets/write-sheets.ts';
import type { ReviewSnapshot } from '../../../src/review/snapshot.ts';
import type { CellValue, ItemAnswer } from '../../../src/store/review-records.ts';
import { after, cell, FORM, labelled, sheetReview } from './sheet-review.ts';

const HEADER = 'reviewer;item;claim;claim_text;label;note\n';

/** Rows of claim, words, label and note, of the answer "Eat warm food. Sleep early and walk daily! …". */
function sheet(...rows: readonly (readonly string[])[]): string {
  return HEADER + rows.map((cells) => `चित्रा;iPlain;${cells.join(';')}\n`).join('');
}

function read(text: string, snapshot: ReviewSnapshot = sheetReview()): Promise<SheetReading> {
  return readSheet(snapshot, null, memorySource('c.csv', text));
}

const said = ({ problems }: SheetReading): string[] => problems.map(problemText);
const claimsIn = ({ events }: SheetReading): CellValue => events[0]?.value ?? null;
const [S1, S2, S3] = labelled('plain', []) as [ItemAnswer, ItemAnswer, ItemAnswer];
const [WORDS1, WORDS2, WORDS3] = ['Eat warm food.', 'Sleep early and walk daily!', '"""Rest"", she said."'];

/** A form whose claims may be treated in these ways only. */
function allowing(...allow: readonly string[]): ReviewSnapshot {
  const claims = { ...FORM.fields['claims'], allow };
  return sheetReview({}, reviewSection.parse({ ...FORM, fields: { ...FORM.fields, claims } }));
}

describe('a sheet of claims', () => {
  it('labels them in any order; rows that are missing stay open', async () => {
    const reading = await read(sheet(['s3', WORDS3, 'Not a claim'], ['s1', WORDS1, ' GROUNDED ', 'p. 2']));
    expect(reading).toMatchObject({ kind: 'claims', rows: 2, unchanged: 0, problems: [], complete: [] });
    expect(claimsIn(reading)).toEqual([{ ...S1, label: 'grounded', note: 'p. 2' }, S2, { ...S3, label: 'none' }]);
  });

  it('gives no event where nothing is filled in', async () => {
    const reading = await read(sheet(['s1', WORDS1, ''], ['s2', '', ''], ['s3', WORDS3, '']));
    expect([reading.events, reading.problems]).toEqual([[], []]);
  });

  it('names a bad label, and keeps the others', async () => {
    const reading = await read(sheet(['s1', WORDS1, 'groundless'], ['s2', WORDS2, 'inferred'], ['s9', 'x', 'none']));
    expect(claimsIn(reading)).toEqual([S1, { ...S2, label: 'inferred' }, S3]);
    expect(said(reading)).toEqual(
      [
        'c.csv:4: row 4, claim: there is no claim "s9" in this item (leave the cell empty for a new claim)',
        'c.csv:2: row 2, label: expected one of grounded, inferred, hallucinated, none, found "groundless" (did you mean grounded?)',
      ].toSorted(),
    );
  });

  it('completes an item once every claim has its label', async () => {
    const all = sheet(['s1', '', 'none'], ['s2', '', 'none'], ['s3', '', 'none']);
    expect((await read(all)).complete).toEqual([{ personId: 'pChitra', itemId: 'iPlain' }]);
  });

  it('keeps an earlier label through an empty cell, and takes it back by [clear]', async () => {
    const snapshot = sheetReview({
      pChitra: { iPlain: [cell('claims', null, [{ ...S1, label: 'none', note: 'n' }, { ...S2, label: 'none' }, S3])] },
    });
    expect((await read(sheet(['s1', '', ''], ['s2', '', '']), snapshot)).events).toEqual([]);
    expect(claimsIn(await read(sheet(['s1', '', '[clear]', '[clear]']), snapshot))).toEqual([
      S1,
      { ...S2, label: 'none' },
      S3,
    ]);
  });
});

describe('claims that were changed', () => {
  it('have the words that were written, and their place where these stand in the answer', async () => {
    const reading = await read(sheet(['s1', 'Warm food is to be eaten.', ''], ['s2', 'Sleep early', 'grounded']));
    expect(claimsIn(reading)).toEqual([
      { ...S1, text: 'Warm food is to be eaten.' },
      { ...S2, text: 'Sleep early', end: 26, label: 'grounded' },
      S3,
    ]);
  });

  it('are split by a new row, or by a row that was copied', async () => {
    const split = (claim: string): string =>
      sheet(['s2', 'Sleep early', 'grounded'], [claim, 'walk daily!', 'inferred'], ['s3', WORDS3, 'none']);
    const expected = [
      S1,
      { ...S2, text: 'Sleep early', end: 26, label: 'grounded' },
      {
        id: expect.stringMatching(/^n[0-9a-f]{12}$/),
        start: 31,
        end: 42,
        text: 'walk daily!',
        label: 'inferred',
        from: ['s2'],
      },
      { ...S3, label: 'none' },
    ];
    expect(claimsIn(await read(split('')))).toEqual(expected);
    expect(claimsIn(await read(split('s2')))).toEqual(expected);
  });

  it('are split with words of their own, without a place', async () => {
    const reading = await read(sheet(['s1', WORDS1, ''], ['', 'Food should be warm', 'grounded']));
    expect(claimsIn(reading)).toEqual([
      S1,
      { id: expect.any(String), start: -1, end: -1, text: 'Food should be warm', label: 'grounded', from: ['s1'] },
      S2,
      S3,
    ]);
  });

  it('are merged by their names, in any order; the words of one of them are what was left standing', async () => {
    const merged = {
      id: 's1+s2',
      start: 0,
      end: S2.end,
      text: 'Eat warm food. Sleep early and walk daily!',
      label: 'inferred',
      from: ['s1', 's2'],
    };
    expect(claimsIn(await read(sheet(['s1+s2', WORDS1, 'inferred'])))).toEqual([merged, S3]);
    expect(claimsIn(await read(sheet(['s2 + s1', WORDS2, 'inferred'], ['s1', WORDS1, ''])))).toEqual([merged, S3]);
    expect(claimsIn(await read(sheet(['s1+s2', 'Eat warm and sleep', 'inferred'])))).toEqual([
      { ...merged, text: 'Eat warm and sleep' },
      S3,
    ]);
    // Not neighbours: what lies between is not theirs.
    expect(claimsIn(await read(sheet(['s1+s3', '', ''])))).toMatchObject([
      { id: 's1+s3', text: 'Eat warm food. "Rest", she said.', start: 0, end: S3.end },
      { id: 's2' },
    ]);
  });

  it('are taken out by [remove], not by a row that is gone', async () => {
    expect(claimsIn(await read(sheet(['s1', WORDS1, '[remove]'], ['s2', WORDS2, 'none'])))).toEqual([
      { ...S2, label: 'none' },
      S3,
    ]);
  });

  it('are left as they are where the form does not allow it', async () => {
    const rows = sheet(
      ['s1', 'Other words', 'grounded'],
      ['', 'New words', 'none'],
      ['s2+s3', '', 'none'],
      ['s3', '', '[remove]'],
    );
    const reading = await read(rows, allowing());
    expect(claimsIn(reading)).toEqual([{ ...S1, label: 'grounded' }, S2, S3]);
    expect(said(reading).map((line) => line.replace(/^c\.csv:\d+: /, ''))).toEqual([
      'row 4, claim: the form does not let these be merged: the change is left out',
      'row 2, claim_text: the form does not let these be edited: the change is left out',
      'row 5, label: the form does not let these be removed: the change is left out',
      'row 3, claim_text: the form does not let these be added: the change is left out',
    ]);
  });

  it('are not split from what none of them says, where none may be added', async () => {
    const reading = await read(
      sheet(
        ['s1', WORDS1, 'none'],
        ['', 'Ghosts live on the moon', 'none'],
        ['', 'Food should be warm', 'grounded'],
        ['s1', 'In other words', 'grounded'],
      ),
    );
    // The third shares its words with the claim, and the last one names it.
    expect(claimsIn(reading)).toMatchObject([
      { id: 's1', label: 'none' },
      { text: 'Food should be warm', from: ['s1'] },
      { text: 'In other words', from: ['s1'] },
      { id: 's2' },
      { id: 's3' },
    ]);
    expect(said(reading)).toEqual([
      'c.csv:3: row 3, claim_text: these words are from none of the item’s claims, and the form does not let claims be added: the row is left out (to split a claim, copy its row, with its name in the column claim)',
    ]);
  });

  it('that are too long, or have characters that cannot be, take nothing else with them', async () => {
    const long = 'x'.repeat(20_001);
    const reading = await read(
      sheet(
        ['s1', long, 'grounded', 'a\u0007b'],
        ['s2', WORDS2, 'inferred', long],
        ['', long, 'none'],
        ['s3', WORDS3, 'none', 'fine'],
      ),
    );
    expect(claimsIn(reading)).toEqual([
      { ...S1, label: 'grounded' },
      { ...S2, label: 'inferred' },
      { ...S3, label: 'none', note: 'fine' },
    ]);
    expect(said(reading)).toEqual([
      'c.csv:2: row 2, claim_text: the text has 20001 characters, and 20000 are the most: the claim keeps its words',
      'c.csv:2: row 2, note: the text has a control character, "\\u0007" at 2: only line breaks and tabs are possible: the note keeps its words',
      'c.csv:3: row 3, note: the text has 20001 characters, and 20000 are the most: the note keeps its words',
      'c.csv:4: row 4, claim_text: the text has 20001 characters, and 20000 are the most: the row is left out',
    ]);
    expect(reading).toMatchObject({ changed: 3, unchanged: 0 });
  });

  it('may be added where the form allows that', async () => {
    const reading = await read(sheet(['', 'It says nothing of water', 'none']), allowing('add'));
    expect(claimsIn(reading)).toEqual([
      S1,
      S2,
      S3,
      { id: expect.any(String), start: -1, end: -1, text: 'It says nothing of water', label: 'none', from: [] },
    ]);
  });
});

describe('a sheet of claims without the column that names them', () => {
  const without = (...rows: readonly (readonly string[])[]): string =>
    `reviewer;item;claim_text;label\n${rows.map((cells) => `चित्रा;iPlain;${cells.join(';')}\n`).join('')}`;

  it('is known by the others, and its claims by their words', async () => {
    const reading = await read(
      without([WORDS3, 'none'], [WORDS1, 'grounded'], ['Not there', 'none'], ['Nor this', '']),
    );
    expect(reading.kind).toBe('claims');
    expect(claimsIn(reading)).toEqual([{ ...S1, label: 'grounded' }, S2, { ...S3, label: 'none' }]);
    expect(said(reading)).toEqual([
      'c.csv:4: row 4, claim_text: there is no column claim, and no claim of the item has these words: the row is left out (add the column claim as it was exported)',
    ]);
    expect(reading.notices.map(problemText)).toEqual([
      'c.csv:1: header: there is no column claim: claims were known by their words',
    ]);
  });

  it('asks for the nearest name where it is only misspelt', async () => {
    const reading = await read(without([WORDS1, 'grounded']).replace('label', 'lable'));
    expect(reading.events).toEqual([]);
    expect(said(reading)).toEqual([
      'c.csv:2: row 2, lable: the column "lable" is not a column of this sheet: a filled cell is left out (did you mean label?)',
    ]);
  });
});

describe('claims that were damaged', () => {
  it.each([
    ['characters lost', '????? ???? ?????', /has \? for characters that were lost when it was saved: the claim keeps/],
    ['an error', '#NAME?', /the words were taken for a formula/],
  ])('keep their words and take the label: %s', async (_, words, message) => {
    const text = `${HEADER}Asha Rao;iHindi;s1;${words};grounded;\n`;
    const exact = words.startsWith('?') ? text.replace(words, '??? ???? ?????') : text;
    const reading = await read(exact);
    expect(reading.events[0]!.value).toMatchObject([{ id: 's1', text: 'गरम खाना खाइए।', label: 'grounded' }, {}, {}]);
    expect(said(reading)[0]).toMatch(message);
  });

  it('are named where a row says nothing of use', async () => {
    const reading = await read(
      sheet(
        ['s1', WORDS1, 'none'],
        ['s1', WORDS1, 'grounded'],
        ['', '', 'none'],
        ['', WORDS2, 'none'],
        ['s1+s7', '', 'none'],
        ['', '#REF!', ''],
      ),
    );
    expect(claimsIn(reading)).toEqual([{ ...S1, label: 'none' }, S2, S3]);
    expect(said(reading)).toEqual([
      'c.csv:6: row 6, claim: there is no claim "s7" to be merged in this item',
      'c.csv:3: row 3, claim: the claim "s1" is in line 2 already; that one counts',
      'c.csv:4: row 4, claim_text: expected the words of the new claim, found nothing',
      'c.csv:5: row 5, claim_text: a new claim has the same words as "s2": it is left out',
      'c.csv:7: row 7, claim_text: found "#REF!": the words were taken for a formula (write them again)',
    ]);
  });
});

describe('a sheet of spans', () => {
  const TEXT = 'Ann met Bo. Then Bo and Ann left for Oslo.';
  const form = reviewSection.parse({
    show: [{ field: 'text', title: 'Text' }],
    under: 'text',
    fields: {
      spans: {
        type: 'items',
        title: 'Personal data?',
        from: 'predicted',
        labels: { right: 'Right', missing: 'Missing' },
        allow: ['add', 'remove'],
      },
    },
  });
  const span = { id: 'p1', start: 0, end: 3, text: 'Ann', kind: 'PERSON', facts: {}, passages: [] };
  const base = sheetReview({}, form);
  const content = {
    title: '',
    language: 'en',
    blocks: [{ name: 'text', title: '', text: TEXT }],
    under: 'text',
    proposed: { spans: [span] },
    passages: [],
  };
  const snapshot = { ...base, items: base.items.map((item) => ({ ...item, content })) };
  const found = (reading: SheetReading): unknown =>
    (claimsIn(reading) as readonly ItemAnswer[]).map(({ start, end, label }) => [start, end, label]);

  it('takes what was overlooked where it stands, the same words one place after the other, and says so', async () => {
    const rows = sheet(['p1', 'Ann', 'right'], ['', 'Bo', 'missing'], ['', 'Bo', 'missing'], ['', 'Ann', 'missing']);
    const reading = await read(rows, snapshot);
    expect(found(reading)).toEqual([
      [0, 3, 'right'],
      [8, 10, 'missing'],
      [17, 19, 'missing'],
      [24, 27, 'missing'],
    ]);
    expect(reading.problems).toEqual([]);
    expect(reading.notices.map(problemText)).toEqual([
      'c.csv:3: row 3, claim_text: the words occur 2 times in the text: the row is taken for place 1 (add a row for each place that is meant)',
      'c.csv:4: row 4, claim_text: the words occur 2 times in the text: the row is taken for place 2 (add a row for each place that is meant)',
      'c.csv:5: row 5, claim_text: the words occur 2 times in the text: the row is taken for place 2 (add a row for each place that is meant)',
    ]);
    const again = await read(rows, after(snapshot, reading.events));
    expect([again.events, again.notices, again.unchanged]).toEqual([[], [], 4]);
  });

  it('keeps out words that do not stand in the text, and a place that has its row', async () => {
    const reading = await read(
      sheet(['', 'Bergen', 'missing'], ['', 'oslo', 'missing'], ['', 'Oslo', 'missing'], ['', 'Oslo', 'missing']),
      snapshot,
    );
    expect(found(reading)).toEqual([
      [0, 3, null],
      [37, 41, 'missing'],
    ]);
    const nowhere =
      'these words are not in the text: the row is left out (write them letter by letter as they are there)';
    expect(said(reading)).toEqual([
      `c.csv:2: row 2, claim_text: ${nowhere}`,
      `c.csv:3: row 3, claim_text: ${nowhere}`,
      'c.csv:5: row 5, claim_text: each place with these words (1) has its row already: this one is left out',
    ]);
  });
});

describe('a form with several kinds of things', () => {
  const form = reviewSection.parse({
    ...FORM,
    fields: {
      ...FORM.fields,
      spans: { type: 'items', title: 'Right span?', from: 'predicted', labels: { yes: 'Yes', no: 'No' } },
    },
  });
  const base = sheetReview({}, form);
  const snapshot: ReviewSnapshot = {
    ...base,
    items: base.items.map((item) =>
      item.id === 'iPlain'
        ? {
            ...item,
            content: {
              title: '',
              language: 'en',
              blocks: [{ name: 'response', title: '', text: 'Ann met Bo' }],
              under: 'response',
              proposed: {
                claims: [{ id: 's1', start: 0, end: 10, text: 'Ann met Bo', kind: null, facts: {}, passages: [] }],
                spans: [
                  { id: 'p1', start: 0, end: 3, text: 'Ann', kind: 'PERSON', facts: { polarity: '+' }, passages: [] },
                ],
              },
              passages: [],
            },
          }
        : item,
    ),
  };

  it('has a column for the question, and for what the system found', async () => {
    const content = sheetsFor(snapshot, 'pChitra').find(({ name }) => name.includes('hallucination'))!.content;
    expect(content.split('\r\n').slice(0, 3)).toEqual([
      '\ufeffreviewer,item,question,claim,response,claim_text,found_as,facts,label,note,as_written',
      expect.stringMatching(/^चित्रा,iPlain,claims,s1,Ann met Bo,Ann met Bo,,,,,m/),
      expect.stringMatching(/^चित्रा,iPlain,spans,p1,Ann met Bo,Ann,PERSON,polarity: \+,,,m/),
    ]);
    const reading = await read(content.replace('polarity: +,,', 'polarity: +,YES,'), snapshot);
    expect(reading.events.map(({ field, value }) => [field, value])).toEqual([
      ['spans', [{ id: 'p1', start: 0, end: 3, text: 'Ann', label: 'yes', from: ['p1'] }]],
    ]);
    expect(reading.notices).toEqual([]);
  });

  it('asks which question a row is about', async () => {
    const reading = await read(sheet(['p1', '', 'yes']), snapshot);
    expect(said(reading)).toEqual(['c.csv:2: row 2, question: expected one of claims, spans, found nothing']);
  });
});
