import { useEffect, useRef, useState } from 'preact/hooks';

import type { Overview } from '../../../src/review/api.ts';
import type { Api } from '../api.ts';

const REFRESH_MS = 5000;

export interface Known {
  /** Null before the first answer. */
  readonly overview: Overview | null;
  /** When the server last answered, in ms. */
  readonly at: number;
  readonly trouble: string | null;
}

/** Asks again every few seconds while the page is looked at; an answer like the last one changes nothing on the page. */
export function useOverview(api: Api): Known {
  const [known, setKnown] = useState<Known>({ overview: null, at: 0, trouble: null });
  const last = useRef('');

  useEffect(() => {
    let gone = false;
    let asking = false;
    const refresh = async (): Promise<void> => {
      if (asking || document.visibilityState === 'hidden') return;
      asking = true;
      try {
        const overview = await api.overview();
        if (gone) return;
        const text = JSON.stringify(overview);
        setKnown((before) => ({
          overview: text === last.current ? before.overview : overview,
          at: Date.now(),
          trouble: null,
        }));
        last.current = text;
      } catch (error) {
        if (!gone)
          setKnown((before) => ({ ...before, trouble: error instanceof Error ? error.message : String(error) }));
      } finally {
        asking = false;
      }
    };
    const look = (): void => void refresh();
    look();
    const timer = setInterval(look, REFRESH_MS);
    document.addEventListener('visibilitychange', look);
    return () => {
      gone = true;
      clearInterval(timer);
      document.removeEventListener('visibilitychange', look);
    };
  }, [api]);

  return known;
}
