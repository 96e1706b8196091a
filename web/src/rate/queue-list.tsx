import { useEffect, useRef } from 'preact/hooks';

import type { QueueEntry } from '../../../src/review/api.ts';
import { PlainText } from '../plain-text.tsx';
import { scrollPane } from '../scroll-pane.ts';

const STATES: Readonly<Record<QueueEntry['state'], { readonly sign: string; readonly word: string }>> = {
  open: { sign: '○', word: 'open' },
  begun: { sign: '◐', word: 'begun' },
  done: { sign: '✓', word: 'done' },
};

export function QueueList(props: {
  readonly queue: readonly QueueEntry[];
  readonly current: string | null;
  readonly onPick: (item: string) => void;
}) {
  const list = useRef<HTMLOListElement>(null);
  // A case by itself and the answers to it begin with the same words.
  const isMixed = new Set(props.queue.map(({ kind }) => kind)).size > 1;
  useEffect(() => {
    scrollPane(list.current?.closest('[data-pane]'), list.current?.querySelector('[aria-current]'), 40);
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
            <span class="queue-title cut">
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
