import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { problemText } from '../../../src/data/problems.ts';
import type { SheetReading } from '../../../src/review/sheets/read-sheet.ts';
import type { CellValue, ItemAnswer } from '../../../src/store/review-records.ts';
import { keptReview } from './kept-review.ts';
import { labelled } from './sheet-review.ts';

const HEADER = 'reviewer,item,treatment_relevance.safety,treatment_relevance.efficacy,components.diet,comment\n';
const told = ({ notices }: SheetReading): string[] => notices.map(problemText);
const KEPT = '(to change it again, use the app or a sheet that is exported again)';

describe('a sheet of ratings that is imported again', () => {
  it('leaves what was changed in the app since, and names it', async () => {
    const { bringIn, answer, valueOf, events } = keptReview();
    const sheet = `${HEADER}Bram,iPlain,3,5,,first\n`;
    expect(await bringIn(sheet)).toMatchObject({ changed: 3, kept: 0 });
    answer('pBram', 'iPlain', 'treatment_relevance', 'safety', 5);
    answer('pBram', 'iPlain', 'comment', null, 'second');
    const before = events();
    const again = await bringIn(sheet);
    expect(again).toMatchObject({ changed: 0, unchanged: 1, kept: 2, problems: [] });
    expect(told(again)).toEqual([
      `s.csv: kept what was changed since: row 2, treatment_relevance.safety; row 2, comment ${KEPT}`,
    ]);
    expect(events()).toBe(before);
    expect(valueOf('pBram', 'iPlain', 'treatment_relevance', 'safety')).toBe(5);
    expect(valueOf('pBram', 'iPlain', 'comment', null)).toBe('second');
  });

  it('leaves what a later sheet said, and what was taken back', async () => {
    const { bringIn, answer, valueOf } = keptReview();
    const [first, second] = [`${HEADER}Bram,iPlain,3,4,,\n`, `${HEADER}Bram,iPlain,5,[clear],,\n`];
    await bringIn(first);
    await bringIn(second);
    expect(await bringIn(first)).toMatchObject({ events: [], kept: 2 });
    expect(valueOf('pBram', 'iPlain', 'treatment_relevance', 'safety')).toBe(5);
    answer('pBram', 'iPlain', 'treatment_relevance', 'efficacy', 2);
    expect(await bringIn(second)).toMatchObject({ events: [], unchanged: 1, kept: 1 });
    expect(valueOf('pBram', 'iPlain', 'treatment_relevance', 'efficacy')).toBe(2);
  });

  it('leaves what was changed since also where the app had said the same before', async () => {
    const { bringIn, answer, valueOf, sheet } = keptReview();
    const filled = sheet('pBram', 'human').replace(/(\r\nBram,iPlain,[^\r]*?)\(not asked\),,/, '$1(not asked),3,');
    answer('pBram', 'iPlain', 'treatment_relevance', 'safety', 3);
    expect(await bringIn(filled)).toMatchObject({ events: [], unchanged: 1 });
    answer('pBram', 'iPlain', 'treatment_relevance', 'safety', 5);
    expect(await bringIn(filled)).toMatchObject({ events: [], kept: 1 });
    expect(valueOf('pBram', 'iPlain', 'treatment_relevance', 'safety')).toBe(5);
  });

  it('counts anew where it was exported anew', async () => {
    const { bringIn, answer, valueOf, sheet } = keptReview();
    const fill = (points: string): string =>
      sheet('pBram', 'human').replace(/(\r\nBram,iPlain,[^\r]*?\(not asked\),)\d?,/, `$1${points},`);
    const first = fill('3');
    await bringIn(first);
    answer('pBram', 'iPlain', 'treatment_relevance', 'safety', 5);
    const second = fill('3');
    expect(second).not.toBe(first);
    const reading = await bringIn(second);
    expect(reading).toMatchObject({ changed: 1, kept: 0 });
    expect(valueOf('pBram', 'iPlain', 'treatment_relevance', 'safety')).toBe(3);
    // The same answer given a second time is another event.
    expect((await bringIn(first)).events).toEqual([]);
  });

  it('does not take back by [clear] what was answered since', async () => {
    const { bringIn, answer, valueOf, sheet } = keptReview();
    const filled = sheet('pBram', 'human').replace(
      /(\r\nBram,iPlain,[^\r]*?)\(not asked\),,/,
      '$1(not asked),[clear],',
    );
    expect(await bringIn(filled)).toMatchObject({ events: [], unchanged: 1 });
    answer('pBram', 'iPlain', 'treatment_relevance', 'safety', 5);
    expect(await bringIn(filled)).toMatchObject({ events: [], kept: 1 });
    expect(valueOf('pBram', 'iPlain', 'treatment_relevance', 'safety')).toBe(5);
  });

  it('does not complete an item that was opened again since, unless it was written after that', async () => {
    const { bringIn, answer, sheet } = keptReview();
    const done = [{ personId: 'pBram', itemId: 'iPlain' }];
    const first = `${HEADER}Bram,iPlain,3,5,,\n`;
    expect((await bringIn(first)).complete).toEqual(done);
    answer('pBram', 'iPlain', '#commit', null, true);
    answer('pBram', 'iPlain', '#commit', null, false);
    for (const content of [first, first.replace('3,5', '3,4'), sheet('pBram', 'human')])
      expect(await bringIn(content)).toMatchObject({ complete: [], reopened: done });
    const anew = sheet('pBram', 'human').replace(/(\r\nBram,iPlain,[^\r]*?\(not asked\),)3,/, '$11,');
    expect(await bringIn(anew)).toMatchObject({ complete: done, reopened: [] });
  });

  it('says that answers of items that were done have changed', async () => {
    const { bringIn, answer } = keptReview();
    await bringIn(`${HEADER}Bram,iPlain,3,5,,\n`);
    answer('pBram', 'iPlain', '#commit', null, true);
    expect(await bringIn(`${HEADER}Bram,iPlain,2,5,yes,\n`)).toMatchObject({
      changed: 2,
      changedDone: 2,
      unchanged: 1,
      complete: [],
    });
  });
});

