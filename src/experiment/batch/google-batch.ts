import { z } from 'zod';

import { isRecord } from '../../data/record-fields.ts';
import {
  batchCall,
  type BatchAccess,
  batchPages,
  type BatchProtocol,
  type BatchResult,
  errorText,
  jsonOf,
  providerTime,
  requestCount,
  resultOf,
  resultsOf,
  stateWord,
} from './batch-protocol.ts';

const name = z.string().regex(/^batches\/[\w.-]{1,200}$/);
const count = requestCount.nullish().catch(null);

const rpcError = z.object({ code: z.number().nullish(), message: z.string().nullish() });

/** Results in a file have their key beside the response, those in the batch in `metadata`. */
const resultLine = z
  .union([
    z.object({ key: z.string(), response: z.unknown().optional(), error: z.unknown().optional() }),
    z
      .object({
        metadata: z.object({ key: z.string() }),
        response: z.unknown().optional(),
        error: z.unknown().optional(),
      })
      .transform(({ metadata: { key }, response, error }) => ({ key, response, error })),
  ])
  .nullable()
  .catch(null);

const output = z
  .object({
    inlinedResponses: z
      .object({ inlinedResponses: z.array(z.unknown()).nullish() })
      .nullish()
      .catch(null),
    responsesFile: z
      .string()
      .regex(/^files\/[\w.-]{1,200}$/)
      .nullish()
      .catch(null),
  })
  .nullish()
  .catch(null);

const operation = z.object({
  metadata: z.object({
    state: stateWord.nullish().catch(null),
    batchStats: z
      .object({
        requestCount: count,
        successfulRequestCount: count,
        failedRequestCount: count,
        pendingRequestCount: count,
      })
      .nullish()
      .catch(null),
    output,
  }),
  error: rpcError.nullish().catch(null),
  response: output,
});
type Operation = z.infer<typeof operation>;

const listedOperation = z.object({
  name,
  metadata: z.object({ displayName: z.string().nullish(), createTime: providerTime }),
});
const page = z.object({ operations: z.array(listedOperation).nullish(), nextPageToken: z.string().nullish() });

const ENDED = new Set(['succeeded', 'failed', 'cancelled', 'expired']);
/** `BATCH_STATE_RUNNING`, and `JOB_STATE_RUNNING` at some servers. */
const STATE = /^(?:batch|job)_state_/;
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
    const word = (metadata.state ?? 'unspecified').replace(STATE, '');
    const { requestCount: total, ...stats } = metadata.batchStats ?? {};
    const pending = stats.pendingRequestCount ?? null;
    const done = total == null || pending === null ? null : total - pending;
    // Counts that are 0 are left out.
    const rest = total == null ? null : total - (stats.failedRequestCount ?? 0) - (pending ?? 0);
    const paid = stats.successfulRequestCount ?? rest;
    return { isEnded: ENDED.has(word), word, done, paid, fault: errorText(error?.message) ?? undefined };
  },

  async *results(access, batchId) {
    const { metadata, response } = await retrieve(access, batchId);
    const inlined = metadata.output?.inlinedResponses ?? response?.inlinedResponses;
    for (const [at, value] of (inlined?.inlinedResponses ?? []).entries()) {
      const result = lineResult(value) ?? { id: null, unreadable: '' };
      yield 'unreadable' in result
        ? { ...result, unreadable: `response ${at + 1} of the batch cannot be read` }
        : result;
    }
    const file = response?.responsesFile ?? metadata.output?.responsesFile;
    if (file == null) return;
    const { origin, pathname } = new URL(access.baseUrl);
    const path = `/${file}:download?alt=media`;
    const transfer = { ...access, baseUrl: `${origin}/download${pathname}` };
    yield* await batchCall(transfer, path, { isTransfer: true }, resultsOf(file, lineResult));
  },

  async cancel(access, batchId) {
    await batchCall(access, `/${batchId}:cancel`, { method: 'POST' }, () => Promise.resolve());
  },

  async findSubmitted(access, { name: displayName, at }) {
    const next = ({ operations, nextPageToken: token }: z.infer<typeof page>): string | null => {
      const last = operations?.at(-1)?.metadata.createTime ?? NaN;
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

function lineResult(line: unknown): BatchResult | null {
  const result = resultLine.parse(line);
  if (result === null) return null;
  const { key: id, response, error } = result;
  if (error != null) {
    const { code: sent, message } = rpcError.catch({}).parse(error);
    const code = sent ?? 2;
    // Some servers send the HTTP status itself.
    const [status, word] = CODES[code] ?? (code >= 400 && code < 600 ? [code, ''] : [500, 'UNKNOWN']);
    return resultOf(id, status, { error: { code: status, message: message ?? errorText(error) ?? '', status: word } });
  }
  return isRecord(response) ? resultOf(id, 200, response) : { id, unreadable: '' };
}
