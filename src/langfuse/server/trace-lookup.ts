import { unlessDamaged } from '../../store/cells.ts';
import type { TraceRecord } from '../../store/records.ts';
import type { Store } from '../../store/store.ts';

/** Traces by their id, each read once; many rows of one answer belong to the same. */
export function traceLookup(store: Store): (id: string | null) => TraceRecord | null {
  const known = new Map<string, TraceRecord | null>();
  return (id) => {
    if (id === null) return null;
    const kept = known.get(id);
    if (kept !== undefined) return kept;
    const trace = unlessDamaged(() => store.traces.get(id));
    known.set(id, trace);
    return trace;
  };
}
