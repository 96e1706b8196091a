import { setTimeout as sleep } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';

import { z } from 'zod';

import { waitText } from '../limits/duration.ts';
import type { Environment } from '../models/access.ts';
import { withoutSecrets } from '../models/secrets.ts';
import { AskedProgram, type ProgramEvents } from './program-pool.ts';
import { FAILURE_KINDS, type TargetError, type TargetFailure } from './target.ts';

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

/** To the thread: an item as JSON, or that nobody waits for it any more. Items go by number: repeats share an id. */
export type ToModule = { readonly id: string } & ({ readonly text: string } | { readonly abort: TargetFailure });

const id = z.string();
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
  z.object({ kind: z.literal('heard'), id }),
  z.object({ kind: z.literal('answer'), id, text: z.string() }),
  z.object({ kind: z.literal('failure'), id, failure }),
]);
export type FromModule = Readonly<z.infer<typeof fromModule>>;

/** What the function returned, as JSON, or why it did not. */
export type ModuleSaid = { readonly text: string } | { readonly failure: z.infer<typeof failure> };

/** Why a module is not ready to be called; `isMissing`: it is loaded, and has no such function. */
export class NotLoaded extends Error {
  readonly isMissing: boolean;

  constructor(message: string, isMissing: boolean) {
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
export class ModuleThread extends AskedProgram<ModuleSaid> {
  readonly #worker: Worker;
  readonly #ready = Promise.withResolvers<void>();
  readonly #end = Promise.withResolvers<void>();
  readonly #loading: NodeJS.Timeout;
  /** Items that it is given once it is loaded. */
  readonly #unsent = new Map<string, string>();
  /** Aborts that it has not noticed yet. */
  readonly #unheard = new Set<string>();
  #words = '';
  #isOver = false;

  constructor({ secrets, loadingMs, href, name, environment }: ModuleProgram, events: ProgramEvents) {
    super(secrets, events);
    this.#worker = new Worker(ENTRY, {
      workerData: { href, name, environment: { ...environment } } satisfies ModuleStart,
      // What it prints comes as messages: streams that are read would keep the process alive.
      stdout: true,
      stderr: true,
      ...threadOptions(),
    });
    this.#loading = setTimeout(() => this.#unusable(`it was not loaded within ${waitText(loadingMs)}`), loadingMs);
    this.#worker.on('message', (message: unknown) => {
      const { data } = fromModule.safeParse(message);
      if (data !== undefined) this.#take(data);
    });
    this.#worker.on('error', (error: unknown) => {
      const said = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
      const what = withoutSecrets(said, secrets);
      this.#fault(what, `the module failed outside of its calls (${what})`);
    });
    this.#worker.on('exit', (code) => {
      const what = `called process.exit(${code})`;
      this.#fault(`it ${what}`, `the module ${what} before it answered`);
    });
    // Whoever waits for it hears of it; where nobody does, it is no fault of this process.
    this.#ready.promise.catch(() => undefined);
  }

  /** Throws NotLoaded. */
  get ready(): Promise<void> {
    return this.#ready.promise;
  }

  get isOver(): boolean {
    return this.#isOver;
  }

  get ended(): Promise<void> {
    return this.#end.promise;
  }

  protected get lastWords(): string {
    return this.#words;
  }

  /** Not while it may be caught in a loop: the item would be lost with it. */
  takes(): boolean {
    return this.#unheard.size === 0;
  }

  giveUp(item: string, error: TargetError): void {
    this.taken(item)?.reject(error);
    if (this.#unsent.delete(item) || this.#isOver) return;
    this.#unheard.add(item);
    this.#post({ id: item, abort: { kind: error.kind, message: error.message } });
    setTimeout(() => {
      if (this.#unheard.has(item) && !this.#isOver)
        this.#over('the module was ended because it had not answered another item in time');
    }, NOTICE_MS);
  }

  async close(): Promise<void> {
    this.failAll('the target was closed', 'aborted');
    this.#over('the target was closed');
    await Promise.race([this.#worker.terminate(), sleep(PATIENCE_MS, undefined, { ref: false })]);
  }

  protected send(item: string, text: string): void {
    // An idle thread does not keep the process alive.
    this.#worker.ref();
    if (this.readyAt === 0) this.#unsent.set(item, text);
    else this.#post({ id: item, text });
  }

  protected override taken(item: string): PromiseWithResolvers<ModuleSaid> | undefined {
    const answer = super.taken(item);
    if (this.inHand === 0) this.#worker.unref();
    return answer;
  }

  #post(message: ToModule): void {
    this.#worker.postMessage(message, []);
  }

  #take(message: FromModule): void {
    switch (message.kind) {
      case 'ready':
        clearTimeout(this.#loading);
        this.readyAt = performance.now();
        if (this.inHand === 0) this.#worker.unref();
        for (const [item, text] of this.#unsent) this.#post({ id: item, text });
        this.#unsent.clear();
        return this.#ready.resolve();
      case 'unusable':
        return this.#unusable(message.message, message.isMissing);
      case 'words':
        this.#words = (this.#words + message.text).slice(-KEPT_WORDS);
        return;
      case 'heard':
        this.#unheard.delete(message.id);
        return this.events.changed();
      case 'answer':
      case 'failure':
        return this.taken(message.id)?.resolve(message);
    }
  }

  /** It cannot be loaded, or was not in time. */
  #unusable(reason: string, isMissing = false): void {
    const told = withoutSecrets(reason, this.secrets);
    this.#ready.reject(new NotLoaded(told, isMissing));
    this.events.fault(told);
    this.#over(`the module was to be loaded again: ${told}`);
  }

  /** It ended of itself: while it was loaded, or later. */
  #fault(whileLoading: string, later: string): void {
    if (this.#isOver) return;
    if (this.readyAt === 0) return this.#unusable(this.told(whileLoading));
    const told = this.told(later);
    if (this.inHand > 0) this.events.fault(told);
    this.#over(told);
  }

  #over(reason: string): void {
    this.#isOver = true;
    clearTimeout(this.#loading);
    this.failAll(reason);
    void this.#worker.terminate();
    this.#end.resolve();
  }
}

/** As this process was started, but for what says that it was given its code as a text. */
function threadOptions(): { execArgv?: string[] } {
  const { execArgv } = process;
  return execArgv.some((one) => one.startsWith('--input-type'))
    ? { execArgv: execArgv.filter((one) => one.startsWith('--conditions=')) }
    : {};
}
