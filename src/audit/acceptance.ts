import { UsageError } from '../data/problems.ts';
import { suggestion } from '../prepare/setting-error.ts';
import { type Acceptance, AUDIT_CHECKS, type AuditCheckName, auditSection } from '../recipe/audit-section.ts';
import type { NewFinding } from './check.ts';
import { NO_EVIDENCE } from './evidence.ts';
import type { Finding, UnusedAcceptance } from './finding.ts';

export interface Accepted {
  readonly because: string;
  /** null: whatever the finding is about. */
  readonly subjects: ReadonlySet<string> | null;
}

/** What lets findings stand, by the name of the check. */
export type Acceptances = ReadonlyMap<string, Accepted>;

/** What the recipe of a run accepts. One that a newer version wrote otherwise accepts nothing. */
export function acceptancesOf(recipe: Readonly<Record<string, unknown>>): Acceptances {
  const section = auditSection.safeParse(recipe['audit'] ?? {});
  if (!section.success) return new Map();
  return new Map(
    Object.entries(section.data.accept).flatMap(([name, given]) =>
      given === undefined ? [] : [[name, acceptedBy(given)] as const],
    ),
  );
}

function acceptedBy(given: Acceptance): Accepted {
  if (typeof given === 'string') return { because: given.trim(), subjects: null };
  return { because: given.because.trim(), subjects: given.subjects === undefined ? null : new Set(given.subjects) };
}

/** `--accept name=reason` lines, for a look at what would be left. */
export function acceptanceLines(lines: readonly string[]): Acceptances {
  return new Map(
    lines.map((line) => {
      const at = line.indexOf('=');
      const name = at < 0 ? line : line.slice(0, at);
      const because = at < 0 ? '' : line.slice(at + 1).trim();
      if (!isCheck(name))
        throw new UsageError(
          `--accept ${line}: there is no check called ${name}`,
          suggestion(name, AUDIT_CHECKS, 'checks'),
        );
      if (because === '')
        throw new UsageError(
          `--accept ${line}: an acceptance needs a reason`,
          `say --accept "${name}=why it may stand"`,
        );
      return [name, { because, subjects: null }] as const;
    }),
  );
}

function isCheck(name: string): name is AuditCheckName {
  return AUDIT_CHECKS.some((known) => known === name);
}

/** A finding as it stands after acceptance: whole, or in two parts where only some of its subjects are accepted. */
export function settled(name: AuditCheckName, found: NewFinding, accept: Acceptances): Finding[] {
  const own = accept.get(name);
  if (own === undefined) return [finding(name, found, null)];
  const { subjects, because } = own;
  if (subjects === null) return [finding(name, found, because)];
  const about = found.subjects ?? [];
  const rest = new Set(about.filter((subject) => !subjects.has(subject)));
  if (rest.size === 0 && about.length > 0) return [finding(name, found, because)];
  const known = new Set(about.filter((subject) => subjects.has(subject)));
  if (known.size === 0 || found.only === undefined) return [finding(name, found, null)];
  return [finding(name, found.only(rest), null), finding(name, found.only(known), because)];
}

/** What of an acceptance none of the check's findings needs. */
export function unusedOf(name: AuditCheckName, found: readonly NewFinding[], accept: Acceptances): UnusedAcceptance[] {
  const own = accept.get(name);
  if (own === undefined) return [];
  const { because, subjects } = own;
  if (found.length === 0) return [{ name, subjects: [], because }];
  const known = new Set(found.flatMap((one) => one.subjects ?? []));
  const rest = [...(subjects ?? [])].filter((subject) => !known.has(subject));
  return rest.length === 0 ? [] : [{ name, subjects: rest, because }];
}

/** Fields in one order, so that audit.json is the same wherever it is made. */
function finding(name: AuditCheckName, found: NewFinding, accepted: string | null): Finding {
  const { severity, title, why, todo, subjects = [], evidence: { cases, items } = NO_EVIDENCE } = found;
  return { name, severity, title, why, todo, subjects, cases, items, accepted };
}
