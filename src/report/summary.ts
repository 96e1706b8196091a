import { existsSync } from 'node:fs';
import { join } from 'node:path';

import type { Audit } from '../audit/finding.ts';
import type { Run } from '../score/run.ts';
import { auditNotices } from './audit.ts';
import { prose } from './prose.ts';
import { count, counted, percent } from '../text/figures.ts';
import { groupLines } from './group-lines.ts';
import { headlineLines } from './headline-lines.ts';
import { noticesOf } from './notices.ts';
import { programName } from './program-name.ts';
import { recipeFacts, type RecipeFacts } from './recipe-facts.ts';
import { partLines } from './part-lines.ts';
import { fieldTables, labelTables, partTables, schemeTable, type VerdictSource, verdictSources } from './run-tables.ts';
import { terminalLines } from './render-terminal.ts';
import { safeText } from './safe-text.ts';
import { caseOption, shellWord } from './shell-word.ts';
import { type Style, VERDICT_LOOKS } from './style.ts';
import { tableLines } from './table.ts';

const WORST_SHOWN = 3;
const SIGNATURE = 'Signature  ';
const LABELS_SHOWN = 10;
const LABELS_OF_KIND = 3;

/** What a person sees after scoring: the numbers, where they come from, what to mind, where to look next. */
export function summaryText(run: Run, style: Style, audit: Audit | null = null): string {
  const facts = recipeFacts(run);
  const schemes = schemeTable(run, facts);
  const sections = [
    header(run, style),
    headlineLines(run, facts, style),
    ...labelLines(run, facts, style),
    ...partTables(run, facts).map((table) => partLines(table, style)),
    ...(schemes === null ? [] : [groupLines(schemes, style)]),
    ...fieldTables(run, facts).map((table) => groupLines(table, style, 8)),
    sources(run, facts, style),
    [
      ...(audit === null ? [] : terminalLines(auditNotices(audit, run.folder), style)),
      ...notices(run, facts, audit, style),
    ],
    worstCases(run, style),
    footer(run, style),
  ];
  return `${sections
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join('\n'))
    .join('\n\n')}\n`;
}

/** The labels; those of several kinds in one table, the first few of each, unless they are measured differently. */
function labelLines(run: Run, facts: RecipeFacts, style: Style): string[][] {
  const tables = labelTables(run, facts);
  const headings = tables[0]?.headings ?? [];
  const alike = tables.every((table) => table.headings.join() === headings.join());
  if (tables.length < 2 || !alike) return tables.map((table) => groupLines(table, style, LABELS_SHOWN));
  const rows = tables.flatMap(({ kind, rows: own }) => own.map((row) => ({ ...row, name: `${kind} ${row.name}` })));
  const first = new Set(
    tables.flatMap(({ kind, rows: own }) => own.slice(0, LABELS_OF_KIND).map(({ name }) => `${kind} ${name}`)),
  );
  const ordered = [...rows.filter(({ name }) => first.has(name)), ...rows.filter(({ name }) => !first.has(name))];
  const note = tables.flatMap(({ note: own }) => own ?? []).join('; ');
  const noted = note === '' ? {} : { note };
  return [groupLines({ title: 'By label', headings, rows: ordered, ...noted }, style, first.size)];
}

function header(run: Run, style: Style): string[] {
  const { name, about, set, resolved } = run.manifest.recipe;
  const limits = typeof resolved['limits'] === 'string' ? [resolved['limits']] : [];
  const changed = set.length === 0 ? [] : [`with ${set.map((line) => `--set ${line}`).join(' ')}`];
  return [
    `${style.paint(name, 'strong')}  ${style.paint(counted(run.measures.cases.total, 'case'))}`,
    ...[about, ...limits, ...changed].flatMap((text) => (text === '' ? [] : prose(text, style))),
  ];
}

/** One line a verdict: how many, and which rules made them. */
function sources(run: Run, facts: RecipeFacts, style: Style): string[] {
  const unit = facts.unit(null);
  const found = verdictSources(run).filter(({ n }) => n > 0);
  if (found.length === 0) return [];
  const kinds = new Set(found.flatMap(({ by }) => by.map(({ kind }) => kind)));
  const rows = found.map((source) => {
    const look = VERDICT_LOOKS[source.verdict];
    return [
      { text: `${look.symbol} ${source.verdict}`, tone: look.tone },
      count(source.n),
      { span: partsOf(source, kinds.size > 1) },
    ];
  });
  const title = unit === 'item' ? 'Verdicts by rule' : `Verdicts by rule, in ${unit}s`;
  return [
    style.paint(title, 'strong'),
    ...tableLines([{ title: '' }, { title: '', align: 'right' }, { title: '' }], rows, style, '  '),
  ];
}

function partsOf({ by, n }: VerdictSource, withKind: boolean): string[] {
  return by.map((part) => {
    const share = part.n === n || withKind ? '' : ` (${percent(part.n, n)})`;
    return `${withKind ? `${part.kind} ` : ''}${part.rule} ${count(part.n)}${share}`;
  });
}

function notices(run: Run, facts: RecipeFacts, audit: Audit | null, style: Style): string[] {
  return noticesOf(run, facts, audit).flatMap((notice) => prose(notice, style, `${style.paint('!', 'warn')} `, '  '));
}

function worstCases(run: Run, style: Style): string[] {
  if (run.worst.length === 0) return [];
  return tableLines(
    [
      { title: 'Worst cases', shrinks: true },
      { title: 'missed', align: 'right' },
      { title: 'spurious', align: 'right' },
      { title: 'hit', align: 'right' },
    ],
    run.worst
      .slice(0, WORST_SHOWN)
      .map((worst) => [`  ${worst.case}`, count(worst.missed), count(worst.spurious), count(worst.hit)]),
    style,
  );
}

function footer(run: Run, style: Style): string[] {
  const signature = signatureLines(run.manifest.signature, style);
  // A run that was not kept has no folder to look into.
  if (run.folder === '') return signature;
  const folder = shellWord(run.folder);
  const worst = run.worst[0];
  const option = worst === undefined ? '--all' : caseOption(worst.case);
  const next: readonly (readonly [string, string])[] = [
    ['Every verdict, in its text', `${programName()} explain ${folder} ${option}`],
    existsSync(join(run.folder, 'report.html'))
      ? ['All of it, in a browser', `${folder.replace(/\/$/, '')}/report.html`]
      : ['All labels and the recipe', `${folder.replace(/\/$/, '')}/report.md`],
  ];
  return [
    ...signature,
    '',
    ...next.map(([what, command]) => `${style.paint(what.padEnd(28))}${style.paint(command, 'strong')}`),
  ];
}

/** Broken after a bar, so that the lines put together are the signature again. */
function signatureLines(signature: string, style: Style): string[] {
  const lines: string[] = [];
  let line = '';
  for (const part of safeText(signature).split(/(?<=\|)/)) {
    if (line !== '' && line.length + part.length > style.width - SIGNATURE.length) {
      lines.push(line);
      line = '';
    }
    line += part;
  }
  return [...lines, line].map(
    (text, at) =>
      style.paint(at === 0 ? SIGNATURE : ' '.repeat(SIGNATURE.length), 'strong') + style.paint(text, 'quiet'),
  );
}
