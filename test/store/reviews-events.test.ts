import { DatabaseSync } from 'node:sqlite';

import { expect, it, vi } from 'vitest';

import type { CellValue, ItemAnswer } from '../../src/store/review-records.ts';
import { StoreConflict } from '../../src/store/store-conflict.ts';
import { OTHER, PILOT, said } from './reviews-scratch.ts';
import { scratchFolder, scratchStore } from './scratch-store.ts';

it('nothing is said before the first event', () => {
  const { reviews } = scratchStore();
  const { id } = reviews.create(PILOT);
  expect(reviews.state('a', 'anna')).toBeNull();
  expect(reviews.state('c', 'anna')).toBeNull();
  expect(reviews.state('a', 'nobody')).toBeNull();
  expect(reviews.states(id)).toEqual([]);
  expect(reviews.statesOf('anna')).toEqual([]);
  expect(reviews.append([])).toEqual([]);
});

it('the last event for each question and part holds, in the order in which questions were first answered', () => {
  const { reviews } = scratchStore();
  reviews.create(PILOT);
  const added = reviews.append([
    said('e1', 'a', 'anna', 'rating/safety', 4),
    said('e2', 'a', 'anna', 'comment', 'too long'),
    said('e3', 'a', 'anna', 'rating/efficacy', 2),
    said('e4', 'a', 'anna', 'rating/safety', 5),
    said('e5', 'a', 'anna', 'rating', 1),
  ]);
  expect(added.map(({ seq }) => seq)).toEqual([1, 2, 3, 4, 5]);
  expect(added[0]).toEqual({ ...said('e1', 'a', 'anna', 'rating/safety', 4), seq: 1, at: expect.any(String) });
  expect(reviews.state('a', 'anna')).toEqual({
    itemId: 'a',
    personId: 'anna',
    cells: [
      { field: 'rating', part: 'safety', value: 5 },
      { field: 'comment', part: null, value: 'too long' },
      { field: 'rating', part: 'efficacy', value: 2 },
      { field: 'rating', part: null, value: 1 },
    ],
    committed: false,
    version: 5,
    updatedAt: added[4]?.at,
  });
});

it('null takes an answer back, and what is answered again stands where it stood', () => {
  const { reviews } = scratchStore();
  reviews.create(PILOT);
  reviews.append([
    said('e1', 'a', 'anna', 'class', 'vata'),
    said('e2', 'a', 'anna', 'comment', ''),
    said('e3', 'a', 'anna', 'class', null),
  ]);
  expect(reviews.state('a', 'anna')).toMatchObject({
    cells: [{ field: 'comment', part: null, value: '' }],
    version: 3,
  });
  reviews.append([said('e4', 'a', 'anna', 'comment', null)]);
  expect(reviews.state('a', 'anna')).toMatchObject({ cells: [], version: 4 });
  reviews.append([said('e5', 'a', 'anna', 'comment', 'c'), said('e6', 'a', 'anna', 'class', 'kapha')]);
  expect(reviews.state('a', 'anna')?.cells.map(({ value }) => value)).toEqual(['kapha', 'c']);
});

it('an item is done while its last commit says so', () => {
  const { reviews } = scratchStore();
  reviews.create(PILOT);
  const isDone = () => reviews.state('a', 'anna')?.committed;
  reviews.append([said('e1', 'a', 'anna', 'class', 'vata')]);
  expect(isDone()).toBe(false);
  reviews.append([said('e2', 'a', 'anna', '#commit', true)]);
  expect(isDone()).toBe(true);
  expect(reviews.state('a', 'anna')?.cells).toEqual([{ field: 'class', part: null, value: 'vata' }]);
  reviews.append([said('e3', 'a', 'anna', '#commit', false)]);
  expect(isDone()).toBe(false);
  reviews.append([said('e4', 'a', 'anna', '#commit', true)]);
  expect(isDone()).toBe(true);
  for (const [question, value] of [
    ['#commit', 'yes'],
    ['#commit', null],
    ['#commit', 1],
    ['#commit/part', true],
  ] as const)
    expect(() => reviews.append([said('e5', 'a', 'anna', question, value)])).toThrow(StoreConflict);
});

