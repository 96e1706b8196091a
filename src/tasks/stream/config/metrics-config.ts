import { z } from 'zod';

import { isRecord } from '../../../data/record-fields.ts';
import { sortedJson } from '../../../data/sorted-json.ts';
import { planRecipe } from '../../../recipe/plan.ts';
import { type ConfigFile, type ConfigKind, readConfigFile } from './config-file.ts';

interface MetricsValues {
  readonly tau_list?: readonly number[];
  readonly budget_list?: readonly number[];
  readonly join?: 'concat' | 'space';
  readonly statistics?: {
    readonly confidence_level?: number;
    readonly bootstrap_samples?: number;
    readonly seed?: number;
  };
}

const metricsYaml: ConfigKind<MetricsValues> = {
  name: 'metrics.yaml',
  schema: z.strictObject({
    tau_list: z.array(z.number().min(0).max(1)).min(1).exactOptional(),
    budget_list: z.array(z.number().positive()).min(1).exactOptional(),
    join: z.enum(['concat', 'space']).exactOptional(),
    statistics: z
      .strictObject({
        confidence_level: z.number().gt(0).lt(1).exactOptional(),
        bootstrap_samples: z.int().min(1).exactOptional(),
        seed: z.int().min(0).max(0xffffffff).exactOptional(),
      })
      .exactOptional(),
  }),
  idle: {
    output: '--out says where metrics go, --out of stream figures where figures go',
    figures: 'stream figures draws SVG, which has no resolution, in colours of its own',
    'concept_extraction.model': '--concepts says what finds concepts',
    'concept_extraction.embedding_model': 'redundancy is measured on concepts, without embeddings',
  },
  fixed: {
    'concept_extraction.similarity_metric': ['jaccard', 'redundancy (M3) is the Jaccard index of concept sets'],
  },
};

export interface MetricsConfig {
  readonly file: ConfigFile<MetricsValues>;
  /** The settings as lines for --set, which those of the call come after. */
  readonly set: readonly string[];
  readonly used: readonly { readonly key: string; readonly path: string; readonly value: unknown }[];
}

export function readMetricsConfig(folder: string): MetricsConfig | null {
  const file = readConfigFile(folder, metricsYaml);
  if (file === null) return null;
  const { tau_list, budget_list, join, statistics = {} } = file.values;
  const places: readonly (readonly [key: string, path: string, value: unknown])[] = [
    ['tau_list', 'stream.redundancy', tau_list],
    ['budget_list', 'stream.budgets', budget_list],
    ['join', 'stream.join', join],
    ['statistics.confidence_level', 'interval.level', statistics.confidence_level],
    ['statistics.bootstrap_samples', 'interval.resamples', statistics.bootstrap_samples],
    ['statistics.seed', 'interval.seed', statistics.seed],
  ];
  const used = places.flatMap(([key, path, value]) => (value === undefined ? [] : [{ key, path, value }]));
  return {
    file,
    set: used.map(({ path, value }) => `${path}=${JSON.stringify(value)}`),
    used,
  };
}

/** Where the file changes what the recipe has, and where the call changes what the file has. `resolved`: as measured. */
export async function metricsNotices(
  { file, used }: MetricsConfig,
  recipe: string,
  resolved: Readonly<Record<string, unknown>>,
): Promise<string[]> {
  const { interval, stream } = await planRecipe(recipe);
  const differences = used.flatMap(({ key, path, value }) => {
    const place = `${file.placeOf(key)}: ${key} ${JSON.stringify(value)}`;
    const final = at(resolved, path);
    if (sortedJson(final ?? null) !== sortedJson(value))
      return [`${place} gives way to ${JSON.stringify(final ?? null)}, which the call says`];
    const usual = at({ interval, stream }, path);
    return sortedJson(usual ?? null) === sortedJson(value)
      ? []
      : [`${place} is used in place of ${JSON.stringify(usual ?? null)} of ${recipe}`];
  });
  return [...file.notices, ...differences];
}

/** What of it was used, for the files that are written. */
export function metricsProvenance({ file, used }: MetricsConfig): Record<string, unknown> {
  return { metrics_config_hash: file.hash, ...Object.fromEntries(used.map(({ path, value }) => [path, value])) };
}

function at(value: unknown, path: string): unknown {
  return path.split('.').reduce((inner, part) => (isRecord(inner) ? inner[part] : undefined), value);
}
