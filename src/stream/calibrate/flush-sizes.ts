import { existsSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';

import { compareNatural, Problems, readText } from '../../plugin.ts';
import { ctu } from '../ctu.ts';
import { parseRunLog, runLogFiles } from '../read-run-log.ts';
import { readTrace, traceFiles } from '../read-trace.ts';
import { gateInput } from '../replay/gate-input.ts';
import { flushText, type GatePolicy, passGate } from '../replay/token-gate.ts';
import type { FlushReason, RunLog } from '../run-log-records.ts';
import type { Trace } from '../trace-records.ts';

/** Flushes that end something instead of being let through by the gate: they show nothing about its size. */
const NOT_REGULAR: ReadonlySet<FlushReason> = new Set(['end_of_trace', 'turn_end']);

export interface FlushSizes {
  readonly caseId: string;
  /** CTU of the regular flushes, in their order. */
  readonly regular: readonly number[];
  readonly excluded: Readonly<Record<string, number>>;
  /** `sha256:…` of the decompressed bytes of the log or trace they come from. */
  readonly sha256: string;
}

export function flushSizesOfLog({ meta, flushes }: RunLog, sha256: string): FlushSizes {
  return sizesOf(
    caseName(meta.case_id),
    sha256,
    flushes.map(({ trigger_reason: reason, accumulated_ctu: size }) => ({ reason, size })),
  );
}

/** From a trace that passes through the gate: no log and no model is needed. */
export function flushSizesOfTrace(trace: Trace, policy: GatePolicy): FlushSizes {
  const input = gateInput(trace);
  const flushes: { reason: FlushReason; size: number }[] = [];
  passGate(input, policy, (flush) => {
    flushes.push({ reason: flush.reason, size: ctu(flushText(input, flush)) });
  });
  return sizesOf(trace.meta.case_id, trace.sha256, flushes);
}

function sizesOf(
  caseId: string,
  sha256: string,
  flushes: readonly { readonly reason: FlushReason; readonly size: number }[],
): FlushSizes {
  const excluded: Record<string, number> = { end_of_trace: 0, turn_end: 0 };
  const regular: number[] = [];
  for (const { reason, size } of flushes) {
    if (NOT_REGULAR.has(reason)) excluded[reason] = (excluded[reason] ?? 0) + 1;
    else regular.push(size);
  }
  return { caseId, regular, excluded, sha256 };
}

/** The published logs call a case after the file of its trace: `case-1.trace` is the case `case-1`. */
export function caseName(id: string): string {
  return id.replace(/\.trace$/, '');
}

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
  return sizes.sort((a, b) => compareNatural(a.caseId, b.caseId));
}

/**
 * What is made of each trace of a folder, by case: the same whatever the files are called. Traces are read one by one,
 * so that no more of them is held than what is made of them.
 */
export async function readByCase<T>(place: string, make: (trace: Trace) => T, allowStubs = false): Promise<T[]> {
  const problems = new Problems();
  const byCase = new Map<string, { readonly file: string; readonly made: T }>();
  for (const file of traceFiles(place)) {
    const trace = await readTrace(file);
    const { case_id: id, stub_mode: stub } = trace.meta;
    const other = byCase.get(id);
    if (stub === true && !allowStubs)
      problems.add({
        file,
        line: null,
        message: `${id} is a stub, not a recorded conversation`,
        next: 'take it out of the folder, or allow it with --allow-stubs',
      });
    else if (other !== undefined)
      problems.add({ file, line: null, message: `a second trace of ${id}; the first is ${basename(other.file)}` });
    else byCase.set(id, { file, made: make(trace) });
  }
  problems.throwIfAny();
  return [...byCase].sort(([a], [b]) => compareNatural(a, b)).map(([, { made }]) => made);
}
