import { existsSync } from 'node:fs';
import { join } from 'node:path';

import type { MeasureValue } from '../measure/results.ts';
import type { Evaluation } from '../review/evaluation.ts';
import { arrow, arrowLegend } from './arrows.ts';
import { generalSentences, rowSentences } from './comparison-sentences.ts';
import { verdictTable } from './comparison-tables.ts';
import { renderTerminal, terminalLines } from './render-terminal.ts';
import { isOverall, systemName } from './comparison-words.ts';
import { namedComparison } from './evaluation-differences.ts';
import { REPORT_HTML, REPORT_MARKDOWN } from './evaluation-files.ts';
import { COVERAGE, measureGroups } from './evaluation-measures.ts';
import { peopleLines } from './evaluation-people-text.ts';
import { evaluationRecipe } from './evaluation-recipe.ts';
import { runNotices } from './evaluation-sections.ts';
import { isWhole, valuesOf } from './evaluation-values.ts';
import { count, counted, figure, levelText, quantities } from '../text/figures.ts';
import { whyNone } from './value-text.ts';
import { programName } from './program-name.ts';
import { prose } from './prose.ts';
import { quietLines } from './quiet-lines.ts';
import { caseOption, shellWord } from './shell-word.ts';
import type { Style } from './style.ts';
import { runDocument } from './run.ts';
import { type Cell, type Column, tableLines } from './table.ts';

/** What a person sees after an evaluation: the numbers, how far people agree on them, and what is still missing. */
export function evaluationText(evaluation: Evaluation, style: Style, out: string | null, verbose = false): string {
  const [only, ...more] = evaluation.systems;
  const isOne = only !== undefined && more.length === 0;
  const sections = [
    ...(isOne
      ? [oneSystem(evaluation, style, verbose)]
      : [header(evaluation, style), ...measureTables(evaluation, style), ...differences(evaluation, style)]),
    ...peopleLines(evaluation, style),
    notices(evaluation, isOne, style),
    footer(evaluation, style, out),
  ];
  return `${sections
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join('\n'))
    .join('\n\n')}\n`;
}

/** The summary of its run, as it is for every other task, without the slices, which the report has. */
function oneSystem({ systems: [only], truth }: Evaluation, style: Style, verbose: boolean): string[] {
  const { run } = only!;
  // What has a class has tables by it in the report.
  const measures = truth === null ? run.measures.measures : run.measures.measures.filter(isWhole);
  const document = runDocument({ ...run, measures: { ...run.measures, measures } }, { verbose });
  return [renderTerminal(document, style).trimEnd()];
}

function header(evaluation: Evaluation, style: Style): string[] {
  const { recipe, systems } = evaluation;
  const set = systems[0]?.run.manifest.recipe.set ?? [];
  return [
    `${style.paint(recipe.name, 'strong')}  ${style.paint(counted(evaluation.cases, 'case'))}`,
    ...[recipe.about, ...(set.length === 0 ? [] : [`with ${set.map((line) => `--set ${line}`).join(' ')}`])].flatMap(
      (text) => (text === '' ? [] : prose(text, style)),
    ),
  ];
}

/** One table a group: a measure, then a line for each system; what is undefined everywhere is one line. */
function measureTables(evaluation: Evaluation, style: Style): string[][] {
  const { systems } = evaluation;
  const recipe = evaluationRecipe(evaluation);
  const valueOf = valuesOf(evaluation, recipe);
  // How much of what was asked has come is said below, by who is to give it.
  const groups = measureGroups(systems, recipe).filter(({ title }) => title !== COVERAGE);
  return groups.map(({ title, names }) => {
    const remarks = new Map<string, string[]>();
    const shown: MeasureValue[] = [];
    const rows = names.flatMap((name): Cell[][] => {
      const values = systems.map((system) => valueOf(system, name));
      const known = values.filter((value) => value !== null);
      if (known[0] === undefined) return [];
      shown.push(known[0]);
      for (const value of known) {
        for (const text of [value.note, noInterval(value)])
          if (text !== null) remarks.set(text, [...new Set([...(remarks.get(text) ?? []), name])]);
      }
      const heading = `  ${name} ${arrow(known[0])}`;
      const reasons = new Set(known.map((value) => value.undefined));
      const [reason] = reasons;
      if (reasons.size === 1 && reason !== null && reason !== undefined)
        return [[heading], ['    every system', { span: `undefined (${reason})`, tone: 'quiet' }]];
      return [
        [heading],
        ...systems.map(({ system }, at): Cell[] => [`    ${system}`, ...valueCells(values[at] ?? null)]),
      ];
    });
    const level = shown.length === 0 ? null : levelOf(evaluation);
    const columns: Column[] = [
      { title, shrinks: true },
      { title: 'value', align: 'right' },
      { title: level === null ? '' : `${levelText(level)} interval` },
      { title: 'n', align: 'right' },
    ];
    const notes = [...remarks].map(([text, own]) => `${own.join(', ')}: ${text}`);
    return [
      ...tableLines(columns, rows, style),
      ...[...arrowLegend(shown), ...notes].flatMap((text) => quietLines(text, style)),
    ];
  });
}

