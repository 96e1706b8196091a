import { randomUUID } from 'node:crypto';

import { visible } from '../../data/visible.ts';
import type { ScoreConfigRecord } from '../../store/score-configs.ts';
import type { Store } from '../../store/store.ts';
import {
  createScoreConfig,
  getScoreConfig,
  listScoreConfigs,
  scoreConfigBody,
  TRUTH_CATEGORIES,
  updateScoreConfig,
} from '../../langfuse/shapes/score-configs.ts';
import { defined } from '../../experiment/defined.ts';
import { pageMeta } from './pages.ts';
import { PROJECT_ID } from './project.ts';
import { notFound, Refusal } from '../refusal.ts';
import { parsed, type Serve } from './route.ts';

export function serveScoreConfigs(serve: Serve, store: Store): void {
  serve(listScoreConfigs, ({ query }) => {
    const { rows, total } = store.scoreConfigs.list(query);
    return { data: rows.map(answerOf), meta: pageMeta(query, total) };
  });
  serve(createScoreConfig, ({ body }) => {
    const { name, dataType } = body;
    const categories = dataType === 'BOOLEAN' ? TRUTH_CATEGORIES : (body.categories ?? null);
    return answerOf(store.scoreConfigs.save({ ...defined(body), id: randomUUID(), name, dataType, categories }));
  });
  serve(getScoreConfig, ({ part }) => answerOf(findConfig(store, part('id'))));
  serve(updateScoreConfig, ({ part, body }) =>
    store.transaction(() => {
      const { id, name, dataType, minValue, maxValue, categories, description } = findConfig(store, part('id'));
      // What comes out has to be a config, whatever part of it was sent.
      if (dataType === 'BOOLEAN' && body.categories !== undefined)
        throw new Refusal(400, 'categories: those of a BOOLEAN config are always True and False');
      const truth = dataType === 'BOOLEAN' ? {} : { minValue, maxValue, categories };
      parsed(scoreConfigBody, { name, dataType, description, ...truth, ...defined(body) }, 'config');
      return answerOf(store.scoreConfigs.save({ name, dataType, ...defined(body), id }));
    }),
  );
}

function findConfig(store: Store, id: string): ScoreConfigRecord {
  const config = store.scoreConfigs.get(id);
  if (config === null) throw notFound(`The score config ${visible(id)}`);
  return config;
}

function answerOf({ categories, ...config }: ScoreConfigRecord) {
  return { ...config, projectId: PROJECT_ID, categories: categories === null ? null : [...categories] };
}

/** A score as its config has it: the name and the type are the config's, and the value has to fit. */
export function fitScoreConfig<Score extends ConfiguredScore>(store: Store, score: Score): Score {
  const { configId, source, value, dataType } = score;
  if (configId === undefined) {
    if (source === 'ANNOTATION') throw new Refusal(400, 'configId: has to be there, since the source is ANNOTATION');
    return score;
  }
  const config = findConfig(store, configId);
  if (config.isArchived)
    throw new Refusal(400, `configId: the config ${visible(config.name)} is archived; restore it first`);
  if (dataType !== undefined && dataType !== config.dataType)
    throw new Refusal(400, `dataType: the config ${visible(config.name)} is for ${config.dataType}, not ${dataType}`);
  const problem = valueProblem(config, value);
  if (problem !== null) throw new Refusal(400, `value: the config ${visible(config.name)} ${problem}`);
  return { ...score, name: config.name, dataType: config.dataType };
}

interface ConfiguredScore {
  readonly name: string;
  readonly value: number | string;
  readonly dataType?: string | undefined;
  readonly configId?: string | undefined;
  readonly source?: string | undefined;
}

function valueProblem(
  { dataType, minValue, maxValue, categories }: ScoreConfigRecord,
  value: number | string,
): string | null {
  switch (dataType) {
    case 'NUMERIC':
      if (typeof value !== 'number') return 'takes a number';
      if (minValue !== null && value < minValue) return `takes no less than ${minValue}`;
      return maxValue !== null && value > maxValue ? `takes no more than ${maxValue}` : null;
    case 'BOOLEAN':
      return value === 0 || value === 1 ? null : 'takes 0 or 1';
    case 'CATEGORICAL':
      return categories?.some(({ label }) => label === value) === true ? null : `has no such category`;
    case 'TEXT':
      return typeof value === 'string' ? null : 'takes text';
  }
}
