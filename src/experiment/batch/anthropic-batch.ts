import { z } from 'zod';

import { isRecord } from '../../data/record-fields.ts';
import {
  batchCall,
  type BatchAccess,
  type BatchIntent,
  batchPages,
  type BatchProtocol,
  type BatchResult,
  errorText,
  jsonOf,
  placeAt,
  providerId as id,
  providerTime,
  resultOf,
  resultsOf,
  stateWord,
} from './batch-protocol.ts';

const counts = z.object({
  processing: z.number(),
  succeeded: z.number(),
  errored: z.number(),
  canceled: z.number(),
  expired: z.number(),
});

const batch = z.object({ processing_status: stateWord, request_counts: counts.nullish().catch(null) });
const listedBatch = batch.extend({ id, created_at: providerTime });
const page = z.object({ data: z.array(listedBatch), has_more: z.boolean().nullish(), last_id: z.string().nullish() });

const apiError = z.looseObject({ error: z.looseObject({ type: z.string(), message: z.string().nullish() }) });

const resultLine = z.object({ custom_id: z.string(), result: z.unknown().optional() });

/** The status under which a single call reports each kind of error. */
const STATUS: Readonly<Record<string, number>> = {
  invalid_request_error: 400,
  authentication_error: 401,
  billing_error: 402,
  permission_error: 403,
  not_found_error: 404,
  request_too_large: 413,
  rate_limit_error: 429,
  api_error: 500,
  timeout_error: 504,
  overloaded_error: 529,
};

const CALL = '/messages';
const BATCHES = '/messages/batches';
const PAGE = 1000;
/** The clocks of two machines may differ by this much. */
const CLOCKS_MS = 10 * 60_000;

/** Anthropic's Message Batches: requests in the call itself, a file of results. A batch has no name there. */
export const anthropicBatch: BatchProtocol = {
  // 100,000 requests and 256 MB; the bytes are held in memory.
  most: { requests: 100_000, bytes: 64 << 20 },

  placeOf: (url, body) => placeAt(CALL, url, body),

  async submit(access, _place, _intent, requests) {
    const json = { requests: requests.map(({ id: custom_id, body: params }) => ({ custom_id, params })) };
    const call = { method: 'POST', json, isTransfer: true } as const;
    return (await batchCall(access, BATCHES, call, jsonOf(z.object({ id })))).id;
  },

  async poll(access, batchId) {
    const { processing_status: word, request_counts: all } = await batchCall(
      access,
      pathOf(batchId),
      {},
      jsonOf(batch),
    );
    const [done, paid] = all == null ? [null, null] : [totalOf(all) - all.processing, all.succeeded];
    return { isEnded: word === 'ended', word, done, paid };
  },

  async *results(access, batchId) {
    // Not by its results_url: the key would go wherever that leads.
    const path = `${pathOf(batchId)}/results`;
    yield* await batchCall(access, path, { isTransfer: true }, resultsOf('the results', lineResult));
  },

  async cancel(access, batchId) {
    await batchCall(access, `${pathOf(batchId)}/cancel`, { method: 'POST' }, () => Promise.resolve());
  },

  /** By time and size, and once it has ended by the ids of its requests: one that still runs may be someone else's. */
  async findSubmitted(access, intent, others) {
    const running: string[] = [];
    for await (const { id: batchId, processing_status: word } of candidates(access, intent)) {
      if (others.has(batchId)) continue;
      if (word !== 'ended') running.push(batchId);
      else if (await holds(access, batchId, intent)) return batchId;
    }
    return running.at(-1) ?? null;
  },
};

/** Newest first, as the provider lists them. */
async function* candidates(access: BatchAccess, { at, ids }: BatchIntent): AsyncGenerator<z.infer<typeof listedBatch>> {
  const next = ({ has_more: hasMore, last_id: last }: z.infer<typeof page>): string | null =>
    hasMore !== true || last == null ? null : `&after_id=${encodeURIComponent(last)}`;
  for await (const { data } of batchPages(access, `${BATCHES}?limit=${PAGE}`, {}, page, next))
    for (const one of data) {
      if (one.created_at < at - CLOCKS_MS) return;
      if (one.request_counts != null && totalOf(one.request_counts) === ids.length) yield one;
    }
}

async function holds(access: BatchAccess, batchId: string, { ids }: BatchIntent): Promise<boolean> {
  const own = new Set(ids);
  for await (const { id: requestId } of anthropicBatch.results(access, batchId))
    if (requestId !== null && own.has(requestId)) return true;
  return false;
}

function totalOf(all: z.infer<typeof counts>): number {
  return all.processing + all.succeeded + all.errored + all.canceled + all.expired;
}

function pathOf(batchId: string): string {
  return `${BATCHES}/${encodeURIComponent(batchId)}`;
}

function lineResult(line: unknown): BatchResult | null {
  const { data } = resultLine.safeParse(line);
  if (data === undefined) return null;
  const { custom_id: lineId, result } = data;
  if (!isRecord(result)) return { id: lineId, unreadable: '' };
  const { type, message, error } = result;
  if (type === 'succeeded' && isRecord(message)) return resultOf(lineId, 200, message);
  if (type === 'canceled' || type === 'expired') return { id: lineId, unanswered: type };
  if (type !== 'errored') return { id: lineId, unreadable: '' };
  const { data: known } = apiError.safeParse(error);
  if (known === undefined) return { id: lineId, unanswered: errorText(error) ?? type };
  return resultOf(lineId, STATUS[known.error.type] ?? 500, { type: 'error', ...known });
}
