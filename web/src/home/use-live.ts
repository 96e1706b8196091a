import { useEffect, useState } from 'preact/hooks';

import type { Live } from '../../../src/report/live/live-data.ts';
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
    let [gone, asking] = [false, false];
    let tag: string | null = null;
    const look = async (): Promise<void> => {
      if (asking || gone || document.visibilityState === 'hidden') return;
      asking = true;
      try {
        const answer = await askLive(tag);
        tag = answer?.tag ?? tag;
        if (!gone)
          setLooking((now) => ({ live: answer?.live ?? now.live, at: Date.now(), trouble: null, shut: false }));
      } catch (fault) {
        if (gone) return;
        if (fault instanceof EntryNeeded) {
          // Until somebody brings it there is nothing to ask for.
          gone = true;
          setLooking({ live: null, at: 0, trouble: null, shut: true });
        } else setLooking((now) => ({ ...now, trouble: wordsOf(fault) }));
      } finally {
        asking = false;
      }
    };
    const again = (): void => void look();
    again();
    const timer = setInterval(again, EVERY_MS);
    document.addEventListener('visibilitychange', again);
    return () => {
      gone = true;
      clearInterval(timer);
      document.removeEventListener('visibilitychange', again);
    };
  }, [entered]);
  return looking;
}

/** What a browser says of a server that is not there is nothing a person could use. */
function wordsOf(fault: unknown): string {
  if (fault instanceof TypeError || fault instanceof DOMException) return 'Cannot reach the server';
  return fault instanceof Error ? fault.message : String(fault);
}
