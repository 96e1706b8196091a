import { z } from 'zod';

import { endpoint } from './endpoint.ts';

export const getHealth = endpoint('GET', '/api/public/health', {
  answer: z.strictObject({ version: z.string(), status: z.string() }),
});
