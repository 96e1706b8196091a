import { expect, it, vi } from 'vitest';

import { StoreConflict } from '../../src/store/store-conflict.ts';
import { itemOf, OTHER, personOf, PILOT } from './reviews-scratch.ts';
import { scratchStore } from './scratch-store.ts';

it('a review comes back as it was made', () => {
  const { reviews } = scratchStore();
  const made = reviews.create(PILOT);
  expect(made).toEqual({
    id: expect.stringMatching(/^[0-9a-f-]{36}$/),
    name: 'pilot',
    createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]{12}Z$/),
    seed: 42,
    task: 'consult',
    form: { title: 'Review', fields: {} },
    origin: { recipe: 'consult/ayurmind' },
  });
  expect(reviews.find('pilot')).toEqual(made);
  expect(reviews.find('Pilot')).toBeNull();
  expect(reviews.items(made.id)).toEqual([
    {
      id: 'a',
      reviewId: made.id,
      kind: 'answer',
      caseId: 'case of a',
      system: 'first',
      language: 'en',
      content: { title: 'a' },
      hidden: { gold: 'vata' },
    },
    expect.objectContaining({ id: 'b' }),
    expect.objectContaining({ id: 'c', kind: 'case', system: null, language: null }),
  ]);
  expect(reviews.people(made.id).map(({ name, role, groups }) => [name, role, groups])).toEqual([
    ['name of anna', 'reviewer', ['expert']],
    ['name of ben', 'reviewer', ['expert']],
    ['name of jo', 'adjudicator', []],
  ]);
  expect(reviews.assignments(made.id)).toEqual([
    { personId: 'anna', itemId: 'b', position: 0 },
    { personId: 'anna', itemId: 'a', position: 1 },
    { personId: 'ben', itemId: 'a', position: 0 },
  ]);
  expect(reviews.queue('anna').map(({ itemId }) => itemId)).toEqual(['b', 'a']);
  expect(reviews.queue('jo')).toEqual([]);
});

it('reviews are listed in the order in which they were made, and keep to themselves', () => {
  const { reviews } = scratchStore();
  const [pilot, other] = [reviews.create(PILOT), reviews.create(OTHER)];
  expect(reviews.list()).toEqual([pilot, other]);
  expect(reviews.items(other.id).map(({ id }) => id)).toEqual(['x']);
  expect(reviews.item(other.id, 'x')?.caseId).toBe('case of x');
  expect(reviews.item(pilot.id, 'x')).toBeNull();
  expect(reviews.people(other.id).map(({ id }) => id)).toEqual(['zoe']);
  expect(reviews.assignments(other.id)).toEqual(OTHER.assignments);
  for (const none of [reviews.items('no such review'), reviews.people('no such review'), reviews.states('')])
    expect(none).toEqual([]);
});

it('an id that was given is taken', () => {
  const { reviews } = scratchStore();
  expect(reviews.create({ ...PILOT, id: 'chosen' }).id).toBe('chosen');
  expect(() => reviews.create({ ...OTHER, id: 'chosen' })).toThrow(StoreConflict);
});

it('what cannot be a review is refused, and nothing of it is kept', () => {
  const { reviews } = scratchStore();
  reviews.create(PILOT);
  const fresh = { ...OTHER, name: 'fresh' };
  for (const [wrong, message] of [
    [{ ...OTHER, name: 'pilot' }, 'there is a review named "pilot" already'],
    [{ ...fresh, name: '' }, 'a review needs a name'],
    [{ ...fresh, seed: 0.5 }, '0.5 is no seed'],
    [{ ...fresh, items: [itemOf('x'), itemOf('a')] }, 'there is an item of the id "a" already'],
    [{ ...fresh, people: [personOf('zoe'), personOf('anna')] }, 'there is a person of the id "anna" already'],
    [{ ...fresh, people: [personOf('zoe', { expiresAt: 'soon' })] }, '"soon" is no time'],
    [{ ...fresh, people: [personOf('zoe', { tokenHash: 'hash of ben' })] }, 'is another person’s already'],
    [{ ...fresh, assignments: [{ personId: 'zoe', itemId: 'a', position: 0 }] }, 'no item "a" in this review'],
    [{ ...fresh, assignments: [{ personId: 'anna', itemId: 'x', position: 0 }] }, 'there is no person "anna"'],
    [{ ...fresh, assignments: [...OTHER.assignments, ...OTHER.assignments] }, 'in this person’s queue already'],
    [{ ...fresh, assignments: [{ personId: 'zoe', itemId: 'x', position: -1 }] }, '-1 is no place in a queue'],
    [{ ...fresh, form: { big: 1n } }, 'JSON cannot hold'],
  ] as const) {
    expect(() => reviews.create(wrong), message).toThrow(message);
    expect(() => reviews.create(wrong), message).toThrow(StoreConflict);
  }
  expect(reviews.list()).toHaveLength(1);
  expect(reviews.create(fresh).name).toBe('fresh');
});

