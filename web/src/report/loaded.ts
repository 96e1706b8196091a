import { useEffect, useState } from 'preact/hooks';

export type Loaded<T> =
  | { readonly kind: 'loading' }
  | { readonly kind: 'ready'; readonly value: T }
  | { readonly kind: 'fault'; readonly message: string };

const LOADING = { kind: 'loading' } as const;

/** What `load` gives for a key; loading again whenever the key is another. */
export function useLoaded<T>(key: unknown, load: () => Promise<T>): Loaded<T> {
  const [held, setHeld] = useState<{ readonly key: unknown; readonly loaded: Loaded<T> }>({ key, loaded: LOADING });
  useEffect(() => {
    let live = true;
    const set = (loaded: Loaded<T>): void => {
      if (live) setHeld({ key, loaded });
    };
    load().then(
      (value) => set({ kind: 'ready', value }),
      (fault: unknown) => set({ kind: 'fault', message: fault instanceof Error ? fault.message : String(fault) }),
    );
    return () => {
      live = false;
    };
    // `load` is a new function at each rendering; the key changes when its meaning does.
  }, [key]);
  return held.key === key ? held.loaded : LOADING;
}
