import { z } from 'zod';

import { planRecipe } from '../../pipeline.ts';
import { isRecord, sortedJson } from '../../plugin.ts';
import { type ConfigFile, type ConfigKind, readConfigFile } from './config-file.ts';

const metricsSchema = z.strictObject({
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
});

const metricsYaml: ConfigKind<z.infer<typeof metricsSchema>> = {
  name: 'metrics.yaml',
  schema: metricsSchema,
  idle: {
    output: '--out sets the folder of metrics, --out of stream figures that of figures',
    figures: 'stream figures draws SVG, which has no resolution, in its own colours',
    'concept_extraction.model': '--concepts sets what finds concepts',
    'concept_extraction.embedding_model': 'redundancy is measured on concepts, without embeddings',
  },
  fixed: {
    'concept_extraction.similarity_metric': ['jaccard', 'redundancy (M3) is the Jaccard index of concept sets'],
  },
};

interface MetricsConfig {
  readonly file: ConfigFile<unknown>;
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

/** What the file changes of the recipe, and what the call changes of the file. `resolved`: as measured. */
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
      return [`${place} gives way to ${JSON.stringify(final ?? null)} of the call`];
    const ofRecipe = at({ interval, stream }, path);
    return sortedJson(ofRecipe ?? null) === sortedJson(value)
      ? []
      : [`${place} is used in place of ${JSON.stringify(ofRecipe ?? null)} of ${recipe}`];
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
