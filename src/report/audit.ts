import type { DataCheck } from '../audit/check-data.ts';
import type { DataFileCheck } from '../audit/check-file.ts';
import type { Audit, Finding, Severity } from '../audit/finding.ts';
import type { Side } from '../data/item.ts';
import { type Problem, problemText } from '../data/problems.ts';
import { shorten } from '../data/visible.ts';
import { count, plural } from '../text/figures.ts';
import {
  acceptanceYamls,
  acceptedFindings,
  auditCounts,
  behindText,
  itemText,
  openFindings,
  SEE_ABOVE,
  sentence,
  unusedText,
} from './audit-words.ts';
import { type Block, type Document, present, type Section } from './document.ts';
import { noticeLines } from './notices.ts';
import { programName } from './program-name.ts';
import { shellWord } from './shell-word.ts';

const ITEMS_SHOWN = 5;

export interface AuditDocumentOptions {
  /** What the run is called: its folder. */
  readonly run: string;
  /** Findings that are less severe are only counted. */
  readonly severity?: Severity;
}

/** The worst finding first, each with its evidence and what to do; then what is accepted and what was not checked. */
export function auditDocument(audit: Audit, { run, severity = 'note' }: AuditDocumentOptions): Document {
  const shown = openFindings(audit, severity);
  const hidden = openFindings(audit).length - shown.length;
  const entries = acceptanceYamls(shown);
  const worst = openFindings(audit)[0]?.severity;
  const looked = audit.checks.filter(({ skipped }) => skipped === null).length;
  const accepted = acceptedFindings(audit);
  const { unused = [] } = audit;
  const skipped = audit.checks.flatMap((check) => (check.skipped === null ? [] : [{ ...check, why: check.skipped }]));
  return {
    title: `Audit of ${run}: ${auditCounts(audit)}`,
    about: `${count(looked)} of ${plural(audit.checks.length, 'check')} could look.`,
    ...(worst === undefined ? { mark: 'passed' } : { mark: worst }),
    sections: [
      ...shown.map((finding, at) => findingSection(finding, entries[at] ?? null)),
      {
        blocks: [
          hidden === 0
            ? null
            : { text: `${plural(hidden, 'finding')} less severe than ${severity} not shown.`, tone: 'quiet' },
        ],
      },
      {
        title: 'Accepted',
        blocks: [
          {
            list: accepted.map(({ name, severity: own, title, accepted: reason }) => ({
              item: `${name} (${own}): ${sentence(title)}`,
              note: `Because: ${reason ?? ''}`,
            })),
          },
        ],
      },
      {
        title: 'Accepted, but not found',
        blocks: [{ list: unused.map((one) => ({ item: unusedText(one), note: `Because: ${one.because}` })) }],
      },
      {
        title: 'Not looked at',
        blocks: [
          { list: skipped.map(({ name, why }) => `${name}: ${why}`), tone: 'quiet', on: 'terminal' },
          {
            columns: [{ title: 'check' }, { title: 'what it looks for' }, { title: 'why it did not look' }],
            rows: skipped.map(({ name, about, why }) => [name, about, why]),
            on: 'page',
          },
        ],
      },
      { title: 'Signature', blocks: [{ code: audit.signature }], on: 'page' },
    ],
  };
}

function findingSection(finding: Finding, entry: readonly string[] | null): Section {
  const { severity, name, title, why, todo } = finding;
  return {
    title: `${severity}: ${name}`,
    mark: severity,
    blocks: [
      { text: sentence(title), tone: 'strong' },
      { text: why },
      { text: `To do: ${todo}` },
      ...evidenceBlocks(finding),
      entry === null
        ? { text: SEE_ABOVE, tone: 'quiet' }
        : { code: entry.join('\n'), language: 'yaml', lead: 'To let it stand, in the recipe:' },
    ],
  };
}

/** The items and cases behind a finding. */
export function evidenceBlocks(finding: Pick<Finding, 'cases' | 'items'>): (Block | null)[] {
  const { items, cases } = finding;
  const behind = behindText(finding);
  const list = `${cases.shown.join(', ')}${cases.total > cases.shown.length ? ', …' : ''}`;
  return [
    behind === '' || items.shown.length > 0 ? null : { text: `Behind it: ${behind}`, tone: 'quiet' },
    {
      lead: `Behind it: ${behind}`,
      list: items.shown.map((item) => ({ item: itemText(item), note: item.note })),
      shown: ITEMS_SHOWN,
      total: items.total,
    },
    cases.shown.length === 0 ? null : { text: `Cases: ${list}`, tone: 'quiet' },
  ];
}

const NOTICES = 3;
const LONGEST_NOTICE = 160;

/**
 * A few short lines after scoring: errors and warnings that stand, then those that the recipe accepts, and at the end the
 * command that shows the rest, if the run was kept. No lines if there are no findings.
 */
export function auditNotices(audit: Audit, folder: string, name = ''): Block[] {
  const open = openFindings(audit, 'warning');
  const accepted = acceptedNotices(audit);
  if (open.length === 0 && accepted.length === 0) return [];
  const shown = open.slice(0, NOTICES);
  const more = open.length - shown.length;
  const rest = more === 0 ? '' : `${plural(more, 'more finding')}; `;
  return present([
    ...shown.map(({ severity, title }): Block => {
      return { text: `${name}${severity}: ${shorten(title, LONGEST_NOTICE)}`, mark: severity };
    }),
    ...accepted.map((text): Block => ({ text: `${name}${text}`, mark: 'note' })),
    folder !== '' && {
      text: `  ${rest}${programName()} audit ${shellWord(folder)} shows all`,
      tone: 'quiet' as const,
      whole: true,
    },
  ]);
}

