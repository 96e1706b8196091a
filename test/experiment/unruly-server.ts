import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

import { answerText, chance, type Content, contentOf } from './unruly-answer.ts';

/**
 * What it does instead of answering. These pass: which attempt meets them depends on the question and on how often it was
 * asked, and never more than `mostPassing` times for one question.
 *
 * - `rate-seconds`, `rate-ms`, `rate-silent`: 429 with Retry-After in seconds, with retry-after-ms, without either
 * - `server-error`, `unavailable`: 500, 503
 * - `dropped`, `cut`: the connection ends before the answer, in the middle of it
 */
export const PASSING = [
  'rate-seconds',
  'rate-ms',
  'rate-silent',
  'server-error',
  'unavailable',
  'dropped',
  'cut',
] as const;

/**
 * What it answers instead of what was asked for. These stay: they depend on the question alone, so that whoever asks
 * again, for whatever reason, hears the same.
 *
 * - `no-json`: status 200, and a body that is no JSON
 * - `no-json-content`, `schema`: an answer whose content is no JSON, or not as its schema has it
 * - `length`: an answer that was cut off, with finish_reason `length`
 * - `hang`: nothing comes, and the connection stays
 */
export const LASTING = ['no-json', 'no-json-content', 'schema', 'length', 'hang'] as const;

export type Passing = (typeof PASSING)[number];
export type Lasting = (typeof LASTING)[number];
/** `limited`, `crowded`: 429 by the token bucket, by the limit on calls at once; `left`: the caller went away first. */
export type Outcome = 'answered' | Passing | Lasting | 'limited' | 'crowded' | 'left';

export interface RateLimit {
  /** So many calls in so much time, the bucket full at first. */
  readonly calls: number;
  readonly windowMs: number;
  /** How it says when to come back; `ms` unless told. Whole seconds are rounded up, as servers do. */
  readonly says?: 'seconds' | 'ms' | 'nothing';
}

export interface UnrulyOptions {
  readonly seed?: number;
  /** 0, any free one, unless told. */
  readonly port?: number;
  /** Shares of attempts. */
  readonly passing?: Partial<Readonly<Record<Passing, number>>>;
  /** At most so many for one question; 3 unless told. */
  readonly mostPassing?: number;
  /** Shares of questions. */
  readonly lasting?: Partial<Readonly<Record<Lasting, number>>>;
  /** From … to, by question and attempt. */
  readonly latencyMs?: readonly [number, number];
  /** A share of attempts that takes longer. */
  readonly slow?: { readonly share: number; readonly ms: number };
  /** What `rate-seconds` and `rate-ms` ask for. */
  readonly retryAfterMs?: number;
  readonly rate?: RateLimit | null;
  readonly mostAtOnce?: number | null;
  /** Answers by item id, where they are not to be made up. */
  readonly answers?: Readonly<Record<string, unknown>>;
  /** Any other is refused with 401. */
  readonly key?: string;
  /** Errors hold what was sent as authorization, as of a careless server. */
  readonly echoesKey?: boolean;
}

export interface SeenCall {
  /** Milliseconds since 1970, by the server's clock. */
  readonly at: number;
  readonly endedAt: number;
  readonly outcome: Outcome;
  /** Before this the caller was told not to come back; null where it was told nothing. */
  readonly notBefore: number | null;
}

export interface ContentStats {
  readonly calls: number;
  /** Status 200, sent in full or in part. */
  readonly paid: number;
  readonly paidInPart: number;
  readonly seen: readonly SeenCall[];
}

export interface UnrulyStats {
  readonly calls: number;
  readonly paid: number;
  readonly paidInPart: number;
  /** Most calls that it had at the same time. */
  readonly peak: number;
  readonly outcomes: Readonly<Partial<Record<Outcome, number>>>;
  /** By item id. */
  readonly contents: Readonly<Record<string, ContentStats>>;
}

