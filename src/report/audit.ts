import { shorten } from '../data/visible.ts';
import type { Audit, Finding, Severity } from '../audit/finding.ts';
import {
  acceptanceYamls,
  acceptedFindings,
  auditCounts,
  behindText,
  itemText,
  openFindings,
  SEE_ABOVE,
  sentence,
  SEVERITY_LOOKS,
  unusedText,
} from './audit-words.ts';
import { count, counted } from '../text/figures.ts';
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
  const entries = acceptanceYamls(shown);
  const sections = [
    header(audit, run, style),
    ...shown.map((finding, at) => findingLines(finding, entries[at] ?? null, style)),
    hidden === 0
      ? []
      : prose(`${counted(hidden, 'finding')} less severe than ${severity} not shown.`, style, '', '', 'quiet'),
    acceptedLines(audit, style),
    unusedLines(audit, style),
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

function findingLines(finding: Finding, entry: readonly string[] | null, style: Style): string[] {
  const { severity, name, title, why, todo } = finding;
  const { symbol, tone } = SEVERITY_LOOKS[severity];
  return [
    `${style.paint(`${symbol} ${severity}`, tone)}  ${style.paint(name, 'quiet')}`,
    ...prose(sentence(title), style, '  ', '  ', 'strong'),
    ...prose(why, style, '  ', '  '),
    ...prose(`To do: ${todo}`, style, '  ', '  '),
    ...evidenceLines(finding, style),
    ...(entry === null
      ? prose(SEE_ABOVE, style, '  ', '  ', 'quiet')
      : ['  To let it stand, in the recipe:', ...entry.map((line) => `    ${line}`)].map((line) =>
          style.paint(line, 'quiet'),
        )),
  ];
}

/** The items and cases behind a finding. */
export function evidenceLines(finding: Pick<Finding, 'cases' | 'items'>, style: Style): string[] {
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
    style.paint('Accepted', 'strong'),
    ...accepted.flatMap(({ name, severity, title, accepted: reason }) => [
      ...prose(`${name} (${severity}): ${sentence(title)}`, style, '  ', '    '),
      ...prose(`Because: ${reason ?? ''}`, style, '    ', '    ', 'quiet'),
    ]),
  ];
}

function unusedLines({ unused = [] }: Audit, style: Style): string[] {
  return unused.flatMap((one) =>
    prose(`Accepted, but not found: ${unusedText(one)}. Because: ${one.because}`, style, '', '  '),
  );
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

/** One line for whoever has just scored; `severity` is null for what is accepted and for where to see the rest. */
export interface AuditNoticeLine {
  readonly severity: Severity | null;
  readonly text: string;
}

/**
 * A few short lines for whoever has just scored: errors and warnings that stand, then those that the recipe accepts, and
 * at the end where to see the rest. Nothing where there is none of either. Holds text from data: escape it.
 */
export function auditNoticeParts(audit: Audit, run = 'RUN'): AuditNoticeLine[] {
  const open = openFindings(audit, 'warning');
  const accepted = acceptedNotices(audit);
  if (open.length === 0 && accepted.length === 0) return [];
  const shown = open.slice(0, NOTICES);
  const more = open.length - shown.length;
  return [
    ...shown.map(({ severity, title }) => ({ severity, text: `${severity}: ${shorten(title, LONGEST_NOTICE)}` })),
    ...accepted.map((text) => ({ severity: null, text })),
    {
      severity: null,
      text: `${more === 0 ? '' : `${counted(more, 'more finding')}; `}${programName()} audit ${shellWord(run)} shows all`,
    },
  ];
}

/** The lines alone. */
export function auditNotice(audit: Audit, run = 'RUN'): string[] {
  return auditNoticeParts(audit, run).map(({ text }) => text);
}

/** "1 error accepted in the recipe: excused-hits (agreed)"; what is accepted is not silent. */
function acceptedNotices(audit: Audit): string[] {
  const grave = acceptedFindings(audit).filter(({ severity }) => severity !== 'note');
  const lines = [...Map.groupBy(grave, ({ severity, name }) => `${severity} ${name}`).values()].map((findings) => {
    const { severity, name, accepted } = findings[0]!;
    return `${counted(findings.length, severity)} accepted in the recipe: ${name} (${shorten(accepted ?? '', LONGEST_NOTICE)})`;
  });
  const more = lines.length - NOTICES;
  return more <= 0 ? lines : [...lines.slice(0, NOTICES), `${counted(more, 'more check')} accepted in the recipe`];
}
