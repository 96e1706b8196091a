import { useEffect, useRef } from 'preact/hooks';

import type { QueueEntry } from '../../../src/review/api.ts';
import { QueueList } from './queue-list.tsx';

export function DonePage(props: {
  readonly queue: readonly QueueEntry[];
  readonly unsent: number;
  readonly onPick: (item: string) => void;
}) {
  const { queue, unsent } = props;
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  if (queue.length === 0) {
    return (
      <div class="lone stack">
        <h2>There is nothing for you to review</h2>
        <p>Nobody has given you an item yet. Keep your link: when there are items, they will be here.</p>
      </div>
    );
  }
  return (
    <div class="lone stack done-page">
      <h2 tabIndex={-1} ref={heading}>
        {endWords(queue.length)}
      </h2>
      <p>Thank you. You can close this page, or look at an item again.</p>
      {unsent > 0 ? (
        <p class="notice warn">
          Some of it has not reached the server yet. Leave this page open until it shows “saved”.
        </p>
      ) : null}
      <details class="done-list">
        <summary>Look at an item again</summary>
        <QueueList queue={queue} current={null} onPick={props.onPick} />
      </details>
    </div>
  );
}

function endWords(count: number): string {
  if (count === 1) return 'The one item is done';
  return count === 2 ? 'Both items are done' : `All ${count} items are done`;
}
