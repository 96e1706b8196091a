import { z } from 'zod';

import { UsageError } from '../data/problems.ts';
import { SERVED_SUFFIX } from './langfuse/project.ts';

const PATIENCE_MS = 500;
/** What a review server asks everybody for who comes without a link. */
export const REVIEW_REALM = 'Bearer realm="assay review"';

/** Says who has a port, as far as it tells. */
export async function portTaken(host: string, port: number): Promise<UsageError> {
  const next = 'Name another port with --port, or let any free one be taken with --port 0.';
  const who = await whoIsAt(host, port);
  if (who === null) return new UsageError(`port ${port} of ${host} is taken by another program`, next);
  const isReview = who === 'assay review serve';
  const also = isReview ? 'It serves all reviews of its data folder, also those made since it began. ' : '';
  return new UsageError(`port ${port} of ${host} is taken: another ${who} runs there`, `${also}${next}`);
}

async function whoIsAt(host: string, port: number): Promise<string | null> {
  const name = host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '::1' : host;
  const url = `http://${name.includes(':') ? `[${name}]` : name}:${port}/api/public/health`;
  try {
    const answer = await fetch(url, { signal: AbortSignal.timeout(PATIENCE_MS), redirect: 'error' });
    if (answer.headers.get('www-authenticate') === REVIEW_REALM) return 'assay review serve';
    const { version } = z.object({ version: z.string() }).parse(await answer.json());
    return version.endsWith(SERVED_SUFFIX) ? 'assay serve' : null;
  } catch {
    return null;
  }
}
