import { rmSync } from 'node:fs';
import { join } from 'node:path';

import type { Budget } from '../limits/budget.ts';
import { attemptKey, logPartReader, logParts, removeLogParts } from '../queue/log-parts.ts';
import { QUEUE_FILE } from '../queue/jobs.ts';
import { type AnswerLog, isBegunCall, type LogEntry } from './answer-log.ts';
import { countsForBudget } from './generate.ts';
import type { PreparedRun } from './prepare-run.ts';
import { type FrozenItem, readFrozen } from './run-folder.ts';
import { itemOutcome } from './scorer.ts';

interface Absorbing {
  readonly prepared: Pick<PreparedRun, 'folder' | 'plan'>;
  readonly log: AnswerLog;
  readonly budget: Budget;
}

/** Answers that nobody waited for go into the log: as an outcome if the item has none, else for what they cost. */
export async function absorbEntries({ prepared, log, budget }: Absorbing, entries: readonly LogEntry[]): Promise<void> {
  if (entries.length === 0) return;
  const items = new Map<string, FrozenItem>();
  const ids = new Set(entries.map(({ item }) => item));
  for await (const item of readFrozen(prepared.folder)) if (ids.has(item.id)) items.set(item.id, item);
  for (const entry of entries) {
    const item = items.get(entry.item);
    if (item === undefined) continue;
    const { entry: scorable } = await itemOutcome(prepared.plan, item, entry);
    const isBetter = log.hasFailed(entry.item, entry.repeat) && scorable.outcome === 'answered';
    const isSecond = log.has(entry.item, entry.repeat) && !isBetter;
    await log.append(isSecond ? { ...scorable, duplicate: true } : scorable);
    if (countsForBudget(scorable)) budget.spend(scorable.usage, scorable.cost);
  }
}

/**
 * What workers answered for a coordinator that was killed before it could take it. `known` are the lines that the log
 * has. Without a queue nobody writes parts any more, and they go.
 */
export async function absorbLogParts(absorbing: Absorbing, known: ReadonlySet<string>, hasQueue: boolean) {
  const { folder } = absorbing.prepared;
  const { calls } = absorbing.log;
  const parts = logPartReader(folder);
  const entries: LogEntry[] = [];
  for (const line of await parts.read())
    if (isBegunCall(line)) calls.begin(line);
    else if (known.has(attemptKey(line))) calls.end(line);
    else entries.push(line);
  await absorbEntries(absorbing, entries);
  calls.loseAll();
  if (!hasQueue) {
    await absorbing.log.keepCalls();
    rmSync(join(folder, QUEUE_FILE), { force: true });
    removeLogParts(folder);
  }
  return parts;
}

export const hasLogParts = (folder: string): boolean => logParts(folder).length > 0;
