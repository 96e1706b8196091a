import { shorten } from '../data/visible.ts';
import type { Audit, Finding, Severity } from '../runs/audit/finding.ts';
import {
  acceptanceYaml,
  acceptedFindings,
  auditCounts,
  behindText,
  itemText,
  openFindings,
  sentence,
  SEVERITY_LOOKS,
} from './audit-words.ts';
import { count, counted } from './figures.ts';
import { programName } from './program-name.ts';
import { prose } from './prose.ts';
import { shellWord } from './shell-word.ts';
import type { Style } from './style.ts';

const ITEMS_SHOWN = 5;
const CASES_SHOWN = 8;

export interface AuditTextOptions {
  /** What the run is called: its folder. */
  readonly run: string;
  /** Findings that are less bad are only counted. */
  readonly severity?: Severity;
}

/** What a person sees: the worst first, each with its evidence and what to do; then what is accepted and what was not looked at. */
export function auditText(audit: Audit, style: Style, { run, severity = 'note' }: AuditTextOptions): string {
  const shown = openFindings(audit, severity);
  const hidden = openFindings(audit).length - shown.length;
  const sections = [
    header(audit, run, style),
    ...shown.map((finding) => findingLines(finding, style)),
    hidden === 0
      ? []
      : prose(`${counted(hidden, 'finding')} less severe than ${severity} not shown.`, style, '', '', 'quiet'),
    acceptedLines(audit, style),
    skippedLines(audit, style),
  ];
  return `${sections
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join('\n'))
    .join('\n\n')}\n`;
}

function header(audit: Audit, run: string, style: Style): string[] {
  const worst = openFindings(audit)[0]?.severity;
  const tone = worst === undefined ? 'good' : SEVERITY_LOOKS[worst].tone;
  const looked = audit.checks.filter(({ skipped }) => skipped === null).length;
  return [
    ...prose(`Audit of ${run}: ${auditCounts(audit)}`, style, '', '', worst === 'note' ? 'strong' : tone),
    ...prose(`${count(looked)} of ${counted(audit.checks.length, 'check')} could look.`, style, '', '', 'quiet'),
  ];
}

function findingLines(finding: Finding, style: Style): string[] {
  const { severity, name, title, why, todo } = finding;
  const { symbol, tone } = SEVERITY_LOOKS[severity];
  return [
    `${style.paint(`${symbol} ${severity}`, tone)}  ${style.paint(name, 'quiet')}`,
    ...prose(sentence(title), style, '  ', '  ', 'strong'),
    ...prose(why, style, '  ', '  '),
    ...prose(`To do: ${todo}`, style, '  ', '  '),
    ...evidenceLines(finding, style),
    style.paint('  To let it stand, in the recipe:', 'quiet'),
    ...acceptanceYaml(finding).map((line) => style.paint(`    ${line}`, 'quiet')),
  ];
}

function evidenceLines(finding: Finding, style: Style): string[] {
  const { items, cases } = finding;
  const behind = behindText(finding);
  if (behind === '') return [];
  const shown = items.shown.slice(0, ITEMS_SHOWN);
  const lines = shown.flatMap((item) => [
    ...prose(itemText(item), style, '    ', '      '),
    ...(item.note === null ? [] : prose(item.note, style, '      ', '      ', 'quiet')),
  ]);
  const named = cases.shown.slice(0, CASES_SHOWN);
  const list = `${named.join(', ')}${cases.total > named.length ? ', …' : ''}`;
  return [
    style.paint(`  Behind it: ${behind}`, 'quiet'),
    ...lines,
    ...(items.total > shown.length && shown.length > 0
      ? [style.paint(`    … and ${count(items.total - shown.length)} more`, 'quiet')]
      : []),
    ...(cases.total === 0 ? [] : prose(`cases ${list}`, style, '    ', '      ', 'quiet')),
  ];
}

function acceptedLines(audit: Audit, style: Style): string[] {
  const accepted = acceptedFindings(audit);
  if (accepted.length === 0) return [];
  return [
    style.paint('Accepted in the recipe', 'strong'),
    ...accepted.flatMap(({ name, severity, title, accepted: reason }) => [
      ...prose(`${name} (${severity}): ${sentence(title)}`, style, '  ', '    '),
      ...prose(`Because: ${reason ?? ''}`, style, '    ', '    ', 'quiet'),
    ]),
  ];
}

function skippedLines({ checks }: Audit, style: Style): string[] {
  const skipped = checks.flatMap(({ name, skipped: why }) => (why === null ? [] : [{ name, why }]));
  if (skipped.length === 0) return [];
  return [
    style.paint('Not looked at', 'strong'),
    ...skipped.flatMap(({ name, why }) => prose(`${name}: ${why}`, style, '  ', '    ', 'quiet')),
  ];
}

const NOTICES = 3;
const LONGEST_NOTICE = 160;

/**
 * A few short lines for whoever has just scored: open errors and warnings, and where to see the rest. Nothing where there
 * is none of either. Holds text from data: escape it.
 */
export function auditNotice(audit: Audit, run = 'RUN'): string[] {
  const open = openFindings(audit, 'warning');
  if (open.length === 0) return [];
  const shown = open.slice(0, NOTICES);
  const more = open.length - shown.length;
  return [
    ...shown.map(({ severity, title }) => `${severity}: ${shorten(title, LONGEST_NOTICE)}`),
    `${more === 0 ? '' : `${counted(more, 'more finding')}; `}${programName()} audit ${shellWord(run)} shows all`,
  ];
}
