import { useEffect, useState } from 'preact/hooks';

import type { Me } from '../../../src/review/api.ts';
import { browserStore } from '../browser-store.ts';
import { listen } from '../listen.ts';
import { randomId } from '../random-id.ts';
import { Outbox, type OutboxParts, type SaveState } from './outbox.ts';

/** What an outbox takes from the browser, and whose it is. */
type Surroundings = 'store' | 'owner' | 'newId' | 'now' | 'later';

/** The one outbox of a page, and how it stands. */
export function useOutbox<Act, Answer>(
  me: Me,
  parts: Omit<OutboxParts<Act, Answer>, Surroundings>,
): { readonly outbox: Outbox<Act, Answer>; readonly saveState: SaveState } {
  const [outbox] = useState(
    () =>
      new Outbox({
        ...parts,
        store: browserStore,
        owner: ownerOf(me),
        newId: randomId,
        now: Date.now,
        later: (ms, run) => {
          const timer = setTimeout(run, ms);
          return () => clearTimeout(timer);
        },
      }),
  );
  const [saveState, setSaveState] = useState(outbox.state);

  useEffect(() => {
    // What was left over may have arrived before anybody listened.
    setSaveState(outbox.state);
    return outbox.listen(() => setSaveState(outbox.state));
  }, [outbox]);
  useEffect(() => {
    const look = () => outbox.flush(document.visibilityState === 'hidden');
    const warn = (event: BeforeUnloadEvent) => {
      outbox.flush(true);
      if (outbox.state === 'retrying') event.preventDefault();
    };
    const hide = () => outbox.flush(true);
    const online = () => outbox.flush();
    // The change of visibility comes up from the document.
    return listen(window, { visibilitychange: look, pagehide: hide, beforeunload: warn, online });
  }, [outbox]);

  return { outbox, saveState };
}

/** Not the token: a person whose link was renewed is still the same person. */
export function ownerOf(me: Me): string {
  return `${me.review.name}\n${me.person.name}`;
}
