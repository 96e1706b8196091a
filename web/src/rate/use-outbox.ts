import { useEffect, useState } from 'preact/hooks';

import type { Me } from '../../../src/review/api.ts';
import type { Api } from '../api.ts';
import { browserStore } from '../browser-store.ts';
import type { KeptEntry } from './kept-entries.ts';
import { Outbox, type SaveState } from './outbox.ts';
import { randomId } from './random-id.ts';

/** The one outbox of a page, and how it stands. */
export function useOutbox(api: Api, me: Me): { readonly outbox: Outbox; readonly saveState: SaveState } {
  const [outbox] = useState(
    () =>
      new Outbox({
        store: browserStore,
        owner: ownerOf(me),
        items: new Set(me.queue.map(({ item }) => item)),
        send: async (item, entries, leaving) => await send(api, item, entries, leaving),
        newId: randomId,
        now: Date.now,
        later: (ms, run) => {
          const timer = setTimeout(run, ms);
          return () => clearTimeout(timer);
        },
      }),
  );
  const [saveState, setSaveState] = useState(outbox.state);

  useEffect(() => outbox.listen(() => setSaveState(outbox.state)), [outbox]);
  useEffect(() => {
    const leave = () => {
      if (document.visibilityState === 'hidden') outbox.flush(true);
    };
    const warn = (event: BeforeUnloadEvent) => {
      outbox.flush(true);
      if (outbox.state === 'retrying') event.preventDefault();
    };
    const hide = () => outbox.flush(true);
    const online = () => outbox.flush();
    document.addEventListener('visibilitychange', leave);
    addEventListener('pagehide', hide);
    addEventListener('beforeunload', warn);
    addEventListener('online', online);
    return () => {
      document.removeEventListener('visibilitychange', leave);
      removeEventListener('pagehide', hide);
      removeEventListener('beforeunload', warn);
      removeEventListener('online', online);
    };
  }, [outbox]);

  return { outbox, saveState };
}

/** Not the token: a person whose link was renewed is still the same person. */
export function ownerOf(me: Me): string {
  return `${me.review.name}\n${me.person.name}`;
}

async function send(api: Api, item: string, entries: readonly KeptEntry[], leaving: boolean) {
  const [first] = entries;
  if (first?.act.kind === 'commit') return await api.commit(item, { id: first.id });
  if (first?.act.kind === 'reopen') return await api.reopen(item, { id: first.id });
  const events = entries.flatMap(({ id, act }) => (act.kind === 'answer' ? [{ ...act.cell, id }] : []));
  return await api.save(item, { events }, leaving);
}
