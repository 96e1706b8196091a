import { useEffect, useRef } from 'preact/hooks';

import type { ConflictEntry, Me } from '../../../src/review/api.ts';
import { PlainText } from '../plain-text.tsx';
import { scrollPane } from '../scroll-pane.ts';
import { questionWords } from '../value-words.ts';

export function ConflictList(props: {
  readonly me: Me;
  readonly conflicts: readonly ConflictEntry[];
  readonly current: string | null;
  readonly onPick: (id: string) => void;
}) {
  const open = props.conflicts.filter((entry) => !entry.decided);
  const decided = props.conflicts.filter((entry) => entry.decided);
  const nav = useRef<HTMLElement>(null);

  useEffect(() => {
    scrollPane(nav.current, nav.current?.querySelector('[aria-current]'), 8);
  }, [props.current]);

  return (
    <nav class="conflict-list" aria-label="Conflicts" ref={nav}>
      <h2 class="hint">{open.length} open</h2>
      <Entries {...props} all={props.conflicts} conflicts={open} />
      {decided.length === 0 ? null : (
        <details>
          <summary>{decided.length} decided</summary>
          <Entries {...props} all={props.conflicts} conflicts={decided} />
        </details>
      )}
    </nav>
  );
}

function Entries(props: Parameters<typeof ConflictList>[0] & { readonly all: readonly ConflictEntry[] }) {
  return (
    <ol class="conflict-entries">
      {props.conflicts.map((entry) => {
        const question = props.me.form[entry.field];
        return (
          <li key={entry.id}>
            <button
              type="button"
              class="conflict-entry"
              aria-current={entry.id === props.current ? 'true' : undefined}
              onClick={() => props.onPick(entry.id)}
            >
              <span class="conflict-number count">{props.all.indexOf(entry) + 1}</span>
              <span class="conflict-question medium">{questionWords(question, entry.field, entry.part)}</span>
              <PlainText in="span" class="conflict-title cut" text={entry.title} />
            </button>
          </li>
        );
      })}
    </ol>
  );
}
