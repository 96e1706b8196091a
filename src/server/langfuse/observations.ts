import type { z } from 'zod';

import { visible } from '../../data/visible.ts';
import type { ObservationRecord } from '../../store/records.ts';
import type { Store } from '../../store/store.ts';
import { getObservation, listObservations, type observation } from '../../langfuse/shapes/observations.ts';
import { costOf, latencyOf, levelOf, timeToFirstToken, totalCost, usageOf } from './observation-facts.ts';
import { pageMeta } from './pages.ts';
import { notFound, Refusal } from '../refusal.ts';
import type { Serve } from './route.ts';

type ObservationAnswer = z.input<typeof observation>;

export function serveObservations(serve: Serve, store: Store): void {
  serve(listObservations, ({ query }) => {
    const { page, limit, filter, ...wanted } = query;
    if (filter !== undefined) throw new Refusal(400, 'filter: not part of this Langfuse-compatible subset');
    const { rows, total } = store.traces.listObservations(wanted, { page, limit });
    return { data: rows.map(observationAnswer), meta: pageMeta({ page, limit }, total) };
  });
  serve(getObservation, ({ part }) => {
    const found = store.traces.observation(part('id'));
    if (found === null) throw notFound(`The observation ${visible(part('id'))}`);
    return observationAnswer(found);
  });
}

/** An observation as the first API has it. Prices of models are not known here. */
export function observationAnswer(record: ObservationRecord): ObservationAnswer {
  const { experiment: _experiment, createdAt: _createdAt, updatedAt: _updatedAt, ...fields } = record;
  const usageDetails = usageOf(record);
  const costDetails = costOf(record);
  return {
    ...fields,
    usageDetails,
    costDetails,
    level: levelOf(record),
    usage: {
      input: usageDetails['input'] ?? 0,
      output: usageDetails['output'] ?? 0,
      total: usageDetails['total'] ?? 0,
      unit: usageDetails['total'] === undefined ? null : 'TOKENS',
    },
    promptId: null,
    modelId: null,
    inputPrice: null,
    outputPrice: null,
    totalPrice: null,
    calculatedInputCost: costDetails['input'] ?? null,
    calculatedOutputCost: costDetails['output'] ?? null,
    calculatedTotalCost: totalCost(record),
    latency: latencyOf(record),
    timeToFirstToken: timeToFirstToken(record),
  };
}
