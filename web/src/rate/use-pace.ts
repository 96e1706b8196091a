import { useEffect, useState } from 'preact/hooks';

import type { QueueEntry } from '../../../src/review/api.ts';
import { browserStore, keepWish } from '../browser-store.ts';
import type { AnswersOutbox } from './answers-outbox.ts';
import { type Durations, NO_DURATIONS, withDuration } from './pace.ts';

/** How long the items took that were done in this browser. */
export function usePace(owner: string, current: QueueEntry | null, outbox: AnswersOutbox): Durations {
  const key = `assay.pace/${encodeURIComponent(owner)}`;
  const [durations, setDurations] = useState(() => keptDurations(key));
  const [item, kind] = [current?.item, current?.kind];
  useEffect(() => {
    if (item === undefined || kind === undefined) return undefined;
    const begun = Date.now();
    return outbox.listen((outcome) => {
      if (outcome?.kind !== 'saved' || outcome.item !== item) return;
      if (!outcome.acts.some((act) => act.kind === 'commit')) return;
      setDurations((before) => {
        const after = withDuration(before, kind, Date.now() - begun);
        keepWish(key, JSON.stringify(after));
        return after;
      });
    });
  }, [item, kind, key, outbox]);
  return durations;
}

function keptDurations(key: string): Durations {
  try {
    const kept: unknown = JSON.parse(browserStore.getItem(key) ?? 'null');
    return isDurations(kept) ? kept : NO_DURATIONS;
  } catch {
    return NO_DURATIONS;
  }
}

function isDurations(value: unknown): value is Durations {
  if (typeof value !== 'object' || value === null || !('case' in value) || !('answer' in value)) return false;
  return [value.case, value.answer].every(
    (list) => Array.isArray(list) && list.every((ms) => typeof ms === 'number' && Number.isFinite(ms)),
  );
}
