import type { LogEntry } from '../../../src/experiment/run/answer-log.ts';
import type { FailureKind } from '../../../src/experiment/targets/target.ts';

const PLAIN = {
  repeat: 1,
  usage: null,
  cost: null,
  latencyMs: 5,
  raw: null,
  attempts: 1,
  cached: false,
  startedAt: '2026-11-15T10:00:00.000Z',
  endedAt: '2026-11-15T10:00:00.005Z',
};

export function answered(item: string, output: unknown): Extract<LogEntry, { outcome: 'answered' }> {
  return { item, outcome: 'answered', output, passages: null, ...PLAIN };
}

export function failed(item: string, kind: FailureKind, message: string): Extract<LogEntry, { outcome: 'failed' }> {
  return { item, outcome: 'failed', kind, message, ...PLAIN };
}
