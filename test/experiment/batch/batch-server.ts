import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

import { isRecord } from '../../../src/data/record-fields.ts';
import { chance } from '../unruly-answer.ts';

/** What becomes of a request in a batch. Only `answered` is paid for. */
export type Fate = 'answered' | 'expired' | 'canceled' | 'server' | 'invalid' | 'missing';
export type Protocol = 'openai' | 'anthropic' | 'google';

export interface BatchServerOptions {
  /** A batch ends so long after it was submitted. */
  readonly workMs?: number;
  /** Between taking a batch and answering: a process that is killed meanwhile does not learn its id. */
  readonly answerMs?: number;
  /** By the marker in the prompt, `[item i0042]`. */
  readonly fates?: Readonly<Record<string, Fate>>;
  /** How batches end. Those that fail have no results. */
  readonly end?: 'completed' | 'expired' | 'cancelled' | 'failed';
  /** So many looks at batches are refused with 503 before the first is answered. */
  readonly pollErrors?: number;
  /** So many submissions are taken, and answered with 500. */
  readonly brokenSubmits?: number;
  /** Results hold a request that nobody made, the first one twice, and a line that is no JSON. */
  readonly isUntidy?: boolean;
  /** Single calls that are refused with 429 first. */
  readonly singleRefusals?: number;
  readonly hasNoBatches?: boolean;
  /** What is answered to a request; a function of its marker unless given. */
  readonly answer?: (body: unknown) => string;
}

export interface BatchServerStats {
  /** How often each item was paid for, by marker. */
  readonly batched: Readonly<Record<string, number>>;
  readonly single: Readonly<Record<string, number>>;
  readonly batches: number;
  readonly polls: number;
}

interface HeldRequest {
  readonly id: string;
  readonly fate: Fate;
  readonly text: string;
  readonly prompt: string;
}

interface HeldBatch {
  readonly id: string;
  readonly name: string;
  readonly at: number;
  readonly requests: readonly HeldRequest[];
  isCancelled: boolean;
}

