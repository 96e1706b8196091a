import type { Audit, Finding } from '../../../src/audit/finding.ts';

/** Errors and warnings that the recipe lets stand, with its reason. */
export function acceptedFindings(audit: Audit | null): readonly Finding[] {
  return (audit?.findings ?? []).filter(({ severity, accepted }) => severity !== 'note' && accepted !== null);
}

/** Errors and warnings that nobody has accepted. */
export function openFindings(audit: Audit | null): readonly Finding[] {
  return (audit?.findings ?? []).filter(({ severity, accepted }) => severity !== 'note' && accepted === null);
}
