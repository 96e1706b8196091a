import { z } from 'zod';

import { annotationsApi } from './annotations.ts';
import { datasetsApi } from './datasets.ts';
import { endpoint, type Endpoint } from './endpoint.ts';
import { experimentsApi } from './experiments.ts';
import { ingestionApi } from './ingestion.ts';
import { mediaApi } from './media.ts';
import { promptsApi } from './prompts.ts';
import { scoreConfigsApi } from './score-configs.ts';
import { scoresApi } from './scores.ts';
import { tracesApi } from './traces.ts';
import * as v from './values.ts';

const project = z.strictObject({
  ...v.fields(v.anyText, 'id', 'name'),
  organization: z.strictObject(v.fields(v.anyText, 'id', 'name')),
  metadata: v.anyByName,
  retentionDays: z.number().optional(),
});

export const projectsApi = {
  getProjects: endpoint('GET', '/api/public/projects', {
    answer: z.strictObject({ data: z.array(project) }),
  }),
  getHealth: endpoint('GET', '/api/public/health', {
    answer: z.strictObject(v.fields(v.anyText, 'version', 'status')),
  }),
};

/** Our own copy of the part of Langfuse's public API that is served and used here. */
export const ENDPOINTS: readonly Endpoint[] = [
  ...Object.values(annotationsApi),
  ...Object.values(datasetsApi),
  ...Object.values(experimentsApi),
  ...Object.values(ingestionApi),
  ...Object.values(mediaApi),
  ...Object.values(projectsApi),
  ...Object.values(promptsApi),
  ...Object.values(scoreConfigsApi),
  ...Object.values(scoresApi),
  ...Object.values(tracesApi),
];

/** All that answer at a path as a URL has it, names still encoded. */
export function endpointsAt(path: string): Endpoint[] {
  const parts = path.split('/');
  return ENDPOINTS.filter((candidate) => {
    const expected = candidate.path.split('/');
    return (
      expected.length === parts.length &&
      expected.every((part, at) => (part.startsWith(':') ? parts[at] !== '' : part === parts[at]))
    );
  });
}

export function endpointFor(method: string, path: string): Endpoint | null {
  return endpointsAt(path).find((candidate) => candidate.method === method) ?? null;
}