/** "1 error accepted in the recipe: excused-hits (agreed)"; what is accepted is not silent. */
function acceptedNotices(audit: Audit): string[] {
  const grave = acceptedFindings(audit).filter(({ severity }) => severity !== 'note');
  const lines = [...Map.groupBy(grave, ({ severity, name }) => `${severity} ${name}`).values()].map((findings) => {
    const { severity, name, accepted } = findings[0]!;
    return `${plural(findings.length, severity)} accepted in the recipe: ${name} (${shorten(accepted ?? '', LONGEST_NOTICE)})`;
  });
  const more = lines.length - NOTICES;
  return more <= 0 ? lines : [...lines.slice(0, NOTICES), `${plural(more, 'more check')} accepted in the recipe`];
}

/** Errors and warnings of an audit, a sentence each, for pages that show nothing else of it. */
export function findingNotices(audit: Audit): string[] {
  const isGrave = ({ severity }: Finding): boolean => severity !== 'note';
  return [
    ...openFindings(audit)
      .filter(isGrave)
      .map(({ severity, name, title, todo }) => `${severity} (${name}): ${sentence(title)} ${todo}`),
    ...acceptedFindings(audit)
      .filter(isGrave)
      .map(
        ({ severity, name, title, accepted }) => `accepted ${severity} (${name}): ${sentence(title)} ${accepted ?? ''}`,
      ),
  ];
}

const LABELS_SHOWN = 40;

/** What a check of files found: problems first, then what is odd, then what there is. */
export function dataCheckDocument(check: DataCheck | DataFileCheck): Document {
  const { files, cases, problems, findings, labels, skipped, recipe } = check;
  // Of a file by itself, the side that it does not have is not shown.
  const hasSide = (side: Side): boolean => !('contents' in check) || labels.some((label) => label[side] > 0);
  const isMapped = labels.some(({ becomes }) => becomes !== null);
  const folded = problems.shown.reduce((sum, { more = 0 }) => sum + more, 0);
  return {
    title: `Data for ${recipe}: ${plural(cases, 'case')}`,
    sections: [
      {
        blocks: [
          {
            list: files.map(({ role, name, format, rows }) => {
              return `${role} ${name}: ${plural(rows, 'record')}, read as ${format}`;
            }),
            tone: 'quiet',
          },
        ],
      },
      { blocks: [{ list: problems.shown.map(foldedProblem), mark: 'error', total: problems.total - folded }] },
      { blocks: [{ list: notesOf(check), mark: 'warning' }] },
      ...findings.map(({ name, severity, title, todo, ...behind }) => ({
        title: `${severity}: ${name}`,
        mark: severity,
        blocks: [{ text: sentence(title) }, { text: `To do: ${todo}` }, ...evidenceBlocks(behind)],
      })),
      {
        blocks: [
          {
            columns: present([
              { title: 'label', shrinks: true },
              isMapped && { title: 'predicted becomes', shrinks: true },
              hasSide('gold') && { title: sideTitle(check, 'gold'), align: 'right' },
              hasSide('predicted') && { title: sideTitle(check, 'predicted'), align: 'right' },
            ]),
            rows: labels.map(({ label, becomes, gold, predicted }) =>
              present([
                label,
                isMapped && (becomes ?? ''),
                hasSide('gold') && count(gold),
                hasSide('predicted') && count(predicted),
              ]),
            ),
            shown: LABELS_SHOWN,
            rest: ' labels',
          },
        ],
      },
      { blocks: skipped.map((what) => ({ text: `Not checked: ${what}`, tone: 'quiet' })) },
      { blocks: [{ text: verdict(check), tone: problems.total === 0 ? 'good' : 'bad' }] },
    ],
  };
}

/** With those that are like it in the same line, since it is one entry of a list. */
function foldedProblem({ more, ...problem }: Problem): string {
  return problemText(problem) + (more === undefined ? '' : ` … and ${more} more like this`);
}

/** What score prints beside the numbers, but for labels, which are findings here. */
function notesOf({ notices: { unknownLabelsKept: _, ...notices } }: DataCheck): string[] {
  return noticeLines(notices);
}

/** Which side the annotations of a file are is for its owner to say. */
function sideTitle(check: DataCheck | DataFileCheck, side: Side): string {
  return 'contents' in check && check.contents === 'annotations' ? 'items' : side;
}

function verdict(check: DataCheck | DataFileCheck): string {
  const { findings } = check;
  const { total } = check.problems;
  const warnings = findings.filter(({ severity }) => severity !== 'note').length;
  const notes = notesOf(check).length;
  const rest = notes === 0 ? 'nothing to look at' : plural(notes, 'note');
  const odd = warnings === 0 ? rest : `${plural(warnings, 'finding')} to look at`;
  if ('contents' in check)
    return total === 0
      ? `The file can be read; ${odd}.`
      : `${plural(total, 'problem')}: the file cannot be scored as it is.`;
  return total === 0
    ? `The files can be scored; ${odd}.`
    : `${plural(total, 'problem')}: the files cannot be scored as they are.`;
}
