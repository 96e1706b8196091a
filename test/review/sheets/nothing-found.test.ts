import { describe, expect, it } from 'vitest';

import { memorySource } from '../../../src/data/source.ts';
import { problemText } from '../../../src/data/problems.ts';
import { readSheet, type SheetReading } from '../../../src/review/sheets/read-sheet.ts';
import { sheetsFor } from '../../../src/review/sheets/write-sheets.ts';
import type { ReviewSnapshot } from '../../../src/review/snapshot.ts';
import { formOf, madeSnapshot } from '../made-snapshot.ts';
import { keptReview } from './kept-review.ts';

const WORDS = 'Rain in Bergen.';

/** One letter in which a place was found, and two in which nothing was. */
function letters(...allow: readonly string[]): ReviewSnapshot {
  const form = formOf({
    fields: {
      spans: { type: 'items', title: 'Right?', from: 'predicted', labels: { right: 'Right', wrong: 'Wrong' }, allow },
      comment: { type: 'text', title: 'More?' },
    },
  });
  const content = (text: string, proposed: readonly object[]) => ({
    title: text,
    language: null,
    blocks: [{ name: 'text', title: 'Text', text }],
    under: 'text',
    proposed: { spans: proposed },
    passages: [],
  });
  const found = { id: 'p1', start: 8, end: 14, text: 'Bergen', kind: 'LOC', facts: {}, passages: [] };
  return madeSnapshot({
    form,
    reviewers: { Asha: [], Ben: [] },
    items: [
      { id: 'full', content: content(WORDS, [found]) },
      { id: 'empty', content: content('Sun, all day.', []) },
      { id: 'bare', content: content('Fog.', []) },
    ],
  });
}

const claimSheet = (snapshot: ReviewSnapshot): string =>
  sheetsFor(snapshot, 'Asha').find(({ name }) => name.includes('hallucination'))!.content;
const guide = (snapshot: ReviewSnapshot): string =>
  sheetsFor(snapshot, 'Asha').find(({ name }) => name.endsWith('.md'))!.content;
const read = (snapshot: ReviewSnapshot, text: string): Promise<SheetReading> =>
  readSheet(snapshot, null, memorySource('c.csv', text));
const done = ({ complete }: SheetReading): string[] => complete.map(({ itemId }) => itemId).sort();

const HEADER = 'reviewer,item,claim,claim_text,label,note\n';
const FULL = 'Asha,full,p1,Bergen,right,\n';
const EMPTY = 'Asha,empty,,(nothing was found),,\n';

describe('an item in which nothing was found', () => {
  it('has one row in the sheet of claims, and the guide says what becomes of it', () => {
    const rows = claimSheet(letters()).trim().split('\r\n').slice(1);
    expect(rows).toHaveLength(3);
    expect(rows.filter((row) => row.includes('(nothing was found)'))).toEqual([
      expect.stringContaining('Asha,empty,,"Sun, all day.",(nothing was found),'),
      expect.stringContaining('Asha,bare,,Fog.,(nothing was found),'),
    ]);
    expect(guide(letters())).toContain('If nothing was found in an item, its `claim_text` is `(nothing was found)`:');
    const full = letters();
    expect(guide({ ...full, assignments: full.assignments.slice(0, 1) })).not.toContain('nothing was found');
  });

  it('is done with a sheet that has a label in every other row, and not before', async () => {
    const snapshot = letters();
    expect(done(await read(snapshot, HEADER + FULL + EMPTY))).toEqual(['empty', 'full']);
    expect(done(await read(snapshot, HEADER + EMPTY))).toEqual(['empty']);
    const open = await read(snapshot, claimSheet(snapshot));
    expect([done(open), open.incomplete, open.events, open.problems]).toEqual([[], [], [], []]);
    expect(done(await read(snapshot, HEADER + FULL.replace('right', 'rihgt') + EMPTY))).toEqual([]);
  });

  it('stays open without its row, and where something stands in it that cannot be taken', async () => {
    const snapshot = letters();
    expect(done(await read(snapshot, HEADER + FULL))).toEqual(['full']);
    const labelled = await read(snapshot, `${HEADER}${FULL}Asha,empty,,(nothing was found),right,\n`);
    expect([done(labelled), labelled.problems.map(problemText)]).toEqual([
      ['full'],
      [expect.stringContaining('nothing was found in this item that could be labelled')],
    ]);
    const added = await read(snapshot, `${HEADER}${FULL}${EMPTY}Asha,empty,,Sun,right,\n`);
    expect(done(added)).toEqual(['full']);
    expect(added.problems).toHaveLength(1);
  });

  it('takes what is added in place of the words, where the form lets things be added', async () => {
    const reading = await read(letters('add'), `${HEADER}${FULL}Asha,empty,,Sun,right,\n`);
    expect(reading.problems).toEqual([]);
    expect(reading.events.find(({ itemId }) => itemId === 'empty')?.value).toMatchObject([
      { start: 0, end: 3, text: 'Sun', label: 'right', from: [] },
    ]);
    expect(done(reading)).toEqual(['empty', 'full']);
  });

  it('that was opened again in the app stays open for an old sheet, and not for one that is written since', async () => {
    const kept = keptReview(letters());
    const old = HEADER + FULL + EMPTY;
    await kept.bringIn(old);
    kept.answer('Asha', 'empty', '#commit', null, true);
    expect(done(await kept.bringIn(old))).toEqual(['full']);
    kept.answer('Asha', 'empty', '#commit', null, false);
    const again = await kept.bringIn(old);
    expect([done(again), again.reopened.map(({ itemId }) => itemId)]).toEqual([['full'], ['empty']]);
    expect(done(await kept.bringIn(kept.sheet('Asha', 'hallucination')))).toContain('empty');
  });
});
