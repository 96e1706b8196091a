import { describe, expect, it } from 'vitest';

import { cell, finish, servingReview, WHOLE_ANSWER } from './serving-review.ts';

const TWO = { people: [{ name: 'Anna' }, { name: 'Bora' }] };

describe('an item', () => {
  it('is shown with its content and the questions asked of it, and nothing that is kept from reviewers', async () => {
    const { as } = await servingReview({ ...TWO, reveal: ['system', 'automatic', 'judge', 'others'] });
    const { body, text } = await as('Anna')('GET', '/items/answer-1');
    expect(body).toEqual({
      item: 'answer-1',
      kind: 'answer',
      content: {
        title: 'What ails my plant 1?',
        language: 'en',
        blocks: [
          { name: 'text', title: 'The question', text: 'What ails my plant 1?' },
          { name: 'response', title: 'The answer', text: 'Water it daily. Feed it in June.' },
        ],
        under: 'response',
        proposed: {
          claims: [
            { id: 'c1', start: 0, end: 15, text: 'Water it daily.', kind: null, facts: {}, passages: ['r1'] },
            { id: 'c2', start: 16, end: 32, text: 'Feed it in June.', kind: null, facts: {}, passages: [] },
          ],
        },
        passages: [{ id: 'r1', source: 'A book', text: 'Ferns want water.' }],
      },
      fields: ['safety', 'contents', 'claims', 'comment'],
      cells: [],
      committed: false,
      version: 0,
      revealed: null,
    });
    const me = await as('Anna')('GET', '/me');
    for (const said of [text, me.text]) expect(said).not.toMatch(/Secret|gold|predicted/i);
  });

  it('has the questions of the person’s groups only', async () => {
    const { as } = await servingReview({
      people: [
        { name: 'Ed', groups: ['expert'] },
        { name: 'Nia', groups: ['annotator'] },
      ],
    });
    expect((await as('Ed')('GET', '/items/answer-1')).body.fields).toEqual(['safety', 'contents', 'comment']);
    expect((await as('Nia')('GET', '/items/answer-1')).body.fields).toEqual(['claims', 'comment']);
    expect(Object.keys((await as('Nia')('GET', '/me')).body.form)).toEqual(['plant', 'claims', 'comment']);
    const other = await as('Nia')('POST', '/items/answer-1/events', { events: [cell('safety', 'harm', 1)] });
    expect([other.status, other.body.error.message]).toEqual([
      422,
      'The answer to "safety", "harm" cannot be kept (event 1): it is not among the questions of this item',
    ]);
  });

  it('has the claims and passages of those questions only, and no text that the form does not show', async () => {
    const { as } = await servingReview({
      people: [
        { name: 'Ed', groups: ['expert'] },
        { name: 'Nia', groups: ['annotator'] },
      ],
    });
    const expert = await as('Ed')('GET', '/items/answer-1');
    expect(expert.body.content).toMatchObject({ under: 'response', proposed: {}, passages: [] });
    expect(expert.text).not.toMatch(/Ferns want water|A book|retrieved_context|r1/);
    const annotator = await as('Nia')('GET', '/items/answer-1');
    expect(annotator.body.content.proposed['claims']).toHaveLength(2);
    expect(annotator.body.content.passages).toEqual([{ id: 'r1', source: 'A book', text: 'Ferns want water.' }]);
    for (const { body } of [expert, annotator])
      expect(body.content.blocks.map(({ name }) => name)).toEqual(['text', 'response']);
  });

  it('of another reviewer is not there, as if its id were made up, to read and to write', async () => {
    const { as, log, store } = await servingReview({
      people: [
        { name: 'Anna', queue: ['case-1'] },
        { name: 'Bora', queue: ['case-2'] },
      ],
    });
    const ask = as('Anna');
    for (const [method, path, body] of [
      ['GET', '', undefined],
      ['POST', '/events', { events: [cell('plant', null, 'rose')] }],
      ['POST', '/commit', { id: 'x' }],
      ['POST', '/reopen', { id: 'x' }],
    ] as const) {
      const theirs = await ask(method, `/items/case-2${path}`, body);
      const made = await ask(method, `/items/made-up${path}`, body);
      const proto = await ask(method, `/items/__proto__${path}`, body);
      expect([theirs.status, made.status, proto.status]).toEqual([404, 404, 404]);
      expect([theirs.text, proto.text]).toEqual([made.text, made.text]);
    }
    expect(log[0]).toBe('GET /api/review/items/case-2 404 no such item for this person');
    expect(store.reviews.states(store.reviews.list()[0]!.id)).toEqual([]);
  });
});

