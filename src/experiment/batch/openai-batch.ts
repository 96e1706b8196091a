import { z } from 'zod';

import { isRecord } from '../../data/record-fields.ts';
import {
  batchCall,
  type BatchAccess,
  batchPages,
  type BatchProtocol,
  type BatchResult,
  jsonOf,
  linesOf,
  placeAt,
  providerId as id,
  resultOf,
} from './batch-protocol.ts';

const batch = z.object({
  id,
  status: z.string(),
  created_at: z.number(),
  output_file_id: id.nullish(),
  error_file_id: id.nullish(),
  request_counts: z.object({ completed: z.number(), failed: z.number() }).nullish(),
  errors: z.object({ data: z.array(z.object({ message: z.string().nullish() })).nullish() }).nullish(),
  metadata: z.record(z.string(), z.unknown()).nullish(),
});
type Batch = z.infer<typeof batch>;

const page = z.object({ data: z.array(batch), has_more: z.boolean().nullish() });
const file = z.object({ id });

const resultLine = z.object({
  custom_id: z.string(),
  response: z.object({ status_code: z.number(), body: z.unknown() }).nullish(),
  error: z.object({ code: z.string().nullish(), message: z.string().nullish() }).nullish(),
});

const ENDED = new Set(['completed', 'failed', 'expired', 'cancelled']);
const CALL = '/chat/completions';
/** The endpoint as a batch names it, wherever the server has it. */
const ENDPOINT = '/v1/chat/completions';
const NAME_KEY = 'assay_batch';
const PAGE = 100;
/** Batches that are this much older than an intent are not its own, whatever the clocks show. */
const CLOCKS_MS = 24 * 60 * 60_000;

/** OpenAI's batches, and those of servers that have taken over the protocol: a file of requests, a file of results. */
export const openaiBatch: BatchProtocol = {
  // 50,000 requests and 200 MB at OpenAI; the bytes are held in memory.
  most: { requests: 50_000, bytes: 64 << 20 },

  placeOf: (url, body) => placeAt(CALL, url, body),

  async submit(access, _place, { name }, requests) {
    const lines = requests.map(({ id: custom_id, body }) =>
      JSON.stringify({ custom_id, method: 'POST', url: ENDPOINT, body }),
    );
    const form = new FormData();
    form.append('purpose', 'batch');
    form.append('file', new Blob([`${lines.join('\n')}\n`], { type: 'application/jsonl' }), `${name}.jsonl`);
    const input = await batchCall(access, '/files', { method: 'POST', form, isTransfer: true }, jsonOf(file));
    const json = {
      input_file_id: input.id,
      endpoint: ENDPOINT,
      completion_window: '24h',
      metadata: { [NAME_KEY]: name },
    };
    const created = await batchCall(access, '/batches', { method: 'POST', json }, jsonOf(z.object({ id })));
    return created.id;
  },

  async poll(access, batchId) {
    const { status, request_counts: counts, errors } = await retrieve(access, batchId);
    const done = counts == null ? null : counts.completed + counts.failed;
    return { isEnded: ENDED.has(status), word: status, done, fault: errors?.data?.[0]?.message ?? undefined };
  },

  async *results(access, batchId) {
    const { output_file_id: output, error_file_id: errors } = await retrieve(access, batchId);
    for (const name of [output, errors]) {
      if (name == null) continue;
      const path = `/files/${encodeURIComponent(name)}/content`;
      const lines = await batchCall(access, path, { isTransfer: true }, linesOf(resultLine));
      for (const line of lines) yield lineResult(line);
    }
  },

  async findSubmitted(access, { name, at }) {
    const next = ({ data, has_more: hasMore }: z.infer<typeof page>): string | null => {
      const last = data.at(-1);
      if (hasMore !== true || last === undefined || last.created_at * 1000 < at - CLOCKS_MS) return null;
      return `&after=${encodeURIComponent(last.id)}`;
    };
    for await (const { data } of batchPages(access, `/batches?limit=${PAGE}`, {}, page, next)) {
      const own = data.find(({ metadata }) => isRecord(metadata) && metadata[NAME_KEY] === name);
      if (own !== undefined) return own.id;
    }
    return null;
  },
};

function retrieve(access: BatchAccess, batchId: string): Promise<Batch> {
  return batchCall(access, pathOf(batchId), {}, jsonOf(batch));
}

function pathOf(batchId: string): string {
  return `/batches/${encodeURIComponent(batchId)}`;
}

function lineResult({ custom_id, response, error }: z.infer<typeof resultLine>): BatchResult {
  if (response != null) return resultOf(custom_id, response.status_code, response.body);
  return { id: custom_id, unanswered: error?.message ?? error?.code ?? 'no response' };
}
