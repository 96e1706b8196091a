import { hash } from 'node:crypto';

/** Of one item in one run: the same on every try, so that what was sent twice is there once. */
export interface TraceIds {
  /** 32 hex digits. */
  readonly traceId: string;
  /** 16 hex digits each. */
  readonly rootId: string;
  readonly callId: string;
}

/** `run` is something that no two runs share. */
export function traceIdsOf(run: string, item: string, repeat: number): TraceIds {
  const digits = hash('sha256', JSON.stringify([run, item, repeat]));
  return { traceId: digits.slice(0, 32), rootId: digits.slice(32, 48), callId: digits.slice(48, 64) };
}

/** As a UUID. It begins as its trace's id does, so that a store keeps the scores of a trace side by side. */
export function scoreIdOf(traceId: string, name: string): string {
  const digits = `${traceId.slice(0, 8)}${hash('sha256', JSON.stringify([traceId, name])).slice(0, 24)}`;
  return digits.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}
