import { fileURLToPath } from 'node:url';

import { z } from 'zod';

import { UsageError } from '../../data/problems.ts';
import { isRecord } from '../../data/record-fields.ts';
import { findOwnCode, type FoundCode } from '../../recipe/own-code.ts';
import { waitText } from '../limits/duration.ts';
import type { Environment } from '../models/access.ts';
import { secretsIn, valueWithoutSecrets, withoutSecrets } from '../models/secrets.ts';
import { parseJson } from './answer-json.ts';
import { badAnswer, programAnswer, type ProgramAnswer } from './program-answer.ts';
import { AskedProgram, type ProgramEvents, programPool } from './program-pool.ts';
import { defineTarget, failureKind, filePath, itemOf, TargetError } from './target.ts';

const WHO = 'the function';
const OWN = { what: 'module', of: 'experiment' };
/** Unless an answer may take longer. */
const LOADING_MS = 60_000;

/** A function of the user's own, in a process of its own, which is started again where the module ends it. */
export const moduleTarget = defineTarget(
  z.strictObject({
    use: z.literal('module'),
    module: filePath.meta({ description: './file.ts or ./file.ts#name, in or below the folder of the experiment' }),
  }),
  async ({ module }, { folder, environment, timeoutMs, lookOnly = false }) => {
    const found = findOwnCode(module, folder, OWN);
    const secrets = secretsIn(environment);
    const limits = { environment, loadingMs: Math.max(LOADING_MS, timeoutMs) };
    const start = (events: ProgramEvents): ModuleProcess => {
      if (findOwnCode(module, folder, OWN).sha256 === found.sha256)
        return new ModuleProcess(module, found, limits, events);
      throw new TargetError({ kind: 'access', message: `the module ${found.file} was changed while it was in use` });
    };
    const pool = programPool<ModuleSaid, ModuleProcess>('the module', 1, timeoutMs, start);
    if (!lookOnly) await pool.start().ready;
    let asked = 0;
    return {
      identity: { module, sha256: found.sha256 },
      request: itemOf,
      preview: (item) => Promise.resolve(JSON.stringify(item, null, 2)),
      async answer(item, signal) {
        if (lookOnly) throw new TargetError({ kind: 'program', message: 'the module was opened to be looked at' });
        // By number: repeats share an id.
        asked += 1;
        const { said, latencyMs } = await pool.ask(String(asked), JSON.stringify(itemOf(item)), signal);
        if ('text' in said) return { ...answerOf(said.text, secrets), latencyMs, raw: null };
        const { message, raw, ...rest } = said.failure;
        const clean = (words: string): string => withoutSecrets(words, secrets);
        throw new TargetError({ ...rest, message: clean(message), raw: raw === null ? null : clean(raw) });
      },
      close: () => pool.close(),
    };
  },
);

/** An object with a field `output` says more than the output; anything else is the output itself. */
function answerOf(text: string, secrets: readonly string[]): ProgramAnswer {
  const { value, fault } = parseJson(text);
  if (fault !== undefined) throw badAnswer(WHO, `the output is not JSON: ${fault}`);
  const clean = valueWithoutSecrets(value, secrets);
  return isRecord(clean) && Object.hasOwn(clean, 'output')
    ? programAnswer(clean, WHO)
    : { output: clean, usage: null, passages: null };
}

const id = z.string();
const amount = z.number().nullable().default(null).catch(null);
/** Made by the user's code: what is odd about it is no reason to lose it. */
const failure = z.object({
  kind: failureKind.catch('program'),
  message: z.string(),
  retryAfterMs: amount,
  usage: z.object({ inputTokens: amount, outputTokens: amount, cost: amount }).nullable().default(null).catch(null),
  latencyMs: amount,
  raw: z.string().nullable().default(null).catch(null),
});

/**
 * A line of the process; anything else the module has written itself. `fault`: it ends for an error outside of its calls;
 * `heard`: an abort has arrived, so that the module is not caught in a loop.
 */
const fromModule = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('ready') }),
  z.object({ kind: z.literal('unusable'), message: z.string() }),
  z.object({ kind: z.literal('fault'), message: z.string() }),
  z.object({ kind: z.literal('heard'), id }),
  z.object({ kind: z.literal('answer'), id, text: z.string() }),
  z.object({ kind: z.literal('failure'), id, failure }),
]);
export type FromModule = z.input<typeof fromModule>;

