import { existsSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';

import { Problems } from '../../../data/problems.ts';
import { readText } from '../../../data/read-file.ts';
import { compareNatural } from '../../../text/compare.ts';
import { parseRunLog, runLogFiles } from '../read-run-log.ts';
import type { GatePolicy } from '../replay/token-gate.ts';
import { type FlushSizes, flushSizesOfLog, flushSizesOfTrace } from './flush-sizes.ts';
import { readByCase } from './by-case.ts';

/** Sizes of the flushes that a variant logged: from a folder of its run logs, or one that holds a folder of its name. */
export async function readLoggedSizes(place: string, variant: string): Promise<FlushSizes[]> {
  const inner = join(place, variant);
  const folder = existsSync(inner) && statSync(inner).isDirectory() ? inner : place;
  const problems = new Problems();
  const byCase = new Map<string, string>();
  const sizes: FlushSizes[] = [];
  for (const file of runLogFiles(folder)) {
    const { text, sha256 } = await readText(file);
    const log = parseRunLog(text, file);
    const found = flushSizesOfLog(log, `sha256:${sha256}`);
    if (log.meta.variant_id !== variant)
      problems.add({
        file,
        line: null,
        message: `a log of ${log.meta.variant_id}, expected one of ${variant}`,
        next: 'name the folder of its logs, or the variant with --variant',
      });
    const other = byCase.get(found.caseId);
    if (other !== undefined)
      problems.add({ file, line: null, message: `a second log of ${found.caseId}; the first is ${basename(other)}` });
    byCase.set(found.caseId, file);
    sizes.push(found);
  }
  problems.throwIfAny();
  return sizes.sort(byCaseId);
}

/** Sizes of the flushes that a gate gives on the traces of a folder. */
export async function readReplayedSizes(place: string, policy: GatePolicy, allowStubs = false): Promise<FlushSizes[]> {
  return readByCase(place, (trace) => flushSizesOfTrace(trace, policy), allowStubs);
}

function byCaseId(a: FlushSizes, b: FlushSizes): number {
  return compareNatural(a.caseId, b.caseId);
}
