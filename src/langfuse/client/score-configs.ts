import { z } from 'zod';

import { UsageError } from '../../data/problems.ts';
import { visible } from '../../data/visible.ts';
import { defined } from '../../experiment/defined.ts';
import type { ScoreConfigRecord } from '../../store/score-configs.ts';
import type { Connection } from './connection.ts';
import { allPages } from './pages.ts';

/** What the scores of a name are to be. */
export type WantedConfig = Pick<
  ScoreConfigRecord,
  'name' | 'dataType' | 'minValue' | 'maxValue' | 'categories' | 'description'
>;

type KnownConfig = Omit<WantedConfig, 'description'> & Pick<ScoreConfigRecord, 'id' | 'isArchived'>;

const maybeNumber = z
  .number()
  .nullish()
  .transform((value) => value ?? null);
const configAnswer: z.ZodType<KnownConfig> = z.object({
  id: z.string(),
  name: z.string(),
  dataType: z.enum(['NUMERIC', 'CATEGORICAL', 'BOOLEAN', 'TEXT']),
  isArchived: z.boolean(),
  minValue: maybeNumber,
  maxValue: maybeNumber,
  categories: z
    .array(z.object({ label: z.string(), value: z.number() }))
    .nullish()
    .transform((value) => value ?? null),
});

export interface PlannedConfigs {
  readonly ids: ReadonlyMap<string, string>;
  readonly missing: readonly WantedConfig[];
}

/** Which configs are there and which have to be made. One of the name that scores do not fit is a UsageError. */
export function planConfigs(
  wanted: readonly WantedConfig[],
  known: readonly KnownConfig[],
  place: string,
): PlannedConfigs {
  const ids = new Map<string, string>();
  const missing: WantedConfig[] = [];
  const conflicts: string[] = [];
  for (const config of wanted) {
    const named = known.filter(({ name }) => name === config.name);
    const open = named.filter(({ isArchived }) => !isArchived);
    const other = open.find(({ dataType }) => dataType !== config.dataType);
    const fitting = open.find((one) => misfit(config, one) === null);
    const words = visible(config.name);
    if (other !== undefined) conflicts.push(`${words} is ${other.dataType} there, and ${config.dataType} here`);
    else if (fitting !== undefined) ids.set(config.name, fitting.id);
    else if (open.length > 0) conflicts.push(`${words} ${misfit(config, open[0]!) ?? ''}`);
    else if (named.length > 0) conflicts.push(`${words} is archived`);
    else missing.push(config);
  }
  if (conflicts.length === 0) return { ids, missing };
  throw new UsageError(
    `${place} has score configs of these names that the answers do not fit: ${conflicts.join('; ')}`,
    'change, restore or rename them there (Settings, Scores), or rename the questions in the recipe and make the review again',
  );
}

function misfit(wanted: WantedConfig, { dataType, minValue, maxValue, categories }: KnownConfig): string | null {
  if (dataType !== wanted.dataType) return `is ${dataType} there`;
  if (dataType === 'NUMERIC') {
    const isLow = minValue !== null && (wanted.minValue ?? -Infinity) < minValue;
    const isHigh = maxValue !== null && (wanted.maxValue ?? Infinity) > maxValue;
    return isLow || isHigh
      ? `takes ${minValue ?? '…'} to ${maxValue ?? '…'} there, and is ${wanted.minValue ?? '…'} to ${wanted.maxValue ?? '…'} here`
      : null;
  }
  if (dataType !== 'CATEGORICAL') return null;
  const lacking = (wanted.categories ?? []).filter(
    ({ label }) => categories?.some((one) => one.label === label) !== true,
  );
  return lacking.length === 0
    ? null
    : `lacks the ${lacking.length === 1 ? 'category' : 'categories'} ${lacking.map(({ label }) => visible(label)).join(', ')} there`;
}

/** The ids of configs by name, with those made that were missing. */
export async function ensureConfigs(
  connection: Connection,
  wanted: readonly WantedConfig[],
): Promise<{ readonly ids: ReadonlyMap<string, string>; readonly made: number }> {
  const { api, calls } = connection;
  const known = await allPages(
    connection,
    'list score configs',
    configAnswer,
    (...page) => api.scoreConfigs.get(...page),
    'make',
  );
  const { ids, missing } = planConfigs(wanted, known ?? [], `Langfuse at ${calls.place}`);
  const all = new Map(ids);
  for (const { name, dataType, minValue, maxValue, categories, description } of missing) {
    const request = {
      name,
      dataType,
      ...defined({
        minValue: minValue ?? undefined,
        maxValue: maxValue ?? undefined,
        // Those of a truth are Langfuse's own, and it refuses them.
        categories: dataType === 'BOOLEAN' ? undefined : categories?.slice(),
        description: description ?? undefined,
      }),
    };
    const { id } = await calls.make(`make the score config ${visible(name)}`, configAnswer, (options) =>
      api.scoreConfigs.create(request, options),
    );
    all.set(name, id);
  }
  return { ids: all, made: missing.length };
}
