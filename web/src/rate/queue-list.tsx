import { useEffect, useRef } from 'preact/hooks';

import type { QueueEntry } from '../../../src/review/api.ts';
import { PlainText } from '../plain-text.tsx';

const STATES: Readonly<Record<QueueEntry['state'], { readonly sign: string; readonly word: string }>> = {
  open: { sign: '○', word: 'open' },
  begun: { sign: '◐', word: 'begun' },
  done: { sign: '✓', word: 'done' },
};

/** All items of a person, in their own order. */
export function QueueList(props: {
  readonly queue: readonly QueueEntry[];
  readonly current: string | null;
  readonly onPick: (item: string) => void;
}) {
  const list = useRef<HTMLOListElement>(null);
  // A case by itself and the answers to it begin with the same words.
  const isMixed = new Set(props.queue.map(({ kind }) => kind)).size > 1;
  useEffect(() => {
    const [box, entry] = [list.current, list.current?.querySelector('[aria-current]')];
    if (box === null || !(entry instanceof HTMLElement)) return;
    const scroller = box.closest('[data-pane]');
    if (scroller === null) return;
    const [outer, inner] = [scroller.getBoundingClientRect(), entry.getBoundingClientRect()];
    if (inner.top < outer.top + 40 || inner.bottom > outer.bottom - 40) {
      scroller.scrollTop += inner.top - outer.top - outer.height / 3;
    }
  }, [props.current]);
  return (
    <ol class="queue" ref={list}>
      {props.queue.map(({ item, kind, title, state }, index) => (
        <li key={item}>
          <button
            type="button"
            class={`quiet queue-entry ${state}`}
            aria-current={item === props.current ? 'true' : undefined}
            onClick={() => props.onPick(item)}
          >
            <span class="queue-sign" aria-hidden="true">
              {STATES[state].sign}
            </span>
            <span class="queue-number count">{index + 1}</span>
            <span class="queue-title">
              {isMixed && kind === 'case' ? <span class="queue-kind">case </span> : null}
              <PlainText text={title} />
            </span>
            <span class="unseen">, {STATES[state].word}</span>
          </button>
        </li>
      ))}
    </ol>
  );
}
