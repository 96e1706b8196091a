import { setTimeout as sleep } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';

import { z } from 'zod';

import { waitText } from '../limits/duration.ts';
import type { Environment } from '../models/access.ts';
import { withoutSecrets } from '../models/secrets.ts';
import { lastWordsTail } from './program-faults.ts';
import { FAILURE_KINDS, givenUp, TargetError, type TargetFailure } from './target.ts';

/** What the thread of a module is started with. */
export interface ModuleStart {
  readonly href: string;
  /** Of the export that is called. */
  readonly name: string;
  readonly environment: Environment;
}

export interface ModuleProgram extends ModuleStart {
  readonly secrets: readonly string[];
  /** How long it may take to be loaded. */
  readonly loadingMs: number;
}

/** To the thread. Items go by number: repeats of one share its id. */
export type ToModule =
  | { readonly kind: 'ask'; readonly number: number; readonly text: string }
  | { readonly kind: 'abort'; readonly number: number; readonly failure: TargetFailure };

const number = z.int();
const amount = z.number().nullable().catch(null);
/** Made by the user's code: what is odd about it is no reason to lose it. */
const failure = z.object({
  kind: z.enum(FAILURE_KINDS).catch('program'),
  message: z.string(),
  retryAfterMs: amount,
  usage: z.object({ inputTokens: amount, outputTokens: amount, cost: amount }).nullable().catch(null),
  latencyMs: amount,
  raw: z.string().nullable().catch(null),
});

/**
 * From the thread; anything else the module has sent itself, for reasons of its own.
 *
 * - `unusable`: it cannot be called, for want of the function or else
 * - `words`: it has printed something
 * - `heard`: an abort has arrived, so that the thread is not caught in a loop
 */
const fromModule = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('ready') }),
  z.object({ kind: z.literal('unusable'), message: z.string(), isMissing: z.boolean() }),
  z.object({ kind: z.literal('words'), text: z.string() }),
  z.object({ kind: z.literal('heard'), number }),
  z.object({ kind: z.literal('answer'), number, text: z.string() }),
  z.object({ kind: z.literal('failure'), number, failure }),
]);
export type FromModule = Readonly<z.infer<typeof fromModule>>;

/** Why a module is not ready to be called; `isMissing`: it is loaded, and has no such function. */
export class NotLoaded extends Error {
  readonly isMissing: boolean;

  constructor(message: string, isMissing = false) {
    super(message);
    this.isMissing = isMissing;
  }
}

// The sources are run as they are, and compiled under the same name.
const ENTRY = new URL(import.meta.url.endsWith('.ts') ? './module-worker.ts' : './module-worker.js', import.meta.url);
const KEPT_WORDS = 4096;
/** A thread that has not noticed an abort by then is caught in a loop. */
const NOTICE_MS = 1000;
/** What keeps a thread from ending (a program that it waits for) is not waited for longer. */
const PATIENCE_MS = 2000;

/** A thread with a user's module in it, which is asked for item after item, several at once where the module can. */
export class ModuleThread {
  readonly #worker: Worker;
  readonly #waiting = new Map<number, Pick<PromiseWithResolvers<string>, 'resolve' | 'reject'>>();
  readonly #secrets: readonly string[];
  readonly #onFault: (reason: string) => void;
  readonly #ready = Promise.withResolvers<void>();
  readonly #loading: NodeJS.Timeout;
  /** Aborts that it has not noticed yet, and what waits until it has. */
  readonly #unheard = new Set<number>();
  #heard = Promise.withResolvers<void>();
  #words = '';
  #isOver = false;
  #isReady = false;
  #asked = 0;