export interface UnrulyServer {
  /** With /v1: what a client takes for the base URL. */
  readonly url: string;
  stats(): Promise<UnrulyStats>;
  /** Also for callers of another process: POST the same JSON to /rate. */
  setRate(rate: RateLimit | null): Promise<void>;
  close(): Promise<void>;
}

interface ContentState {
  readonly id: string;
  calls: number;
  attempts: number;
  passed: number;
  paid: number;
  paidInPart: number;
  readonly seen: SeenCall[];
}

const PAID: readonly Outcome[] = ['answered', 'cut', 'no-json', 'no-json-content', 'schema', 'length'];

/**
 * A model server that speaks OpenAI's chat completions, badly. All of it follows from seed and question, whatever the
 * order of the calls; only the two limits depend on time. Latency and misdeeds are for one attempt, counted for each
 * question among the calls that the limits let through.
 */
export async function startUnrulyServer(options: UnrulyOptions = {}): Promise<UnrulyServer> {
  const unruly = new Unruly(options);
  const server = createServer((request, response) => {
    void unruly.handle(request, response);
  });
  // Connections end when the plan says so, not when they were idle for a while.
  server.keepAliveTimeout = 600_000;
  server.requestTimeout = 0;
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(options.port ?? 0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/v1`,
    stats: () => Promise.resolve(unruly.stats()),
    setRate: (rate) => Promise.resolve(unruly.setRate(rate)),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** The same as `stats()`, from another process. */
export async function unrulyStats(url: string): Promise<UnrulyStats> {
  return (await (await fetch(new URL('/stats', url))).json()) as UnrulyStats;
}

class Unruly {
  readonly #options: UnrulyOptions;
  readonly #contents = new Map<string, ContentState>();
  #rate: RateLimit | null = null;
  #tokens = 0;
  #filledAt = 0;
  #atOnce = 0;
  #peak = 0;

  constructor(options: UnrulyOptions) {
    this.#options = options;
    this.setRate(options.rate ?? null);
  }

  setRate(rate: RateLimit | null): void {
    this.#rate = rate;
    this.#tokens = rate?.calls ?? 0;
    this.#filledAt = clock();
  }

  stats(): UnrulyStats {
    const all = [...this.#contents.values()];
    const outcomes: Partial<Record<Outcome, number>> = {};
    for (const { seen } of all) for (const { outcome } of seen) outcomes[outcome] = (outcomes[outcome] ?? 0) + 1;
    const sum = (of: 'calls' | 'paid' | 'paidInPart', among: readonly ContentState[] = all): number =>
      among.reduce((total, one) => total + one[of], 0);
    return {
      calls: sum('calls'),
      paid: sum('paid'),
      paidInPart: sum('paidInPart'),
      peak: this.#peak,
      outcomes,
      contents: Object.fromEntries(
        [...Map.groupBy(all, ({ id }) => id)].map(([id, own]) => [
          id,
          {
            calls: sum('calls', own),
            paid: sum('paid', own),
            paidInPart: sum('paidInPart', own),
            seen: own.flatMap(({ seen }) => seen).sort((a, b) => a.at - b.at),
          },
        ]),
      ),
    };
  }

  async handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const at = clock();
    const chunks: Buffer[] = [];
    try {
      for await (const chunk of request) chunks.push(chunk as Buffer);
    } catch {
      return;
    }
    const body: unknown = chunks.length === 0 ? null : JSON.parse(Buffer.concat(chunks).toString('utf8'));
    if (request.url === '/stats') return json(response, 200, this.stats());
    if (request.url === '/rate') {
      this.setRate(body as RateLimit | null);
      return json(response, 200, {});
    }
    if (!(request.url ?? '').endsWith('/chat/completions')) return refuse(response, 404, 'no such path');
    const { key, echoesKey = false } = this.#options;
    const sent = request.headers.authorization ?? 'nothing';
    if (key !== undefined && sent !== `Bearer ${key}`) return refuse(response, 401, `bad key: ${sent}`);
    this.#call(contentOf(body), at, response, echoesKey ? `failed for ${sent}` : 'failed');
  }

  #call(content: Content, at: number, response: ServerResponse, message: string): void {
    const state = this.#stateOf(content);
    state.calls += 1;
    this.#atOnce += 1;
    this.#peak = Math.max(this.#peak, this.#atOnce);
    let timer: NodeJS.Timeout | null = null;
    let isOver = false;
    // Counted before it is sent, so that whoever has heard the answer finds it in the numbers.
    const over = (outcome: Outcome, notBefore: number | null): void => {
      isOver = true;
      this.#atOnce -= 1;
      if (PAID.includes(outcome)) state.paid += 1;
      if (outcome === 'cut') state.paidInPart += 1;
      state.seen.push({ at, endedAt: clock(), outcome, notBefore });
    };

    const limited = this.#limited(at);
    if (limited !== null) {
      over(limited.outcome, limited.notBefore);
      return limited.respond(response);
    }
    state.attempts += 1;
    const attempt = state.attempts;
    const passing = state.passed < (this.#options.mostPassing ?? 3) ? this.#passingOf(content, attempt) : null;
    if (passing !== null) state.passed += 1;
    const lasting = this.#lastingOf(content);
    const hangs = passing === null && lasting === 'hang';
    response.once('close', () => {
      if (timer !== null) clearTimeout(timer);
      if (!isOver) over(hangs ? 'hang' : 'left', null);
    });
    if (hangs) return;
    timer = setTimeout(
      () => {
        const outcome = passing ?? lasting ?? 'answered';
        const retryAfterMs = this.#options.retryAfterMs ?? 1000;
        const asked = outcome === 'rate-seconds' ? Math.ceil(retryAfterMs / 1000) * 1000 : retryAfterMs;
        over(outcome, outcome === 'rate-seconds' || outcome === 'rate-ms' ? clock() + asked : null);
        respondWith(outcome, { content, response, message, retryAfterMs: asked, answers: this.#options.answers ?? {} });
      },
      this.#latencyOf(content, attempt),
    );
  }

  /** The refusal of one of the two limits; null where there is room. */
  #limited(at: number): {
    outcome: Outcome;
    notBefore: number | null;
    respond: (response: ServerResponse) => void;
  } | null {
    const { mostAtOnce = null } = this.#options;
    if (mostAtOnce !== null && this.#atOnce > mostAtOnce)
      return {
        outcome: 'crowded',
        notBefore: null,
        respond: (response) => refuse(response, 429, 'too many calls at once'),
      };
    if (this.#rate === null) return null;
    const { calls, windowMs, says = 'ms' } = this.#rate;
    this.#tokens = Math.min(calls, this.#tokens + ((at - this.#filledAt) * calls) / windowMs);
    this.#filledAt = at;
    if (this.#tokens >= 1) {
      this.#tokens -= 1;
      return null;
    }
    const exact = ((1 - this.#tokens) * windowMs) / calls;
    const asked = says === 'seconds' ? Math.ceil(exact / 1000) * 1000 : Math.ceil(exact);
    return {
      outcome: 'limited',
      notBefore: says === 'nothing' ? null : at + asked,
      respond: (response) =>
        refuse(response, 429, 'rate limit', says === 'nothing' ? {} : retryAfter(says === 'seconds', asked)),
    };
  }

  #passingOf(content: Content, attempt: number): Passing | null {
    return picked(PASSING, this.#options.passing ?? {}, chance(this.#seed, 'passing', content.hash, attempt));
  }

  #lastingOf(content: Content): Lasting | null {
    return picked(LASTING, this.#options.lasting ?? {}, chance(this.#seed, 'lasting', content.hash));
  }

  #latencyOf(content: Content, attempt: number): number {
    const { latencyMs = [0, 2], slow } = this.#options;
    if (slow !== undefined && chance(this.#seed, 'slow', content.hash, attempt) < slow.share) return slow.ms;
    return latencyMs[0] + chance(this.#seed, 'latency', content.hash, attempt) * (latencyMs[1] - latencyMs[0]);
  }

  get #seed(): number {
    return this.#options.seed ?? 1;
  }

  #stateOf({ id, hash }: Content): ContentState {
    const known = this.#contents.get(hash);
    if (known !== undefined) return known;
    const state: ContentState = { id, calls: 0, attempts: 0, passed: 0, paid: 0, paidInPart: 0, seen: [] };
    this.#contents.set(hash, state);
    return state;
  }
}

interface Respond {
  readonly content: Content;
  readonly response: ServerResponse;
  readonly message: string;
  readonly retryAfterMs: number;
  readonly answers: Readonly<Record<string, unknown>>;
}

function respondWith(outcome: Passing | Lasting | 'answered', given: Respond): void {
  const { content, response, message, retryAfterMs, answers } = given;
  const own = Object.hasOwn(answers, content.id) ? answers[content.id] : undefined;
  const right = own === undefined ? answerText(content) : typeof own === 'string' ? own : JSON.stringify(own);
  switch (outcome) {
    case 'rate-seconds':
      return refuse(response, 429, message, retryAfter(true, retryAfterMs));
    case 'rate-ms':
      return refuse(response, 429, message, retryAfter(false, retryAfterMs));
    case 'rate-silent':
      return refuse(response, 429, message);
    case 'server-error':
      return refuse(response, 500, message);
    case 'unavailable':
      return refuse(response, 503, message);
    case 'dropped':
      response.socket?.destroy();
      return;
    case 'cut': {
      const body = JSON.stringify(completion(content, right, 'stop'));
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) });
      response.write(body.slice(0, Math.floor(body.length / 2)), () => response.socket?.destroy());
      return;
    }
    case 'no-json':
      response.writeHead(200, { 'content-type': 'application/json' }).end('<html>upstream had a bad day</html>');
      return;
    case 'no-json-content':
      return json(
        response,
        200,
        completion(content, `Sure! Here is what you asked for: ${right.slice(0, 20)}`, 'stop'),
      );
    case 'schema':
      return json(response, 200, completion(content, JSON.stringify({ unexpected: content.id }), 'stop'));
    case 'length':
      return json(response, 200, completion(content, right.slice(0, Math.floor(right.length / 2)), 'length'));
    case 'answered':
      return json(response, 200, completion(content, right, 'stop'));
    case 'hang':
      return;
  }
}

function completion({ hash: digest, model, prompt }: Content, text: string, finish: string): unknown {
  const [input, output] = [Math.ceil(prompt.length / 4), Math.ceil(text.length / 4)];
  return {
    id: `chatcmpl-${digest.slice(0, 12)}`,
    object: 'chat.completion',
    created: 1_700_000_000,
    model,
    choices: [{ index: 0, message: { role: 'assistant', content: text }, finish_reason: finish }],
    usage: { prompt_tokens: input, completion_tokens: output, total_tokens: input + output },
  };
}

function picked<T extends string>(names: readonly T[], shares: Partial<Record<T, number>>, roll: number): T | null {
  let sum = 0;
  for (const name of names) {
    sum += shares[name] ?? 0;
    if (roll < sum) return name;
  }
  return null;
}

function retryAfter(inSeconds: boolean, ms: number): Record<string, string> {
  return inSeconds ? { 'retry-after': String(ms / 1000) } : { 'retry-after-ms': String(ms) };
}

function json(
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
}

function refuse(
  response: ServerResponse,
  status: number,
  message: string,
  headers: Readonly<Record<string, string>> = {},
): void {
  json(response, status, { error: { message, type: 'error', code: null } }, headers);
}

function clock(): number {
  return performance.timeOrigin + performance.now();
}
