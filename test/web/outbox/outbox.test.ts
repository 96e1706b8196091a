import { expect, test } from 'vitest';

import type { ReviewCell } from '../../../src/store/review-records.ts';
import { forgetfulStore, type TextStore } from '../../../web/src/browser-store.ts';
import { type KeptEntry, keptCount } from '../../../web/src/outbox/kept-entries.ts';
import { Outbox, type Outcome } from '../../../web/src/outbox/outbox.ts';
import { type Act, isAct, topicOf } from '../../../web/src/rate/acts.ts';
import { Refusal, Unreachable } from '../../../web/src/refusal.ts';

const SAVED = { version: 1 };
type Saved = typeof SAVED;

/** A page with its outbox: time passes when told, and the server answers as told. */
function page(store: TextStore = forgetfulStore(), owner = 'pilot\nasha') {
  let count = 0;
  let now = 0;
  let timers: { readonly at: number; readonly run: () => void }[] = [];
  const sent: string[] = [];
  const outcomes: (Outcome<Act, Saved> | null)[] = [];
  const server = { answer: async (_: readonly KeptEntry<Act>[]): Promise<Saved> => SAVED };
  const outbox = new Outbox({
    store,
    owner,
    isOurs: (item) => item === 'i1' || item === 'i2',
    isAct,
    topic: topicOf,
    send: async (item, entries) => {
      sent.push(`${item}: ${entries.map(({ id, act }) => `${id} ${wordsOf(act)}`).join(', ')}`);
      return await server.answer(entries);
    },
    newId: () => `e${(count += 1)}`,
    now: () => now,
    later: (ms, run) => {
      const timer = { at: now + ms, run };
      timers.push(timer);
      return () => {
        timers = timers.filter((other) => other !== timer);
      };
    },
  });
  outbox.listen((outcome) => outcomes.push(outcome));
  const pass = async (ms: number) => {
    now += ms;
    const due = timers.filter(({ at }) => at <= now);
    timers = timers.filter(({ at }) => at > now);
    for (const { run } of due) run();
    await settle();
  };
  const answer = (item: string, cell: ReviewCell, pause?: number) => outbox.put(item, { kind: 'answer', cell }, pause);
  const commit = (item: string) => outbox.put(item, { kind: 'commit' });
  return { outbox, answer, commit, sent, server, outcomes, pass };
}

function wordsOf(act: Act): string {
  return act.kind === 'answer' ? `${act.cell.field}=${JSON.stringify(act.cell.value)}` : act.kind;
}

async function settle(): Promise<void> {
  for (let turn = 0; turn < 20; turn += 1) await Promise.resolve();
}

const cell = (field: string, value: string | number | null) => ({ field, part: null, value });

test('a click is sent at once and then saved', async () => {
  const { outbox, answer, sent, pass } = page();
  answer('i1', cell('kind', 'diet'));
  expect(outbox.state).toBe('saving');
  await pass(0);
  expect(sent).toEqual(['i1: e1 kind="diet"']);
  expect([outbox.state, outbox.unsent.length]).toEqual(['saved', 0]);
});

test('typing is sent once, after a pause, with the last text', async () => {
  const { answer, sent, pass } = page();
  for (const text of ['f', 'fi', 'fine']) {
    answer('i1', cell('comment', text), 400);
    await pass(100);
  }
  expect(sent).toEqual([]);
  await pass(300);
  expect(sent).toEqual(['i1: e1 comment="fine"']);
});

test('while the server is away everything waits, in order, and goes out when it is back', async () => {
  const { outbox, answer, commit, sent, server, pass } = page();
  server.answer = async () => {
    throw new Unreachable(null);
  };
  answer('i1', cell('kind', 'diet'));
  await pass(0);
  expect([outbox.state, outbox.trouble]).toEqual(['retrying', 'The review server does not answer.']);
  answer('i1', cell('rating', 3));
  commit('i1');
  answer('i2', cell('kind', 'rest'));
  sent.length = 0;
  server.answer = async () => SAVED;
  await pass(1000);
  expect(sent).toEqual(['i1: e1 kind="diet", e2 rating=3', 'i1: e3 commit', 'i2: e4 kind="rest"']);
  expect([outbox.state, outbox.trouble]).toEqual(['saved', null]);
});

test('attempts come further and further apart, up to ten seconds', async () => {
  const { answer, sent, server, pass } = page();
  server.answer = async () => {
    throw new Refusal(503, 'starting', null);
  };
  answer('i1', cell('kind', 'diet'));
  await pass(0);
  const pauses: number[] = [];
  for (let waited = 0; pauses.length < 6;) {
    const before = sent.length;
    await pass(500);
    waited += 500;
    if (sent.length === before) continue;
    pauses.push(waited);
    waited = 0;
  }
  expect(pauses).toEqual([1000, 2000, 4000, 8000, 10_000, 10_000]);
});