describe('saving', () => {
  it('keeps each answer, tells the version, and shows it again', async () => {
    const { as } = await servingReview(TWO);
    const ask = as('Anna');
    const first = await ask('POST', '/items/answer-1/events', { events: [cell('safety', 'harm', 4)] });
    expect(first.body).toEqual({ version: 1, committed: false, revealed: null });
    const second = await ask('POST', '/items/answer-1/events', {
      events: [cell('safety', 'harm', 2), cell('contents', 'light', 'na'), cell('comment', null, 'यह ठीक है')],
    });
    expect(second.body.version).toBe(4);
    expect((await ask('GET', '/items/answer-1')).body.cells).toEqual([
      { field: 'safety', part: 'harm', value: 2 },
      { field: 'contents', part: 'light', value: 'na' },
      { field: 'comment', part: null, value: 'यह ठीक है' },
    ]);
    expect((await ask('GET', '/me')).body.queue[1]).toMatchObject({ item: 'answer-1', state: 'begun' });
    await ask('POST', '/items/answer-1/events', { events: [cell('safety', 'harm', null)] });
    expect((await ask('GET', '/items/answer-1')).body.cells).toHaveLength(2);
  });

  it('the same ids again changes nothing, also after the item was committed', async () => {
    const { as, store } = await servingReview(TWO);
    const ask = as('Anna');
    const events = [cell('plant', null, 'rose'), cell('comment', null, 'x')].slice(0, 1);
    const once = await ask('POST', '/items/case-1/events', { events });
    const again = await ask('POST', '/items/case-1/events', { events });
    expect(again.body).toEqual(once.body);
    const commit = await ask('POST', '/items/case-1/commit', { id: 'c' });
    expect(commit.body).toEqual({ version: 2, committed: true, revealed: null });
    expect((await ask('POST', '/items/case-1/commit', { id: 'c' })).body).toEqual(commit.body);
    const late = await ask('POST', '/items/case-1/events', { events });
    expect([late.status, late.body]).toEqual([200, commit.body]);
    expect(store.reviews.history(store.reviews.list()[0]!.id)).toHaveLength(2);
  });

  it('an id again with another answer is refused, so that no answer gets lost unseen', async () => {
    const { as } = await servingReview(TWO);
    const ask = as('Anna');
    await ask('POST', '/items/case-1/events', { events: [cell('plant', null, 'rose', 'same')] });
    const other = await ask('POST', '/items/case-1/events', { events: [cell('plant', null, 'fern', 'same')] });
    expect(other.status).toBe(409);
    expect((await ask('GET', '/items/case-1')).body.cells).toEqual([{ field: 'plant', part: null, value: 'rose' }]);
  });

  it('with the id of another’s event, or of one’s own on another item, is an event of its own', async () => {
    const { as } = await servingReview(TWO);
    for (const [name, item, value] of [
      ['Anna', 'case-1', 'rose'],
      ['Bora', 'case-1', 'fern'],
      ['Anna', 'case-2', 'fern'],
    ] as const) {
      await as(name)('POST', `/items/${item}/events`, { events: [cell('plant', null, value, 'one')] });
      expect((await as(name)('GET', `/items/${item}`)).body.cells).toEqual([{ field: 'plant', part: null, value }]);
    }
  });

  it('of two people on one item at once loses nothing, and neither sees the other', async () => {
    const { as } = await servingReview(TWO);
    const numbers = Array.from({ length: 20 }, (_, at) => at);
    const save = (name: string, at: number) =>
      as(name)('POST', '/items/answer-1/events', { events: [cell('comment', null, `${name} ${at}`)] });
    const answers = await Promise.all(numbers.flatMap((at) => [save('Anna', at), save('Bora', at)]));
    expect(answers.every(({ status }) => status === 200)).toBe(true);
    expect(new Set(answers.map(({ body }) => body.version)).size).toBe(40);
    for (const [name, other] of [
      ['Anna', 'Bora'],
      ['Bora', 'Anna'],
    ] as const) {
      const { body, text } = await as(name)('GET', '/items/answer-1');
      expect(body.cells[0]!.value).toMatch(new RegExp(`^${name} \\d+$`));
      expect(text).not.toContain(other);
    }
  });

  it('of one person in two tabs at once keeps the answers of both, cell by cell', async () => {
    const { as, store } = await servingReview(TWO);
    const ask = as('Anna');
    await Promise.all([
      ...[1, 2, 3].map((value) => ask('POST', '/items/answer-1/events', { events: [cell('safety', 'harm', value)] })),
      ...[4, 5].map((value) => ask('POST', '/items/answer-1/events', { events: [cell('safety', 'dose', value)] })),
      ask('POST', '/items/answer-1/events', { events: [cell('comment', null, 'from the other tab')] }),
    ]);
    const { body } = await ask('GET', '/items/answer-1');
    expect(new Set(body.cells.map((one) => one.part))).toEqual(new Set(['harm', 'dose', null]));
    expect(body.version).toBe(6);
    expect(store.reviews.history(store.reviews.list()[0]!.id)).toHaveLength(6);
  });
});

