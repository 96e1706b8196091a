import { describe, expect, it } from 'vitest';

import { problemText } from '../../../src/data/problems.ts';
import { memorySource } from '../../../src/data/source.ts';
import { readSheet, type SheetReading } from '../../../src/review/sheets/read-sheet.ts';
import { sheetsFor } from '../../../src/review/sheets/write-sheets.ts';
import type { ReviewSnapshot } from '../../../src/review/snapshot.ts';
import { after, cell, FORM, labelled, sheetReview, TEXTS } from './sheet-review.ts';

function read(text: string, snapshot = sheetReview(), as: string | null = null): Promise<SheetReading> {
  return readSheet(snapshot, as, memorySource('s.csv', text));
}

const said = ({ problems }: SheetReading): string[] => problems.map(problemText);
const told = ({ notices }: SheetReading): string[] => notices.map(problemText);
const answers = ({ events }: SheetReading): unknown[] =>
  events.map(({ personId, itemId, field, part, value }) => [personId, itemId, [field, part].join('.'), value]);

function ratings(snapshot: ReviewSnapshot, personId: string): string {
  return sheetsFor(snapshot, personId)[0]!.content;
}

const HEADER = 'reviewer,item,treatment_relevance.safety,treatment_relevance.efficacy,components.diet,comment\n';

