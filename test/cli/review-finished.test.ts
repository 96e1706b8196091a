import { join } from 'node:path';

import { describe, expect, it } from 'vitest';

import { LiveState } from '../../src/server/runs/live-state.ts';
import { openStore } from '../../src/store/store.ts';
import { letters, NOT, RIGHT, type Said, type Spans } from './gold-review.ts';
import { ok, refused } from './review-files.ts';

const ANN = { start: 0, end: 3, label: 'PERSON' };
const ADDED = { label: 'missing', kind: 'LOC', start: 8, end: 12, text: 'Oslo' };
const document = (id: string, ...spans: readonly object[]) => ({ id, text: `Ann saw Oslo. ${id}`, spans });

interface Status {
  readonly items: { readonly total: number; readonly done: number };
  readonly people: readonly { readonly name: string; readonly done: number; readonly total: number }[];
  readonly conflicts: { readonly open: number; readonly decided: number };
  readonly lacking: readonly string[];
  readonly missing: readonly { readonly name: string; readonly items: number }[];
}

/** What every command and the page of runs say of one review. */
async function standing({ folder, run }: Awaited<ReturnType<typeof letters>>) {
  const json = async (...args: string[]): Promise<unknown> =>
    JSON.parse(ok(await run('review', ...args, '--json'))) as unknown;
  const status = (await json('status', 'letters')) as Status;
  const [listed] = (await json('list')) as { readonly done: number; readonly assigned: number }[];
  const conflicts = (await json('adjudicate', 'letters')) as { readonly item: string }[];
  const exported = await run('review', 'export', 'letters', '--gold', 'new.jsonl', '--force');
  const store = openStore(join(folder, '.assay'), { readOnly: true });
  const [served] = (await new LiveState(folder, store).live()).reviews;
  store.close();
  const total = status.people.reduce((sum, person) => sum + person.total, 0);
  const done = status.people.reduce((sum, person) => sum + person.done, 0);
  expect(listed).toMatchObject({ done, assigned: total });
  expect(served).toMatchObject({ finished: done, assigned: total, decided: status.conflicts.decided });
  expect(conflicts).toHaveLength(status.conflicts.open);
  expect(status.missing.reduce((sum, { items }) => sum + items, 0)).toBe(total - done);
  return { done: status.items.done, missing: status.missing.map(({ name }) => name), conflicts, exported };
}