type ModuleSaid = { readonly text: string } | { readonly failure: z.infer<typeof failure> };

// The sources are run as they are, and compiled under the same name.
const ENTRY = new URL(import.meta.url.endsWith('.ts') ? './module-worker.ts' : './module-worker.js', import.meta.url);
const LONGEST_LINE = 1 << 28;
/** A module that has not noticed an abort by then is caught in a loop. */
const NOTICE_MS = 1000;

/** A process with a user's module in it, which is asked for item after item, several at once where the module can. */
export class ModuleProcess extends AskedProgram<ModuleSaid> {
  readonly #given: string;
  readonly #ready = Promise.withResolvers<void>();
  /** Throws UsageError. */
  readonly ready = this.#ready.promise;
  readonly #loading: NodeJS.Timeout;
  #isLoading = true;
  /** Aborts that it has not noticed yet. */
  readonly #unheard = new Set<string>();
  #error: string | null = null;

  constructor(
    given: string,
    { href, name }: Pick<FoundCode, 'href' | 'name'>,
    { environment, loadingMs }: { readonly environment: Environment; readonly loadingMs: number },
    events: ProgramEvents,
  ) {
    const conditions = process.execArgv.filter((flag) => flag.startsWith('--conditions='));
    const command = [process.execPath, ...conditions, fileURLToPath(ENTRY), href, name];
    super('the module', { command, environment, longestLine: LONGEST_LINE }, secretsIn(environment), events);
    this.#given = given;
    this.#loading = setTimeout(() => this.#unusable(`it was not loaded within ${waitText(loadingMs)}`), loadingMs);
    // Whoever waits for it hears of it; where nobody does, it is no fault of this process.
    this.ready.catch(() => undefined);
  }

  /** Not while it may be caught in a loop: the item would be lost with it. */
  takes(): boolean {
    return this.#unheard.size === 0;
  }

  giveUp(item: string, { kind, message }: TargetError): void {
    this.forget(item);
    if (this.#isLoading || this.process.isOver) return;
    this.#unheard.add(item);
    this.process.write(JSON.stringify({ id: item, abort: { kind, message } }));
    setTimeout(() => {
      if (this.#unheard.has(item))
        this.abandon('the module was ended because it had not answered another item in time');
    }, NOTICE_MS);
  }

  protected send(item: string, text: string): void {
    void this.ready.then(
      () => this.has(item) && this.process.write(JSON.stringify({ id: item, text })),
      () => undefined,
    );
  }

  protected hear(line: string): void {
    const { data: message } = fromModule.safeParse(parseJson(line).value);
    switch (message?.kind) {
      case undefined:
        return;
      case 'ready':
        clearTimeout(this.#loading);
        this.#isLoading = false;
        this.readyAt = performance.now();
        return this.#ready.resolve();
      case 'unusable':
        return this.#unusable(message.message);
      case 'fault':
        this.#error = withoutSecrets(message.message, this.secrets);
        return;
      case 'heard':
        this.#unheard.delete(message.id);
        return this.events.changed();
      case 'answer':
      case 'failure':
        return void this.answered(message.id, message);
    }
  }

  protected end(how: string): void {
    const code = /^exit code (\d+)$/.exec(how)?.[1];
    const what = code === undefined ? `was ended by ${how}` : `called process.exit(${code})`;
    if (this.#isLoading) return this.#unusable(this.told(this.#error ?? `it ${what}`));
    const outside = `the module failed outside of its calls (${this.#error ?? ''})`;
    this.over(this.#error === null ? `the module ${what} before it answered` : outside);
  }

  #unusable(reason: string): void {
    const told = withoutSecrets(reason, this.secrets);
    clearTimeout(this.#loading);
    this.#isLoading = false;
    const next = 'export a function (case, { signal }) => output';
    this.#ready.reject(new UsageError(`module ${this.#given}: the module does not load (${told})`, next));
    this.events.fault(told);
    this.process.kill();
    this.failAll(`the module was to be loaded again: ${told}`);
  }
}