describe('a sheet of ratings', () => {
  it('gives an event for each filled cell', async () => {
    const reading = await read(`${HEADER}Bram,iPlain,4,,x,fine\n`);
    expect(answers(reading)).toEqual([
      ['pBram', 'iPlain', 'treatment_relevance.safety', 4],
      ['pBram', 'iPlain', 'components.diet', true],
      ['pBram', 'iPlain', 'comment.', 'fine'],
    ]);
    expect(reading).toMatchObject({ kind: 'ratings', rows: 1, unchanged: 0, problems: [], notices: [], complete: [] });
    expect(reading.events[0]).toMatchObject({ origin: 'sheet', id: expect.stringMatching(/^sheet-[0-9a-f]{32}$/) });
  });

  it('names a bad cell by file, line, row and column, and keeps every other', async () => {
    const reading = await read(`${HEADER}Bram,iPlain,7,5,maybe,"two\nlines"\nBram,iCase-_1,,,,\nBram,iNope,1,,,\n`);
    expect(answers(reading)).toEqual([
      ['pBram', 'iPlain', 'treatment_relevance.efficacy', 5],
      ['pBram', 'iPlain', 'comment.', 'two\nlines'],
    ]);
    expect(said(reading)).toEqual([
      's.csv:2: row 2, treatment_relevance.safety: expected a whole number from 1 to 5, found "7"',
      's.csv:2: row 2, components.diet: expected yes or no, found "maybe"',
      's.csv:5: row 4, item: there is no item "iNope" in this review',
    ]);
  });

  it('names an item of somebody else, and one that became a date', async () => {
    const reading = await read(`${HEADER}Bram,iLong,4,,,\nBram,02-Jan,4,,,\nBram,,4,,,\n`);
    expect(reading.events).toEqual([]);
    expect(said(reading)).toEqual([
      's.csv:2: row 2, item: the item "iLong" is not in the queue of "Bram"',
      's.csv:3: row 3, item: there is no item "02-Jan" in this review; it looks like a date that a spreadsheet made of another value (copy it from the sheet as it was written)',
      's.csv:4: row 4, item: expected the item that the row is about, found nothing',
    ]);
  });

  it('names filled cells that are not read: of columns that are none of its own, and of questions that are not asked', async () => {
    const reading = await read(
      'reviewer,item,Prakriti,treatment_relevance.safty,my notes,comment,PASSAGE_1,spare\nBram,iPlain,vata,4,hm,ok,p,\nBram,iCase-_1,vata,,so,why?,,\n',
    );
    expect(answers(reading)).toEqual([
      ['pBram', 'iPlain', 'comment.', 'ok'],
      ['pBram', 'iCase-_1', 'prakriti.', 'vata'],
    ]);
    expect(said(reading)).toEqual([
      's.csv:2: row 2, prakriti: the question is not asked of this answer: the cell is left out',
      's.csv:3: row 3, comment: the question is not asked of this case: the cell is left out',
      's.csv:2: row 2, treatment_relevance.safty: the column "treatment_relevance.safty" is not a column of this sheet: a filled cell is left out (did you mean treatment_relevance.safety?)',
      's.csv:2: row 2, my notes: the column "my notes" is not a column of this sheet: 2 filled cells are left out',
    ]);
    expect(told(reading)).toEqual(['s.csv:1: header: the column "spare" is not a column of this sheet, and is empty']);
  });

  it('knows the words that stand where nothing is asked', async () => {
    const reading = await read(`${HEADER}Bram,iCase-_1,(not asked),(not asked),(Not asked),(not asked)\n`);
    expect([reading.events, reading.problems, reading.notices]).toEqual([[], [], []]);
  });

  it('does not take an answer back by an empty cell, but by [clear]', async () => {
    const snapshot = sheetReview({
      pBram: { iPlain: [cell('comment', null, 'old'), cell('treatment_relevance', 'safety', 2)] },
    });
    expect(answers(await read(`${HEADER}Bram,iPlain,,,,\n`, snapshot))).toEqual([]);
    expect(answers(await read(`${HEADER}Bram,iPlain,[clear],[clear],,[clear]\n`, snapshot))).toEqual([
      ['pBram', 'iPlain', 'treatment_relevance.safety', null],
      ['pBram', 'iPlain', 'comment.', null],
    ]);
  });

  it('keeps [clear] as words where somebody wrote it in the app', async () => {
    for (const text of ['[clear]', '[[clear]]', ' [Clear]\n', '[remove]', '[clear', '[[clear]', '[clear] this']) {
      const now = sheetReview({ pBram: { iPlain: [cell('comment', null, text)] } });
      const content = ratings(now, 'pBram');
      // Also into a review that has lost it: what was written down is the text.
      const marksLost = content.replace(/m[0-9a-f]{7} (v\d+\r\n)/, '$1');
      expect((await read(content, now)).events, text).toEqual([]);
      expect(answers(await read(marksLost, sheetReview())), text).toEqual([['pBram', 'iPlain', 'comment.', text]]);
    }
  });

  it('refuses words that saving has spoilt, and names characters that were lost', async () => {
    const now = sheetReview({ pBram: { iPlain: [cell('comment', null, 'größer als “5”')] } });
    const spoilt = await read(`${HEADER}Bram,iPlain,,,,"gr??er als ?5?"\n`, now);
    expect(spoilt.events).toEqual([]);
    expect(said(spoilt)).toEqual([
      's.csv:2: row 2, comment: the text has ? for characters that were lost when it was saved: the answer keeps its words (save the sheet as UTF-8)',
    ]);
    const unknown = await read(`${HEADER}Bram,iPlain,4,5,,gr\ufffd\ufffder\n`);
    expect(answers(unknown)).toContainEqual(['pBram', 'iPlain', 'comment.', 'gr\ufffd\ufffder']);
    expect(told(unknown)).toEqual([
      's.csv:2: row 2, comment: the text has \ufffd where a character was lost when it was saved (fix it in the app, or in the sheet)',
    ]);
    expect(said(await read(`${HEADER}Bram,iPlain,4,,,a\u0000b\n`))).toEqual([
      's.csv:2: row 2, comment: the text has a control character, "\\u0000" at 2: only line breaks and tabs are possible: the answer keeps its words',
    ]);
  });

  it('is read in Windows-1252 with a notice, as Excel saves plain CSV', async () => {
    const bytes = Buffer.from(`${HEADER}Bram,iPlain,4,,,grö\u00dfer \x96 naïve \x80 5\n`, 'latin1');
    const reading = await readSheet(sheetReview(), null, memorySource('s.csv', bytes));
    expect(answers(reading)).toEqual([
      ['pBram', 'iPlain', 'treatment_relevance.safety', 4],
      ['pBram', 'iPlain', 'comment.', 'größer – naïve € 5'],
    ]);
    expect(told(reading)).toEqual([
      expect.stringMatching(/^s\.csv: it is not UTF-8: texts were read as Windows-1252 \(save it again/),
    ]);
  });

  it('takes neither of two rows that say different things of an item', async () => {
    const reading = await read(`${HEADER}Bram,iPlain,4,5,,\nBram,iPlain,3,5,,\n`);
    expect(answers(reading)).toEqual([['pBram', 'iPlain', 'treatment_relevance.efficacy', 5]]);
    expect(said(reading)).toEqual([
      's.csv:3: row 3, treatment_relevance.safety: the item was given another answer before (line 2); neither is taken (keep one of the rows)',
    ]);
  });

  it('says once that a shown text was changed, and how', async () => {
    const header = 'reviewer;item;response;comment\n';
    expect(told(await read(`${header}Bram;iPlain;Something else;ok\n`))).toEqual([
      's.csv:2: row 2, response: the text differs from what was exported; it is not read back (answers are; look at one or two of them)',
    ]);
    const lost = TEXTS.hindi.replaceAll(/[^\0-\u007f]/gu, '?').replaceAll('\r\n', ' ');
    const reading = await read(`${header}Asha Rao;iHindi;"${lost}";ok\nAsha Rao;iPlain;x;\n`);
    expect(told(reading)).toHaveLength(1);
    expect(answers(reading)).toHaveLength(1);
  });
});

describe('whose sheet it is', () => {
  it('is said by its column, for each row, in any case', async () => {
    const reading = await read(`${HEADER}BRAM,iPlain,4,,,\nasha rao,iPlain,5,,,\n`);
    expect(reading.events.map(({ personId, value }) => [personId, value])).toEqual([
      ['pBram', 4],
      ['pAsha', 5],
    ]);
  });

  it('is said by whoever reads it, where the column is empty or missing', async () => {
    expect(answers(await read('item,comment\niPlain,hm\n', sheetReview(), 'pBram'))).toHaveLength(1);
    expect(answers(await read('reviewer,item,comment\n,iPlain,hm\n', sheetReview(), 'pBram'))).toHaveLength(1);
    await expect(read('item,comment\niPlain,hm\n')).rejects.toThrow(
      's.csv:1: header: there is no column reviewer: whose sheet is it? (say so with --as NAME)',
    );
  });

  it('is the same person’s in rows that were added without the name', async () => {
    const reading = await read('reviewer,item,comment\nBram,iPlain,hm\n,iCase-_1,hm\n,iPlain,hm\n');
    expect(reading.events.map(({ personId, itemId }) => [personId, itemId])).toEqual([['pBram', 'iPlain']]);
  });

  it('must not be another’s than was said', async () => {
    const reading = await read(`${HEADER}Asha Rao,iPlain,4,,,\nAsha Rao,iPlain,4,,,\n`, sheetReview(), 'pBram');
    expect(reading.events).toEqual([]);
    expect(said(reading)).toEqual([
      's.csv:2: row 2, reviewer: the sheet is "Asha Rao"’s, and was to be read as "Bram"’s: these rows are left out (import it as its own, or empty the column)',
    ]);
  });

  it('is said once where nothing of it is theirs, and no more is said of it', async () => {
    const columns = 'reviewer,item,strange,stranger\n';
    const reading = await read(`${columns}Asha Rao,iPlain,4,1\nAsha Rao,iHindi,4,1\n`, sheetReview(), 'pBram');
    expect(said(reading)).toHaveLength(1);
    expect(told(reading)).toEqual([]);
    const queue = await read(`${columns},iHindi,4,1\n,iLong,4,1\n`, sheetReview(), 'pBram');
    expect(said(queue)).toEqual([
      's.csv:2: row 2, item: none of the 2 items is in the queue of "Bram": these rows are left out (whose sheet is it? Say so with --as NAME)',
    ]);
    expect(told(queue)).toEqual([]);
  });

  it('is of another review where none of its items is in this one', async () => {
    await expect(read(`${HEADER}Nobody,iX1,4,,,\nNobody,iX2,4,,,\n`)).rejects.toThrow(
      /^s\.csv:2: row 2, item: none of its items is in the review "pilot", found "iX1" \(is it a sheet of another review\?\)$/,
    );
  });

  it('is asked for once for each name that nobody has', async () => {
    const reading = await read(`${HEADER}Brams,iPlain,4,,,\nBrams,iPlain,4,,,\nDev,iPlain,4,,,\n`);
    expect(said(reading)).toEqual([
      's.csv:2: row 2, reviewer: there is no reviewer "Brams" in this review: these rows are left out (did you mean Bram?)',
      's.csv:4: row 4, reviewer: there is no reviewer "Dev" in this review: these rows are left out (say whose sheet it is with --as NAME)',
    ]);
    expect(told(reading)).toEqual([]);
  });
});

describe('a sheet that is read again', () => {
  const filled = `${HEADER}Bram,iPlain,4,5,yes,"a\r\nb"\n`;

  it('makes the same events from the same state, and others after a change', async () => {
    const first = await read(filled);
    expect((await read(filled)).events).toEqual(first.events);
    const changed = await read(filled.replace('4,5', '3,5'), after(sheetReview(), first.events));
    const back = await read(filled, after(after(sheetReview(), first.events), changed.events));
    expect(back.events.map(({ value }) => value)).toEqual([4]);
    expect(back.events[0]!.id).not.toBe(first.events[0]!.id);
  });

  it('as it was written changes nothing at all, whatever was answered', async () => {
    const snapshot = sheetReview({
      pAsha: {
        iFormula: [cell('comment', null, "'=1\r\n\tx"), cell('claims', null, labelled('formula', ['grounded']))],
        iHindi: [cell('components', 'herbs', 'na'), cell('comment', null, '[clear]'), cell('translation', null, 0)],
      },
    });
    for (const { name, content } of sheetsFor(snapshot, 'pAsha')) {
      if (!name.endsWith('.csv')) continue;
      expect(await read(content, snapshot), name).toMatchObject({ events: [], problems: [], notices: [] });
    }
  });
});

describe('items of a sheet', () => {
  it('are complete once all that is asked of them is answered', async () => {
    const rows = 'Bram,iPlain,4,5,,\n';
    expect((await read(HEADER + rows)).complete).toEqual([{ personId: 'pBram', itemId: 'iPlain' }]);
    // Asha labels claims of it as well.
    expect((await read(HEADER + rows.replace('Bram', 'Asha Rao'))).complete).toEqual([]);
    const labels = sheetReview({
      pAsha: { iPlain: [cell('claims', null, labelled('plain', ['none', 'none', 'none']))] },
    });
    expect((await read(HEADER + rows.replace('Bram', 'Asha Rao'), labels)).complete).toEqual([
      { personId: 'pAsha', itemId: 'iPlain' },
    ]);
    // An optional checklist need not be whole.
    expect((await read(`${HEADER}Bram,iPlain,4,5,yes,\n`)).complete).toHaveLength(1);
  });

  it('are named with what they lack once they were begun', async () => {
    const reading = await read(`${HEADER}Bram,iPlain,4,,yes,\nBram,iCase-_1,,,,\n`);
    expect(reading.incomplete).toEqual([
      { personId: 'pBram', itemId: 'iPlain', missing: [{ field: 'treatment_relevance', part: 'efficacy' }] },
    ]);
  });

  it('are final once they were committed and more was revealed', async () => {
    const snapshot = sheetReview(
      { pBram: { iPlain: [cell('treatment_relevance', 'safety', 4)] } },
      { ...FORM, reveal: ['system'] },
    );
    const committed = { ...snapshot, states: snapshot.states.map((state) => ({ ...state, committed: true })) };
    const reading = await read(`${HEADER}Bram,iPlain,4,5,,\n`, committed);
    expect([reading.events, reading.unchanged, reading.complete]).toEqual([[], 1, []]);
    expect(said(reading)[0]).toMatch(/row 2, treatment_relevance.efficacy: the item was committed, and is final/);
  });
});

describe('what is no sheet', () => {
  it.each([
    ['nothing', '', /the file is empty/],
    ['a misspelt column', 'reviewer,itm,comment\nBram,iPlain,ok\n', /is it "itm"\? Then call it item/],
    ['another table', 'case_id,label\nC1,vata\n', /expected a column item, as in outputs_for_human_review\.csv/],
    ['a workbook', 'PK\u0003\u0004', /Excel workbook/],
  ])('is refused: %s', async (_, text, message) => {
    await expect(read(text)).rejects.toThrow(message);
  });

  it('never prints what a terminal would act on', async () => {
    const reading = await read(`reviewer,item,comment,\u001b[2J\nBram,\u001b[31mx,ok,1\n\u001b]0;x,iPlain,ok,1\n`);
    expect([...said(reading), ...told(reading)].join('\n')).not.toContain('\u001b');
    expect(said(reading)).toHaveLength(2);
  });
});