it('one person may be in two roles, each with a link of their own, but not twice in one', () => {
  const { reviews } = scratchStore();
  const { id } = reviews.create(PILOT);
  reviews.addPeople(id, [personOf('anna too', { name: 'name of anna', role: 'owner' })], []);
  expect(reviews.people(id).map(({ name, role }) => [name, role])).toContainEqual(['name of anna', 'owner']);
  expect(() => reviews.addPeople(id, [personOf('anna again', { name: 'name of anna' })], [])).toThrow(
    'there is a person named "name of anna" (reviewer) in this review already',
  );
});

it('people join later, with work for them and for those who are there', () => {
  const { reviews } = scratchStore();
  const { id } = reviews.create(PILOT);
  reviews.addPeople(
    id,
    [personOf('cy')],
    [
      { personId: 'cy', itemId: 'c', position: 0 },
      { personId: 'ben', itemId: 'b', position: 1 },
    ],
  );
  expect(reviews.people(id).at(-1)?.id).toBe('cy');
  expect(reviews.queue('cy')).toEqual([{ personId: 'cy', itemId: 'c', position: 0 }]);
  expect(reviews.queue('ben').map(({ itemId }) => itemId)).toEqual(['a', 'b']);
  const refused = [personOf('dan')];
  expect(() => reviews.addPeople(id, refused, [{ personId: 'dan', itemId: 'x', position: 0 }])).toThrow(StoreConflict);
  expect(() => reviews.addPeople('no such review', refused, [])).toThrow('there is no review of the id');
  expect(reviews.people(id)).toHaveLength(4);
});

it('a person is found by the hash of the token that holds now, also when it has expired or was revoked', () => {
  const { reviews } = scratchStore();
  const { id } = reviews.create({
    ...PILOT,
    people: [personOf('anna', { expiresAt: '2020-01-01T00:00:00+01:00' }), personOf('ben')],
  });
  expect(reviews.personByToken('hash of anna')).toEqual({
    ...personOf('anna'),
    reviewId: id,
    expiresAt: '2019-12-31T23:00:00.000Z',
  });
  expect(reviews.personByToken('hash of nobody')).toBeNull();
  reviews.revoke('anna');
  const revoked = reviews.personByToken('hash of anna')?.revokedAt;
  expect(Date.parse(revoked ?? '')).toBeGreaterThan(Date.now() - 60_000);
  vi.useFakeTimers({ now: Date.now() + 1000, toFake: ['Date'] });
  reviews.revoke('anna');
  vi.useRealTimers();
  expect(reviews.personByToken('hash of anna')?.revokedAt).toBe(revoked);
  reviews.renew('anna', { tokenHash: 'new hash', generation: 2, expiresAt: '2031-01-01T00:00:00Z' });
  expect(reviews.personByToken('hash of anna')).toBeNull();
  expect(reviews.personByToken('new hash')).toMatchObject({
    id: 'anna',
    generation: 2,
    expiresAt: '2031-01-01T00:00:00.000Z',
    revokedAt: null,
  });
});

it('a link is not renewed backwards, nor with another person’s token', () => {
  const { reviews } = scratchStore();
  reviews.create(PILOT);
  const later = { tokenHash: 'later', generation: 3, expiresAt: '2031-01-01T00:00:00Z' };
  reviews.renew('anna', later);
  for (const wrong of [
    { ...later, generation: 2 },
    { ...later, generation: Number.NaN },
    { ...later, generation: 4, tokenHash: 'hash of ben' },
    { ...later, generation: 4, expiresAt: '' },
  ])
    expect(() => reviews.renew('anna', wrong)).toThrow(StoreConflict);
  expect(() => reviews.renew('nobody', later)).toThrow('there is no person "nobody" in any review');
  expect(() => reviews.revoke('nobody')).toThrow(StoreConflict);
  reviews.renew('anna', { ...later, expiresAt: '2032-01-01T00:00:00Z' });
  expect(reviews.personByToken('later')?.expiresAt).toBe('2032-01-01T00:00:00.000Z');
});

