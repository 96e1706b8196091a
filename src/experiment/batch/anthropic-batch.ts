import { z } from 'zod';

import {
  batchCall,
  type BatchAccess,
  type BatchIntent,
  batchPages,
  type BatchProtocol,
  type BatchResult,
  jsonOf,
  linesOf,
  placeAt,
  providerId as id,
  resultOf,
} from './batch-protocol.ts';

const counts = z.object({
  processing: z.number(),
  succeeded: z.number(),
  errored: z.number(),
  canceled: z.number(),
  expired: z.number(),
});

const batch = z.object({
  id,
  processing_status: z.string(),
  request_counts: counts,
  created_at: z.string(),
  results_url: z.string().nullish(),
});

const page = z.object({ data: z.array(batch), has_more: z.boolean().nullish(), last_id: z.string().nullish() });

const apiError = z.looseObject({ error: z.looseObject({ type: z.string(), message: z.string().nullish() }) });

const resultLine = z.object({
  custom_id: z.string(),
  result: z.discriminatedUnion('type', [
    z.object({ type: z.literal('succeeded'), message: z.unknown() }),
    z.object({ type: z.literal('errored'), error: z.unknown() }),
    z.object({ type: z.literal('canceled') }),
    z.object({ type: z.literal('expired') }),
  ]),
});

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
    return { isEnded: word === 'ended', word, done: totalOf(all) - all.processing };
  },

  async *results(access, batchId) {
    // Not by its results_url: the key would go wherever that leads.
    const path = `${pathOf(batchId)}/results`;
    const lines = await batchCall(access, path, { isTransfer: true }, linesOf(resultLine));
    for (const line of lines) yield lineResult(line);
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
async function* candidates(access: BatchAccess, { at, ids }: BatchIntent): AsyncGenerator<z.infer<typeof batch>> {
  const next = ({ has_more: hasMore, last_id: last }: z.infer<typeof page>): string | null =>
    hasMore !== true || last == null ? null : `&after_id=${encodeURIComponent(last)}`;
  for await (const { data } of batchPages(access, `${BATCHES}?limit=${PAGE}`, {}, page, next))
    for (const one of data) {
      if (Date.parse(one.created_at) < at - CLOCKS_MS) return;
      if (totalOf(one.request_counts) === ids.length) yield one;
    }
}

async function holds(access: BatchAccess, batchId: string, { ids }: BatchIntent): Promise<boolean> {
  const own = new Set(ids);
  for await (const { id: requestId } of anthropicBatch.results(access, batchId)) if (own.has(requestId)) return true;
  return false;
}

function totalOf(all: z.infer<typeof counts>): number {
  return all.processing + all.succeeded + all.errored + all.canceled + all.expired;
}

function pathOf(batchId: string): string {
  return `${BATCHES}/${encodeURIComponent(batchId)}`;
}

function lineResult({ custom_id, result }: z.infer<typeof resultLine>): BatchResult {
  if (result.type === 'succeeded') return resultOf(custom_id, 200, result.message);
  if (result.type !== 'errored') return { id: custom_id, unanswered: result.type };
  const { data: error } = apiError.safeParse(result.error);
  if (error === undefined) return { id: custom_id, unanswered: 'errored' };
  return resultOf(custom_id, STATUS[error.error.type] ?? 500, { type: 'error', ...error });
}
