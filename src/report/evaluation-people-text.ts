import type { AgreementFigure } from '../review/api.ts';
import type { Evaluation } from '../review/evaluation.ts';
import { listed } from './comparison-words.ts';
import { count, counted, figure } from '../text/figures.ts';
import { prose } from './prose.ts';
import type { Style } from './style.ts';
import { type Cell, type Column, tableLines } from './table.ts';

/** What people said, for a terminal: how far they agree, what is open, what is missing, and beside it what a model said. */
export function peopleLines(evaluation: Evaluation, style: Style): string[][] {
  return [
    agreement(evaluation.agreement, style),
    truth(evaluation, style),
    missing(evaluation, style),
    judge(evaluation, style),
  ];
}

/** Whole questions only; the parts are in the report. */
function agreement(figures: readonly AgreementFigure[], style: Style): string[] {
  const shown = figures.filter(({ part }) => part === null);
  if (shown.length === 0) return [];
  const columns: Column[] = [
    { title: 'Agreement of people', shrinks: true },
    { title: '' },
    { title: 'value', align: 'right' },
    { title: 'interval' },
    { title: 'n', align: 'right' },
    { title: 'target' },
  ];
  return tableLines(
    columns,
    shown.map((one): Cell[] => [`  ${one.field}`, ...agreementCells(one)]),
    style,
  );
}

function agreementCells(one: AgreementFigure): Cell[] {
  const name = { text: one.coefficient.replace(/^.*’s? /, ''), tone: 'quiet' } as const;
  if (one.value === null)
    return [name, { span: `undefined (${one.undefined ?? 'no reason was given'})`, tone: 'quiet' }];
  const met = one.met === null ? 'cannot tell' : one.met ? 'met' : 'not met';
  return [
    name,
    { text: figure(one.value), tone: 'strong' },
    one.interval === null
      ? { text: 'none', tone: 'quiet' }
      : `${figure(one.interval.low)} to ${figure(one.interval.high)}`,
    { text: count(one.n), tone: 'quiet' },
    one.target === null
      ? ''
      : { text: `> ${one.target}: ${met}`, tone: one.met === null ? 'warn' : one.met ? 'good' : 'bad' },
  ];
}

const CASES_NAMED = 5;

function truth({ withoutClass, conflicts }: Evaluation, style: Style): string[] {
  const out: string[] = [];
  if (withoutClass.length > 0) {
    const ids = withoutClass.map(({ caseId }) => caseId);
    out.push(
      `${counted(withoutClass.length, 'case has', 'cases have')} no class and ${withoutClass.length === 1 ? 'is' : 'are'} left out of accuracy: ${listed(ids, CASES_NAMED)}`,
    );
  }
  if (conflicts.open + conflicts.decided > 0)
    out.push(`conflicts between reviewers: ${count(conflicts.open)} open, ${count(conflicts.decided)} decided`);
  return out.flatMap((text) => prose(text, style, `${style.paint('!', 'warn')} `, '  '));
}

function missing({ missing: open }: Evaluation, style: Style): string[] {
  const byQuestion = Map.groupBy(open, ({ question }) => question);
  if (byQuestion.size === 0) return [];
  return tableLines(
    [
      { title: 'Missing from reviewers', shrinks: true },
      { title: 'given', align: 'right' },
      { title: 'of', align: 'right' },
      { title: 'from', shrinks: true },
    ],
    [...byQuestion].map(([question, rows]): Cell[] => [
      `  ${question}`,
      count(rows.reduce((sum, { given }) => sum + given, 0)),
      count(rows.reduce((sum, { expected }) => sum + expected, 0)),
      { text: rows[0]?.people.join(', ') ?? '', tone: 'quiet' },
    ]),
    style,
  );
}

function judge({ judge: figures }: Evaluation, style: Style): string[] {
  return figures.flatMap((one) => {
    const said =
      one.value === null
        ? `undefined (${one.undefined ?? 'no reason was given'})`
        : `${one.coefficient} ${figure(one.value)}${one.interval === null ? '' : ` (${figure(one.interval.low)} to ${figure(one.interval.high)})`}, n ${count(one.n)}`;
    return prose(`the model ${one.model}, which is no person, on ${one.field}: ${said}`, style, '  ', '  ', 'quiet');
  });
}
