import { useEffect, useReducer } from 'preact/hooks';

import type { ItemView } from '../../../src/review/api.ts';
import type { ReviewCell } from '../../../src/store/review-records.ts';
import type { Answering } from './answering.ts';
import type { AnswersOutbox } from './answers-outbox.ts';
import { changeItem, type ItemState, openItem } from './item-state.ts';
import { type Form, missingStops, type Stop } from './stops.ts';

const TYPING_PAUSE_MS = 400;

export interface OpenItem {
  readonly state: ItemState;
  readonly answer: Answering['answer'];
  /** What was typed goes to the server without waiting for more. */
  readonly send: () => void;
  /** Returns the question whose answer came back; null where there was nothing to undo. */
  readonly undo: () => Stop | null;
  /** Returns the rows that have no answer yet; with none of them the item is on its way to being done. */
  readonly commit: () => readonly Stop[];
  readonly reopen: () => void;
}

/** One item at work: every change is shown at once, kept in the browser, and sent. */
export function useItem(view: ItemView, form: Form, outbox: AnswersOutbox): OpenItem {
  const [state, change] = useReducer(changeItem, null, () => openItem(view, outbox.waiting(view.item)));

  useEffect(
    () =>
      outbox.listen((outcome) => {
        if (outcome?.item !== view.item) return;
        if (outcome.kind === 'saved') {
          if (outcome.acts.some(({ kind }) => kind === 'commit'))
            change({ kind: 'committed', revealed: outcome.answer.revealed });
        } else if (outcome.kind === 'refused') {
          const { act, refusal } = outcome;
          const message = refusal.next === null ? refusal.message : `${refusal.message} ${refusal.next}`;
          if (act.kind === 'answer') change({ kind: 'refused', stop: act.cell, message });
          else if (refusal.missing.length > 0) change({ kind: 'missing', stops: refusal.missing });
          else change({ kind: 'kept', committed: act.kind === 'reopen', trouble: message });
        }
      }),
    [outbox, view.item],
  );

  const put = (cell: ReviewCell, pause = 0) => outbox.put(view.item, { kind: 'answer', cell }, pause);
  return {
    state,
    answer(stop, value, typing) {
      change({ kind: 'answer', stop, value, typing: typing ?? null });
      put({ field: stop.field, part: stop.part, value }, typing === undefined ? 0 : TYPING_PAUSE_MS);
    },
    send: () => outbox.flush(),
    undo() {
      const last = state.past.at(-1);
      if (last === undefined) return null;
      change({ kind: 'undo' });
      put(last);
      return last;
    },
    commit() {
      const missing = missingStops(form, view.fields, view.content, state.cells);
      change({ kind: 'missing', stops: missing });
      if (missing.length === 0) outbox.put(view.item, { kind: 'commit' });
      return missing;
    },
    reopen() {
      change({ kind: 'reopened' });
      outbox.put(view.item, { kind: 'reopen' });
    },
  };
}
