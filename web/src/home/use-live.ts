import { faultText } from '../fault-text.ts';
import { useEffect, useState } from 'preact/hooks';

import type { Live } from '../../../src/server/runs/live-data.ts';
import { lookAgain } from '../look-again.ts';
import { askLive, EntryNeeded } from './live-api.ts';

const EVERY_MS = 2000;

export interface Looking {
  /** Null before the first answer. */
  readonly live: Live | null;
  /** When the server last answered, in ms; 0 before that. */
  readonly at: number;
  /** The server does not answer, or not as it should. */
  readonly trouble: string | null;
  /** It wants the token of the link first. */
  readonly shut: boolean;
}

/**
 * Looks at the folder again and again while the page is looked at, once it is known who looks. An answer like the last one
 * changes nothing.
 */
export function useLive(entered: number | null): Looking {
  const [looking, setLooking] = useState<Looking>({ live: null, at: 0, trouble: null, shut: false });
  useEffect(() => {
    if (entered === null) return;
    let tag: string | null = null;
    const looked = lookAgain(
      EVERY_MS,
      async (now) => {
        try {
          const answer = await askLive(tag);
          tag = answer?.tag ?? tag;
          if (!now.gone)
            setLooking((last) => ({ live: answer?.live ?? last.live, at: Date.now(), trouble: null, shut: false }));
        } catch (fault) {
          if (now.gone) return;
          if (fault instanceof EntryNeeded) {
            // Until somebody brings it there is nothing to ask for.
            now.end();
            setLooking({ live: null, at: 0, trouble: null, shut: true });
          } else setLooking((last) => ({ ...last, trouble: wordsOf(fault) }));
        }
      },
      true,
    );
    return () => looked.end();
  }, [entered]);
  return looking;
}

/** A browser's own message about an unreachable server does not help the reader. */
function wordsOf(fault: unknown): string {
  if (fault instanceof TypeError || fault instanceof DOMException) return 'Cannot reach the server';
  return faultText(fault);
}
