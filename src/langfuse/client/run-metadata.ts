import { z } from 'zod';

import type { DatasetRecord } from '../../store/records.ts';
import type { Connection } from './connection.ts';
import { olderRunMetadata } from './older-api.ts';

const metadata = z.record(z.string(), z.unknown());

export const experimentsAnswer = z.object({
  data: z.array(z.object({ name: z.string(), metadata: metadata.nullish() })),
});

/** Experiments are asked for by time; nothing of ours is older. */
const LONG_AGO = '2020-01-01T00:00:00.000Z';

/** What a run of this name says of itself; null where there is none. Newer servers are asked first. */
export async function runMetadata(
  connection: Connection,
  dataset: DatasetRecord,
  name: string,
): Promise<Readonly<Record<string, unknown>> | null> {
  const { api, calls, generation } = connection;
  if (generation !== 3) {
    const found = await calls.find('list experiments', experimentsAnswer, (options) =>
      api.experiments.list(
        { fromStartTime: LONG_AGO, name, datasetId: dataset.id, fields: 'core,metadata', limit: 1 },
        options,
      ),
    );
    if (found !== null && (found.data.length > 0 || generation === 4)) return found.data[0]?.metadata ?? null;
  }
  return olderRunMetadata(connection, dataset, name);
}