const MARKER = /\[item ([^\]\s"\\]+)\]/;
const TOKENS = { input: 100, output: 20 };

export interface BatchServer {
  readonly url: string;
  stats(): BatchServerStats;
  close(): Promise<void>;
}

/** A real server that speaks the batch protocols of OpenAI, Anthropic and Google, and their single calls. */
export async function startBatchServer(options: BatchServerOptions = {}): Promise<BatchServer> {
  const { workMs = 0, answerMs = 0, fates = {}, end = 'completed', isUntidy = false } = options;
  let { pollErrors = 0, brokenSubmits = 0, singleRefusals = 0 } = options;
  const answer = options.answer ?? ((body: unknown): string => answerTo(JSON.stringify(body)));
  const files = new Map<string, string>();
  const batches: HeldBatch[] = [];
  const paid = { batched: new Map<string, number>(), single: new Map<string, number>() };
  let polls = 0;
  let number = 0;

  const pay = (how: keyof typeof paid, prompt: string): void => {
    const item = MARKER.exec(prompt)?.[1] ?? 'unknown';
    paid[how].set(item, (paid[how].get(item) ?? 0) + 1);
  };

  const take = async (name: string, requests: readonly { id: string; body: unknown }[]): Promise<HeldBatch> => {
    const held = requests.map(({ id, body }): HeldRequest => {
      const prompt = JSON.stringify(body);
      const own = fates[MARKER.exec(prompt)?.[1] ?? ''] ?? 'answered';
      const fate = end === 'failed' || (end === 'expired' && own === 'answered' && chance(id) < 0.5) ? 'expired' : own;
      if (fate === 'answered') pay('batched', prompt);
      return { id, fate, text: answer(body), prompt };
    });
    number += 1;
    const batch = { id: `batch_${number}`, name, at: Date.now(), requests: held, isCancelled: end === 'cancelled' };
    batches.push(batch);
    await sleep(answerMs);
    return batch;
  };

  const isOver = ({ at, isCancelled }: HeldBatch): boolean => isCancelled || Date.now() - at >= workMs;
  const named = (id: string | undefined): HeldBatch | undefined => batches.find((one) => one.id === id);

  const openai = async (path: string, method: string, body: string, query: URLSearchParams): Promise<Reply> => {
    const view = (batch: HeldBatch) => ({
      id: batch.id,
      object: 'batch',
      endpoint: '/v1/chat/completions',
      status: isOver(batch) ? end : 'in_progress',
      created_at: Math.floor(batch.at / 1000),
      output_file_id: isOver(batch) && end !== 'failed' ? `${batch.id}-output` : null,
      error_file_id: isOver(batch) && end !== 'failed' ? `${batch.id}-errors` : null,
      errors: end === 'failed' ? { data: [{ code: 'token_limit_exceeded', message: 'too many tokens' }] } : null,
      request_counts: {
        total: batch.requests.length,
        completed: isOver(batch) ? batch.requests.length : 0,
        failed: 0,
      },
      metadata: { assay_batch: batch.name },
    });
    if (path === '/files') {
      const [, content = ''] = /\r\n\r\n(\{[\s\S]*?)\r\n--/.exec(body) ?? [];
      files.set(`file-${files.size + 1}`, content);
      return [200, { id: `file-${files.size}` }];
    }
    if (path === '/batches' && method === 'POST') {
      const { input_file_id: file, metadata } = JSON.parse(body) as {
        input_file_id: string;
        metadata: Record<string, string>;
      };
      const requests = (files.get(file) ?? '')
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => JSON.parse(line) as { custom_id: string; body: unknown });
      const batch = await take(
        metadata['assay_batch'] ?? '',
        requests.map(({ custom_id: id, body: own }) => ({ id, body: own })),
      );
      return [200, view(batch)];
    }
    if (path === '/batches') return [200, listed(batches, query.get('after'), view)];
    const [, fileId, which] = /^\/files\/(batch_\d+)-(output|errors)\/content$/.exec(path) ?? [];
    const ofFile = named(fileId);
    if (ofFile !== undefined) {
      const lines = ofFile.requests.flatMap((request) => {
        const response = (status: number, own: unknown) => ({ status_code: status, request_id: 'r', body: own });
        const line = (fields: object): object[] => [{ id: `line-${request.id}`, custom_id: request.id, ...fields }];
        const failure = (code: string) => ({ response: null, error: { code, message: code } });
        if (which === 'output')
          return request.fate === 'answered' ? line({ response: response(200, completion(request)), error: null }) : [];
        if (request.fate === 'server')
          return line({ response: response(500, { error: { message: 'oops' } }), error: null });
        if (request.fate === 'invalid')
          return line({
            response: response(400, { error: { message: 'not a valid request', type: 'invalid_request_error' } }),
            error: null,
          });
        if (request.fate === 'expired') return line(failure('batch_expired'));
        return request.fate === 'canceled' ? line(failure('batch_cancelled')) : [];
      });
      return [200, linesText(lines, which === 'output' && isUntidy)];
    }
    const [, id] = /^\/batches\/(batch_\d+)$/.exec(path) ?? [];
    const batch = named(id);
    return batch === undefined ? [404, { error: { message: 'no such thing' } }] : [200, view(batch)];
  };

  const anthropic = async (path: string, method: string, body: string, query: URLSearchParams): Promise<Reply> => {
    const view = (batch: HeldBatch) => {
      const has = (fate: Fate): number => batch.requests.filter((one) => one.fate === fate).length;
      const counts = {
        processing: 0,
        succeeded: has('answered'),
        errored: has('server') + has('invalid'),
        canceled: has('canceled') + has('missing'),
        expired: has('expired'),
      };
      return {
        id: batch.id,
        type: 'message_batch',
        processing_status: isOver(batch) ? 'ended' : 'in_progress',
        created_at: new Date(batch.at).toISOString(),
        results_url: isOver(batch) ? 'https://elsewhere.example/results' : null,
        request_counts: isOver(batch)
          ? counts
          : { processing: batch.requests.length, succeeded: 0, errored: 0, canceled: 0, expired: 0 },
      };
    };
    if (path === '/messages/batches' && method === 'POST') {
      const { requests } = JSON.parse(body) as { requests: { custom_id: string; params: unknown }[] };
      return [
        200,
        view(
          await take(
            '',
            requests.map(({ custom_id: id, params }) => ({ id, body: params })),
          ),
        ),
      ];
    }
    if (path === '/messages/batches') return [200, listed(batches, query.get('after_id'), view)];
    const [, id, results] = /^\/messages\/batches\/(batch_\d+)(\/results)?$/.exec(path) ?? [];
    const batch = named(id);
    if (batch === undefined)
      return [404, { type: 'error', error: { type: 'not_found_error', message: 'no such batch' } }];
    if (results === undefined) return [200, view(batch)];
    const errored = (type: string) => ({ type: 'errored', error: { type: 'error', error: { type, message: type } } });
    const lines = batch.requests.flatMap((request) => {
      const result = {
        answered: { type: 'succeeded', message: message(request) },
        server: errored('api_error'),
        invalid: errored('invalid_request_error'),
        expired: { type: 'expired' },
        canceled: { type: 'canceled' },
        missing: null,
      }[request.fate];
      return result === null ? [] : [{ custom_id: request.id, result }];
    });
    return [200, linesText(lines, isUntidy)];
  };

  const google = async (path: string, _method: string, body: string, query: URLSearchParams): Promise<Reply> => {
    const view = (batch: HeldBatch) => {
      const states = { completed: 'SUCCEEDED', expired: 'EXPIRED', cancelled: 'CANCELLED', failed: 'FAILED' };
      const error = (code: number) => ({ error: { code, message: `code ${code}` } });
      const responses = batch.requests.flatMap((request): object[] => {
        const own = {
          answered: { response: generated(request) },
          server: error(13),
          invalid: error(3),
          expired: error(4),
          canceled: error(1),
          missing: null,
        }[request.fate];
        return own === null ? [] : [{ metadata: { key: request.id }, ...own }];
      });
      const untidy = isUntidy ? [{ metadata: { key: 'unknown' }, response: {} }, responses[0], 'no response'] : [];
      const output = { inlinedResponses: { inlinedResponses: [...responses, ...untidy] } };
      return {
        name: `batches/${batch.id}`,
        done: isOver(batch),
        metadata: {
          '@type': 'type.googleapis.com/google.ai.generativelanguage.v1main.GenerateContentBatch',
          displayName: batch.name,
          state: `BATCH_STATE_${isOver(batch) ? states[end] : 'RUNNING'}`,
          createTime: new Date(batch.at).toISOString(),
          batchStats: {
            requestCount: String(batch.requests.length),
            pendingRequestCount: isOver(batch) ? '0' : String(batch.requests.length),
          },
          ...(isOver(batch) && end !== 'failed' ? { output } : {}),
        },
        ...(end === 'failed' ? { error: { code: 8, message: 'too many tokens' } } : {}),
      };
    };
    if (path.endsWith(':batchGenerateContent')) {
      type Inlined = { request: unknown; metadata: { key: string } };
      const { batch } = JSON.parse(body) as {
        batch: { displayName: string; inputConfig: { requests: { requests: Inlined[] } } };
      };
      const requests = batch.inputConfig.requests.requests.map(({ request, metadata }) => ({
        id: metadata.key,
        body: request,
      }));
      return [200, view(await take(batch.displayName, requests))];
    }
    if (path === '/batches') {
      const from = Number(query.get('pageToken') ?? 0);
      const newest = batches.toReversed();
      const more = newest.length > from + 2 ? { nextPageToken: String(from + 2) } : {};
      return [200, { operations: newest.slice(from, from + 2).map(view), ...more }];
    }
    const batch = named(/^\/batches\/(batch_\d+)$/.exec(path)?.[1]);
    return batch === undefined ? [404, { error: { code: 404, message: 'no such batch' } }] : [200, view(batch)];
  };

  const respond = async (request: IncomingMessage, response: ServerResponse, body: string): Promise<void> => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://localhost');
    const method = request.method ?? 'GET';
    const send = (status: number, content: unknown): void => {
      const text = typeof content === 'string' ? content : JSON.stringify(content);
      response.writeHead(status, { 'content-type': 'application/json' }).end(text);
    };
    if (pathname === '/stats') return send(200, stats());
    if (/\/(?:chat\/completions|messages)$|:generateContent$/.test(pathname)) {
      singleRefusals -= 1;
      if (singleRefusals >= 0) return send(429, { error: { message: 'slow down' } });
      const held: HeldRequest = { id: '', fate: 'answered', text: answer(JSON.parse(body)), prompt: body };
      pay('single', body);
      if (pathname.endsWith('/messages')) return send(200, message(held));
      return send(200, pathname.endsWith(':generateContent') ? generated(held) : completion(held));
    }
    if (options.hasNoBatches === true) return send(404, { error: { message: 'no such path' } });
    if (method === 'GET') {
      polls += 1;
      pollErrors -= 1;
      if (pollErrors >= 0) return send(503, { error: { message: 'not now' } });
    }
    const path = pathname.replace(/^\/v1(?:beta)?/, '');
    const speak = path.startsWith('/messages') ? anthropic : pathname.startsWith('/v1beta') ? google : openai;
    const [status, content] = await speak(path, method, body, searchParams);
    const isSubmit = method === 'POST' && path !== '/files';
    if (isSubmit) brokenSubmits -= 1;
    if (isSubmit && brokenSubmits >= 0) return send(500, { error: { message: 'lost its way' } });
    send(status, content);
  };

  const stats = (): BatchServerStats => ({
    batched: Object.fromEntries(paid.batched),
    single: Object.fromEntries(paid.single),
    batches: batches.length,
    polls,
  });

  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => void respond(request, response, Buffer.concat(chunks).toString()));
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    stats,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

type Reply = readonly [status: number, content: unknown];

/** Newest first, two a page. */
function listed(batches: readonly HeldBatch[], after: string | null, view: (batch: HeldBatch) => object): object {
  const newest = batches.toReversed();
  const from = newest.findIndex(({ id }) => id === after) + 1;
  const data = newest.slice(from, from + 2);
  return { data: data.map(view), has_more: newest.length > from + 2, last_id: data.at(-1)?.id ?? null };
}

function linesText(lines: readonly object[], isUntidy: boolean): string {
  const unknown = { custom_id: 'unknown', response: { status_code: 200, body: {} }, result: { type: 'expired' } };
  const all = lines.map((line) => JSON.stringify(line));
  if (isUntidy) all.push(JSON.stringify(unknown), all[0] ?? '', 'no JSON');
  return `${all.join('\n')}\n`;
}

/** A text that is a function of the question. */
function answerTo(prompt: string): string {
  const item = MARKER.exec(prompt)?.[1] ?? '';
  const entities = [{ name: 'Ann', type: 'Person' }, ...(chance(item) < 0.5 ? [{ name: 'Bo', type: 'Person' }] : [])];
  return JSON.stringify({ entities, relationships: [] });
}

function completion({ text }: HeldRequest): object {
  return {
    id: 'chatcmpl-1',
    object: 'chat.completion',
    created: 1_700_000_000,
    model: 'test-model',
    choices: [{ index: 0, message: { role: 'assistant', content: text }, finish_reason: 'stop' }],
    usage: {
      prompt_tokens: TOKENS.input,
      completion_tokens: TOKENS.output,
      total_tokens: TOKENS.input + TOKENS.output,
    },
  };
}

function message({ text, prompt }: HeldRequest): object {
  const request: unknown = JSON.parse(prompt);
  const wantsTool = isRecord(request) && Array.isArray(request['tools']);
  return {
    id: 'msg_1',
    type: 'message',
    role: 'assistant',
    model: 'claude',
    content: wantsTool
      ? [{ type: 'tool_use', id: 'toolu_1', name: 'json', input: JSON.parse(text) as unknown }]
      : [{ type: 'text', text }],
    stop_reason: wantsTool ? 'tool_use' : 'end_turn',
    stop_sequence: null,
    usage: { input_tokens: TOKENS.input, output_tokens: TOKENS.output },
  };
}

function generated({ text }: HeldRequest): object {
  return {
    candidates: [{ index: 0, content: { role: 'model', parts: [{ text }] }, finishReason: 'STOP' }],
    usageMetadata: {
      promptTokenCount: TOKENS.input,
      candidatesTokenCount: TOKENS.output,
      totalTokenCount: TOKENS.input + TOKENS.output,
    },
  };
}
