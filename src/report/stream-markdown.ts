import type { Fields } from '../data/item.ts';
import { isRecord } from '../data/record-fields.ts';
import type { MeasuredVariant, PooledDistribution } from '../tasks/stream/measures/measure-stream.ts';
import { FEW_UNITS } from '../stats/interval.ts';
import { PARSING_COUNTS } from '../tasks/stream/parsing-statistics.ts';
import { betterWord } from './arrows.ts';
import { count, counted, figure, levelText, quantities } from '../text/figures.ts';
import { markdownBlock, markdownTable, markdownText } from './markdown-text.ts';
import { limitsOf, modelLines, overallOf, streamNotices } from './stream-notices.ts';

/** report.md of a measured stream: all variants side by side. Holds no time and no path. */
export function streamMarkdown(variants: readonly MeasuredVariant[]): string {
  const cases = variants[0]?.run.measures.cases.total ?? 0;
  const notices = streamNotices(variants);
  const parts = [
    '# Stream: variants side by side',
    `${counted(cases, 'case')}, ${counted(variants.length, 'variant')}: ${variants.map(({ variant }) => markdownText(variant)).join(', ')}.`,
    ...modelLines(variants).map(markdownText),
    ...limitsOf(variants).map((text) => `**${markdownText(text)}**`),
    ...(notices.length === 0
      ? []
      : ['**Before you read the numbers**', notices.map((notice) => `- ${markdownText(notice)}`).join('\n')]),
    '## Measures',
    'Value, interval over cases, and n. Unsupported fractions: lower is better.',
    measureTable(variants),
    '## Distributions, pooled over cases',
    'Percentiles interpolate linearly; their intervals come from drawing cases, not single calls.',
    ...distributionTables(variants),
    '## Cases that stand out',
    outliers(variants),
    ...parsing(variants),
    '## Signatures',
    ...variants.map(({ run }) => markdownBlock('', run.manifest.signature)),
  ];
  return `${parts.join('\n\n')}\n`;
}

function measureTable(variants: readonly MeasuredVariant[]): string {
  const values = variants.map(overallOf);
  const names = [...new Set(values.flatMap((own) => [...own.keys()]))];
  const rows = names.map((name) => {
    const first = values.flatMap((own) => own.get(name) ?? [])[0]!;
    return [
      name,
      first.unit ?? '',
      `${betterWord(first)}${name.startsWith('unsupported') ? ' is better' : ''}`,
      ...values.map((own) => {
        const value = own.get(name);
        if (value === undefined) return '–';
        if (value.value === null) return `undefined (${value.undefined ?? ''})`;
        const sure =
          value.interval === null ? '' : ` [${quantities(value.interval.low, value.interval.high, value).join(', ')}]`;
        return `${figure(value.value, value)}${sure}, n ${count(value.n)}`;
      }),
    ];
  });
  const titles = ['measure', 'unit', 'better', ...variants.map(({ variant }) => variant)];
  return markdownTable(
    titles,
    titles.map(() => 'left'),
    rows,
  );
}

function distributionTables(variants: readonly MeasuredVariant[]): string[] {
  const names = Object.keys(variants[0]?.distributions ?? {});
  return names.flatMap((name) => {
    const rows = variants.flatMap(({ variant, distributions }) => {
      const own = distributions[name] ?? null;
      return own === null ? [] : [[variant, ...distributionCells(own)]];
    });
    if (rows.length === 0) return [];
    const level = variants
      .flatMap(({ distributions }) => distributions[name]?.percentiles ?? [])
      .find(({ interval }) => interval !== null)?.interval?.level;
    const titles = ['variant', 'n', 'cases', 'min', 'mean', 'p50', 'p90', 'p95', 'p99', 'max'];
    const sure = level === undefined ? '' : ` (${levelText(level)} intervals)`;
    return [
      `### ${name}${sure}`,
      markdownTable(
        titles,
        titles.map((_, at) => (at === 0 ? 'left' : 'right')),
        rows,
      ),
    ];
  });
}

/** Times and sizes. */
const UNBOUNDED = { range: [0, null] } as const;

function distributionCells({ count: n, cases, min, max, mean, percentiles }: PooledDistribution): string[] {
  return [
    count(n),
    count(cases),
    figure(min, UNBOUNDED),
    figure(mean, UNBOUNDED),
    ...percentiles.map(({ value, interval }) => {
      const sure = interval === null ? '' : ` [${quantities(interval.low, interval.high, UNBOUNDED).join(', ')}]`;
      return `${figure(value, UNBOUNDED)}${sure}`;
    }),
    figure(max, UNBOUNDED),
  ];
}

const MOST_CASES = 50;

/** How the deltas of the traces became text; the same for every variant. */
function parsing(variants: readonly MeasuredVariant[]): string[] {
  const cases = new Map(
    variants.flatMap(({ cases: own }) =>
      own.flatMap(({ given }): [string, Fields][] => {
        const found = given.logged?.find(({ item }) => item.kind === 'trace')?.item.fields['parsing_statistics'];
        return isRecord(found) ? [[given.id, found]] : [];
      }),
    ),
  );
  if (cases.size === 0) return [];
  const cells = (counts: readonly Fields[]): string[] =>
    PARSING_COUNTS.map((name) => count(counts.reduce((sum, own) => sum + Number(own[name] ?? 0), 0)));
  const titles = ['case', ...PARSING_COUNTS];
  const rows = [...cases].slice(0, MOST_CASES).map(([id, own]) => [markdownText(id), ...cells([own])]);
  const left = cases.size - rows.length;
  return [
    '## Parsing statistics of the traces',
    'Deltas that are part of the conversation’s text, and those that are not, by the reason. missing_event_subtype: included, because the agent is one who speaks.',
    markdownTable(
      titles,
      titles.map((_, at) => (at === 0 ? 'left' : 'right')),
      [...rows, ['all cases', ...cells([...cases.values()])]],
    ),
    ...(left > 0 ? [`${counted(left, 'case')} more in per_case.metrics.jsonl.`] : []),
  ];
}

const WORDS = {
  latency_spike: 'slow summaries (above the 95th percentile of the cases)',
  excessive_flushes: 'many flushes (above the 95th percentile)',
  low_coverage: 'low coverage (below the 5th percentile)',
} as const;

function outliers(variants: readonly MeasuredVariant[]): string {
  const lines = variants.flatMap(({ variant, cases }) =>
    cases.flatMap(({ given, outliers: own }) =>
      own.map((flag) => `- ${markdownText(`${variant} ${given.id}: ${WORDS[flag]}`)}`),
    ),
  );
  const cases = Math.max(...variants.map(({ cases: own }) => own.length));
  const few =
    cases < FEW_UNITS
      ? `Of ${counted(cases, 'case')} one always lies beyond each bound: that alone says nothing.\n\n`
      : '';
  return lines.length === 0 ? 'None.' : `${few}${lines.join('\n')}`;
}
