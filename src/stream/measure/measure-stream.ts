import { hash } from 'node:crypto';
import { join } from 'node:path';

import type { Case, CaseResult, FolderOptions, Plan, RunNaming, Verdict } from '../../index.ts';
import { planRecipe, scoreToFolder } from '../../pipeline.ts';
import { UsageError } from '../../plugin.ts';
import { buildMeasures, Tally } from '../../recipe.ts';
import { measureIntervals, percentile, type ResampleSettings } from '../../stats.ts';
import type { ConceptExtractor } from '../concepts/extractor.ts';
import { endsAndMean, loggedNumbers, POOLED, LOGGED_SHARES } from './logged-numbers.ts';
import { streamReader } from './stream-reader.ts';
import { caseFiles, tracesByCase, variantFolders } from './variant-folders.ts';

/** The name is followed by that of the variant. */
export interface MeasureStreamOptions extends RunNaming {
  readonly traces: string;
  readonly runs: string;
  /** Null: all that there are. */
  readonly variants: readonly string[] | null;
  readonly extractor: ConceptExtractor;
  /** The concepts that the logs state, if they are measured by others; part of the signature. */
  readonly replayed?: string | null;
  readonly out: string;
  readonly recipe?: string;
  /** Measures logs although they state that they are of other traces. */
  readonly force?: boolean;
  readonly set?: readonly string[];
  /** What each run folder gets beside its ledger: reports. */
  readonly watch?: FolderOptions['watch'];
  /** Called for each case that is measured. */
  readonly progress?: (done: number, total: number, variant: string, caseId: string) => void;
  readonly onOpen?: NonNullable<FolderOptions['onOpen']>;
}

export type MeasuredVariant = Readonly<Awaited<ReturnType<typeof measureStream>>[number]>;
export type MeasuredCase = MeasuredVariant['cases'][number];

/** Measures every variant into its run folder, `out/<variant>`, so that runs can be explained and compared. */
export async function measureStream(options: MeasureStreamOptions) {
  const folders = variantFolders(options.runs, options.variants);
  const traces = await tracesByCase(options.traces);
  const extractor = rememberedConcepts(options.extractor);
  const plan = await planRecipe(options.recipe ?? 'stream/exaid', options.set ?? [], {
    concepts: { ...options.extractor.identity, ...(options.replayed == null ? {} : { replayed: options.replayed }) },
  });
  const total = folders.size * traces.size;
  const measured: ScoredVariant[] = [];
  for (const [variant, folder] of folders) {
    const onCase = (done: number, caseId: string): void =>
      options.progress?.(measured.length * traces.size + done, total, variant, caseId);
    measured.push(await measureVariant(variant, folder, traces, plan, { ...options, extractor }, onCase));
  }
  return withOutliers(measured);
}

/** The same extractor, asked once for each text: variants of one trace share its text and many windows. */
function rememberedConcepts(extractor: ConceptExtractor): ConceptExtractor {
  const known = new Map<string, Promise<readonly string[]>>();
  return {
    identity: extractor.identity,
    extract(text) {
      const key = hash('sha256', text, 'base64');
      const concepts = known.get(key) ?? extractor.extract(text);
      known.set(key, concepts);
      return concepts;
    },
    nameOf: (id) => extractor.nameOf?.(id) ?? null,
    close: () => extractor.close?.() ?? Promise.resolve(),
  };
}

type ScoredVariant = Awaited<ReturnType<typeof measureVariant>>;

async function measureVariant(
  variant: string,
  folder: string,
  traces: ReadonlyMap<string, string>,
  plan: Plan,
  options: MeasureStreamOptions,
  onCase: (done: number, caseId: string) => void,
) {
  const { stream } = plan;
  if (stream === null)
    throw new UsageError(`${plan.name} is a recipe for ${plan.task}`, 'measure with a stream recipe');
  const names = new Map<string, string>();
  const models = new Set<string>();
  const settings = new Set<unknown>();
  const starts: number[] = [];
  const reader = streamReader({
    files: await caseFiles(traces, folder),
    extractor: options.extractor,
    join: stream.join,
    force: options.force === true,
    seen(given, log) {
      names.set(given.id, log?.meta.case_id ?? given.id);
      const start = Date.parse(log?.meta.created_at ?? '');
      if (!Number.isNaN(start)) starts.push(start);
      if (log !== null) settings.add(log.meta['variant_config_hash'] ?? log.meta.tokengate_config_hash ?? null);
      const model = log?.meta.model;
      if (model !== undefined) models.add(model.note === undefined ? model.id : `${model.id} (${model.note})`);
      else for (const { llm_usage: usage } of log?.summaries ?? []) models.add(usage.model_id ?? 'unknown');
      onCase(names.size, given.id);
    },
  });
  const seen: { given: Case; result: CaseResult; verdicts: readonly Verdict[] }[] = [];
  const run = await scoreToFolder(plan, reader, {
    out: join(options.out, variant),
    set: options.set ?? [],
    timing: false,
    ...(options.name === undefined ? {} : { name: `${options.name} (${variant})` }),
    ...(options.note === undefined ? {} : { note: options.note }),
    ...(options.tags === undefined ? {} : { tags: options.tags }),
    ...(options.watch === undefined ? {} : { watch: options.watch }),
    ...(options.onOpen === undefined ? {} : { onOpen: options.onOpen }),
    sink: {
      scored({ variants }) {
        for (const { case: given, result, verdicts } of variants)
          seen.push({
            given,
            result,
            verdicts: verdicts.filter((own) => POOLED.some(({ kind }) => kind === own.kind)),
          });
      },
    },
  });
  const distributions: Record<string, PooledDistribution | null> = {};
  for (const of of POOLED) distributions[of.name] = await pooledDistribution(seen, of, plan.interval);
  return {
    variant,
    run,
    /** `name`: what the log calls it; its id if there is no log. */
    cases: seen.map(({ given, result }) => ({ given, result, name: names.get(given.id) ?? given.id })),
    /** By name; null if there is nothing to pool. */
    distributions,
    /** Which models answered, by the logs. */
    models: [...models].sort(),
    /** How many different settings its logs were made with; they should be one. */
    settings: settings.size,
    /** The latest created_at of its logs; null if none states one. */
    latest: starts.length === 0 ? null : Math.max(...starts),
    /** How intervals are made; null if none are wanted. */
    interval: plan.interval,
  };
}

