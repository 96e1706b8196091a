import { z } from 'zod';

import { UsageError } from '../../data/problems.ts';
import { SERVED_SUFFIX } from './health.ts';

const PATIENCE_MS = 500;

/** Says who has a port, as far as it tells. */
export async function portTaken(host: string, port: number): Promise<UsageError> {
  const next = 'Name another port with --port, or let any free one be taken with --port 0.';
  if (await isOurs(host, port))
    return new UsageError(`port ${port} of ${host} is taken: another assay serve runs there`, next);
  return new UsageError(`port ${port} of ${host} is taken by another program`, next);
}

async function isOurs(host: string, port: number): Promise<boolean> {
  try {
    const url = `http://${host.includes(':') ? `[${host}]` : host}:${port}/api/public/health`;
    const answer = await fetch(url, { signal: AbortSignal.timeout(PATIENCE_MS), redirect: 'error' });
    const { version } = z.object({ version: z.string() }).parse(await answer.json());
    return version.endsWith(SERVED_SUFFIX);
  } catch {
    return false;
  }
}
