import { Readable } from 'node:stream';

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { csvRecords } from '../../../src/data/csv-records.ts';
import { Problems } from '../../../src/data/problems.ts';
import { reviewSection } from '../../../src/recipe/review-section.ts';
import { escapedWords, isClear, wordsIn } from '../../../src/review/sheets/sheet-columns.ts';
import { spreadsheetRows } from '../../../src/review/sheets/spreadsheet-rows.ts';
import { sheetsFor } from '../../../src/review/sheets/write-sheets.ts';
import type { ReviewSnapshot } from '../../../src/review/snapshot.ts';
import { runsHere } from '../../many-runs.ts';
import { cell, FORM, labelled, sheetReview, TEXTS } from './sheet-review.ts';

const RATINGS = 'outputs_for_human_review.csv';
const CLAIMS = 'outputs_for_hallucination_check.csv';
const PASSAGES = 'retrieved_passages.txt';

function contentOf(snapshot: ReviewSnapshot, personId: string, name: string): string {
  return sheetsFor(snapshot, personId).find((sheet) => sheet.name === name)?.content ?? '';
}

async function table(content: string): Promise<{ columns: readonly string[]; rows: Record<string, string>[] }> {
  const problems = new Problems();
  const { columns, rows } = await spreadsheetRows(content.slice(1), 'a.csv', problems);
  problems.throwIfAny();
  return { columns, rows: rows.map((row) => Object.fromEntries(columns.map((column) => [column, row.cell(column)]))) };
}

describe('the sheets of a reviewer', () => {
  it('are those for which they have questions, and what the columns mean', () => {
    const names = (personId: string): string[] => sheetsFor(sheetReview(), personId).map(({ name }) => name);
    expect(names('pAsha')).toEqual([RATINGS, CLAIMS, PASSAGES, 'how_to_fill.md']);
    expect(names('pBram')).toEqual([RATINGS, 'how_to_fill.md']);
    expect(names('pChitra')).toEqual([RATINGS, CLAIMS, PASSAGES, 'how_to_fill.md']);
    // Somebody without a queue has nothing to fill in.
    expect(names('pDev')).toEqual([]);
    expect(() => sheetsFor(sheetReview(), 'pNobody')).toThrow('there is no person "pNobody" in this review');
  });

  it('name no system, no case, no gold label', () => {
    for (const person of ['pAsha', 'pBram', 'pChitra'])
      for (const { content } of sheetsFor(sheetReview(), person)) expect(content).not.toMatch(/secret/i);
  });

  it('have a row for each item in the order of the queue, and a column for each question', async () => {
    const answered = {
      pAsha: {
        'iCase-_1': [cell('prakriti', null, 'vata-pitta')],
        iHindi: [
          cell('treatment_relevance', 'safety', 4),
          cell('components', 'diet', true),
          cell('components', 'herbs', 'na'),
          cell('translation', null, 0),
          cell('comment', null, '-fine\n“so”'),
        ],
        iPlain: [cell('components', 'diet', false)],
      },
    };
    const content = contentOf(sheetReview(answered), 'pAsha', RATINGS);
    expect(content).toMatch(/^\ufeffreviewer,item,/);
    expect(content.replaceAll('\r\n', '')).not.toMatch(/\r(?!\n)/);
    const { columns, rows } = await table(content);
    expect(columns).toEqual([
      'reviewer',
      'item',
      'text',
      'response',
      'prakriti',
      'treatment_relevance.safety',
      'treatment_relevance.efficacy',
      'components.diet',
      'components.herbs',
      'translation',
      'comment',
      'as_written',
    ]);
    expect(rows.map(({ item }) => item)).toEqual(['iFormula', 'iCase-_1', 'iHindi', 'iPlain', 'iLong']);
    expect(rows.map(({ response }) => response)).toEqual([TEXTS.formula, '', TEXTS.hindi, TEXTS.plain, TEXTS.long]);
    expect(rows[1]).toMatchObject({ reviewer: 'Asha Rao', text: TEXTS.case, prakriti: 'vata-pitta' });
    // What is not asked of a row says so, so that nobody fills it in.
    expect(rows.map(({ comment }) => comment)).toEqual(['', '(not asked)', '-fine\n“so”', '', '']);
    expect(rows.map(({ prakriti }) => prakriti)).toEqual([
      '(not asked)',
      'vata-pitta',
      ...Array(3).fill('(not asked)'),
    ]);
    expect(rows[2]).toMatchObject({
      'treatment_relevance.safety': '4',
      'treatment_relevance.efficacy': '',
      'components.diet': 'yes',
      'components.herbs': 'na',
      translation: '0',
      comment: '-fine\n“so”',
    });
    expect(rows[3]).toMatchObject({ 'components.diet': 'no', 'components.herbs': '' });
  });

  it('have a row for each claim, with its passages, and the answer once', async () => {
    const claims = labelled('plain', ['grounded', null, 'none']).map((claim) =>
      claim.id === 's1' ? { ...claim, note: '=p. 2' } : claim,
    );
    const snapshot = sheetReview({ pChitra: { iPlain: [cell('claims', null, claims)] } });
    const { columns, rows } = await table(contentOf(snapshot, 'pChitra', CLAIMS));
    expect(columns.join()).toBe(
      'reviewer,item,claim,text,response,claim_text,passage_1,passage_2,label,note,as_written',
    );
    expect(rows.map(({ claim, claim_text, label }) => [claim, claim_text, label])).toEqual([
      ['s1', 'Eat warm food.', 'grounded'],
      ['s2', 'Sleep early and walk daily!', ''],
      ['s3', '"Rest", she said.', 'none'],
    ]);
    expect(rows.map(({ response }) => response)).toEqual([TEXTS.plain, '', '']);
    expect(rows[0]).toMatchObject({
      note: '=p. 2',
      passage_1: '=Food\nthat is warm',
      passage_2: '[Herbal, 2] Warm food; early sleep.',
    });
    expect(rows[1]).toMatchObject({ passage_1: '[Herbal, 2] Warm food; early sleep.', passage_2: '' });
  });

  it('leave no cell that a spreadsheet would compute', async () => {
    for (const { content, name } of sheetsFor(sheetReview(), 'pAsha')) {
      if (!name.endsWith('.csv')) continue;
      const bytes = Readable.from([Buffer.from(content.slice(1))]);
      for await (const records of csvRecords(bytes, { file: name, maxBytes: 1 << 20 }))
        for (const { cells } of records) for (const one of cells) expect(one).not.toMatch(/^\s*[=+\-@]/);
    }
  });

  it('call a shown text otherwise where its name is a question’s', async () => {
    const form = reviewSection.parse({
      ...FORM,
      show: [{ field: 'text', title: 'Text' }],
      fields: {
        response: { type: 'text', title: 'Your own answer' },
        item: { type: 'scale', title: 'How good an item?' },
      },
    });
    const { columns } = await table(contentOf(sheetReview({}, form), 'pBram', RATINGS));
    expect(columns).toEqual(['reviewer', 'item', 'text', 'shown.response', 'response', 'answer.item', 'as_written']);
  });

  it('cut what a cell of Excel cannot hold, and say so', async () => {
    const snapshot = sheetReview();
    const items = snapshot.items.map((item) =>
      item.id === 'iPlain'
        ? {
            ...item,
            content: {
              title: '',
              language: 'en',
              blocks: [{ name: 'response', title: '', text: 'y'.repeat(40_000) }],
              under: 'response',
              proposed: {},
              passages: [],
            },
          }
        : item,
    );
    const { rows } = await table(contentOf({ ...snapshot, items }, 'pBram', RATINGS));
    expect(rows[0]!['response']).toBe(`${'y'.repeat(32_000)}… (cut off here)`);
  });
});

