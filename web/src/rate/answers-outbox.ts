import type { Me, Saved } from '../../../src/review/api.ts';
import type { Api } from '../api.ts';
import type { KeptEntry } from '../outbox/kept-entries.ts';
import type { Outbox, OutboxParts } from '../outbox/outbox.ts';
import { type Act, isAct, topicOf } from './acts.ts';

export type AnswersOutbox = Outbox<Act, Saved>;

/** What an outbox needs to know to send the answers of a reviewer. */
export function answersParts(api: Api, me: Me): Pick<OutboxParts<Act, Saved>, 'isOurs' | 'isAct' | 'topic' | 'send'> {
  const items = new Set(me.queue.map(({ item }) => item));
  return {
    isOurs: (item) => items.has(item),
    isAct,
    topic: topicOf,
    send: async (item, entries, leaving) => await send(api, item, entries, leaving),
  };
}

async function send(api: Api, item: string, entries: readonly KeptEntry<Act>[], leaving: boolean): Promise<Saved> {
  const [first] = entries;
  if (first?.act.kind === 'commit') return await api.commit(item, { id: first.id }, leaving);
  if (first?.act.kind === 'reopen') return await api.reopen(item, { id: first.id }, leaving);
  const events = entries.flatMap(({ id, act }) => (act.kind === 'answer' ? [{ ...act.cell, id }] : []));
  return await api.save(item, { events }, leaving);
}
