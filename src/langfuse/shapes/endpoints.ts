import * as annotationQueues from './annotation-queues.ts';
import * as comments from './comments.ts';
import * as datasetItems from './dataset-items.ts';
import * as datasetRunItems from './dataset-run-items.ts';
import * as datasetRuns from './dataset-runs.ts';
import * as datasets from './datasets.ts';
import type { Endpoint } from './endpoint.ts';
import * as experimentItems from './experiment-items.ts';
import * as experiments from './experiments.ts';
import * as ingestion from './ingestion.ts';
import * as media from './media.ts';
import * as observationsV2 from './observations-v2.ts';
import * as observations from './observations.ts';
import * as otlp from './otlp.ts';
import * as projects from './projects.ts';
import * as prompts from './prompts.ts';
import * as scoreConfigs from './score-configs.ts';
import * as scoresV2 from './scores-v2.ts';
import * as scoresV3 from './scores-v3.ts';
import * as scores from './scores.ts';
import * as traces from './traces.ts';

const SHAPES: readonly object[] = [
  annotationQueues,
  comments,
  datasetItems,
  datasetRunItems,
  datasetRuns,
  datasets,
  experimentItems,
  experiments,
  ingestion,
  media,
  observationsV2,
  observations,
  otlp,
  projects,
  prompts,
  scoreConfigs,
  scoresV2,
  scoresV3,
  scores,
  traces,
];

/** Our own copy of the part of Langfuse's public API that is served and used here: all endpoints among the shapes. */
export const ENDPOINTS: readonly Endpoint[] = SHAPES.flatMap((shapes) => Object.values(shapes).filter(isEndpoint));

function isEndpoint(shape: unknown): shape is Endpoint {
  return typeof shape === 'object' && shape !== null && 'method' in shape && 'answer' in shape;
}

/** All that answer at a path as it stands in a URL, names still encoded. */
export function endpointsAt(path: string): Endpoint[] {
  const parts = path.split('/');
  return ENDPOINTS.filter((one) => {
    const expected = one.path.split('/');
    return (
      expected.length === parts.length &&
      expected.every((part, at) => (part.startsWith(':') ? parts[at] !== '' : part === parts[at]))
    );
  });
}

export function endpointFor(method: string, path: string): Endpoint | null {
  return endpointsAt(path).find((one) => one.method === method) ?? null;
}