  /** `onFault`: it ended of itself while it had items. */
  constructor({ secrets, loadingMs, href, name, environment }: ModuleProgram, onFault: (reason: string) => void) {
    this.#secrets = secrets;
    this.#onFault = onFault;
    this.#worker = new Worker(ENTRY, {
      workerData: { href, name, environment: { ...environment } } satisfies ModuleStart,
      // What it prints comes as messages: streams that are read would keep the process alive.
      stdout: true,
      stderr: true,
      ...threadOptions(),
    });
    const late = `it was not loaded within ${waitText(loadingMs)}`;
    this.#loading = setTimeout(() => this.#unusable(late, false), loadingMs);
    this.#worker.on('message', (message: unknown) => {
      const { data } = fromModule.safeParse(message);
      if (data !== undefined) this.#take(data);
    });
    this.#worker.on('error', (error: unknown) => {
      const said = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
      const what = withoutSecrets(said, secrets);
      this.#fault(this.#isReady ? `the module failed outside of its calls (${what})` : what);
    });
    this.#worker.on('exit', (code) => {
      const what = `called process.exit(${code})`;
      this.#fault(this.#isReady ? `the module ${what} before it answered` : `it ${what}`);
    });
    // Whoever waits for it hears of it; where nobody does, it is no fault of this process.
    this.#ready.promise.catch(() => undefined);
  }

  /** Throws NotLoaded. */
  get ready(): Promise<void> {
    return this.#ready.promise;
  }

  /** No further item may be given to it. */
  get isOver(): boolean {
    return this.#isOver;
  }

  /** Resolves when it is known whether it is caught in a loop; it is over then if it is. */
  async settled(): Promise<void> {
    while (!this.#isOver && this.#unheard.size > 0) await this.#heard.promise;
  }

  /** What the function returns for an item, both as JSON. */
  ask(given: string, signal: AbortSignal): Promise<string> {
    this.#asked += 1;
    const at = this.#asked;
    const { promise, resolve, reject } = Promise.withResolvers<string>();
    const onAbort = (): void => this.#abort(at, givenUp(signal));
    signal.addEventListener('abort', onAbort, { once: true });
    this.#waiting.set(at, { resolve, reject });
    // An idle thread does not keep the process alive.
    this.#worker.ref();
    this.#post({ kind: 'ask', number: at, text: given });
    return promise.finally(() => {
      signal.removeEventListener('abort', onAbort);
      this.#rest();
    });
  }

  /** Ends it at once; the items that it has fail for this reason. */
  async end(reason: TargetError): Promise<void> {
    this.#over(reason);
    await Promise.race([this.#worker.terminate(), sleep(PATIENCE_MS, undefined, { ref: false })]);
  }

  #post(message: ToModule): void {
    this.#worker.postMessage(message, []);
  }

  #take(message: FromModule): void {
    switch (message.kind) {
      case 'ready':
        clearTimeout(this.#loading);
        this.#isReady = true;
        this.#rest();
        return this.#ready.resolve();
      case 'unusable':
        return this.#unusable(message.message, message.isMissing);
      case 'words':
        this.#words = (this.#words + message.text).slice(-KEPT_WORDS);
        return;
      case 'heard':
        this.#unheard.delete(message.number);
        return this.#tellHeard();
      case 'answer':
        return this.#taken(message.number)?.resolve(message.text);
      case 'failure': {
        const { message: said, raw, ...rest } = message.failure;
        const clean = (text: string): string => withoutSecrets(text, this.#secrets);
        const error = new TargetError({ ...rest, message: clean(said), raw: raw === null ? null : clean(raw) });
        return this.#taken(message.number)?.reject(error);
      }
    }
  }

  #taken(at: number) {
    const waiting = this.#waiting.get(at);
    this.#waiting.delete(at);
    return waiting;
  }

  #abort(at: number, error: TargetError): void {
    this.#taken(at)?.reject(error);
    if (this.#isOver) return;
    this.#unheard.add(at);
    this.#post({ kind: 'abort', number: at, failure: { kind: error.kind, message: error.message } });
    setTimeout(() => {
      if (!this.#unheard.has(at) || this.#isOver) return;
      const message = 'the module was ended because it had not answered another item in time';
      void this.end(new TargetError({ kind: 'program', message }));
    }, NOTICE_MS);
  }

  #tellHeard(): void {
    this.#heard.resolve();
    this.#heard = Promise.withResolvers();
  }

  /** It cannot be loaded, or was not in time. */
  #unusable(reason: string, isMissing: boolean): void {
    this.#ready.reject(new NotLoaded(withoutSecrets(reason, this.#secrets), isMissing));
    void this.end(new TargetError({ kind: 'program', message: reason }));
  }

  #fault(reason: string): void {
    if (this.#isOver) return;
    const told = `${reason}${lastWordsTail(this.#words, this.#secrets)}`;
    if (this.#waiting.size > 0) this.#onFault(told);
    this.#ready.reject(new NotLoaded(told));
    this.#over(new TargetError({ kind: 'program', message: told }));
  }

  #over(reason: TargetError): void {
    this.#isOver = true;
    clearTimeout(this.#loading);
    for (const { reject } of this.#waiting.values()) reject(reason);
    this.#waiting.clear();
    this.#tellHeard();
  }

  #rest(): void {
    if (this.#waiting.size === 0) this.#worker.unref();
  }
}

/** As this process was started, but for what says that it was given its code as a text. */
function threadOptions(): { execArgv?: string[] } {
  const { execArgv } = process;
  return execArgv.some((one) => one.startsWith('--input-type'))
    ? { execArgv: execArgv.filter((one) => one.startsWith('--conditions=')) }
    : {};
}
