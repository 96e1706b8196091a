import { UsageError } from '../data/problems.ts';
import { suggestion } from '../prepare/setting-error.ts';
import { AUDIT_CHECKS, auditCheckName, auditSection } from '../recipe/audit-section.ts';
import type { Definition } from '../recipe/definition.ts';
import type { NewFinding } from './check.ts';
import { customChecks } from './define-check.ts';
import type { Finding, UnusedAcceptance } from './finding.ts';
import WORDS from './words.json' with { type: 'json' };

/** Without subjects, whatever the finding is about. */
type Accepted = Readonly<{ because: string; subjects: ReadonlySet<string> | null }>;

/** What lets findings stand, by the name of the check. */
export type Acceptances = ReadonlyMap<string, Accepted>;

/** What the recipe of a run accepts. One that a newer version wrote otherwise accepts nothing. */
export function acceptancesOf(recipe: Readonly<Record<string, unknown>>): Acceptances {
  const { accept = {} } = auditSection.safeParse(recipe['audit'] ?? {}).data ?? {};
  return new Map(
    Object.entries(accept).flatMap(([name, given = '']): [string, Accepted][] => {
      const { because, subjects } = typeof given === 'string' ? { because: given } : given;
      return because === ''
        ? []
        : [[auditCheckName(name), { because: because.trim(), subjects: subjects ? new Set(subjects) : null }]];
    }),
  );
}

/** `--accept name=reason` lines, for a look at what would be left. */
export function acceptanceLines(lines: readonly string[], definitions: readonly Definition[] = []): Acceptances {
  const checks = [...AUDIT_CHECKS, ...customChecks(definitions).map(({ name }) => name)];
  return new Map(
    lines.map((line) => {
      const [, written = line, because = ''] = /^([^=]*)=(.*)$/su.exec(line) ?? [];
      const name = auditCheckName(written);
      if (!checks.some((known) => known === name))
        throw new UsageError(`--accept ${line}: there is no check called ${name}`, suggestion(name, checks, 'checks'));
      if (because.trim() === '')
        throw new UsageError(
          `--accept ${line}: an acceptance needs a reason`,
          `say --accept "${name}=why it may stand"`,
        );
      return [name, { because: because.trim(), subjects: null }] as const;
    }),
  );
}

/** A finding as it stands after acceptance: whole, or in two parts where only some of its subjects are accepted. */
export function settled(name: string, found: NewFinding, accept: Acceptances): Finding[] {
  const { subjects, because } = accept.get(name) ?? { subjects: new Set<string>(), because: null };
  if (subjects === null) return [finding(name, found, because)];
  const about = found.subjects ?? [];
  const known = new Set(about.filter((subject) => subjects.has(subject)));
  if (known.size > 0 && known.size === new Set(about).size) return [finding(name, found, because)];
  if (known.size === 0 || found.only === undefined) return [finding(name, found, null)];
  const rest = new Set(about).difference(known);
  return [finding(name, found.only(rest), null), finding(name, found.only(known), because)];
}

/** What of an acceptance none of the check's findings needs. */
export function unusedOf(name: string, found: readonly NewFinding[], accept: Acceptances): UnusedAcceptance[] {
  const { because, subjects } = accept.get(name) ?? { because: null, subjects: null };
  if (because === null) return [];
  if (found.length === 0) return [{ name, subjects: [], because }];
  const known = new Set(found.flatMap((one) => one.subjects ?? []));
  const rest = [...(subjects ?? [])].filter((subject) => !known.has(subject));
  return rest.length === 0 ? [] : [{ name, subjects: rest, because }];
}

const NONE = { total: 0, shown: [] };

/** Fields in one order, so that audit.json is the same wherever it is made. */
function finding(name: string, found: NewFinding, accepted: string | null): Finding {
  const { severity, title, subjects = [], evidence: { cases = NONE, items = NONE } = {} } = found;
  const usual = found.words === undefined ? { why: '', todo: '' } : WORDS[found.words];
  const why = typeof found.why === 'function' ? found.why(usual.why) : (found.why ?? usual.why);
  const todo = found.todo ?? usual.todo.replace('{subject}', () => subjects[0] ?? '');
  return { name, severity, title, why, todo, subjects, cases, items, accepted };
}