describe('a sheet of claims that is imported again', () => {
  const [S1, S2, S3] = labelled('plain', ['none', 'none', 'none']) as [ItemAnswer, ItemAnswer, ItemAnswer];
  const sheet = (...rows: readonly (readonly string[])[]): string =>
    `reviewer;item;claim;claim_text;label;note\n${rows.map((cells) => `चित्रा;iPlain;${cells.join(';')}\n`).join('')}`;

  it('leaves labels, notes and words that were changed in the app since, and takes what is new', async () => {
    const { bringIn, answer, valueOf } = keptReview();
    const rows = [
      ['s1', 'Eat food.', 'grounded', 'p. 2'],
      ['s2', '', 'inferred', ''],
    ];
    expect(await bringIn(sheet(...rows))).toMatchObject({ changed: 2, unchanged: 0, problems: [] });
    const now = [{ ...S1, text: 'Eat warmly', note: 'p. 3' }, { ...S2, label: 'hallucinated' }, S3];
    answer('pChitra', 'iPlain', 'claims', null, now);
    const again = await bringIn(sheet(...rows));
    expect(again).toMatchObject({ events: [], changed: 0, kept: 4, problems: [] });
    expect(told(again)[0]).toContain('row 2, claim_text; row 2, label; row 2, note; row 3, label (to change');
    expect(await bringIn(sheet(...rows, ['s3', '', 'grounded']))).toMatchObject({ changed: 1, kept: 4 });
    expect(valueOf('pChitra', 'iPlain', 'claims', null)).toEqual([now[0], now[1], { ...S3, label: 'grounded' }]);
  });

  it('neither splits, merges nor takes out again what was put right since', async () => {
    const { bringIn, answer, valueOf } = keptReview();
    const rows = sheet(['s1', '', '[remove]'], ['s2', 'Sleep early', 'none'], ['', 'walk daily!', 'grounded']);
    await bringIn(rows);
    answer('pChitra', 'iPlain', 'claims', null, [S1, S2, S3]);
    expect(await bringIn(rows)).toMatchObject({ events: [], kept: 3, problems: [] });
    const merged = sheet(['s1+s2', '', 'inferred'], ['s3', '', 'grounded']);
    expect(await bringIn(merged)).toMatchObject({ changed: 2 });
    answer('pChitra', 'iPlain', 'claims', null, [S1, S2, S3]);
    expect(await bringIn(merged)).toMatchObject({ events: [], kept: 2, problems: [] });
    expect(valueOf('pChitra', 'iPlain', 'claims', null)).toEqual([S1, S2, S3]);
  });

  it('says nothing wrong of a claim that has become part of another since', async () => {
    const { bringIn, answer } = keptReview();
    const rows = sheet(['s1', 'Eat warm food.', 'grounded'], ['s2', '', 'inferred', 'why']);
    await bringIn(rows);
    const whole = { ...S1, id: 's1+s2', end: S2.end, from: ['s1', 's2'] };
    answer('pChitra', 'iPlain', 'claims', null, [whole, S3]);
    expect(await bringIn(rows)).toMatchObject({ events: [], kept: 2, problems: [] });
    // What is new about it cannot be kept, and is named.
    const reading = await bringIn(rows.replace('inferred', 'grounded'));
    expect(reading.problems.map(problemText)).toEqual([
      's.csv:3: row 3, claim: the claim "s2" has become part of "s1+s2", which has its own row',
    ]);
  });
});

