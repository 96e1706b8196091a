import { useEffect, useRef, useState } from 'preact/hooks';

import type { ConflictList, DecideRequest, Me } from '../../../src/review/api.ts';
import type { Api } from '../api.ts';
import type { KeptEntry } from '../outbox/kept-entries.ts';
import type { SaveState } from '../outbox/outbox.ts';
import { useOutbox } from '../outbox/use-outbox.ts';

/** A decision; null takes it back. Its id is that of the entry in the outbox. */
export type Decision = Omit<DecideRequest, 'id'>;

export interface Decisions {
  /** Not confirmed by the server, oldest first. */
  readonly pending: readonly KeptEntry<Decision>[];
  readonly saveState: SaveState;
  readonly trouble: string | null;
  readonly put: (conflict: string, decision: Decision) => void;
  /** Why the server would not take one; null where nothing was refused, or it was read. */
  readonly refusal: string | null;
  readonly forget: () => void;
}

/** `arrived` is called with the list of conflicts as the server has it after each decision that it took. */
export function useDecisions(api: Api, me: Me, arrived: (list: ConflictList, conflict: string) => void): Decisions {
  const { outbox, saveState } = useOutbox<Decision, ConflictList>(me, {
    isOurs: () => true,
    isAct: isDecision,
    // Every decision stays in the history.
    topic: () => null,
    send: async (conflict, entries, leaving) => {
      const [entry] = entries;
      if (entry === undefined) throw new Error('there is nothing to send');
      return await api.decide(conflict, { id: entry.id, ...entry.act }, leaving);
    },
  });
  const [pending, setPending] = useState(outbox.unsent);
  const [refusal, setRefusal] = useState<string | null>(null);
  const latest = useRef(arrived);
  latest.current = arrived;

  useEffect(
    () =>
      outbox.listen((outcome) => {
        setPending(outbox.unsent);
        if (outcome?.kind === 'saved') latest.current(outcome.answer, outcome.item);
        if (outcome?.kind === 'refused')
          setRefusal([outcome.refusal.message, outcome.refusal.next].filter((part) => part !== null).join(' '));
      }),
    [outbox],
  );

  return {
    pending,
    saveState,
    trouble: outbox.trouble,
    put: (conflict, decision) => outbox.put(conflict, decision),
    refusal,
    forget: () => setRefusal(null),
  };
}

function isDecision(value: unknown): value is Decision {
  return typeof value === 'object' && value !== null && 'value' in value && 'because' in value;
}
