import type { Severity } from '../finding.ts';

/** From which share on something is said more loudly; fewer than `fewest` are a note, whatever the share. */
export interface Limits {
  readonly warning: number;
  readonly error: number;
  readonly fewest: number;
}

export function severityOf(part: number, whole: number, { warning, error, fewest }: Limits): Severity {
  if (part < fewest) return 'note';
  return part / whole >= error ? 'error' : part / whole >= warning ? 'warning' : 'note';
}
