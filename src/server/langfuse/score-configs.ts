import { randomUUID } from 'node:crypto';

import { visible } from '../../data/visible.ts';
import { defined } from '../../experiment/defined.ts';
import { scoreConfigBody, scoreConfigsApi, TRUTH_CATEGORIES } from '../../langfuse/shapes/score-configs.ts';
import type { ScoreConfigRecord } from '../../store/score-configs.ts';
import type { Store } from '../../store/store.ts';
import { existing, Refusal } from '../refusal.ts';
import { parsedBody } from '../request-body.ts';
import { type ApiRoute, apiRoute, PROJECT_ID } from './api-route.ts';
import { pageAnswer } from './pages.ts';

export function scoreConfigRoutes(store: Store): ApiRoute[] {
  const answer = ({ categories, ...config }: ScoreConfigRecord) => ({
    ...config,
    projectId: PROJECT_ID,
    categories: categories === null ? null : [...categories],
  });
  return [
    apiRoute(scoreConfigsApi.listScoreConfigs, ({ query }) =>
      pageAnswer(query, store.scoreConfigs.list(query), answer),
    ),
    apiRoute(scoreConfigsApi.createScoreConfig, ({ body }) => {
      const { name, dataType } = body;
      const categories = dataType === 'BOOLEAN' ? TRUTH_CATEGORIES : (body.categories ?? null);
      return answer(store.scoreConfigs.save({ ...defined(body), id: randomUUID(), name, dataType, categories }));
    }),
    apiRoute(scoreConfigsApi.getScoreConfig, ({ part }) => answer(configOf(store, part('id')))),
    apiRoute(scoreConfigsApi.updateScoreConfig, ({ part, body }) =>
      store.transaction(() => {
        const { id, name, dataType, minValue, maxValue, categories, description } = configOf(store, part('id'));
        // The result has to be a valid config, whichever part of it was sent.
        if (dataType === 'BOOLEAN' && body.categories !== undefined)
          throw new Refusal(400, 'categories: those of a BOOLEAN config are always True and False');
        const values = dataType === 'BOOLEAN' ? {} : { minValue, maxValue, categories };
        parsedBody(scoreConfigBody, { name, dataType, description, ...values, ...defined(body) }, 'config');
        return answer(store.scoreConfigs.save({ name, dataType, ...defined(body), id }));
      }),
    ),
  ];
}

function configOf(store: Store, id: string): ScoreConfigRecord {
  return existing(store.scoreConfigs.get(id), `The score config ${visible(id)}`);
}

interface ConfiguredScore {
  readonly name: string;
  readonly value: number | string;
  readonly dataType?: string | undefined;
  readonly configId?: string | undefined;
  readonly source?: string | undefined;
}

/** A score as its config has it: the name and the type are the config's, and the value has to fit. */
export function fitScoreConfig<Score extends ConfiguredScore>(store: Store, score: Score): Score {
  const { configId, source, value, dataType } = score;
  if (configId === undefined) {
    if (source === 'ANNOTATION') throw new Refusal(400, 'configId: has to be there, since the source is ANNOTATION');
    return score;
  }
  const config = configOf(store, configId);
  const name = visible(config.name);
  if (config.isArchived) throw new Refusal(400, `configId: the config ${name} is archived; restore it first`);
  if (dataType !== undefined && dataType !== config.dataType)
    throw new Refusal(400, `dataType: the config ${name} is for ${config.dataType}, not ${dataType}`);
  const problem = valueProblem(config, value);
  if (problem !== null) throw new Refusal(400, `value: the config ${name} ${problem}`);
  return { ...score, name: config.name, dataType: config.dataType };
}

function valueProblem(config: ScoreConfigRecord, value: number | string): string | null {
  const { dataType, minValue, maxValue, categories } = config;
  switch (dataType) {
    case 'NUMERIC':
      if (typeof value !== 'number') return 'takes a number';
      if (minValue !== null && value < minValue) return `takes no less than ${minValue}`;
      return maxValue !== null && value > maxValue ? `takes no more than ${maxValue}` : null;
    case 'BOOLEAN':
      return value === 0 || value === 1 ? null : 'takes 0 or 1';
    case 'CATEGORICAL':
      return categories?.some(({ label }) => label === value) === true ? null : 'has no such category';
    case 'TEXT':
      return typeof value === 'string' ? null : 'takes text';
  }
}
