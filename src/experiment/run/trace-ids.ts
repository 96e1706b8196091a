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

export function scoreIdOf(traceId: string, name: string): string {
  const digits = hash('sha256', JSON.stringify([traceId, name]));
  return [8, 4, 4, 4, 12]
    .map((length, at, lengths) => {
      const from = lengths.slice(0, at).reduce((sum, one) => sum + one, 0);
      return digits.slice(from, from + length);
    })
    .join('-');
}