it('people do not see each other: states and history are of one person, one item, one review', () => {
  const { reviews } = scratchStore();
  const [pilot, other] = [reviews.create(PILOT), reviews.create(OTHER)];
  reviews.append([
    said('e1', 'a', 'anna', 'class', 'vata'),
    said('e2', 'x', 'zoe', 'class', 'pitta'),
    said('e3', 'a', 'ben', 'class', 'kapha'),
    said('e4', 'b', 'anna', 'class', 'vata-pitta'),
    said('e5', 'a', 'anna', 'comment', 'c'),
  ]);
  const seen = (states: ReturnType<typeof reviews.states>) =>
    states.map(({ itemId, personId, cells, version }) => [itemId, personId, cells.length, version]);
  expect(seen(reviews.statesOf('anna'))).toEqual([
    ['b', 'anna', 1, 4],
    ['a', 'anna', 2, 5],
  ]);
  expect(seen(reviews.states(pilot.id))).toEqual([
    ['b', 'anna', 1, 4],
    ['a', 'anna', 2, 5],
    ['a', 'ben', 1, 3],
  ]);
  expect(seen(reviews.states(other.id))).toEqual([['x', 'zoe', 1, 2]]);
  const ids = (filter?: Parameters<typeof reviews.history>[1]) =>
    reviews.history(pilot.id, filter).map((event) => event.id);
  expect(ids()).toEqual(['e1', 'e3', 'e4', 'e5']);
  expect(ids({ itemId: 'a' })).toEqual(['e1', 'e3', 'e5']);
  expect(ids({ personId: 'anna' })).toEqual(['e1', 'e4', 'e5']);
  expect(ids({ itemId: 'a', personId: 'anna' })).toEqual(['e1', 'e5']);
  expect(ids({ field: 'class' })).toEqual(['e1', 'e3', 'e4']);
  expect(ids({ itemId: 'a', personId: 'anna', field: 'comment' })).toEqual(['e5']);
  expect(ids({ personId: 'zoe' })).toEqual([]);
  expect(ids({ itemId: 'x' })).toEqual([]);
});

it('the same event twice is one; another one of its id is refused', () => {
  const { reviews } = scratchStore();
  const { id } = reviews.create(PILOT);
  const claim: ItemAnswer = { id: 'c1', start: 0, end: 4, text: 'Rest', label: 'grounded', from: ['c1'] };
  const event = said('e1', 'a', 'anna', 'claims', [claim]);
  const [first] = reviews.append([event]);
  const [again, twice, fresh] = reviews.append([
    said('e1', 'a', 'anna', 'claims', [{ from: ['c1'], label: 'grounded', text: 'Rest', end: 4, start: 0, id: 'c1' }]),
    event,
    said('e2', 'a', 'anna', 'comment', 'new'),
  ]);
  expect([again, twice]).toEqual([first, first]);
  expect(fresh?.seq).toBe(2);
  for (const other of [
    said('e1', 'a', 'anna', 'claims', [{ ...claim, end: 5 }]),
    said('e1', 'a', 'anna', 'claims', []),
    said('e1', 'a', 'anna', 'claims', null),
    said('e1', 'a', 'anna', 'claims/part', [claim]),
    said('e1', 'a', 'anna', 'other', [claim]),
    said('e1', 'b', 'anna', 'claims', [claim]),
    said('e1', 'a', 'ben', 'claims', [claim]),
  ])
    expect(() => reviews.append([said('e3', 'a', 'anna', 'comment', 'lost with it'), other])).toThrow(
      'the event "e1" is there already, with other content',
    );
  const [one, two] = reviews.append([said('e4', 'a', 'anna', 'comment', 'x'), said('e4', 'a', 'anna', 'comment', 'x')]);
  expect(one).toEqual(two);
  expect(reviews.history(id).map((each) => [each.id, each.seq])).toEqual([
    ['e1', 1],
    ['e2', 2],
    ['e4', 3],
  ]);
});

it('what is not in a person’s queue cannot be answered, and nothing of the rest is kept', () => {
  const { reviews } = scratchStore();
  const { id } = reviews.create(PILOT);
  reviews.create(OTHER);
  const fine = said('fine', 'a', 'anna', 'comment', 'c');
  for (const [itemId, personId, message] of [
    ['b', 'ben', 'the item "b" is not in this person’s queue'],
    ['c', 'anna', 'the item "c" is not in this person’s queue'],
    ['a', 'jo', 'the item "a" is not in this person’s queue'],
    ['x', 'anna', 'there is no item "x" in this review'],
    ['never', 'anna', 'there is no item "never" in this review'],
    ['a', 'zoe', 'there is no item "a" in this review'],
    ['a', 'nobody\u001b[2J', 'there is no person "nobody\\u001b[2J" in any review'],
  ] as const) {
    const event = said('e', itemId, personId, 'comment', 'c');
    expect(() => reviews.append([fine, event])).toThrow(new StoreConflict(message));
  }
  expect(reviews.history(id)).toEqual([]);
});

it('answers come back as they were given', () => {
  const { reviews } = scratchStore();
  reviews.create(PILOT);
  const item = (text: string): ItemAnswer => ({
    id: text,
    start: -1,
    end: -1,
    text,
    label: null,
    note: text,
    from: [],
  });
  const values: CellValue[] = [
    '\ud800',
    'a\udc00b',
    'a\u0000b',
    '\u0000',
    'क्ष \u200d त्र्य ।',
    "'; DROP TABLE review_events; --",
    '=1+1',
    '\ufeff\u2028\r\n',
    'null',
    '',
    'ज्ञ'.repeat(500_000),
    0,
    -1.5,
    0.1 + 0.2,
    2 ** 53,
    true,
    false,
    [],
    [item('\ud83d'), item('वात\u0000')],
  ];
  for (const [at, value] of values.entries()) {
    const [kept] = reviews.append([said(`e${at}`, 'a', 'anna', 'comment', value)]);
    expect(kept?.value === value || JSON.stringify(kept?.value) === JSON.stringify(value)).toBe(true);
    const held = reviews.state('a', 'anna')?.cells[0]?.value;
    expect(held === value || JSON.stringify(held) === JSON.stringify(value)).toBe(true);
  }
});

