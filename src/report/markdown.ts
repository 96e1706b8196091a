import type { MeasureValue } from '../measure/tally.ts';
import type { Audit } from '../audit/finding.ts';
import type { RunFigures } from '../figures/run-figures.ts';
import type { Run } from '../score/run.ts';
import { betterWord } from './arrows.ts';
import { findingNotices } from './finding-notices.ts';
import { count, counted, figure, levelText, percent } from '../text/figures.ts';
import { figureSections } from './figure-tables-text.ts';
import { intervalText, whyNone } from './headline-lines.ts';
import { markdownBlock, markdownTable, markdownText } from './markdown-text.ts';
import { noticesOf } from './notices.ts';
import { recipeFacts, type RecipeFacts } from './recipe-facts.ts';
import { recipeYaml } from './recipe-yaml.ts';
import {
  fieldTables,
  type GroupTable,
  labelTables,
  partTables,
  inGroups,
  overall,
  schemeTable,
  undefinedReasons,
  verdictSources,
} from './run-tables.ts';

/** report.md: the whole run on a page. It holds no time and no path, so a run again gives the same bytes. */
export function markdownReport(run: Run, figures: RunFigures | null = null, audit: Audit | null = null): string {
  const facts = recipeFacts(run);
  const { name, about, set, resolved } = run.manifest.recipe;
  const schemes = schemeTable(run, facts);
  const sections = [
    `# ${markdownText(name)}`,
    [about, `${counted(run.measures.cases.total, 'case')}.`]
      .filter((text) => text !== '')
      .map(markdownText)
      .join('\n\n'),
    ...(typeof resolved['limits'] === 'string' ? [`**${markdownText(resolved['limits'])}**`] : []),
    ...(set.length === 0 ? [] : [`Changed with ${set.map((line) => markdownText(`--set ${line}`)).join(', ')}.`]),
    ...notices(run, facts, audit),
    '## Measures',
    headline(run, facts),
    ...labelTables(run, facts).flatMap(group),
    ...partTables(run, facts).flatMap(parts),
    ...(schemes === null ? [] : group(schemes)),
    ...fieldTables(run, facts).flatMap(group),
    '## Verdicts by rule',
    sources(run, facts),
    ...confusion(run),
    ...ungrounded(run),
    ...worst(run),
    ...(figures === null ? [] : figureSections(figures)),
    '## Inputs',
    inputs(run),
    '## Signature',
    'It names everything that affects a number. Numbers whose signatures differ in more than the predictions are not comparable.',
    markdownBlock('', run.manifest.signature),
    '## How to read this',
    HOW_TO_READ,
    '## Recipe in force',
    markdownBlock('yaml', recipeYaml(run.manifest.recipe.resolved)),
  ];
  return `${sections.join('\n\n')}\n`;
}

const HOW_TO_READ = `Every item, gold or predicted, gets one verdict, and every number here is a sum over these verdicts (\`ledger.jsonl\`):

- **hit**: a gold and a predicted item that go together
- **missed**: gold that nothing was paired with
- **spurious**: a prediction that goes with no gold
- **excused**: set aside by a rule of the recipe: it counts neither for nor against the system

The rule is what decided: \`pair\` is plain pairing, \`no-match\` that no candidate was accepted, any other name a rule of the recipe. \`–\` is undefined: there was nothing to divide by. n is what a measure was computed over. \`assay explain\` shows each verdict with its reason.`;

function notices(run: Run, facts: RecipeFacts, audit: Audit | null): string[] {
  const findings = audit === null ? [] : findingNotices(audit);
  const found = [...findings, ...noticesOf(run, facts, audit)];
  return found.length === 0
    ? []
    : ['**Before you read the numbers**', found.map((notice) => `- ${markdownText(notice)}`).join('\n')];
}

function headline(run: Run, facts: RecipeFacts): string {
  const values = overall(run);
  const intervals = values.some(({ interval }) => interval !== null);
  const titles = [
    'measure',
    'value',
    'n',
    'cases',
    ...(intervals ? ['interval'] : []),
    'better',
    'mean over cases',
    'sd',
    'min',
    'max',
  ];
  const rowOf = (value: MeasureValue): string[] => [
    value.name,
    valueText(value, facts),
    count(value.n),
    count(value.units),
    ...(intervals ? [intervalWithLevel(value) || whyNone(value) || ''] : []),
    betterWord(value),
    ...[value.cases?.mean, value.cases?.sd, value.cases?.min, value.cases?.max].map((of) =>
      typeof of === 'number' ? figure(of) : '–',
    ),
  ];
  const aligns = titles.map((title) =>
    title === 'measure' || title === 'better' || title === 'interval' ? 'left' : 'right',
  );
  const notes = values.flatMap(({ name, note }) => (note === null ? [] : [`- ${markdownText(`${name}: ${note}`)}`]));
  const tables = inGroups(values, facts).flatMap(({ title, values: own }) => [
    ...(title === null ? [] : [`**${markdownText(title)}**`]),
    markdownTable(titles, aligns, own.map(rowOf)),
  ]);
  return [...tables, ...(notes.length > 0 ? [notes.join('\n')] : [])].join('\n\n');
}