describe('importing again, whatever happened in between', () => {
  const points = fc.constantFrom('', '1', '3', '5', '[clear]');
  const labels = fc.constantFrom('', 'grounded', 'none', '[clear]', '[remove]');
  const words = fc.constantFrom('', 'Eat warm food.', 'Eat food.', 'Warm food');
  const ratings = fc.tuple(fc.constant('human' as const), points, points, fc.constantFrom('', 'ok', 'no, wait'));
  const claims = fc.tuple(
    fc.constant('hallucination' as const),
    labels,
    words,
    fc.constantFrom('', 'Sleep early', 'walk daily!'),
  );
  const step = fc.oneof(
    fc.record({ import: fc.oneof(ratings, claims), anew: fc.boolean() }),
    fc.record({ safety: fc.constantFrom(1, 3, 5, null) }),
    fc.record({ labels: fc.array(fc.constantFrom('grounded', 'none', null), { minLength: 0, maxLength: 3 }) }),
  );

  function file(sheet: string, cells: readonly [string, string, string, string], hasMarks: boolean): string {
    const [, version = 'v0'] = /\r\nAsha Rao,iPlain,(?:[^\r]|\r(?!\n))*?(v\d+)\r\n/.exec(sheet) ?? [];
    const marks = hasMarks ? version : '';
    // Without marks nobody can tell whether there was anything to take back.
    const [kind, one = '', two = '', three = ''] = cells.map((cell) => (hasMarks || cell !== '[clear]' ? cell : ''));
    return kind === 'human'
      ? `${HEADER.trim()},as_written\nAsha Rao,iPlain,${one},${two},,"${three}",${marks}\n`
      : `reviewer,item,claim,claim_text,label,note,as_written\nAsha Rao,iPlain,s1,${two},${one},,${marks}\nAsha Rao,iPlain,,${three},,,${marks}\n`;
  }

  it('changes nothing', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 2, maxLength: 6 }), fc.boolean(), async (steps, hasMarks) => {
        const { bringIn, answer, sheet, events, cells } = keptReview();
        const first = { human: sheet('pAsha', 'human'), hallucination: sheet('pAsha', 'hallucination') };
        const files: string[] = [];
        for (const one of steps) {
          if ('import' in one) {
            const [kind] = one.import;
            const content = file(one.anew ? sheet('pAsha', kind) : first[kind], one.import, hasMarks);
            const { problems } = await bringIn(content);
            // What could not be read may be later.
            if (problems.length === 0) files.push(content);
          } else if ('safety' in one) answer('pAsha', 'iPlain', 'treatment_relevance', 'safety', one.safety);
          else {
            const value: CellValue = labelled('plain', one.labels).slice(0, one.labels.length);
            answer('pAsha', 'iPlain', 'claims', null, value);
          }
          // Each file that was imported so far, once more.
          for (const content of files.toReversed()) {
            const [count, before] = [events(), cells('pAsha', 'iPlain')];
            const again = await bringIn(content);
            expect([again.events, events(), cells('pAsha', 'iPlain')], content).toEqual([[], count, before]);
          }
        }
      }),
      { numRuns: 25, seed: 6 },
    );
  });

  it('makes one event of two imports at the same time', async () => {
    const { snapshot, bringIn, events } = keptReview();
    const sheet = `${HEADER}Bram,iPlain,3,5,,\n`;
    const before = snapshot();
    const [one, two] = await Promise.all([bringIn(sheet), bringIn(sheet)]);
    expect(before.states).toEqual([]);
    expect(one.events.map(({ id }) => id)).toEqual(two.events.map(({ id }) => id));
    expect(events()).toBe(2);
  });
});
