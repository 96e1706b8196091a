import { join } from 'node:path';

import type { Case } from '../../../data/case.ts';
import { UsageError } from '../../../data/problems.ts';
import type { CaseResult } from '../../../measure/tally.ts';
import { type Plan, planRecipe } from '../../../recipe/plan.ts';
import { pooledDistribution, type PooledDistribution } from '../../../stats/pooled-distribution.ts';
import type { ResampleSettings } from '../../../stats/resample-settings.ts';
import type { ConceptExtractor } from '../concepts/extractor.ts';
import { loggedNumbers, POOLED, SHARES } from '../measure/logged-numbers.ts';
import { type Outlier, outliersOf } from '../measure/outliers.ts';
import type { Run } from '../../../score/run.ts';
import { type FolderOptions, scoreToFolder } from '../../../score/score-to-folder.ts';
import { rememberedConcepts } from './remembered-concepts.ts';
import { streamReader } from './stream-reader.ts';
import { caseFiles, tracesByCase, variantFolders } from './variant-folders.ts';

export interface MeasureStreamOptions {
  readonly traces: string;
  readonly runs: string;
  /** Null: all that there are. */
  readonly variants: readonly string[] | null;
  readonly extractor: ConceptExtractor;
  readonly out: string;
  readonly recipe?: string;
  /** Measures logs although they say that they are of other traces. */
  readonly force?: boolean;
  readonly set?: readonly string[];
  /** What each run folder gets beside its ledger: reports. */
  readonly watch?: FolderOptions['watch'];
  /** Told of each case that is measured. */
  readonly progress?: (done: number, total: number, variant: string, caseId: string) => void;
  readonly onOpen?: NonNullable<FolderOptions['onOpen']>;
}

/** One measured case of a variant. */
export interface MeasuredCase {
  readonly result: CaseResult;
  readonly given: Case;
  /** What the log calls it; its id where there is no log. */
  readonly name: string;
  readonly outliers: readonly Outlier[];
}

export interface MeasuredVariant {
  readonly variant: string;
  readonly run: Run;
  readonly cases: readonly MeasuredCase[];
  /** Pooled over all cases, with intervals of the percentiles; null where there is nothing to pool. */
  readonly distributions: Readonly<Record<string, PooledDistribution | null>>;
  /** Whoever answered, as the logs say. */
  readonly models: readonly string[];
  /** How many different settings its logs were made with; they should be one. */
  readonly settings: number;
  /** How intervals are made; null where none are wanted. */
  readonly interval: ResampleSettings | null;
}

/** Measures every variant into a run folder of its own, `out/<variant>`, so that runs can be explained and compared. */
export async function measureStream(options: MeasureStreamOptions): Promise<MeasuredVariant[]> {
  const folders = variantFolders(options.runs, options.variants);
  const traces = await tracesByCase(options.traces);
  const extractor = rememberedConcepts(options.extractor);
  const plan = await planRecipe(options.recipe ?? 'stream/exaid', options.set ?? [], {
    concepts: { ...options.extractor.identity },
  });
  const total = folders.size * traces.size;
  const measured: MeasuredVariant[] = [];
  for (const [variant, folder] of folders) {
    const told = (done: number, caseId: string): void =>
      options.progress?.(measured.length * traces.size + done, total, variant, caseId);
    measured.push(await measureVariant(variant, folder, traces, plan, { ...options, extractor }, told));
  }
  return measured;
}

async function measureVariant(
  variant: string,
  folder: string,
  traces: ReadonlyMap<string, string>,
  plan: Plan,
  options: MeasureStreamOptions,
  told: (done: number, caseId: string) => void,
): Promise<MeasuredVariant> {
  const { stream } = plan;
  if (stream === null)
    throw new UsageError(`${plan.name} is a recipe for ${plan.task}`, 'measure with a stream recipe');
  const names = new Map<string, string>();
  const models = new Set<string>();
  const settings = new Set<unknown>();
  const reader = streamReader({
    files: await caseFiles(traces, folder),
    extractor: options.extractor,
    join: stream.join,
    force: options.force === true,
    seen(given, log) {
      names.set(given.id, log?.meta.case_id ?? given.id);
      if (log !== null) settings.add(log.meta['variant_config_hash'] ?? log.meta.tokengate_config_hash ?? null);
      const model = log?.meta.model;
      if (model !== undefined) models.add(model.note === undefined ? model.id : `${model.id} (${model.note})`);
      else for (const { llm_usage: usage } of log?.summaries ?? []) models.add(usage.model_id ?? 'unknown');
      told(names.size, given.id);
    },
  });
  const seen: { result: CaseResult; given: Case }[] = [];
  const run = await scoreToFolder(plan, reader, {
    out: join(options.out, variant),
    set: options.set ?? [],
    timing: false,
    ...(options.watch === undefined ? {} : { watch: options.watch }),
    ...(options.onOpen === undefined ? {} : { onOpen: options.onOpen }),
    sink: {
      scored: ({ variants }) => void seen.push(...variants.map(({ case: given, result }) => ({ given, result }))),
    },
  });
  const flags = outliersOf(
    seen.map(({ result: { measures } }) => ({
      latency: measures['summary_latency_ms'] ?? null,
      flushes: measures['flush_count'] ?? null,
      coverage: measures['trace_coverage'] ?? null,
    })),
  );
  return {
    variant,
    run,
    cases: seen.map((one, at) => ({
      ...one,
      name: names.get(one.given.id) ?? one.given.id,
      outliers: flags[at] ?? [],
    })),
    distributions: distributionsOf(seen, plan),
    models: [...models].sort(),
    settings: settings.size,
    interval: plan.interval,
  };
}

function distributionsOf(
  cases: readonly { readonly given: Case }[],
  { interval }: Plan,
): Record<string, PooledDistribution | null> {
  const settings = interval ?? { resamples: 1, level: 0.95, seed: 42 };
  return Object.fromEntries(
    POOLED.map(({ name, kind, field }) => [
      name,
      pooledDistribution(
        cases.map(({ given }) => loggedNumbers(given, kind, field)),
        SHARES,
        settings,
      ),
    ]),
  );
}
