import { fileURLToPath } from 'node:url';

import { z } from 'zod';

import { UsageError } from '../../data/problems.ts';
import { isRecord } from '../../data/record-fields.ts';
import { findModule, type ModuleFile } from '../../recipe/user-module.ts';
import { waitText } from '../limits/duration.ts';
import type { Environment } from '../models/access.ts';
import { secretsIn, valueWithoutSecrets, withoutSecrets } from '../models/secrets.ts';
import { parseJson } from './answer-json.ts';
import { badAnswer, programAnswer, type ProgramAnswer, soundOutput } from './program-answer.ts';
import { AskedProgram, type ProgramEvents, programPool } from './program-pool.ts';
import { defineTarget, failureKind, filePath, itemOf, TargetError } from './target.ts';

const WHO = 'the function';
const OWN = { what: 'module', of: 'experiment' };
/** Unless an answer may take longer. */
const LOADING_MS = 60_000;

/** A function of the user's, in a separate process, which is started again if the module ends it. */
export const moduleTarget = defineTarget(
  z.strictObject({
    use: z.literal('module'),
    module: filePath.describe('./file.ts or ./file.ts#name, in or below the folder of the experiment'),
  }),
  async ({ module }, { folder, environment, timeoutMs, lookOnly = false }) => {
    const found = findModule(module, folder, OWN);
    const secrets = secretsIn(environment);
    const limits = { environment, loadingMs: Math.max(LOADING_MS, timeoutMs) };
    const start = (events: ProgramEvents): AskedProgram<ModuleSaid> => {
      if (findModule(module, folder, OWN).sha256 === found.sha256) return startModule(module, found, limits, events);
      throw new TargetError({ kind: 'access', message: `the module ${found.file} was changed while it was in use` });
    };
    const pool = programPool('the module', 1, timeoutMs, start);
    if (!lookOnly) await pool.start().protocol.ready;
    let asked = 0;
    return {
      identity: { module, sha256: found.sha256 },
      request: itemOf,
      preview: (item) => Promise.resolve(JSON.stringify(item, null, 2)),
      async answer(item, signal) {
        if (lookOnly) throw new TargetError({ kind: 'program', message: 'the module was opened to be looked at' });
        // By number: repeats share an id.
        const number = String((asked += 1));
        const text = JSON.stringify({ id: number, text: JSON.stringify(itemOf(item)) });
        const { said, latencyMs } = await pool.ask(number, text, signal);
        if ('text' in said) return { ...answerOf(said.text, secrets), latencyMs, raw: null };
        const { message, raw, ...rest } = said.failure;
        const clean = (words: string): string => withoutSecrets(words, secrets);
        throw new TargetError({ ...rest, message: clean(message), raw: raw === null ? null : clean(raw) });
      },
      close: () => pool.close(),
    };
  },
);

/** An object with a field `output` holds more than the output; anything else is the output itself. */
function answerOf(text: string, secrets: readonly string[]): ProgramAnswer {
  const { value, fault } = parseJson(text);
  if (fault !== undefined) throw badAnswer(WHO, `the output is not JSON: ${fault}`);
  const clean = valueWithoutSecrets(value, secrets);
  return isRecord(clean) && Object.hasOwn(clean, 'output')
    ? programAnswer(clean, WHO)
    : { output: soundOutput(clean), usage: null, passages: null };
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

/**
 * A process with a user's module in it, which is asked for item after item, several at once where the module can. `given`
 * is what the experiment calls it; `protocol.ready` throws UsageError.
 */
export function startModule(
  given: string,
  { href, name }: Pick<ModuleFile, 'href' | 'name'>,
  { environment, loadingMs }: { readonly environment: Environment; readonly loadingMs: number },
  events: ProgramEvents,
): AskedProgram<ModuleSaid> {
  const conditions = process.execArgv.filter((flag) => flag.startsWith('--conditions='));
  const command = [process.execPath, ...conditions, fileURLToPath(ENTRY), href, name];
  const secrets = secretsIn(environment);
  const { promise: ready, resolve, reject } = Promise.withResolvers<void>();
  // Callers that wait for it get the error; if nobody does, it is no fault of this process.
  ready.catch(() => undefined);
  let isLoading = true;
  /** Aborts that it has not noticed yet. */
  const unheard = new Set<string>();
  let error: string | null = null;
  const loaded = (): void => {
    clearTimeout(loading);
    isLoading = false;
  };
  const unusable = (reason: string): void => {
    const told = withoutSecrets(reason, secrets);
    loaded();
    const next = 'export a function (case, { signal }) => output';
    reject(new UsageError(`module ${given}: the module does not load (${told})`, next));
    events.fault(told);
    program.process.kill();
    program.failAll(`the module was to be loaded again: ${told}`);
  };
  const program = new AskedProgram<ModuleSaid>(
    'the module',
    { command, environment, longestLine: LONGEST_LINE },
    secrets,
    events,
    (running) => ({
      ready,
      // Not while it may be caught in a loop: the item would be lost with it.
      takes: () => unheard.size === 0,
      giveUp(item, { kind, message }) {
        running.forget(item);
        if (isLoading || running.process.isOver) return;
        unheard.add(item);
        running.process.write(JSON.stringify({ id: item, abort: { kind, message } }));
        const late = 'the module was ended because it had not answered another item in time';
        setTimeout(() => unheard.has(item) && running.abandon(late), NOTICE_MS);
      },
      hear(line) {
        const { data: message } = fromModule.safeParse(parseJson(line).value);
        switch (message?.kind) {
          case undefined:
            return;
          case 'ready':
            loaded();
            return resolve();
          case 'unusable':
            return unusable(message.message);
          case 'fault':
            error = withoutSecrets(message.message, secrets);
            return;
          case 'heard':
            unheard.delete(message.id);
            return events.changed();
          case 'answer':
          case 'failure':
            return void running.answered(message.id, message);
        }
      },
      end(how) {
        const code = /^exit code (\d+)$/.exec(how)?.[1];
        const what = code === undefined ? `was ended by ${how}` : `called process.exit(${code})`;
        if (isLoading) return unusable(running.told(error ?? `it ${what}`));
        const outside = `the module failed outside of its calls (${error ?? ''})`;
        running.over(error === null ? `the module ${what} before it answered` : outside);
      },
    }),
  );
  const loading = setTimeout(() => unusable(`it was not loaded within ${waitText(loadingMs)}`), loadingMs);
  return program;
}
