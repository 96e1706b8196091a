import { faultText } from './fault-text.ts';
import { useCallback, useEffect, useRef, useState } from 'preact/hooks';

import { lookAgain } from './look-again.ts';

export interface Polled<T> {
  /** Null before the first answer. */
  readonly value: T | null;
  /** When the server last answered, in ms; 0 before that. */
  readonly at: number;
  readonly trouble: string | null;
}

/**
 * Asks at once and then again and again while the page is looked at; an answer like the last one changes nothing on the
 * page. `set` puts in what the server said elsewhere.
 */
export function usePolled<T>(
  load: () => Promise<T>,
  everyMs: number,
): Polled<T> & { readonly set: (value: T) => void } {
  const [polled, setPolled] = useState<Polled<T>>({ value: null, at: 0, trouble: null });
  const latest = useRef(load);
  latest.current = load;
  const set = useCallback((value: T) => {
    setPolled((before) => ({
      value: JSON.stringify(before.value) === JSON.stringify(value) ? before.value : value,
      at: Date.now(),
      trouble: null,
    }));
  }, []);

  useEffect(() => {
    const looked = lookAgain(
      everyMs,
      async (now) => {
        try {
          const value = await latest.current();
          if (!now.gone) set(value);
        } catch (error) {
          if (!now.gone) setPolled((before) => ({ ...before, trouble: faultText(error) }));
        }
      },
      true,
    );
    return () => looked.end();
  }, [everyMs, set]);

  return { ...polled, set };
}