describe('a list of claims', () => {
  const claim = (own: object) => ({
    id: 'c1',
    start: 0,
    end: 15,
    text: 'Water it daily.',
    label: 'yes',
    from: ['c1'],
    ...own,
  });

  it('that the form does not allow is refused with the reason, and is not there to be committed', async () => {
    const { as } = await servingReview({
      people: [{ name: 'Nia', groups: ['annotator'] }],
      allow: ['split', 'remove'],
    });
    const ask = as('Nia');
    const save = (value: unknown) => ask('POST', '/items/answer-1/events', { events: [cell('claims', null, value)] });
    const added = 'it was made of nothing that was proposed, and the form does not let any be added';
    for (const [value, why] of [
      [[claim({ from: [], start: -1, end: -1 })], `entry 1: ${added}`],
      [[claim({ from: [], start: -1, end: -1, text: 'Something else.' })], `entry 1: ${added}`],
      [[claim({ from: ['nope'] })], 'entry 1: it was made of "nope", which was not proposed'],
      [[claim({ text: 'Drown it.' })], 'entry 1: its words are not those of the text'],
      [[claim({ from: ['c1', 'c2'], end: 32 })], 'entry 1: it was made of several'],
      [
        Array.from({ length: 2000 }, (_, at) => claim({ id: `c${at}` })),
        'entries 1 and 2 have the same place and words',
      ],
    ] as const) {
      const { status, body } = await save(value);
      expect([status, body.error.message]).toEqual([
        422,
        expect.stringContaining(`The answer to "claims" cannot be kept (event 1): ${why}`),
      ]);
    }
    expect((await ask('POST', '/items/answer-1/commit', { id: 'c' })).status).toBe(422);
    const pieces = [claim({ end: 8, text: 'Water it' }), claim({ id: 'c1-2', start: 9, text: 'daily.' })];
    expect((await save(pieces)).status).toBe(200);
    expect((await ask('POST', '/items/answer-1/commit', { id: 'd' })).body.committed).toBe(true);
  });
});

