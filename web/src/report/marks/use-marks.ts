import { useEffect, useState } from 'preact/hooks';

import type { GoldMark } from '../../../../src/review/gold-marks.ts';
import type { MarkRequest, RunMarks } from '../../../../src/server/runs/mark-routes.ts';
import { browserStore, keepWish } from '../../browser-store.ts';
import { hasKeys } from '../../has-keys.ts';
import { randomId } from '../../random-id.ts';
import { servedVersion } from '../live-update.tsx';
import { servedPaths } from '../served-path.ts';

const PATIENCE_MS = 20_000;
const NAME = 'assay.reviewer';

/** What is known of the marks of one run of the page. */
export interface Marks extends RunMarks {
  /** A sentence if it was not kept. */
  readonly save: (mark: Omit<MarkRequest, 'id' | 'by'>) => Promise<string | null>;
}

/** One for each run that a server shows, whatever asks for it. */
const known = new Map<string, RunMarks>();
const listeners = new Set<() => void>();

/** The marks of a run of the page; null in a file, for which there is no server, and until the server has answered. */
export function useMarks(run: number): Marks | null {
  const [, turn] = useState(0);
  const path = pathOf(run);
  useEffect(() => {
    const listen = (): void => turn((n) => n + 1);
    listeners.add(listen);
    // An answer to somebody else may have come after this was drawn.
    if (path !== null && known.has(path)) listen();
    else if (path !== null) void ask(path);
    return () => void listeners.delete(listen);
  }, [path]);
  const marks = path === null ? undefined : known.get(path);
  if (path === null || marks === undefined) return null;
  return { ...marks, save: (mark) => ask(path, { ...mark, id: randomId(), by: reviewerName() }) };
}

export function marksOn({ marks }: RunMarks, caseId: string, item: string): readonly GoldMark[] {
  return marks.filter((mark) => mark.case === caseId && mark.item === item);
}

/** Asked once, and kept by the browser. */
export function reviewerName(): string {
  return browserStore.getItem(NAME) ?? '';
}

export function keepReviewerName(name: string): void {
  keepWish(NAME, name.trim());
}

function pathOf(run: number): string | null {
  if (servedVersion() === null) return null;
  const paths = servedPaths(location);
  // Baseline and candidate may have changed places on the page.
  const isSwapped = paths.length === 2 && new URLSearchParams(location.hash.slice(1)).has('swap');
  return (isSwapped ? paths.toReversed() : paths)[run] ?? null;
}

async function ask(path: string, mark?: MarkRequest): Promise<string | null> {
  const init =
    mark === undefined
      ? {}
      : { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(mark) };
  try {
    const response = await fetch(`/live/marks?${new URLSearchParams({ run: path }).toString()}`, {
      ...init,
      cache: 'no-store',
      signal: AbortSignal.timeout(PATIENCE_MS),
    });
    const body: unknown = await response.json();
    if (!response.ok) return hasKeys<{ message: string }>(body, 'message') ? body.message : 'The server refused it.';
    if (!hasKeys<RunMarks>(body, 'review', 'kinds', 'marks'))
      return 'The server answers in another way: reload the page.';
    known.set(path, body);
    for (const listen of listeners) listen();
    return null;
  } catch {
    return 'The server does not answer: the mark is not kept. Try again.';
  }
}