function intervalWithLevel(value: MeasureValue): string {
  const { interval } = value;
  return interval === null ? '' : `${intervalText(value)} (${levelText(interval.level)}, ${interval.method})`;
}

function valueText(value: MeasureValue, facts: RecipeFacts): string {
  if (value.value === null) return `undefined (${value.undefined ?? 'no reason given'})`;
  return facts.measures[value.name]?.of === 'count' ? count(value.value) : figure(value.value);
}

function figureWithInterval(value: MeasureValue): string {
  const own = figure(value.value ?? 0);
  return value.interval === null ? own : `${own} (${intervalText(value)})`;
}

const COUNTS = ['hit', 'missed', 'spurious', 'excused'] as const;

function group(table: GroupTable): string[] {
  const counts = table.rows.some((row) => row.counts !== null) ? COUNTS : [];
  const reasons = undefinedReasons(table.rows);
  const titles = [table.title.replace(/^By /, ''), ...table.headings, 'n', ...counts];
  const rows = table.rows.map((row) => [
    row.name,
    ...row.values.map((value) => (value?.value == null ? '–' : figureWithInterval(value))),
    row.n === null ? '' : count(row.n),
    ...counts.map((verdict) => count(row.counts?.[verdict] ?? 0)),
  ]);
  return [
    `## ${markdownText(table.title)}`,
    markdownTable(
      titles,
      titles.map((_, at) => (at === 0 ? 'left' : 'right')),
      rows,
    ),
    ...(table.note === undefined ? [] : [markdownText(table.note)]),
    ...(reasons.length > 0 ? [markdownText(`– is undefined: ${reasons.join('; ')}`)] : []),
  ];
}

/** Values by what the labels of measures are called: the dimensions of a scale. */
function parts({ title, rows }: ReturnType<typeof partTables>[number]): string[] {
  return [
    `## ${markdownText(title)}`,
    markdownTable(
      ['measure', title.replace(/^By /, ''), 'value', 'n'],
      ['left', 'left', 'right', 'right'],
      rows.map((value) => [
        value.name,
        Object.values(value.slice)[0] ?? '',
        value.value === null ? `undefined (${value.undefined ?? 'no reason given'})` : figureWithInterval(value),
        count(value.n),
      ]),
    ),
  ];
}

function sources(run: Run, facts: RecipeFacts): string {
  const unit = facts.unit(null);
  const rows = verdictSources(run).flatMap(({ verdict, by, n }) =>
    by.map((part) => [verdict, part.kind, part.rule, count(part.n), percent(part.n, n)]),
  );
  return markdownTable(
    ['verdict', 'kind', 'rule', unit === 'item' ? 'count' : `${unit}s`, 'share of the verdict'],
    ['left', 'left', 'left', 'right', 'right'],
    rows,
  );
}

const CONFUSIONS_SHOWN = 20;

/** Which label was taken for which, where a pair or a linked error shows it. */
function confusion(run: Run): string[] {
  const mixed = run.measures.confusion
    .filter(
      ({ scheme, gold, predicted }) => scheme === null && gold !== null && predicted !== null && gold !== predicted,
    )
    .toSorted((a, b) => b.n - a.n);
  if (mixed.length === 0) return [];
  const left = mixed.length - CONFUSIONS_SHOWN;
  return [
    '## Labels taken for others',
    markdownTable(
      ['gold', 'predicted', 'count'],
      ['left', 'left', 'right'],
      mixed.slice(0, CONFUSIONS_SHOWN).map(({ gold, predicted, n }) => [gold ?? '', predicted ?? '', count(n)]),
    ),
    ...(left > 0 ? [`… and ${count(left)} more in \`measures.json\`.`] : []),
  ];
}

/** Quotes that a reader should look at before believing what they are evidence for. */
function ungrounded(run: Run): string[] {
  const { total, shown } = run.measures.ungrounded;
  if (total === 0) return [];
  const rows = shown.map((item) => [item.case, item.label, item.text, item.why]);
  const rest = total > shown.length ? [`The first ${shown.length} of ${count(total)}, by case.`] : [];
  return [
    '## Quotes that are not in the text',
    markdownTable(
      ['case', 'label', 'quote', 'what keeps it from being verbatim'],
      ['left', 'left', 'left', 'left'],
      rows,
    ),
    ...rest,
  ];
}

function worst(run: Run): string[] {
  if (run.worst.length === 0) return [];
  return [
    '## Worst cases',
    markdownTable(
      ['case', 'missed', 'spurious', 'hit'],
      ['left', 'right', 'right', 'right'],
      run.worst.map((one) => [one.case, count(one.missed), count(one.spurious), count(one.hit)]),
    ),
  ];
}

function inputs(run: Run): string {
  return markdownTable(
    ['role', 'file', 'format', 'records', 'sha256'],
    ['left', 'left', 'left', 'right', 'left'],
    run.manifest.inputs.map((input) => [input.role, input.name, input.format, count(input.rows), input.sha256]),
  );
}