describe('committing', () => {
  it('needs every answer, and says which are missing', async () => {
    const { as } = await servingReview(TWO);
    const ask = as('Anna');
    await ask('POST', '/items/answer-1/events', { events: [cell('safety', 'harm', 4)] });
    const early = await ask('POST', '/items/answer-1/commit', { id: 'c' });
    expect(early.status).toBe(422);
    expect(early.body).toEqual({
      error: { message: '2 answers are missing.', next: 'Give them, then finish the item.' },
      missing: [
        { field: 'safety', part: 'dose' },
        { field: 'claims', part: null },
      ],
    });
    // The same id is free for the commit that gets through.
    expect((await finish(ask, 'answer-1', WHOLE_ANSWER)).body).toMatchObject({ committed: true });
    expect((await ask('GET', '/me')).body.queue[1]).toMatchObject({ state: 'done' });
  });

  it('settles the answers until the item is opened again', async () => {
    const { as } = await servingReview(TWO);
    const ask = as('Anna');
    await finish(ask, 'case-1', [['plant', null, 'rose']]);
    const late = await ask('POST', '/items/case-1/events', { events: [cell('plant', null, 'fern')] });
    expect([late.status, late.body.error.message]).toEqual([409, 'This item is done, so its answers are final.']);
    const open = await ask('POST', '/items/case-1/reopen', { id: 'r' });
    expect(open.body).toEqual({ version: 3, committed: false, revealed: null });
    expect((await ask('POST', '/items/case-1/reopen', { id: 'r' })).body).toEqual(open.body);
    expect((await ask('POST', '/items/case-1/events', { events: [cell('plant', null, 'fern')] })).status).toBe(200);
    expect((await ask('POST', '/items/case-1/commit', { id: 'again' })).body.committed).toBe(true);
  });

  it('what is opened again is not committed by an old request that is sent once more', async () => {
    const { as } = await servingReview(TWO);
    const ask = as('Anna');
    await ask('POST', '/items/case-1/events', { events: [cell('plant', null, 'rose')] });
    await ask('POST', '/items/case-1/commit', { id: 'c' });
    await ask('POST', '/items/case-1/reopen', { id: 'r' });
    expect((await ask('POST', '/items/case-1/commit', { id: 'c' })).body.committed).toBe(false);
  });

  it('shows what the form names, to those who committed only, and makes the item final', async () => {
    const { as, store } = await servingReview({ ...TWO, reveal: ['system', 'automatic', 'judge', 'others'] });
    const judged = { itemId: 'answer-1', part: 'harm', reason: null, judge: 'j', model: 'm', promptHash: 'h' };
    store.reviews.addJudgements([
      { ...judged, id: 'j1', field: 'safety', value: 1 },
      { ...judged, id: 'j2', field: 'safety', value: 5 },
    ]);
    const first = await finish(as('Anna'), 'answer-1', WHOLE_ANSWER);
    expect(first.body.revealed).toEqual({
      system: 'SecretSystem',
      judge: [{ field: 'safety', part: 'harm', value: 5 }],
    });
    // Bora has begun, and is shown nothing.
    await as('Bora')('POST', '/items/answer-1/events', { events: [cell('safety', 'harm', 1)] });
    const before = await as('Bora')('GET', '/items/answer-1');
    expect(before.body.revealed).toBeNull();
    expect(before.text).not.toContain('Secret');
    // Nor is Anna shown what Bora has only begun.
    expect((await as('Anna')('GET', '/items/answer-1')).body.revealed!.others).toBeUndefined();
    const second = await finish(as('Bora'), 'answer-1', WHOLE_ANSWER);
    expect(second.body.revealed!.others).toHaveLength(1);
    expect(second.body.revealed!.others![0]!.reviewer).toMatch(/^Reviewer [12]$/);
    expect(second.body.revealed!.others![0]!.cells).toContainEqual({ field: 'safety', part: 'harm', value: 4 });
    expect(second.text).not.toContain('Anna');
    const reopened = await as('Anna')('POST', '/items/answer-1/reopen', { id: 'r' });
    expect([reopened.status, reopened.body.error.message]).toEqual([
      409,
      'This item is final: answers of others or of the system to its case have been shown.',
    ]);
    expect((await as('Anna')('GET', '/items/answer-1')).body.committed).toBe(true);
  });

  it('shows gold and automatic verdicts only once all of the person’s items of that case are committed', async () => {
    const { as } = await servingReview({ ...TWO, reveal: ['automatic'] });
    const ask = as('Anna');
    const first = await finish(ask, 'answer-1', WHOLE_ANSWER);
    // The case itself is still to be judged.
    expect(first.body.revealed).toBeNull();
    expect((await ask('POST', '/items/answer-1/reopen', { id: 'r' })).body.committed).toBe(false);
    await ask('POST', '/items/answer-1/commit', { id: 'again' });
    const second = await finish(ask, 'case-1', [['plant', null, 'rose']]);
    expect(second.body).toMatchObject({ committed: true, revealed: null });
    expect((await ask('GET', '/items/answer-1')).body.revealed).toEqual({
      automatic: { gold: 'SecretGold', predicted: 'SecretClass' },
    });
    // From then on neither of the two can be opened again.
    for (const item of ['answer-1', 'case-1'])
      expect((await ask('POST', `/items/${item}/reopen`, { id: 'late' })).status).toBe(409);
  });

  it('shows nothing that the form does not name', async () => {
    const { as, store } = await servingReview({ ...TWO, reveal: ['others'] });
    store.reviews.addJudgements([
      {
        id: 'j',
        itemId: 'answer-1',
        field: 'safety',
        part: 'harm',
        value: 1,
        reason: null,
        judge: 'j',
        model: 'm',
        promptHash: 'h',
      },
    ]);
    const first = await finish(as('Anna'), 'answer-1', WHOLE_ANSWER);
    // Nobody else has committed: there was nothing to see, so that it may be opened again.
    expect(first.body.revealed).toBeNull();
    expect((await as('Anna')('POST', '/items/answer-1/reopen', { id: 'r' })).status).toBe(200);
    await as('Anna')('POST', '/items/answer-1/commit', { id: 'c2' });
    const second = await finish(as('Bora'), 'answer-1', WHOLE_ANSWER);
    expect(Object.keys(second.body.revealed!)).toEqual(['others']);
  });
});

describe('roles', () => {
  it('are kept apart', async () => {
    const { as, log } = await servingReview({
      people: [{ name: 'Anna' }, { name: 'Adja', role: 'adjudicator' }, { name: 'Olga', role: 'owner' }],
    });
    const paths = {
      Anna: ['/items/case-1'],
      Adja: ['/conflicts'],
      Olga: ['/overview', '/export.csv', '/export.jsonl'],
    } as const;
    for (const name of ['Anna', 'Adja', 'Olga'] as const) {
      expect((await as(name)('GET', '/me')).status).toBe(200);
      for (const [role, own] of Object.entries(paths)) {
        for (const path of own)
          expect([name, path, (await as(name)('GET', path)).status]).toEqual([name, path, role === name ? 200 : 403]);
      }
    }
    const { body } = await as('Olga')('POST', '/items/case-1/commit', { id: 'x' });
    expect(body.error.message).toBe('This is for reviewers, and your link is for the owner of the review.');
    expect(log).toContain('GET /api/review/overview 403 a link for adjudicators');
    expect((await as('Olga')('GET', '/me')).body.queue).toEqual([]);
  });
});
