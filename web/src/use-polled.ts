import { useCallback, useEffect, useRef, useState } from 'preact/hooks';

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
    let gone = false;
    let asking = false;
    const refresh = async (): Promise<void> => {
      if (asking || document.visibilityState === 'hidden') return;
      asking = true;
      try {
        const value = await latest.current();
        if (!gone) set(value);
      } catch (error) {
        const trouble = error instanceof Error ? error.message : String(error);
        if (!gone) setPolled((before) => ({ ...before, trouble }));
      } finally {
        asking = false;
      }
    };
    const look = (): void => void refresh();
    look();
    const timer = setInterval(look, everyMs);
    document.addEventListener('visibilitychange', look);
    return () => {
      gone = true;
      clearInterval(timer);
      document.removeEventListener('visibilitychange', look);
    };
  }, [everyMs, set]);

  return { ...polled, set };
}
