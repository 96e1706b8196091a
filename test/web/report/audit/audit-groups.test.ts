import { describe, expect, it } from 'vitest';

import type { Finding, Severity } from '../../../../src/audit/finding.ts';
import { auditGroups } from '../../../../web/src/report/audit/audit-groups.ts';

function finding(name: string, severity: Severity, accepted: string | null = null): Finding {
  const none = { total: 0, shown: [] };
  return { name, severity, title: '', why: '', todo: '', subjects: [], cases: none, items: none, accepted };
}

const checks = [
  { name: 'copied-gold', about: '', skipped: null },
  { name: 'too-few-cases', about: '', skipped: null },
  { name: 'dropped-data', about: '', skipped: null },
  { name: 'training-data-in-test', about: '', skipped: 'no training data was given' },
];

describe('an audit as it is read', () => {
  const groups = auditGroups({
    checks,
    findings: [
      finding('copied-gold', 'error'),
      finding('too-few-cases', 'note'),
      finding('dropped-data', 'error', 'scans'),
    ],
  });

  it('has what is open by its severity, and what was accepted apart', () => {
    expect(groups.open.error.map(({ name }) => name)).toEqual(['copied-gold']);
    expect(groups.open.warning).toEqual([]);
    expect(groups.open.note.map(({ name }) => name)).toEqual(['too-few-cases']);
    expect(groups.accepted.map(({ name }) => name)).toEqual(['dropped-data']);
  });

  it('tells checks that found nothing from those that could not look', () => {
    expect(groups.found.map(({ name }) => name)).toEqual(['copied-gold', 'too-few-cases', 'dropped-data']);
    expect(groups.quiet).toEqual([]);
    expect(groups.skipped.map(({ name }) => name)).toEqual(['training-data-in-test']);
    expect(auditGroups({ checks, findings: [] }).quiet).toHaveLength(3);
  });
});
