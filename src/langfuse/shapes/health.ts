import { z } from 'zod';

import { endpoint } from './endpoint.ts';

export const getHealth = endpoint({
  method: 'GET',
  path: '/api/public/health',
  generation: 'both',
  answer: z.strictObject({ version: z.string(), status: z.string() }),
  status: 200,
});
