import type { Me, QueueEntry } from '../../../src/review/api.ts';
import type { SaveState } from '../outbox/outbox.ts';
import { PlainText } from '../plain-text.tsx';
import { ThemeToggle } from '../theme-toggle.tsx';
import { doneCount } from './queue.ts';

const WORDS: Readonly<Record<SaveState, string>> = {
  saved: 'saved',
  saving: 'saving…',
  retrying: 'not saved yet: trying again',
  shut: 'not saved: your link has ended',
};

export function ReviewerHeader(props: {
  readonly me: Me;
  readonly queue: readonly QueueEntry[];
  readonly pace: string | null;
  readonly saveState: SaveState;
  readonly queueOpen: boolean;
  readonly onQueue: () => void;
  readonly onHelp: () => void;
}) {
  const { me, queue } = props;
  const done = doneCount(queue);
  return (
    <header class="top page-head">
      <button type="button" class="small" aria-expanded={props.queueOpen} onClick={props.onQueue}>
        <span aria-hidden="true">☰</span> Items
      </button>
      <div class="top-title">
        <PlainText in="h1" class="cut" text={me.review.title} />
        <PlainText in="p" class="hint cut" text={me.person.name} />
      </div>
      <div class="top-progress stack tight">
        <p>
          <span class="count">
            {done} of {queue.length} done
          </span>
          {props.pace === null ? null : <span class="hint pace">{props.pace}</span>}
        </p>
        <progress class="bar" max={Math.max(1, queue.length)} value={done} aria-label="Items done" />
      </div>
      <p class={`save-state ${props.saveState}`} role="status" aria-live="polite">
        {WORDS[props.saveState]}
      </p>
      <div class="top-buttons">
        <ThemeToggle />
        <button
          type="button"
          class="quiet icon"
          aria-label="Keyboard shortcuts"
          title="Keyboard shortcuts (?)"
          onClick={props.onHelp}
        >
          <kbd aria-hidden="true">?</kbd>
        </button>
      </div>
    </header>
  );
}
