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
  /**
   * Looks at batches and results that are answered with 404, from 1, or all: Anthropic does it a second after creation
   * and in between (anthropics/anthropic-sdk-python#1432).
   */
  readonly missing?: readonly number[] | 'all';
  /** "" for what is null, as Azure and Novita send it (Kong's documentation of Azure's batches). */
  readonly hasEmptyTexts?: boolean;
  /** So many looks at an ended batch show no file of results (BerriAI/litellm#37715). */
  readonly lateLooks?: number;
  /** The results are in the reverse order, as with Azure, where they come in any. */
  readonly isReversed?: boolean;
  /** The last line of the results breaks off. */
  readonly isCut?: boolean;
  /** So many looks are answered with a page of HTML under 200, as gateways do. */
  readonly pages?: number;
  /** Around the status of a batch: Novita and Together send capitals. */
  readonly status?: 'capitals' | 'huge';
  /** Counts of an ended batch are not sent, as by Together. */
  readonly hasNoCounts?: boolean;
  /** The metadata of a batch is forgotten, and the name of its file is kept, as by the files that vLLM and others serve. */
  readonly keepsNoMetadata?: boolean;
  /** Tokens of the batch are sent with it, as OpenAI does since 2025. */
  readonly hasUsage?: boolean;
  /** A text that errors and states repeat: the key, for instance. */
  readonly echo?: string;
  /** What is answered to a request; a function of its marker unless given. */
  readonly answer?: (body: unknown) => string;
}

export interface BatchServerStats {
  /** How often each item was paid for, by marker. */
  readonly batched: Readonly<Record<string, number>>;
  readonly single: Readonly<Record<string, number>>;
  readonly batches: number;
  readonly polls: number;
  readonly cancels: number;
  /** Calls that were answered, and what they cost at prices of 10 and 100 for a million tokens. */
  readonly calls: number;
  readonly charged: number;
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
  /** Behaves otherwise from now on. */
  change(options: BatchServerOptions): void;
  close(): Promise<void>;
}