describe('a case that reviewers have finished', () => {
  it('is done for every command if nothing was predicted and nobody added anything', async () => {
    const gold = [document('both'), document('gold only', ANN), document('neither')];
    const predicted = [document('both', ANN), { id: 'gold only', spans: [] }, { id: 'neither', spans: [] }];
    const review = await letters('pii/review', gold, predicted);
    const said: Said = { both: [RIGHT], 'gold only': 'finished', neither: 'finished' };
    review.say('Ann', said);
    const half = await standing(review);
    expect(half).toMatchObject({ done: 0, missing: ['Ben'], conflicts: [] });
    for (const { id } of gold)
      expect(refused(half.exported)).toContain(`"${id}" ("sys") "Ann saw Oslo. ${id}": 1 of 2 reviewers have finished`);
    review.say('Ben', said);
    const whole = await standing(review);
    expect(whole).toMatchObject({ done: 3, missing: [], conflicts: [] });
    expect(ok(whole.exported)).toContain('3 cases: 1 kept, 0 corrected, 1 added, 0 dropped');
    expect(review.lines('new.jsonl').map((line) => (line as Spans).spans)).toEqual([
      [{ ...ANN, text: 'Ann' }],
      [{ ...ANN, text: 'Ann' }],
      [],
    ]);
  });

  it('is not called answered before, nor unanswered after, if no case has anything to answer', async () => {
    const gold = [document('a', ANN), document('b')];
    const review = await letters('pii/review', gold, [
      { id: 'a', spans: [] },
      { id: 'b', spans: [] },
    ]);
    const status = async (): Promise<string> => ok(await review.run('review', 'status', 'letters'));
    expect(await status()).toContain('Ann: 2 items (not finished)');
    for (const who of ['Ann', 'Ben']) review.say(who, { a: 'finished', b: 'finished' });
    const text = (await status()).replaceAll(/\s+/g, ' ');
    expect(text).toContain('reviewers have finished without labelling anything: there is nothing to compare');
    expect(text).not.toContain('nobody has committed');
    expect(ok((await standing(review)).exported)).toContain('1 kept, 0 corrected, 0 added, 0 dropped');
  });

  it('is a conflict if one reviewer added what the other did not miss, and not if both added the same', async () => {
    const gold = [document('one'), document('all')];
    const review = await letters('pii/review', gold, [
      { id: 'one', spans: [] },
      { id: 'all', spans: [] },
    ]);
    review.say('Ann', { one: [ADDED], all: [ADDED] });
    review.say('Ben', { one: 'finished', all: [ADDED] });
    const before = await standing(review);
    expect(before.done).toBe(2);
    expect(before.conflicts).toHaveLength(1);
    const open = refused(before.exported);
    expect(open).toContain('1 item of "letters" is unresolved');
    expect(open).toContain('decide the conflicts (assay review adjudicate letters)');
    expect(open).not.toContain('assay review status');
    const { item } = before.conflicts[0]!;
    const decide = ['--item', item, '--field', 'spans', '--part', '8-12', '--answer', '1'];
    ok(await review.run('review', 'adjudicate', 'letters', ...decide));
    const after = await standing(review);
    expect(ok(after.exported)).toContain('2 cases: 0 kept, 0 corrected, 2 added, 0 dropped');
  });

  it('is named with the command that settles it, whatever leaves it open', async () => {
    const gold = ['agreed', 'divided', 'skipped', 'begun', 'unsure'].map((id) => document(id, ANN));
    const review = await letters('pii/review', gold, gold);
    const said: Said = { agreed: [RIGHT], divided: [RIGHT], skipped: [RIGHT], begun: [RIGHT] };
    review.say('Ann', { ...said, unsure: [{ label: 'wrong_label' }] });
    review.say('Ben', {
      ...said,
      divided: [NOT],
      begun: 'begun',
      unsure: [{ label: 'wrong_label' }],
      skipped: 'begun',
    });
    const found = await standing(review);
    expect(found).toMatchObject({ done: 3, missing: ['Ben'] });
    expect(found.conflicts).toHaveLength(1);
    const open = refused(found.exported);
    expect(open).toContain('4 items of "letters" are unresolved');
    for (const next of [
      'assay review adjudicate letters',
      'assay review status letters',
      'ask the reviewers to correct',
      'keep-gold',
    ])
      expect(open).toContain(next);
  });

  it('waits for nobody whose link was withdrawn, but keeps what they had finished', async () => {
    const gold = [document('a', ANN), document('b', ANN)];
    const review = await letters('pii/review', gold, gold, [], ['--set', 'review.people.annotator.raters=1']);
    review.say('Ann', { a: [RIGHT], b: [RIGHT] });
    review.say('Ben', { a: [RIGHT] });
    expect(await standing(review)).toMatchObject({ done: 1, missing: ['Ben'] });
    ok(await review.run('review', 'links', 'letters', '--revoke', 'Ben'));
    const found = await standing(review);
    expect(found).toMatchObject({ done: 2, missing: [] });
    expect(ok(found.exported)).toContain('2 kept');
  });

  it('needs as many reviewers as the form wants, and status names the group that lacks them', async () => {
    const gold = [document('a', ANN)];
    const review = await letters('pii/review', gold, gold, [], ['--set', 'review.people.annotator.raters=3']);
    review.say('Ann', { a: [RIGHT] });
    const alone = refused((await standing(review)).exported);
    expect(alone).toContain('1 of 3 reviewers have finished it');
    const { lacking } = JSON.parse(ok(await review.run('review', 'status', 'letters', '--json'))) as Status;
    expect(lacking).toEqual([
      '3 of the group annotator (annotators of personal data) are to rate each item, and there are 2',
    ]);
    expect(ok(await review.run('review', 'status', 'letters'))).toContain('3 of the group annotator');
    review.say('Ben', { a: [RIGHT] });
    const both = await standing(review);
    expect(both).toMatchObject({ done: 1, conflicts: [] });
    expect(ok(both.exported)).toContain('1 kept');
  });

  it('is no decided conflict any more once reviewers agree without the decision', async () => {
    const gold = [document('a', ANN), document('b', ANN)];
    const review = await letters('pii/review', gold, gold);
    review.say('Ann', { a: [RIGHT], b: [RIGHT] });
    review.say('Ben', { a: [NOT], b: [NOT] });
    for (const { item } of (await standing(review)).conflicts)
      ok(await review.run('review', 'adjudicate', 'letters', '--item', item, '--field', 'spans', '--answer', '1'));
    const status = async () => JSON.parse(ok(await review.run('review', 'status', 'letters', '--json'))) as Status;
    expect((await status()).conflicts).toEqual({ open: 0, decided: 2 });
    review.say('Ben', { a: [RIGHT] });
    await standing(review);
    expect((await status()).conflicts).toEqual({ open: 0, decided: 1 });
  });

  it('waits for answers, not for reviewers, if all have finished and too few answered an optional question', async () => {
    const gold = [document('a')];
    const form = ['--set', 'review.fields.spans.optional=true'];
    const review = await letters('pii/review', gold, [{ id: 'a', spans: [] }], [], form);
    review.say('Ann', { a: [ADDED] });
    review.say('Ben', { a: 'finished' });
    const { exported, ...found } = await standing(review);
    expect(found).toMatchObject({ done: 1, missing: [], conflicts: [] });
    expect(refused(exported)).toContain('1 of 2 reviewers have answered it');
    expect(refused(exported)).toContain('ask the reviewers to correct their answers; or keep');
    expect(refused(exported)).not.toContain('--add');
  });

  it('needs one more reviewer if fewer were asked than the form wants', async () => {
    const gold = [document('a', ANN)];
    const review = await letters('pii/review', gold, gold);
    ok(await review.run('review', 'links', 'letters', '--revoke', 'Ben'));
    review.say('Ann', { a: [RIGHT] });
    const { exported, ...found } = await standing(review);
    expect(found).toMatchObject({ done: 1, missing: [], conflicts: [] });
    expect(refused(exported)).toContain('1 of 2 reviewers have finished it');
    expect(refused(exported)).toContain('add reviewers (assay review links letters --add WHO); or keep');
    ok(await review.run('review', 'links', 'letters', '--add', 'Dot:annotator'));
    review.say('Dot', { a: [RIGHT] });
    expect(ok((await standing(review)).exported)).toContain('1 kept');
  });

  it('takes gold as it is where nothing was predicted and the form lets nobody add anything', async () => {
    const gold = [document('a', ANN), document('b', ANN)];
    const form = ['--set', 'review.fields.spans.allow=[remove]'];
    const review = await letters('pii/review', gold, [gold[0]!, { id: 'b', spans: [] }], [], form);
    for (const who of ['Ann', 'Ben']) review.say(who, { a: [null] });
    const open = await standing(review);
    expect(open).toMatchObject({ done: 1, missing: ['Ann', 'Ben'] });
    expect(ok(open.exported)).toContain('1 kept, 0 corrected, 0 added, 1 dropped');
  });
});
