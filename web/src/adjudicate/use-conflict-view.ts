import { useCallback, useEffect, useRef, useState } from 'preact/hooks';

import type { ConflictView } from '../../../src/review/api.ts';
import type { Api } from '../api.ts';

/**
 * The conflict at hand, and `reload` to ask for it again, as after a decision. `ahead` is fetched while the person reads, so
 * that a decision leads to the next one at once.
 */
export function useConflictView(api: Api, id: string | null, ahead: string | null) {
  const [known, setKnown] = useState<ReadonlyMap<string, ConflictView>>(new Map());
  const [trouble, setTrouble] = useState<string | null>(null);
  const wanted = useRef(id);
  wanted.current = id;

  const load = useCallback(
    async (which: string): Promise<void> => {
      try {
        const found = await api.conflict(which);
        setKnown((before) => new Map(before).set(which, found));
        if (wanted.current === which) setTrouble(null);
      } catch (error) {
        if (wanted.current === which) setTrouble(error instanceof Error ? error.message : String(error));
      }
    },
    [api],
  );
  const reload = useCallback(async () => (id === null ? undefined : await load(id)), [load, id]);

  useEffect(() => {
    setTrouble(null);
    void reload();
  }, [reload]);
  useEffect(() => {
    if (ahead !== null) void load(ahead);
  }, [load, ahead]);
  return { view: id === null ? null : (known.get(id) ?? null), trouble, reload };
}