it('a decision holds until the next one on the same question, with who and why', () => {
  const { reviews } = scratchStore();
  const { id } = reviews.create(PILOT);
  reviews.create(OTHER);
  const settled = { itemId: 'a', field: 'claims', part: '0-4', personId: 'jo', because: 'the text says so' };
  const first = reviews.decide({ ...settled, id: 'd1', value: 'grounded' });
  expect(first).toEqual({ ...settled, id: 'd1', value: 'grounded', seq: 1, at: expect.any(String) });
  reviews.decide({ ...settled, id: 'd2', part: null, value: true });
  reviews.decide({ ...settled, id: 'd3', value: 'inferred', because: 'on second thoughts' });
  reviews.decide({ ...settled, id: 'd4', itemId: 'b', value: 'grounded' });
  reviews.decide({ ...settled, id: 'd5', itemId: 'x', personId: 'zoe', value: 'none' });
  expect(reviews.decisions(id).map((one) => [one.id, one.itemId, one.part, one.value])).toEqual([
    ['d2', 'a', null, true],
    ['d3', 'a', '0-4', 'inferred'],
    ['d4', 'b', '0-4', 'grounded'],
  ]);
  reviews.decide({ ...settled, id: 'd6', value: null, because: 'open again' });
  expect(reviews.decisions(id).map((one) => one.id)).toEqual(['d2', 'd4']);
  expect(reviews.decisionHistory(id).map((one) => one.id)).toEqual(['d1', 'd2', 'd3', 'd4', 'd6']);
  expect(reviews.decisionHistory(id, 'a').map((one) => [one.id, one.because])).toEqual([
    ['d1', 'the text says so'],
    ['d2', 'the text says so'],
    ['d3', 'on second thoughts'],
    ['d6', 'open again'],
  ]);
  expect(reviews.decide({ ...settled, id: 'd1', value: 'grounded' })).toEqual(first);
  for (const wrong of [
    { ...settled, id: 'd1', value: 'inferred' },
    { ...settled, id: 'd1', value: 'grounded', because: 'another reason' },
    { ...settled, id: 'd7', itemId: 'x', value: 'grounded' },
    { ...settled, id: 'd7', personId: 'nobody', value: 'grounded' },
    { ...settled, id: 'd7', value: Number.NaN },
  ])
    expect(() => reviews.decide(wrong)).toThrow(StoreConflict);
  expect(reviews.decisionHistory(id)).toHaveLength(5);
});

it('what a model said is kept apart, for every model and prompt, and once', () => {
  const { reviews } = scratchStore();
  const { id } = reviews.create(PILOT);
  reviews.create(OTHER);
  const label = {
    itemId: 'a',
    field: 'claims',
    part: null,
    value: 'grounded',
    reason: null,
    judge: 'h1',
    model: 'm',
    promptHash: 'p',
  };
  reviews.addJudgements([
    { ...label, id: 'j1' },
    { ...label, id: 'j2', judge: 'h2', promptHash: 'q', value: 4, reason: 'as the passage says' },
    { ...label, id: 'j3', itemId: 'x' },
  ]);
  reviews.addJudgements([
    { ...label, id: 'j1' },
    { ...label, id: 'j4', itemId: 'b' },
  ]);
  expect(reviews.judgements(id)).toEqual([
    { ...label, id: 'j1', seq: 1, at: expect.any(String) },
    {
      ...label,
      id: 'j2',
      judge: 'h2',
      promptHash: 'q',
      value: 4,
      reason: 'as the passage says',
      seq: 2,
      at: expect.any(String),
    },
    { ...label, id: 'j4', itemId: 'b', seq: 4, at: expect.any(String) },
  ]);
  expect(reviews.states(id)).toEqual([]);
  expect(reviews.history(id)).toEqual([]);
  for (const wrong of [
    { ...label, id: 'j1', model: 'another' },
    { ...label, id: 'j1', value: 'inferred' },
    { ...label, id: 'j9', itemId: 'no such item' },
  ])
    expect(() => reviews.addJudgements([{ ...label, id: 'never' }, wrong])).toThrow(StoreConflict);
  expect(reviews.judgements(id)).toHaveLength(3);
});
