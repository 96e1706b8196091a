import { existsSync } from 'node:fs';
import { join } from 'node:path';

import type { MeasureValue } from '../../index.ts';
import {
  commandTable,
  count,
  plural,
  type Document,
  type Fields,
  figure,
  isRecord,
  levelText,
  NONE,
  numberColumns,
  programName,
  quantities,
  type Section,
  shellWord,
  type Table,
} from '../../plugin.ts';
import { betterWord, nameText, sideBySideTable, undefinedRemarks } from '../../report.ts';
import { FEW_UNITS } from '../../stats.ts';
import type { MeasuredVariant, PooledDistribution } from '../measure/measure-stream.ts';
import { PARSING_COUNTS } from '../parsing-statistics.ts';
import { answerLines, limitsOf, overallOf, streamNotices } from './notices.ts';

/** The measures to look at first, by the document's numbers; a page has all of them. */
const FIRST = [
  'compression_ratio',
  'summary_count',
  'redundancy',
  'trace_coverage',
  'coverage_at_500',
  'unsupported_global',
  'unsupported_per_summary',
  'unsupported_in_window',
  'unsupported_in_contract',
  'summary_latency_ms',
  'llm_ctu_total',
  'decision_count',
  'decision_ctu',
  'schema_failure_rate',
  'flush_count',
];
const DEMO = [
  'compression_ratio',
  'trace_coverage',
  'unsupported_in_window',
  'redundancy',
  'summary_count',
  'llm_ctu_total',
];

/** The variants of a measured stream side by side. A page has no time and no path. */
export function streamDocument(variants: readonly MeasuredVariant[], out: string): Document {
  const cases = variants[0]?.run.measures.cases.total ?? 0;
  const names = variants.map(({ variant }) => variant).join(', ');
  return {
    title: 'Stream: variants side by side',
    about: `${plural(cases, 'case')}, ${plural(variants.length, 'variant')}: ${names}.`,
    sections: [
      { blocks: answerLines(variants).map((text) => ({ text })) },
      { blocks: limitsOf(variants).map((text) => ({ text, tone: 'strong' })) },
      { on: 'terminal', blocks: [firstMeasures(variants, FIRST)] },
      { title: 'Before you read the numbers', blocks: [{ list: streamNotices(variants), mark: 'warning' }] },
      {
        title: 'Measures',
        on: 'page',
        blocks: [
          { text: 'Value, interval over cases, and n. Unsupported fractions: lower is better.' },
          allMeasures(variants),
        ],
      },
      ...distributions(variants),
      outliers(variants),
      parsing(variants),
      {
        title: 'Signatures',
        on: 'page',
        blocks: variants.map(({ run }) => ({ code: run.manifest.signature })),
      },
      { on: 'terminal', blocks: [nextSteps(variants, out)] },
    ],
  };
}

/** Two or three variants side by side in a few lines, each value with its interval. */
export function streamDemoDocument(variants: readonly MeasuredVariant[]): Document {
  const { recipe } = variants[0]!.run.manifest;
  return {
    title: recipe.name,
    about: plural(variants[0]!.run.measures.cases.total, 'case'),
    sections: [
      { blocks: [recipe.about, ...limitsOf(variants), ...answerLines(variants)].map((text) => ({ text })) },
      { blocks: [{ list: streamNotices(variants), mark: 'warning' }] },
      { title: 'Measures', blocks: [firstMeasures(variants, DEMO)] },
    ],
  };
}

function firstMeasures(variants: readonly MeasuredVariant[], names: readonly string[]): Table {
  const systems = variants.map((one) => ({ name: one.variant, values: overallOf(one) }));
  const table = sideBySideTable(systems, names);
  return { ...table, remarks: [...(table.remarks ?? []), 'unsupported fractions: lower is better'] };
}

function intervalText(value: MeasureValue | undefined, between: string): string {
  return value?.interval == null ? '' : quantities(value.interval.low, value.interval.high, value).join(between);
}

function allMeasures(variants: readonly MeasuredVariant[]): Table {
  const systems = variants.map((own) => ({ name: own.variant, values: overallOf(own) }));
  const values = systems.map((own) => own.values);
  const firsts = new Map(values.toReversed().flatMap((own) => [...own]));
  const names = new Set(values.flatMap((own) => [...own.keys()]));
  return {
    columns: [
      ...['measure', 'unit', 'better'].map((title) => ({ title })),
      ...systems.map(({ name }) => ({ title: name, value: true })),
    ],
    rows: [...names].map((name) => {
      const first = firsts.get(name)!;
      const better = `${betterWord(first)}${name.startsWith('unsupported') ? ' is better' : ''}`;
      return [
        nameText(first),
        first.unit ?? '',
        better,
        ...values.map((own) => {
          const value = own.get(name);
          if (value === undefined || value.value === null) return NONE;
          const interval = value.interval === null ? '' : ` [${intervalText(value, ', ')}]`;
          return `${figure(value.value, value)}${interval}, n ${count(value.n)}`;
        }),
      ];
    }),
    remarks: undefinedRemarks(systems, [...names]),
  };
}