test('an answer that may have arrived is sent again under its own id, before the one that follows it', async () => {
  const { answer, sent, server, pass } = page();
  server.answer = async () => {
    throw new Unreachable(null);
  };
  answer('i1', cell('kind', 'diet'));
  await pass(0);
  answer('i1', cell('kind', 'rest'));
  answer('i1', cell('kind', 'diet again'));
  server.answer = async () => SAVED;
  await pass(1000);
  expect(sent.at(-1)).toBe('i1: e1 kind="diet", e2 kind="diet again"');
});

test('a page that was closed with unsent answers sends them when it is opened again', async () => {
  const store = forgetfulStore();
  const first = page(store);
  first.server.answer = async () => {
    throw new Unreachable(null);
  };
  first.answer('i1', cell('kind', 'diet'));
  await first.pass(0);
  first.commit('i1');

  const again = page(store);
  expect(again.outbox.waiting('i1').map(({ kind }) => kind)).toEqual(['answer', 'commit']);
  await again.pass(0);
  expect(again.sent).toEqual(['i1: e1 kind="diet"', 'i1: e2 commit']);
  expect(store.length).toBe(0);
});

test('another person on the same machine neither sees nor sends them', async () => {
  const store = forgetfulStore();
  const first = page(store);
  first.answer('i1', cell('kind', 'diet'), 400);
  const other = page(store, 'pilot\nmeera');
  await other.pass(0);
  expect([other.outbox.unsent.length, other.sent]).toEqual([0, []]);
  expect([store.length, keptCount(store)]).toEqual([1, 1]);
});

test('of several answers the refused one is found, told, and does not hold up the others', async () => {
  const { outbox, answer, server, outcomes, sent, pass } = page();
  server.answer = async (entries) => {
    if (entries.some(({ id }) => id === 'e2')) throw new Refusal(422, 'not an option', 'Choose another.');
    return SAVED;
  };
  answer('i1', cell('rating', 3), 400);
  answer('i1', cell('kind', 'nonsense'), 400);
  answer('i1', cell('comment', 'x'), 400);
  await pass(400);
  expect(sent.slice(1)).toEqual(['i1: e1 rating=3', 'i1: e2 kind="nonsense"', 'i1: e3 comment="x"']);
  const refused = outcomes.filter((outcome) => outcome?.kind === 'refused');
  expect(refused).toMatchObject([{ item: 'i1', act: { cell: cell('kind', 'nonsense') }, refusal: { status: 422 } }]);
  expect(outbox.state).toBe('saved');
});

test('a link that has ended stops everything and loses nothing', async () => {
  const store = forgetfulStore();
  const { outbox, answer, server, sent, pass } = page(store);
  server.answer = async () => {
    throw new Refusal(401, 'unknown token', null);
  };
  answer('i1', cell('kind', 'diet'));
  await pass(0);
  outbox.flush();
  await pass(60_000);
  expect([outbox.state, outbox.unsent.length, sent.length, store.length]).toEqual(['shut', 1, 1, 1]);
});

test('a browser that keeps nothing more still sends', async () => {
  const full = {
    ...forgetfulStore(),
    setItem: () => {
      throw new Error('quota');
    },
  };
  const { answer, sent, pass } = page(full);
  answer('i1', cell('kind', 'diet'));
  await pass(0);
  expect(sent).toEqual(['i1: e1 kind="diet"']);
});

test('what is in the store and makes no sense is passed over', async () => {
  const store = forgetfulStore();
  store.setItem(`assay.unsent/${encodeURIComponent('pilot\nasha')}/0-0-x`, '{"id":1}');
  store.setItem(`assay.unsent/${encodeURIComponent('pilot\nasha')}/0-0-y`, 'half a js');
  const { outbox } = page(store);
  expect(outbox.unsent.length).toBe(0);
});

test('what stands by itself is never replaced, goes alone, and one that is refused does not hold up the next', async () => {
  let count = 0;
  const sent: string[] = [];
  const refused: string[] = [];
  const outbox = new Outbox<{ readonly value: string }, null>({
    store: forgetfulStore(),
    owner: 'pilot\njo',
    isOurs: () => true,
    isAct: (value): value is { value: string } => typeof value === 'object' && value !== null && 'value' in value,
    topic: () => null,
    newId: () => `d${(count += 1)}`,
    now: () => 0,
    later: (_, run) => {
      run();
      return () => {};
    },
    send: async (item, entries) => {
      sent.push(`${item}: ${entries.map(({ act }) => act.value).join()}`);
      if (entries[0]?.act.value === 'vata') throw new Refusal(422, 'not a value', null);
      return null;
    },
  });
  outbox.listen((outcome) => {
    if (outcome?.kind === 'refused') refused.push(outcome.act.value);
  });
  for (const value of ['pitta', 'vata', 'kapha']) outbox.put('c1', { value });
  await settle();
  expect(sent).toEqual(['c1: pitta', 'c1: vata', 'c1: kapha']);
  expect(refused).toEqual(['vata']);
});
