import { existsSync } from 'node:fs';
import { basename } from 'node:path';

import { UsageError } from '../../data/problems.ts';
import { sourceOf } from '../../data/named-files.ts';
import { type Source } from '../../data/source.ts';
import type { Plan } from '../../recipe/plan.ts';
import { traceIdsOf } from './item-trace.ts';
import { readRecord, runFiles } from './run-folder.ts';
import { scorableOutputs } from './scorer.ts';

/** What assay run left: its items, its outputs, and the traces of both. */
export interface RunAnswers {
  readonly system: string;
  readonly items: Source;
  readonly outputs: Source;
  /** The trace of an item's answer, if the run names it. */
  readonly traceOf: (caseId: string) => string | null;
}

export function runAnswers(plan: Plan, folder: string): RunAnswers {
  const { items, outputs } = runFiles(folder, 1, 1);
  if (!existsSync(items) || !existsSync(outputs)) {
    const several = runFiles(folder, 1, 2);
    throw new UsageError(
      `${folder} holds no outputs of assay run`,
      existsSync(several.outputs)
        ? `it has several repeats: --cases ${several.items} --predictions ${several.outputs}`
        : 'name the folder of a run that has finished',
    );
  }
  const record = readRecord(folder);
  return {
    system: record?.name ?? basename(folder),
    items: sourceOf(items),
    outputs: scorableOutputs(plan, items, outputs),
    traceOf: (caseId) => (record === null ? null : traceIdsOf(record.id, caseId, 1).traceId),
  };
}