function noInterval(value: MeasureValue): string | null {
  const why = whyNone(value);
  return why === null ? null : `no interval: ${why}`;
}

function levelOf({ systems }: Evaluation): number | null {
  for (const { run } of systems)
    for (const { interval } of run.measures.measures) if (interval !== null) return interval.level;
  return null;
}

function valueCells(value: MeasureValue | null): Cell[] {
  if (value === null) return [{ span: 'none (nothing of this kind occurs in this run)', tone: 'quiet' }];
  if (value.value === null) return [{ span: `undefined (${value.undefined ?? 'no reason was given'})`, tone: 'quiet' }];
  return [
    { text: figure(value.value, value), tone: 'strong' },
    value.interval === null
      ? { text: 'none', tone: 'quiet' }
      : quantities(value.interval.low, value.interval.high, value).join(' to '),
    { text: count(value.n), tone: 'quiet' },
  ];
}

function differences(evaluation: Evaluation, style: Style): string[][] {
  const comparison = namedComparison(evaluation);
  if (comparison === null) return [];
  return comparison.systems.slice(1).flatMap((_, at) => {
    const rows = comparison.measures.filter((row) => row.system === at + 1 && isOverall(row));
    const sentences = [...(at === 0 ? generalSentences(comparison) : []), ...rowSentences(comparison, rows)];
    const title = `${systemName(comparison, at + 1)} against ${systemName(comparison, 0)}`;
    return rows.length === 0
      ? []
      : [
          terminalLines([verdictTable(comparison, at + 1, title, rows)], style),
          sentences.flatMap((text) => prose(text, style, '- ', '  ')),
        ];
  });
}

/** The summary of one run has told its own. */
function notices(evaluation: Evaluation, isOne: boolean, style: Style): string[] {
  return [...evaluation.notices, ...(isOne ? [] : runNotices(evaluation))].flatMap((notice) =>
    prose(notice, style, `${style.paint('!', 'warn')} `, '  '),
  );
}

function footer({ systems }: Evaluation, style: Style, out: string | null): string[] {
  if (out === null) return ['Nothing was written: --out FOLDER keeps the runs and the report.'];
  const worst = systems.flatMap(({ run }) =>
    run.folder === '' ? [] : run.worst.slice(0, 1).map((one) => ({ run, one })),
  )[0];
  const next: readonly (readonly [string, string])[] = [
    ['The whole evaluation', shellWord(join(out, REPORT_HTML))],
    ['The same as Markdown', shellWord(join(out, REPORT_MARKDOWN))],
    ...systems
      .slice(0, 1)
      .map(({ run }) => join(run.folder, 'report.html'))
      .filter((file) => existsSync(file))
      .map((file) => ['Every case, in a browser', shellWord(file)] as const),
    ...(worst === undefined || systems.length < 2
      ? []
      : [
          [
            'Every verdict, in its text',
            `${programName()} explain ${shellWord(worst.run.folder)} ${caseOption(worst.one.case)}`,
          ] as const,
        ]),
  ];
  return next.map(([what, command]) => `${style.paint(what.padEnd(28))}${style.paint(command, 'strong')}`);
}