it('texts that are no Unicode are told apart as ids, questions and parts', () => {
  const { reviews } = scratchStore();
  const { id } = reviews.create(PILOT);
  const nasty = ['\ud800', '\ud801', '\u0000', '', '__proto__', 'constructor'];
  reviews.append(
    nasty.flatMap((text) => [
      { ...said(`whole ${text}`, 'a', 'anna', 'field', text), part: text },
      said(text, 'a', 'anna', `of ${text}`, text),
    ]),
  );
  const { cells } = reviews.state('a', 'anna') ?? { cells: [] };
  expect(cells).toEqual(
    nasty.flatMap((text) => [
      { field: 'field', part: text, value: text },
      { field: `of ${text}`, part: null, value: text },
    ]),
  );
  expect(reviews.history(id, { field: 'of \ud801' }).map((event) => event.id)).toEqual(['\ud801']);
});

it('what is no answer is refused, so that none is lost by it', () => {
  const { reviews } = scratchStore();
  const { id } = reviews.create(PILOT);
  const claim = { id: 'c', start: 0, end: 4, text: 'Rest', label: null, from: [] };
  const wrong: unknown[] = [
    Number.NaN,
    Infinity,
    undefined,
    {},
    1n,
    [1],
    [{ ...claim, start: Number.NaN }],
    [{ ...claim, end: 1.5 }],
    [{ ...claim, from: [1] }],
    [{ ...claim, label: undefined }],
    [null],
  ];
  for (const value of wrong)
    expect(() => reviews.append([said('e', 'a', 'anna', 'claims', value as CellValue)])).toThrow(StoreConflict);
  const deep: unknown = JSON.parse(`${'['.repeat(100_000)}${']'.repeat(100_000)}`);
  reviews.append([said('e', 'a', 'anna', 'claims', [])]);
  const withMore = { ...claim, more: deep };
  expect(() => reviews.append([said('e', 'a', 'anna', 'claims', [withMore])])).toThrow(StoreConflict);
  expect(reviews.history(id)).toHaveLength(1);
});

it('times never fall, whatever the clock says', () => {
  const { reviews } = scratchStore();
  const { id } = reviews.create(PILOT);
  const at = (time: string, event: string): void => {
    vi.useFakeTimers({ now: new Date(time), toFake: ['Date'] });
    try {
      reviews.append([said(event, 'a', 'anna', 'comment', event)]);
    } finally {
      vi.useRealTimers();
    }
  };
  at('2026-03-01T10:00:00.000Z', 'e1');
  at('2026-03-01T09:00:00.000Z', 'e2');
  at('2026-03-01T10:00:00.001Z', 'e3');
  expect(reviews.history(id).map((event) => event.at)).toEqual([
    '2026-03-01T10:00:00.000Z',
    '2026-03-01T10:00:00.000Z',
    '2026-03-01T10:00:00.001Z',
  ]);
  expect(reviews.state('a', 'anna')?.updatedAt).toBe('2026-03-01T10:00:00.001Z');
});

it('no program can change, delete or replace what was said, nor change what was asked', () => {
  const store = scratchStore(scratchFolder());
  const { id } = store.reviews.create(PILOT);
  const kept = store.reviews.append([said('e1', 'a', 'anna', 'class', 'vata')]);
  store.reviews.decide({ id: 'd', itemId: 'a', field: 'f', part: null, value: 1, personId: 'jo', because: '' });
  store.reviews.addJudgements([
    { id: 'j', itemId: 'a', field: 'f', part: null, value: 1, reason: null, judge: 'h', model: 'm', promptHash: 'p' },
  ]);
  const raw = new DatabaseSync(store.file);
  for (const table of ['review_events', 'review_decisions', 'review_judgements']) {
    expect(() => raw.exec(`UPDATE ${table} SET value = '"pitta"'`), table).toThrow('what is there is not changed');
    expect(() => raw.exec(`DELETE FROM ${table}`), table).toThrow('what was said is not deleted');
    expect(() => raw.exec(`INSERT OR REPLACE INTO ${table} SELECT * FROM ${table}`), table).toThrow(
      'what was said is not replaced',
    );
    expect(() => raw.exec(`REPLACE INTO ${table} SELECT * FROM ${table}`), table).toThrow('is not replaced');
  }
  for (const change of ["UPDATE reviews SET form = '{}'", "UPDATE review_items SET content = '{}'"])
    expect(() => raw.exec(change), change).toThrow('what is there is not changed');
  raw.exec('PRAGMA foreign_keys = ON');
  for (const table of ['reviews', 'review_items', 'review_people', 'review_assignments'])
    expect(() => raw.exec(`DELETE FROM ${table}`), table).toThrow('FOREIGN KEY');
  raw.close();
  expect(store.reviews.history(id)).toEqual(kept);
});