function distributions(variants: readonly MeasuredVariant[]): Section[] {
  const names = Object.keys(variants[0]?.distributions ?? {});
  const tables = names.map((name): Section => {
    const filled = variants.flatMap(({ variant, distributions: own }) => {
      const pooled = own[name] ?? null;
      return pooled === null ? [] : [{ variant, pooled }];
    });
    const level = filled.flatMap(({ pooled }) => pooled.percentiles).find(({ interval }) => interval !== null)
      ?.interval?.level;
    return {
      title: `${name}${level === undefined ? '' : ` (${levelText(level)} intervals)`}`,
      level: 3,
      on: 'page',
      blocks: [
        {
          columns: [
            { title: 'variant' },
            ...numberColumns('n', 'cases', 'min', 'mean', 'p50', 'p90', 'p95', 'p99', 'max'),
          ],
          rows: filled.map(({ variant, pooled }) => [variant, ...distributionCells(pooled)]),
        },
      ],
    };
  });
  const text = 'Percentiles interpolate linearly; their intervals come from drawing cases, not single calls.';
  return [{ title: 'Distributions, pooled over cases', on: 'page', blocks: [{ text }] }, ...tables];
}

const UNBOUNDED = { range: [0, null] } as const;

function distributionCells({ count: n, cases, min, max, mean, percentiles }: PooledDistribution): string[] {
  return [
    count(n),
    count(cases),
    figure(min, UNBOUNDED),
    figure(mean, UNBOUNDED),
    ...percentiles.map(({ value, interval }) => {
      const ends = interval === null ? '' : ` [${quantities(interval.low, interval.high, UNBOUNDED).join(', ')}]`;
      return `${figure(value, UNBOUNDED)}${ends}`;
    }),
    figure(max, UNBOUNDED),
  ];
}

const OUTLIERS = {
  latency_spike: 'slow summaries (above the 95th percentile)',
  excessive_flushes: 'many flushes (above the 95th percentile)',
  low_coverage: 'low coverage (below the 5th percentile)',
} as const;

function outliers(variants: readonly MeasuredVariant[]): Section {
  const list = variants.flatMap(({ variant, cases }) =>
    cases.flatMap(({ given, outliers: own }) => own.map((flag) => `${variant} ${given.id}: ${OUTLIERS[flag]}`)),
  );
  const cases = variants.reduce((sum, { cases: own }) => sum + own.length, 0);
  const few = `Of ${plural(cases, 'case')} one is always beyond each bound: that alone means nothing.`;
  return {
    title: 'Outliers among the cases',
    on: 'page',
    blocks: [
      { text: 'Percentiles are of the cases of all variants together.' },
      list.length === 0 ? { text: 'None.' } : cases < FEW_UNITS ? { text: few } : null,
      { list },
    ],
  };
}

const MOST_CASES = 50;

/** How the deltas of the traces became text; the same for every variant. */
function parsing(variants: readonly MeasuredVariant[]): Section {
  const cases = new Map(
    variants.flatMap(({ cases: own }) =>
      own.flatMap(({ given }): [string, Fields][] => {
        const statistics = given.logged?.find(({ item }) => item.kind === 'trace')?.item.fields['parsing_statistics'];
        return isRecord(statistics) ? [[given.id, statistics]] : [];
      }),
    ),
  );
  if (cases.size === 0) return { blocks: [] };
  const cells = (counts: readonly Fields[]): string[] =>
    PARSING_COUNTS.map((name) => count(counts.reduce((sum, own) => sum + Number(own[name] ?? 0), 0)));
  const rows = [...cases].slice(0, MOST_CASES).map(([id, own]) => [id, ...cells([own])]);
  const left = cases.size - rows.length;
  return {
    title: 'Parsing statistics of the traces',
    on: 'page',
    blocks: [
      {
        text: 'Deltas that are part of the conversation’s text, and those that are not, by the reason. missing_event_subtype: included, because the agent is a speaker.',
      },
      {
        columns: [{ title: 'case' }, ...numberColumns(...PARSING_COUNTS)],
        rows: [...rows, ['all cases', ...cells([...cases.values()])]],
      },
      left > 0 ? { text: `${plural(left, 'case')} more in per_case.metrics.jsonl.` } : null,
    ],
  };
}

function nextSteps(variants: readonly MeasuredVariant[], out: string): Table {
  const folder = shellWord(out).replace(/\/$/, '');
  const runs = variants.map(({ variant }) => `${folder}/${variant}`);
  const hasPage = variants[0] !== undefined && existsSync(join(out, variants[0].variant, 'report.html'));
  return commandTable([
    ['All measures, distributions', `${folder}/report.md`],
    ...(hasPage ? [['Every case, in a browser', `${runs[0]!}/report.html`] as const] : []),
    ...(runs.length < 2
      ? []
      : [['Is the difference chance', `${programName()} compare ${runs.slice(0, 2).join(' ')}`] as const]),
    ['Every concept, with its reason', `${programName()} explain ${runs[0] ?? folder}`],
    ['Figures', `${programName()} stream figures ${folder} --out figures`],
  ]);
}