describe('the guide beside the sheets', () => {
  const guide = contentOf(sheetReview(), 'pAsha', 'how_to_fill.md');

  it('says what each number, option, tick and label means', () => {
    expect(guide).toContain('- `treatment_relevance.safety`: Safety. No contraindications');
    expect(guide).toContain('- **1**: Dangerous or contraindicated');
    expect(guide).toContain('- `vata-pitta`: Vata-Pitta');
    expect(guide).toContain('`na` where it does not apply, possible for `components.herbs`.');
    expect(guide).toContain('- `grounded`: Grounded. A passage says so directly');
    expect(guide).toContain('Only for answers in: hi.');
  });

  it('speaks only of what its reader is asked and may do', () => {
    expect(contentOf(sheetReview(), 'pChitra', 'how_to_fill.md')).not.toContain('prakriti');
    expect(guide).toContain('To merge claims');
    expect(guide).not.toContain('To add one');
  });
});

it('words of ours get brackets where somebody means them as words, and lose them again', () => {
  expect(escapedWords('[clear]')).toBe('[[clear]]');
  expect(escapedWords('[[Clear]]')).toBe('[[[Clear]]]');
  expect(escapedWords('clear')).toBe('clear');
  expect(wordsIn('[[clear]]')).toBe('[clear]');
  expect(wordsIn('[see] [clear]')).toBe('[see] [clear]');
  expect([' [Clear] ', '[[clear]]'].map(isClear)).toEqual([true, false]);
});

it('any text comes back, and none is taken for a word of ours', () => {
  const hard = fc.array(fc.constantFrom('[', ']', 'clear', 'REMOVE', ' ', '\n', 'x'), { maxLength: 8 });
  fc.assert(
    fc.property(hard, (pieces) => {
      const text = pieces.join('');
      expect(wordsIn(escapedWords(text))).toBe(text);
      expect(isClear(escapedWords(text))).toBe(false);
    }),
    { numRuns: runsHere(3000), seed: 6 },
  );
});
