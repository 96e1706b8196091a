import { describe, expect, it } from 'vitest';

import { conflictId } from '../../../src/review/conflicts.ts';
import { finish, makeReview, servingReview, type ReviewServing, WHOLE_ANSWER } from './serving-review.ts';

const PEOPLE = [
  { name: 'Anna' },
  { name: 'Bora' },
  { name: 'Adja', role: 'adjudicator' },
  { name: 'Olga', role: 'owner' },
] as const;

const PLANT = conflictId('case-1', 'plant', null);

/** Anna says rose and Bora fern of the first case. */
async function divided(): Promise<ReviewServing> {
  const serving = await servingReview({ people: PEOPLE });
  for (const [name, plant] of [
    ['Anna', 'rose'],
    ['Bora', 'fern'],
  ] as const)
    await finish(serving.as(name), 'case-1', [['plant', null, plant]]);
  return serving;
}

describe('the adjudicator', () => {
  it('gets the conflicts alone, with the answers side by side and people numbered, not named', async () => {
    const { as } = await divided();
    const list = await as('Adja')('GET', '/conflicts');
    expect(list.body).toEqual({
      conflicts: [
        { id: PLANT, item: 'case-1', title: 'What ails my plant 1?', field: 'plant', part: null, decided: false },
      ],
    });
    const { body, text } = await as('Adja')('GET', `/conflicts/${PLANT}`);
    expect(body.question).toMatchObject({ type: 'choice', title: 'Which plant?' });
    expect(body.content.blocks).toEqual([{ name: 'text', title: 'The question', text: 'What ails my plant 1?' }]);
    expect(body.answers.map(({ said }) => said)).toEqual([['Reviewer 1'], ['Reviewer 2']]);
    expect(new Set(body.answers.map(({ value }) => value))).toEqual(new Set(['fern', 'rose']));
    expect([body.decision, body.history]).toEqual([null, []]);
    expect(text).not.toMatch(/Anna|Bora|Secret|gold/);
  });

  it('sees of the content what the question in dispute needs', async () => {
    const { as } = await servingReview({ people: PEOPLE });
    const claims = (label: string) => [
      { id: 'c1', start: 0, end: 15, text: 'Water it daily.', label, from: ['c1'] },
      { id: 'c2', start: 16, end: 32, text: 'Feed it in June.', label: 'yes', from: ['c2'] },
    ];
    await finish(as('Anna'), 'answer-1', [...WHOLE_ANSWER, ['claims', null, claims('yes')]]);
    await finish(as('Bora'), 'answer-1', [...WHOLE_ANSWER, ['claims', null, claims('no')], ['safety', 'harm', 2]]);
    const view = async (field: string, part: string) =>
      (await as('Adja')('GET', `/conflicts/${conflictId('answer-1', field, part)}`)).body.content;
    expect(await view('safety', 'harm')).toMatchObject({ under: 'response', proposed: {}, passages: [] });
    const { proposed, passages } = await view('claims', '0-15');
    expect([Object.keys(proposed), passages.map(({ id }) => id)]).toEqual([['claims'], ['r1']]);
  });

  it('sees no answer that is not committed', async () => {
    const { as } = await servingReview({ people: PEOPLE });
    await finish(as('Anna'), 'case-1', [['plant', null, 'rose']]);
    await as('Bora')('POST', '/items/case-1/events', {
      events: [{ id: 'e', field: 'plant', part: null, value: 'fern' }],
    });
    expect((await as('Adja')('GET', '/conflicts')).body.conflicts).toEqual([]);
    expect((await as('Adja')('GET', `/conflicts/${PLANT}`)).status).toBe(404);
  });

  it('decides with who, when and why; the last decision holds, and taking it back opens the conflict', async () => {
    const { as } = await divided();
    const ask = as('Adja');
    const decide = (id: string, value: unknown, because: string) =>
      ask('POST', `/conflicts/${PLANT}/decision`, { id, value, because });
    const decided = await decide('d1', 'fern', '');
    expect([decided.status, decided.body.conflicts[0]!.decided]).toEqual([200, true]);
    // Sent again because the answer got lost.
    expect((await decide('d1', 'fern', '')).status).toBe(200);
    await decide('d2', 'rose', 'thorns are mentioned');
    const { body } = await ask('GET', `/conflicts/${PLANT}`);
    expect(body.decision).toMatchObject({ value: 'rose', because: 'thorns are mentioned', by: 'Adja' });
    expect(body.history.map(({ value }) => value)).toEqual(['fern', 'rose']);
    const back = await decide('d3', null, '');
    expect(back.body.conflicts[0]!.decided).toBe(false);
    expect((await ask('GET', `/conflicts/${PLANT}`)).body.history).toHaveLength(3);
  });

  it('has to give a reason for what nobody answered, and cannot decide what is no answer', async () => {
    const { as, log } = await servingReview({ people: PEOPLE });
    await finish(as('Anna'), 'answer-1', WHOLE_ANSWER);
    await finish(as('Bora'), 'answer-1', [...WHOLE_ANSWER, ['safety', 'harm', 2]]);
    const harm = conflictId('answer-1', 'safety', 'harm');
    let number = 0;
    const decide = (value: unknown, because: string) =>
      as('Adja')('POST', `/conflicts/${harm}/decision`, { id: `d${(number += 1)}`, value, because });
    expect((await as('Adja')('GET', '/conflicts')).body.conflicts.map(({ id }) => id)).toEqual([harm]);
    const silent = await decide(3, '  ');
    expect([silent.status, silent.body.error.message]).toEqual([
      422,
      'Nobody gave this answer, so a reason is needed.',
    ]);
    for (const value of [9, 'rose', '__proto__', [], true])
      expect([value, (await decide(value, 'because')).status]).toEqual([value, 422]);
    for (const because of ['nul \u0000', 'half \ud800']) expect((await decide(3, because)).status).toBe(422);
    expect((await decide(3, 'between the two')).status).toBe(200);
    expect(log.at(-1)).toBe(
      `POST /api/review/conflicts/${harm.slice(0, 6)}…/decision 422 a decision that is not possible`,
    );
  });

  it('decides on a claim with a label, and on a stretch that was cut differently with a list', async () => {
    const { as } = await servingReview({ people: PEOPLE });
    const claim = (id: string, start: number, end: number, label: string | null) => ({
      id,
      start,
      end,
      text: 'Water it daily. Feed it in June.'.slice(start, end),
      label,
      from: [id.slice(0, 2)],
    });
    const scale = WHOLE_ANSWER.slice(0, 2);
    const anna = [claim('c1', 0, 15, 'yes'), claim('c2', 16, 32, 'yes')];
    const bora = [claim('c1', 0, 15, 'no'), claim('c2a', 16, 23, 'yes'), claim('c2b', 24, 32, 'no')];
    await finish(as('Anna'), 'answer-1', [...scale, ['claims', null, anna]]);
    await finish(as('Bora'), 'answer-1', [...scale, ['claims', null, bora]]);
    const ask = as('Adja');
    const { conflicts } = (await ask('GET', '/conflicts')).body;
    expect(conflicts.map(({ part }) => part)).toEqual(['0-15', '16-32']);
    const [label = '', stretch = ''] = conflicts.map(({ id }) => `/conflicts/${id}/decision`);
    let number = 0;
    const decide = (path: string, value: unknown, because = '') =>
      ask('POST', path, { id: `d${(number += 1)}`, value, because });
    expect((await decide(label, 'perhaps', 'x')).status).toBe(422);
    expect((await decide(label, 'constructor', 'x')).status).toBe(422);
    expect((await decide(label, 'no')).status).toBe(200);
    expect((await decide(stretch, [claim('c2', 16, 32, null)], 'x')).status).toBe(422);
    expect((await decide(stretch, [claim('c2', 16, 33, 'no')], 'x')).status).toBe(422);
    expect((await decide(stretch, [claim('c2', 16, 32, 'no')])).status).toBe(422);
    const settled = await decide(stretch, [claim('c2', 16, 32, 'no')], 'one claim, and wrong');
    expect(settled.body.conflicts.map(({ decided }) => decided)).toEqual([true, true]);
    const undone = await decide(stretch, null);
    expect(undone.body.conflicts.map(({ decided }) => decided)).toEqual([true, false]);
  });

  it('finds nothing of another review, nor what was made up', async () => {
    const { as, store } = await divided();
    makeReview(store, {
      name: 'other',
      prefix: 'other-',
      people: [{ name: 'Omar' }, { name: 'Oda' }, { name: 'Otto', role: 'adjudicator' }],
    });
    await finish(as('Omar'), 'other-case-1', [['plant', null, 'rose']]);
    await finish(as('Oda'), 'other-case-1', [['plant', null, 'fern']]);
    const theirs = conflictId('other-case-1', 'plant', null);
    expect((await as('Otto')('GET', `/conflicts/${theirs}`)).status).toBe(200);
    for (const id of [theirs, 'made-up', '__proto__', 'x'.repeat(1000)]) {
      expect((await as('Adja')('GET', `/conflicts/${id}`)).status).toBe(404);
      const decided = await as('Adja')('POST', `/conflicts/${id}/decision`, { id: 'd', value: 'rose', because: 'x' });
      expect([decided.status, decided.body.error.message]).toEqual([404, 'This conflict is not here.']);
    }
  });
});

describe('the numbers of reviewers', () => {
  it('are the same at every look, and follow neither names nor the order of entry', async () => {
    const names = ['A', 'B', 'C', 'D', 'E', 'F', 'G', 'H'];
    const { store, as } = await servingReview({
      people: [...names.map((name) => ({ name })), { name: 'Adja', role: 'adjudicator' }],
    });
    for (const [at, name] of names.entries())
      await finish(as(name), 'answer-1', [...WHOLE_ANSWER, ['safety', 'harm', 1 + (at % 5)], ['comment', null, name]]);
    const ask = async () =>
      (await as('Adja')('GET', `/conflicts/${conflictId('answer-1', 'safety', 'harm')}`)).body.answers;
    const answers = await ask();
    expect(answers.flatMap(({ said }) => said).sort()).toEqual(names.map((_, at) => `Reviewer ${at + 1}`));
    expect(answers.map(({ value }) => value)).not.toEqual([1, 2, 3, 4, 5]);
    expect(await ask()).toEqual(answers);
    expect(store.reviews.list()).toHaveLength(1);
  });
});
