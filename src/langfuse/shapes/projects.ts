import { z } from 'zod';

import { endpoint } from './endpoint.ts';
import { anyByName } from './values.ts';

const project = z.strictObject({
  id: z.string(),
  name: z.string(),
  organization: z.strictObject({ id: z.string(), name: z.string() }),
  metadata: anyByName,
  retentionDays: z.number().optional(),
});

export const getProjects = endpoint('GET', '/api/public/projects', {
  answer: z.strictObject({ data: z.array(project) }),
});

export const getHealth = endpoint('GET', '/api/public/health', {
  answer: z.strictObject({ version: z.string(), status: z.string() }),
});