export type PooledDistribution = NonNullable<Awaited<ReturnType<typeof pooledDistribution>>>;

/**
 * The numbers of all cases together: how many, in how many cases, their ends and mean, and percentiles as the recipe's form
 * `field-percentile` with `pooled` has them; null without a number. A case that failed is drawn like any other.
 */
export async function pooledDistribution(
  cases: readonly { readonly given: Case; readonly verdicts: readonly Verdict[] }[],
  { kind, field }: Pick<(typeof POOLED)[number], 'kind' | 'field'>,
  interval: ResampleSettings | null,
) {
  const numbers = cases.flatMap(({ given }) => loggedNumbers(given, kind, field));
  if (numbers.length === 0) return null;
  const form = { of: 'field-percentile', kind, field, pooled: true, direction: 'lower' };
  const asked = Object.fromEntries(LOGGED_SHARES.map((share) => [`p${share * 100}`, { ...form, p: share * 100 }]));
  const { measures } = buildMeasures(asked, null);
  const tally = new Tally(measures, []);
  for (const { given, verdicts } of cases) tally.add({ case: given.id }, null, verdicts);
  const groups = tally.groups();
  const { resamples, level, seed } = interval ?? { resamples: 1, level: 0.95, seed: 42 };
  const settings = { resamples, level, seed, method: 'percentile', groupsAbove: null, unit: 'case' } as const;
  const values = tally.values(groups, [await measureIntervals(groups[0]!.table, measures, false, settings)]);
  const onlyOne = 'only one case has anything to measure: nothing to resample';
  return {
    ...endsAndMean(numbers),
    cases: values[0]!.units,
    percentiles: values.map(({ name, value, interval: ends, noInterval, units }) => {
      return { name, value: value!, interval: ends, noInterval: units === 1 ? onlyOne : noInterval };
    }),
  };
}

const OUTLIERS = ['latency_spike', 'excessive_flushes', 'low_coverage'] as const;
type Outlier = (typeof OUTLIERS)[number];

/** The values of a case that can be outliers. */
interface OutlierValues {
  readonly latency: number | null;
  readonly flushes: number | null;
  readonly coverage: number | null;
}

/** Each case with its outliers among the cases of all variants. */
function withOutliers(variants: readonly ScoredVariant[]) {
  const flags = outliersOf(
    variants.flatMap(({ cases }) =>
      cases.map(({ result: { measures } }) => ({
        latency: measures['summary_latency_ms'] ?? null,
        flushes: measures['flush_count'] ?? null,
        coverage: measures['trace_coverage'] ?? null,
      })),
    ),
  ).values();
  return variants.map((variant) => ({
    ...variant,
    cases: variant.cases.map((own) => ({ ...own, outliers: flags.next().value ?? [] })),
  }));
}

/**
 * Outliers among cases: mean summary latency above their 95th percentile, flushes above the 95th, coverage below the 5th.
 * Variants are pooled, as in the published files. A reason to look, not a verdict: one in twenty is always beyond.
 */
export function outliersOf(cases: readonly OutlierValues[]): Outlier[][] {
  const bound = (of: keyof OutlierValues, share: number): number | null => {
    const known = cases.flatMap((one) => one[of] ?? []).sort((a, b) => a - b);
    return known.length === 0 ? null : percentile(known, share);
  };
  const [latency, flushes, coverage] = [bound('latency', 0.95), bound('flushes', 0.95), bound('coverage', 0.05)];
  return cases.map((one) => [
    ...(isAbove(one.latency, latency) ? (['latency_spike'] as const) : []),
    ...(isAbove(one.flushes, flushes) ? (['excessive_flushes'] as const) : []),
    ...(isAbove(coverage, one.coverage) ? (['low_coverage'] as const) : []),
  ]);
}

function isAbove(a: number | null, b: number | null): boolean {
  return a !== null && b !== null && a > b;
}
