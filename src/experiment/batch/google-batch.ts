import { z } from 'zod';

import {
  batchCall,
  type BatchAccess,
  batchPages,
  type BatchProtocol,
  type BatchResult,
  jsonOf,
  resultOf,
} from './batch-protocol.ts';

const name = z.string().regex(/^batches\/[\w.-]{1,200}$/);
const count = z.coerce.number().catch(0);

const rpcError = z.object({ code: z.number().nullish(), message: z.string().nullish() });

const inlinedResponse = z.object({
  metadata: z.object({ key: z.string() }),
  response: z.unknown().optional(),
  error: rpcError.nullish(),
});

const output = z.object({
  inlinedResponses: z.object({ inlinedResponses: z.array(z.unknown()).nullish() }).nullish(),
});

const operation = z.object({
  name,
  metadata: z.object({
    displayName: z.string().nullish(),
    state: z.string().nullish(),
    createTime: z.string().nullish(),
    batchStats: z.object({ requestCount: count, pendingRequestCount: count.optional() }).nullish(),
    output: output.nullish(),
  }),
  error: rpcError.nullish(),
  response: output.nullish(),
});
type Operation = z.infer<typeof operation>;

const page = z.object({ operations: z.array(operation).nullish(), nextPageToken: z.string().nullish() });

const ENDED = new Set(['SUCCEEDED', 'FAILED', 'CANCELLED', 'EXPIRED']);
/** `BATCH_STATE_RUNNING`, and `JOB_STATE_RUNNING` at some servers. */
const STATE = /^(?:BATCH|JOB)_STATE_/;
const CALL = /^(?<base>.*)\/models\/(?<model>[^/:]+):generateContent$/;
const PAGE = 100;
const CLOCKS_MS = 24 * 60 * 60_000;

/** The HTTP status and the name of each code of google.rpc.Status that a single call would report. */
const CODES: Readonly<Record<number, readonly [status: number, name: string]>> = {
  1: [503, 'CANCELLED'],
  3: [400, 'INVALID_ARGUMENT'],
  4: [504, 'DEADLINE_EXCEEDED'],
  5: [404, 'NOT_FOUND'],
  7: [403, 'PERMISSION_DENIED'],
  8: [429, 'RESOURCE_EXHAUSTED'],
  9: [400, 'FAILED_PRECONDITION'],
  11: [400, 'OUT_OF_RANGE'],
  12: [501, 'UNIMPLEMENTED'],
  13: [500, 'INTERNAL'],
  14: [503, 'UNAVAILABLE'],
  16: [401, 'UNAUTHENTICATED'],
};

/** Gemini's batches with their requests in the call itself, and the results in the batch. */
export const googleBatch: BatchProtocol = {
  // 20 MB is the limit of a call.
  most: { requests: 10_000, bytes: 15 << 20 },

  placeOf({ origin, pathname, search }) {
    const { base, model } = CALL.exec(pathname)?.groups ?? {};
    if (base === undefined || model === undefined || search !== '') return null;
    return { baseUrl: `${origin}${base}`, path: `/models/${model}:generateContent`, model };
  },

  async submit(access, { model }, { name: displayName }, requests) {
    const inlined = requests.map(({ id: key, body: request }) => ({ request, metadata: { key } }));
    const json = { batch: { displayName, inputConfig: { requests: { requests: inlined } } } };
    const call = { method: 'POST', json, isTransfer: true } as const;
    return (await batchCall(access, `/models/${model}:batchGenerateContent`, call, jsonOf(z.object({ name })))).name;
  },

  async poll(access, batchId) {
    const { metadata, error } = await retrieve(access, batchId);
    const word = (metadata.state ?? 'UNSPECIFIED').replace(STATE, '');
    const { requestCount, pendingRequestCount } = metadata.batchStats ?? {};
    const done =
      requestCount === undefined || pendingRequestCount === undefined ? null : requestCount - pendingRequestCount;
    return { isEnded: ENDED.has(word), word: word.toLowerCase(), done, fault: error?.message ?? undefined };
  },

  async *results(access, batchId) {
    const { metadata, response } = await retrieve(access, batchId);
    const held = metadata.output?.inlinedResponses ?? response?.inlinedResponses;
    for (const one of held?.inlinedResponses ?? []) {
      const { data } = inlinedResponse.safeParse(one);
      if (data !== undefined) yield inlinedResult(data);
    }
  },

  async findSubmitted(access, { name: displayName, at }) {
    const next = ({ operations, nextPageToken: token }: z.infer<typeof page>): string | null => {
      const last = Date.parse(operations?.at(-1)?.metadata.createTime ?? '');
      if (token == null || token === '' || last < at - CLOCKS_MS) return null;
      return `&pageToken=${encodeURIComponent(token)}`;
    };
    const path = `/batches?pageSize=${PAGE}`;
    for await (const { operations } of batchPages(access, path, { isTransfer: true }, page, next)) {
      const own = operations?.find(({ metadata }) => metadata.displayName === displayName);
      if (own !== undefined) return own.name;
    }
    return null;
  },
};

function retrieve(access: BatchAccess, batchId: string): Promise<Operation> {
  return batchCall(access, `/${batchId}`, { isTransfer: true }, jsonOf(operation));
}

function inlinedResult({ metadata: { key: id }, response, error }: z.infer<typeof inlinedResponse>): BatchResult {
  if (error != null) {
    const code = error.code ?? 2;
    // Some servers send the HTTP status itself.
    const [status, word] = CODES[code] ?? (code >= 400 ? [code, ''] : [500, 'UNKNOWN']);
    return resultOf(id, status, { error: { code: status, message: error.message ?? '', status: word } });
  }
  return response === undefined ? { id, unanswered: 'no response' } : resultOf(id, 200, response);
}
