import * as annotations from './annotations.ts';
import * as datasets from './datasets.ts';
import type { Endpoint } from './endpoint.ts';
import * as experiments from './experiments.ts';
import * as ingestion from './ingestion.ts';
import * as media from './media.ts';
import * as observations from './observations.ts';
import * as otlp from './otlp.ts';
import * as projects from './projects.ts';
import * as prompts from './prompts.ts';
import * as scoreConfigs from './score-configs.ts';
import * as scores from './scores.ts';
import * as traces from './traces.ts';

const SHAPES: readonly object[] = [
  annotations,
  datasets,
  experiments,
  ingestion,
  media,
  observations,
  otlp,
  projects,
  prompts,
  scoreConfigs,
  scores,
  traces,
];

/** Our own copy of the part of Langfuse's public API that is served and used here: all endpoints among the shapes. */
export const ENDPOINTS: readonly Endpoint[] = SHAPES.flatMap((shapes) => Object.values(shapes).filter(isEndpoint));

function isEndpoint(shape: unknown): shape is Endpoint {
  return typeof shape === 'object' && shape !== null && 'method' in shape && 'answer' in shape;
}

/** All that answer at a path as a URL has it, names still encoded. */
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
