import { useEffect, useMemo, useRef, useState } from 'preact/hooks';

import type { ConflictList, Me } from '../../../src/review/api.ts';
import type { Api } from '../api.ts';
import { browserStore, keepWish } from '../browser-store.ts';
import { Refusal } from '../refusal.ts';
import { type Delivery, DecisionOutbox, type OutboxState, type PendingDecision, type Shelf } from './outbox.ts';

export interface Outbox extends OutboxState {
  readonly put: (decision: PendingDecision) => void;
  /** What the server would not take; null where nothing was refused, or it was read. */
  readonly refusal: { readonly conflict: string; readonly message: string } | null;
  readonly forget: () => void;
}

/** `arrived` is called with the list of conflicts as the server has it after each decision that it took. */
export function useOutbox(api: Api, me: Me, arrived: (list: ConflictList, conflict: string) => void): Outbox {
  const [state, setState] = useState<OutboxState>({ pending: [], trouble: null });
  const [refusal, setRefusal] = useState<Outbox['refusal']>(null);
  const latest = useRef(arrived);
  latest.current = arrived;
  const box = useMemo(() => {
    return new DecisionOutbox({
      shelf: shelfOf(`assay.decisions/${encodeURIComponent(me.review.name)}/${encodeURIComponent(me.person.name)}`),
      send: async (decision) => await deliver(api, decision, (list) => latest.current(list, decision.conflict)),
      changed: setState,
      refused: ({ conflict }, message) => setRefusal({ conflict, message }),
    });
  }, [api, me.review.name, me.person.name]);

  useEffect(() => {
    const now = (): void => box.now();
    setState(box.state);
    now();
    addEventListener('online', now);
    addEventListener('focus', now);
    return () => {
      box.stop();
      removeEventListener('online', now);
      removeEventListener('focus', now);
    };
  }, [box]);

  return { ...state, put: (decision) => box.put(decision), refusal, forget: () => setRefusal(null) };
}

async function deliver(
  api: Api,
  { conflict, request }: PendingDecision,
  arrived: (list: ConflictList) => void,
): Promise<Delivery> {
  try {
    arrived(await api.decide(conflict, request));
    return { kind: 'saved' };
  } catch (error) {
    // A link that has run out says nothing against the decision: it waits for the new link.
    if (error instanceof Refusal && !error.passing && error.status !== 401) {
      return { kind: 'refused', message: [error.message, error.next].filter((part) => part !== null).join(' ') };
    }
    return { kind: 'later', message: error instanceof Error ? error.message : String(error) };
  }
}

/** A store that is full keeps it in memory only: the decision is still being sent. */
function shelfOf(key: string): Shelf {
  return {
    read: () => browserStore.getItem(key),
    write: (text) => (text === '[]' ? browserStore.removeItem(key) : keepWish(key, text)),
  };
}
