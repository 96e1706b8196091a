import { useEffect, useState } from 'preact/hooks';

import { Refusal } from './refusal.ts';

export type Loaded<T> =
  | { readonly kind: 'loading' }
  | { readonly kind: 'ready'; readonly value: T }
  | { readonly kind: 'fault'; readonly fault: unknown };

const RETRY_MS = 4000;

/**
 * Loads what `key` stands for, again whenever it changes. A server that does not answer is asked again by itself; a
 * refusal waits for the person, and what is in the page itself does not change.
 */
export function useLoaded<T>(
  key: unknown,
  load: () => Promise<T>,
  retryMs: number | null = RETRY_MS,
): { readonly state: Loaded<T>; readonly retry: () => void } {
  const [turn, setTurn] = useState(0);
  const [state, setState] = useState<{ readonly key: unknown; readonly loaded: Loaded<T> }>({
    key,
    loaded: { kind: 'loading' },
  });

  useEffect(() => {
    let live = true;
    let timer: ReturnType<typeof setTimeout> | undefined;
    load().then(
      (value) => {
        if (live) setState({ key, loaded: { kind: 'ready', value } });
      },
      (fault: unknown) => {
        if (!live) return;
        setState({ key, loaded: { kind: 'fault', fault } });
        const isPassing = !(fault instanceof Refusal) || fault.passing;
        if (isPassing && retryMs !== null) timer = setTimeout(() => setTurn((n) => n + 1), retryMs);
      },
    );
    return () => {
      live = false;
      clearTimeout(timer);
    };
    // `load` is a new function at each rendering; the key changes when its meaning does.
  }, [key, turn]);

  return {
    state: state.key === key ? state.loaded : { kind: 'loading' },
    retry: () => setTurn((n) => n + 1),
  };
}
