import type { z } from 'zod';

import { manifestRecord } from './manifest-records.ts';
import { aggregateMetricsRecord, caseMetricsRecord } from './measure/metric-records.ts';
import { streamEvent } from './record/stream-event.ts';
import { runLogRecord } from './run-log-records.ts';
import { traceRecord } from './trace-records.ts';

type Shapes = Readonly<Record<string, { readonly about: string; readonly schema: z.ZodType }>>;

/** For `assay schema`: the records that stream commands read. */
export const STREAM_INPUTS: Shapes = {
  trace: { about: 'a record of a trace: a recorded conversation, delta by delta', schema: traceRecord },
  'run-log': { about: 'a record of a run log: what middleware did with a trace', schema: runLogRecord },
  'stream-manifest': { about: 'a record of a manifest: a frozen set of traces', schema: manifestRecord },
  'stream-event': { about: 'an event of a running conversation, for assay stream record', schema: streamEvent },
};

/** And what they write. */
export const STREAM_OUTPUTS: Shapes = {
  'stream-case-metrics': { about: 'one line of per_case.metrics.jsonl of stream measure', schema: caseMetricsRecord },
  'stream-metrics': { about: 'aggregate.metrics.json of stream measure', schema: aggregateMetricsRecord },
};
