import type { Audit, Finding, FindingItem, Severity, UnusedAcceptance } from '../audit/finding.ts';
import { SEVERITIES } from '../audit/finding.ts';
import { plural } from '../text/figures.ts';

/** Findings that the recipe does not accept, as bad as asked for or worse. */
export function openFindings({ findings }: Audit, least: Severity = 'note'): Finding[] {
  const worst = SEVERITIES.indexOf(least);
  return findings.filter(({ accepted, severity }) => accepted === null && SEVERITIES.indexOf(severity) <= worst);
}

export function acceptedFindings({ findings }: Audit): Finding[] {
  return findings.filter(({ accepted }) => accepted !== null);
}

/** "1 error, 2 warnings, no notes; 1 accepted" */
export function auditCounts(audit: Audit): string {
  const open = openFindings(audit);
  const parts = SEVERITIES.map((severity) => {
    const n = open.filter((finding) => finding.severity === severity).length;
    return n === 0 ? `no ${severity}s` : plural(n, severity);
  });
  const accepted = acceptedFindings(audit).length;
  return `${open.length === 0 ? 'nothing found' : parts.join(', ')}${accepted === 0 ? '' : `; ${accepted} accepted`}`;
}

/** A title as a sentence, whether or not it ends like one. */
export function sentence(title: string): string {
  return /[.!?…]$/.test(title) ? title : `${title}.`;
}

/** "12 items in 5 cases"; empty where a finding names neither. */
export function behindText({ cases, items }: Pick<Finding, 'cases' | 'items'>): string {
  const parts = [
    ...(items.total === 0 ? [] : [plural(items.total, 'item')]),
    ...(cases.total === 0 ? [] : [plural(cases.total, 'case')]),
  ];
  return parts.join(' in ');
}

/** One piece of evidence: `D03 gold ORG "Warsaw Regional Court"`. Holds text from data: escape it. */
export function itemText({ case: id, side, label, text }: FindingItem): string {
  const quoted = id === null && side === null ? text : text === '' ? '' : JSON.stringify(text);
  return [id, side, label, quoted].filter((part) => part !== null && part !== '').join(' ');
}

/** With the indent that the terminal gives it, a line then fits 80 columns. */
const WIDEST = 76;

/** What to write into the recipe so that the finding may stand. Names from data are in quotes. */
export function acceptanceYaml({ name, subjects }: Pick<Finding, 'name' | 'subjects'>): string[] {
  const lead = ['audit:', '  accept:'];
  if (subjects.length === 0) return [...lead, `    ${name}: why it may stand`];
  const names = subjects.map((subject) => (isPlainWord(subject) ? subject : JSON.stringify(subject)));
  const short = `    ${name}: { because: why it may stand, subjects: [${names.join(', ')}] }`;
  if (short.length <= WIDEST) return [...lead, short];
  const list = `      subjects: [${names.join(', ')}]`;
  return [
    ...lead,
    `    ${name}:`,
    '      because: why it may stand',
    ...(list.length <= WIDEST ? [list] : ['      subjects:', ...names.map((subject) => `        - ${subject}`)]),
  ];
}

/**
 * The same for findings that are shown together: a recipe has one entry for a check, so that of the first holds for all
 * of that check, and null is in the place of the others.
 */
export function acceptanceYamls(findings: readonly Finding[]): (string[] | null)[] {
  const said = new Set<string>();
  return findings.map(({ name }) => {
    if (said.has(name)) return null;
    said.add(name);
    const own = findings.filter((finding) => finding.name === name).map(({ subjects }) => subjects);
    const all = own.some((subjects) => subjects.length === 0) ? [] : [...new Set(own.flat())];
    return acceptanceYaml({ name, subjects: all });
  });
}

/** In the place of a null of acceptanceYamls. */
export const SEE_ABOVE = 'To let it stand, in the recipe: see above, one entry holds for all of this check.';

/** "too-few", "excused-hits (ORG)": an acceptance that nothing was found for. Holds text from data: escape it. */
export function unusedText({ name, subjects }: UnusedAcceptance): string {
  return subjects.length === 0 ? name : `${name} (${subjects.join(', ')})`;
}

/** Whether YAML takes it for the text that it is, without quotes; some readers of it take `no` for false. */
function isPlainWord(text: string): boolean {
  return /^[A-Za-z][\w-]*$/.test(text) && !/^(?:true|false|null|yes|no|on|off|y|n)$/i.test(text);
}
