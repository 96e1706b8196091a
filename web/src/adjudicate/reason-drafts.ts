import { useState } from 'preact/hooks';

/** Reasons that were begun, by conflict: kept over a reload, gone with the tab. */
export function useReasonDrafts(review: string) {
  const key = `assay.reasons/${encodeURIComponent(review)}`;
  const [drafts, setDrafts] = useState<ReadonlyMap<string, string>>(() => read(key));
  const write = (conflict: string, text: string): void => {
    const next = new Map(drafts);
    if (text === '') next.delete(conflict);
    else next.set(conflict, text);
    setDrafts(next);
    try {
      sessionStorage.setItem(key, JSON.stringify([...next]));
    } catch {
      // A browser that forbids storage keeps it in memory.
    }
  };
  return { of: (conflict: string): string => drafts.get(conflict) ?? '', write };
}

function read(key: string): ReadonlyMap<string, string> {
  try {
    const found: unknown = JSON.parse(sessionStorage.getItem(key) ?? '[]');
    return new Map(Array.isArray(found) ? found.filter(isDraft) : []);
  } catch {
    return new Map();
  }
}

function isDraft(found: unknown): found is [string, string] {
  return Array.isArray(found) && found.length === 2 && found.every((part) => typeof part === 'string');
}