/** A real server that speaks the batch protocols of OpenAI, Anthropic and Google, and their single calls. */
export async function startBatchServer(options: BatchServerOptions = {}): Promise<BatchServer> {
  const { workMs = 0, answerMs = 0, fates = {}, end = 'completed' } = options;
  let { pollErrors = 0, brokenSubmits = 0, singleRefusals = 0, pages = 0, lateLooks = 0 } = options;
  let quirks = options;
  let cancels = 0;
  const answer = options.answer ?? ((body: unknown): string => answerTo(JSON.stringify(body)));
  const files = new Map<string, string>();
  const fileNames = new Map<string, string>();
  const inputs = new Map<string, string>();
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

  const answered = ({ requests }: HeldBatch): number => requests.filter(({ fate }) => fate === 'answered').length;
  const nothing = (): '' | null => (quirks.hasEmptyTexts === true ? '' : null);
  const hasFile = (batch: HeldBatch): boolean => isOver(batch) && end !== 'failed' && lateLooks < 0;
  const isOver = ({ at, isCancelled }: HeldBatch): boolean => isCancelled || Date.now() - at >= workMs;
  const named = (id: string | undefined): HeldBatch | undefined => batches.find((one) => one.id === id);

  const textOf = (lines: readonly object[]): string => linesText(lines, quirks);
  const wordOf = (word: string): string => {
    const loud = quirks.status === undefined ? word : word.toUpperCase();
    return quirks.status === 'huge' && word === 'in_progress' ? `${loud}\u001b[2J${'x'.repeat(1 << 20)}` : loud;
  };

  const openai = async (path: string, method: string, body: string, query: URLSearchParams): Promise<Reply> => {
    const view = (batch: HeldBatch) => ({
      id: batch.id,
      object: 'batch',
      endpoint: '/v1/chat/completions',
      status: wordOf(isOver(batch) ? (batch.isCancelled ? 'cancelled' : end) : 'in_progress'),
      created_at: Math.floor(batch.at / 1000),
      output_file_id: hasFile(batch) ? `${batch.id}-output` : nothing(),
      error_file_id: hasFile(batch) && quirks.hasEmptyTexts !== true ? `${batch.id}-errors` : nothing(),
      errors: end === 'failed' ? { data: [{ code: 'token_limit_exceeded', message: 'too many tokens' }] } : nothing(),
      ...(quirks.hasUsage === true && isOver(batch) ? { usage: usageOf(answered(batch)) } : {}),
      request_counts:
        quirks.hasNoCounts === true
          ? null
          : {
              total: batch.requests.length,
              completed: isOver(batch) ? answered(batch) : 0,
              failed: isOver(batch) ? batch.requests.length - answered(batch) : 0,
            },
      input_file_id: inputs.get(batch.id),
      ...(quirks.keepsNoMetadata === true ? {} : { metadata: { assay_batch: batch.name } }),
    });
    if (path === '/files') {
      const [, content = ''] = /\r\n\r\n(\{[\s\S]*?)\r\n--/.exec(body) ?? [];
      const [, fileName = ''] = /filename="([^"]*)"/.exec(body) ?? [];
      files.set(`file-${files.size + 1}`, content);
      fileNames.set(`file-${files.size}`, fileName);
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
      inputs.set(batch.id, file);
      return [200, view(batch)];
    }
    const stored = /^\/files\/([^/]+)$/.exec(path)?.[1] ?? '';
    if (fileNames.has(stored)) return [200, { id: stored, filename: fileNames.get(stored) }];
    if (path === '/batches') return [200, listed(batches, query.get('after'), view)];
    const [, fileId, which] = /^\/files\/(batch_\d+)-(output|errors)\/content$/.exec(path) ?? [];
    const ofFile = named(fileId);
    if (ofFile !== undefined) {
      const lines = ofFile.requests.flatMap((request) => {
        const response = (status: number, own: unknown) => ({ status_code: status, request_id: 'r', body: own });
        const line = (fields: object): object[] => [{ id: `line-${request.id}`, custom_id: request.id, ...fields }];
        const failure = (code: string) => ({ response: null, error: { code, message: `${code}${quirks.echo ?? ''}` } });
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
      return [200, which === 'output' ? textOf(lines) : linesText(lines, {})];
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
    return [200, textOf(lines)];
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
      const untidy =
        quirks.isUntidy === true ? [{ metadata: { key: 'unknown' }, response: {} }, responses[0], 'no response'] : [];
      const inOrder = quirks.isReversed === true ? responses.toReversed() : responses;
      const output = { inlinedResponses: { inlinedResponses: [...inOrder, ...untidy] } };
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
            ...(isOver(batch)
              ? {
                  successfulRequestCount: String(answered(batch)),
                  failedRequestCount: String(batch.requests.length - answered(batch)),
                }
              : { pendingRequestCount: String(batch.requests.length) }),
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
      const { missing = [] } = quirks;
      // Lists are not asked for one batch.
      const isLook = !pathname.endsWith('/batches');
      if (isLook && (missing === 'all' || missing.includes(polls)))
        return send(404, { error: { type: 'not_found_error', message: `Not found${quirks.echo ?? ''}` } });
      pages -= 1;
      if (isLook && pages >= 0) return send(200, '<html>The gateway is busy</html>');
      if (isLook && batches.some(isOver)) lateLooks -= 1;
      if (pollErrors >= 0) return send(503, { error: { message: 'not now' } });
    }
    const path = pathname.replace(/^\/v1(?:beta)?/, '');
    const speak = path.startsWith('/messages') ? anthropic : pathname.startsWith('/v1beta') ? google : openai;
    if (method === 'POST' && /[/:]cancel$/.test(path)) {
      const batch = named(/batch_\d+/.exec(path)?.[0]);
      if (batch === undefined) return send(404, {});
      cancels += 1;
      batch.isCancelled = true;
      return send(200, {});
    }
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
    cancels,
    calls: sum(paid.batched) + sum(paid.single),
    // 100 tokens in and 20 out; half of it in a batch.
    charged: Number((sum(paid.batched) * 0.0015 + sum(paid.single) * 0.003).toFixed(6)),
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
    change: (changed) => void (quirks = { ...quirks, ...changed }),
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

function sum(times: ReadonlyMap<string, number>): number {
  return times.values().reduce((total, count) => total + count, 0);
}

function usageOf(answers: number): object {
  return { prompt_tokens: 0, input_tokens: answers * TOKENS.input, output_tokens: answers * TOKENS.output };
}

function linesText(lines: readonly object[], quirks: BatchServerOptions): string {
  const unknown = { custom_id: 'unknown', response: { status_code: 200, body: {} }, result: { type: 'expired' } };
  const all = lines.map((line) => JSON.stringify(line));
  if (quirks.isReversed === true) all.reverse();
  if (quirks.isUntidy === true) all.push(JSON.stringify(unknown), all[0] ?? '', 'no JSON');
  const text = all.join('\n');
  return quirks.isCut === true ? text.slice(0, -20) : `${text}\n`;
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
