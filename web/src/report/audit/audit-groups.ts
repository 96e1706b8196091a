import type { Audit, CheckRecord, Finding, Severity } from '../../../../src/audit/finding.ts';

/** The findings of a run as they are read: what is open, by severity, then what the recipe lets stand. */
export interface AuditGroups {
  readonly open: Readonly<Record<Severity, readonly Finding[]>>;
  readonly accepted: readonly Finding[];
  /** Checks that looked and found nothing, and those that could not look. */
  readonly quiet: readonly CheckRecord[];
  readonly found: readonly CheckRecord[];
  readonly skipped: readonly CheckRecord[];
}

export function auditGroups({ findings, checks }: Pick<Audit, 'findings' | 'checks'>): AuditGroups {
  const open = findings.filter(({ accepted }) => accepted === null);
  const of = (severity: Severity): Finding[] => open.filter((finding) => finding.severity === severity);
  const names = new Set(findings.map(({ name }) => name));
  const looked = checks.filter(({ skipped }) => skipped === null);
  return {
    open: { error: of('error'), warning: of('warning'), note: of('note') },
    accepted: findings.filter(({ accepted }) => accepted !== null),
    quiet: looked.filter(({ name }) => !names.has(name)),
    found: looked.filter(({ name }) => names.has(name)),
    skipped: checks.filter(({ skipped }) => skipped !== null),
  };
}
