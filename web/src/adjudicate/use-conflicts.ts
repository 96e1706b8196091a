import { useCallback, useEffect, useRef, useState } from 'preact/hooks';

import type { ConflictEntry, ConflictView } from '../../../src/review/api.ts';
import type { Api } from '../api.ts';

const REFRESH_MS = 10_000;

export interface Conflicts {
  /** Null before the first answer. */
  readonly list: readonly ConflictEntry[] | null;
  readonly trouble: string | null;
  readonly setList: (list: readonly ConflictEntry[]) => void;
}

/** Conflicts appear while people commit their work, so the list is asked for again while the page is looked at. */
export function useConflicts(api: Api): Conflicts {
  const [list, setList] = useState<readonly ConflictEntry[] | null>(null);
  const [trouble, setTrouble] = useState<string | null>(null);

  useEffect(() => {
    let gone = false;
    const refresh = async (): Promise<void> => {
      if (document.visibilityState === 'hidden') return;
      try {
        const { conflicts } = await api.conflicts();
        if (gone) return;
        setList((before) => (JSON.stringify(before) === JSON.stringify(conflicts) ? before : conflicts));
        setTrouble(null);
      } catch (error) {
        if (!gone) setTrouble(error instanceof Error ? error.message : String(error));
      }
    };
    void refresh();
    const timer = setInterval(() => void refresh(), REFRESH_MS);
    return () => {
      gone = true;
      clearInterval(timer);
    };
  }, [api]);

  return { list, trouble, setList };
}

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
