import { z } from 'zod';

import { isRecord } from '../../data/record-fields.ts';
import { TargetError } from '../targets/target.ts';
import {
  batchCall,
  type BatchAccess,
  batchPages,
  type BatchProtocol,
  type BatchResult,
  errorText,
  fileId,
  jsonOf,
  placeAt,
  providerId as id,
  providerTime,
  requestCount,
  resultOf,
  resultsOf,
  stateWord,
} from './batch-protocol.ts';

const tokens = z.int().min(0).nullish();

/** Fields that Responses and chat completions name differently: the other pair is absent or 0. */
const usageShape = z
  .object({ prompt_tokens: tokens, completion_tokens: tokens, input_tokens: tokens, output_tokens: tokens })
  .transform((usage) => ({
    inputTokens: usage.input_tokens || usage.prompt_tokens || 0,
    outputTokens: usage.output_tokens || usage.completion_tokens || 0,
  }))
  .optional()
  .catch(undefined);

const counts = z.object({ completed: requestCount, failed: requestCount.catch(0) });

/** Servers that have taken over the protocol agree on little more than the status: nothing else makes it unreadable. */
const batch = z.object({
  status: stateWord,
  output_file_id: fileId,
  error_file_id: fileId,
  request_counts: counts.nullish().catch(null),
  errors: z.unknown().optional(),
  usage: usageShape,
});
type Batch = z.infer<typeof batch>;

const listedBatch = z.object({
  id,
  created_at: providerTime,
  metadata: z.record(z.string(), z.unknown()).catch({}),
  input_file_id: fileId,
});
const page = z.object({ data: z.array(listedBatch), has_more: z.boolean().nullish() });
const file = z.object({ id });
const namedFile = z.object({ filename: z.string() });
/** Together has the batch in `job`. */
const created = z.union([file, z.object({ job: file }).transform(({ job }) => job)]);

const resultLine = z.object({
  custom_id: z.string(),
  response: z.record(z.string(), z.unknown()).nullish(),
  error: z.unknown().optional(),
});
const statusCode = z.coerce.number().pipe(z.int().min(100).max(599));

const ENDED = new Set(['completed', 'failed', 'expired', 'cancelled', 'canceled']);
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
    return (await batchCall(access, '/batches', { method: 'POST', json }, jsonOf(created))).id;
  },

  async poll(access, batchId) {
    const { status: word, request_counts: all, errors, usage } = await retrieve(access, batchId);
    const done = all == null ? null : all.completed + all.failed;
    const [fault] = isRecord(errors) && Array.isArray(errors['data']) ? (errors['data'] as unknown[]) : [];
    const state = { isEnded: ENDED.has(word), word, done, paid: all?.completed ?? null, usage };
    return { ...state, fault: errorText(fault) ?? undefined };
  },

  async *results(access, batchId) {
    const { output_file_id: output, error_file_id: errors } = await retrieve(access, batchId);
    for (const name of [output, errors]) {
      if (name == null) continue;
      const path = `/files/${encodeURIComponent(name)}/content`;
      yield* await batchCall(access, path, { isTransfer: true }, resultsOf(name, lineResult));
    }
  },

  async cancel(access, batchId) {
    await batchCall(access, `${pathOf(batchId)}/cancel`, { method: 'POST' }, () => Promise.resolve());
  },

  async findSubmitted(access, { name, at }, others) {
    const nameless: z.infer<typeof listedBatch>[] = [];
    let hasNames = false;
    const next = ({ data, has_more: hasMore }: z.infer<typeof page>): string | null => {
      const last = data.at(-1);
      if (hasMore !== true || last === undefined || last.created_at < at - CLOCKS_MS) return null;
      return `&after=${encodeURIComponent(last.id)}`;
    };
    for await (const { data } of batchPages(access, `/batches?limit=${PAGE}`, {}, page, next)) {
      const namesake = data.find(({ metadata }) => metadata[NAME_KEY] === name);
      if (namesake !== undefined) return namesake.id;
      hasNames ||= data.some(({ metadata }) => Object.keys(metadata).length > 0);
      nameless.push(
        ...data.filter(({ id: batchId, created_at: time }) => !others.has(batchId) && !(time < at - CLOCKS_MS)),
      );
    }
    if (hasNames) return null;
    // Servers that do not keep metadata keep the name of the file.
    for (const { id: batchId, input_file_id: fileName } of nameless)
      if ((await nameOfFile(access, fileName)) === `${name}.jsonl`) return batchId;
    return null;
  },
};

function retrieve(access: BatchAccess, batchId: string): Promise<Batch> {
  return batchCall(access, pathOf(batchId), {}, jsonOf(batch));
}

/** Throws as for a list that is not there if nothing shows whose batch it is. */
async function nameOfFile(access: BatchAccess, name: z.infer<typeof fileId>): Promise<string> {
  if (name != null)
    return (await batchCall(access, `/files/${encodeURIComponent(name)}`, {}, jsonOf(namedFile))).filename;
  throw new TargetError({ kind: 'access', status: 404, message: 'its batches are listed without names' });
}

function pathOf(batchId: string): string {
  return `/batches/${encodeURIComponent(batchId)}`;
}

function lineResult(line: unknown): BatchResult | null {
  const { data } = resultLine.safeParse(line);
  if (data === undefined) return null;
  const { custom_id: lineId, response, error } = data;
  const why = errorText(error);
  // The first versions of vLLM write the completion without a frame around it, later ones null as the body of an error.
  const body = response?.['choices'] === undefined ? response?.['body'] : response;
  const status = statusCode.safeParse(response?.['status_code'] ?? (body === response ? 200 : undefined)).data;
  if (status !== undefined && status >= 400) return resultOf(lineId, status, body ?? { error: { message: why ?? '' } });
  if (status !== undefined && body != null)
    return resultOf(lineId, status, body, isRecord(body) ? usageShape.parse(body['usage']) : undefined);
  return why === null ? { id: lineId, unreadable: '' } : { id: lineId, unanswered: why };
}
