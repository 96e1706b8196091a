import { ctu } from '../ctu.ts';
import { gateInput } from '../replay/gate-input.ts';
import { flushText, type GatePolicy, passGate } from '../replay/token-gate.ts';
import type { FlushReason, RunLog } from '../run-log-records.ts';
import type { Trace } from '../trace-records.ts';

/** Flushes that end something instead of being let through by the gate: they say nothing about its usual size. */
const NOT_REGULAR: ReadonlySet<FlushReason> = new Set(['end_of_trace', 'turn_end']);

/** How large the flushes of one case are. */
export interface FlushSizes {
  readonly caseId: string;
  /** CTU of the regular flushes, in their order. */
  readonly regular: readonly number[];
  /** How many were left out, by reason. */
  readonly excluded: Readonly<Record<string, number>>;
  /** `sha256:…` of the unpacked bytes of the log or trace they come from. */
  readonly sha256: string;
}

/** From a run log of a variant with a gate. */
export function flushSizesOfLog({ meta, flushes }: RunLog, sha256: string): FlushSizes {
  return sizesOf(
    caseName(meta.case_id),
    sha256,
    flushes.map(({ trigger_reason: reason, accumulated_ctu: size }) => ({ reason, size })),
  );
}

/** From a trace: the gate is passed anew, so that no log and no model is needed. */
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
