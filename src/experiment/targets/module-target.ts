import { z } from 'zod';

import { UsageError } from '../../data/problems.ts';
import { isRecord } from '../../data/record-fields.ts';
import { findOwnCode, type FoundCode } from '../../recipe/own-code.ts';
import { withinTime } from '../limits/call-with-limits.ts';
import { parseJson } from './answer-json.ts';
import { type ModuleProgram, ModuleThread, NotLoaded } from './module-thread.ts';
import { Faults } from './program-faults.ts';
import { badAnswer, NO_MODEL, programAnswer, type ProgramAnswer } from './program-answer.ts';
import { secretsIn, valueWithoutSecrets } from '../models/secrets.ts';
import { defineTarget, filePath, givenUp, type Target, type TargetContext, TargetError } from './target.ts';

const section = z.strictObject({
  use: z.literal('module'),
  module: filePath.meta({ description: './file.ts or ./file.ts#name, in or below the folder of the experiment' }),
});
type ModuleSpec = z.infer<typeof section>;

/** A function of the user's own, in a thread of its own. */
export const moduleTarget = defineTarget(section, open);

const WHO = 'the function';
const OWN = { what: 'module', of: 'experiment' };
/** Unless an answer may take longer. */
const LOADING_MS = 60_000;

async function open(spec: ModuleSpec, context: TargetContext): Promise<Target> {
  const { folder, environment, timeoutMs, lookOnly = false } = context;
  const found = findOwnCode(spec.module, folder, OWN);
  const secrets = secretsIn(environment);
  const program = { ...found, environment, secrets, loadingMs: Math.max(LOADING_MS, timeoutMs) };
  const refuseChange = (): void => {
    if (shaNow(spec.module, folder) !== found.sha256)
      throw new TargetError({ kind: 'access', message: `the module ${found.file} was changed while it was in use` });
  };
  const host = lookOnly
    ? null
    : await ModuleHost.open(program, refuseChange).catch((error: unknown) => {
        throw error instanceof NotLoaded ? refusal(spec.module, found, error) : error;
      });
  return {
    kind: 'module',
    ...NO_MODEL,
    identity: { kind: 'module', module: spec.module, sha256: found.sha256 },
    request: ({ id, input, metadata, repeat }) => ({ id, input, metadata, repeat }),
    preview: (given) => Promise.resolve(JSON.stringify(given, null, 2)),
    async answer({ id, input, metadata, repeat }, signal) {
      if (host === null) throw new TargetError({ kind: 'program', message: 'the module was opened to be looked at' });
      const text = JSON.stringify({ id, input, metadata, repeat });
      const { said, latencyMs } = await withinTime((over) => host.ask(text, over), timeoutMs, signal);
      return { ...answerOf(said, secrets), latencyMs, raw: null };
    },
    close: () => host?.close() ?? Promise.resolve(),
  };
}

/** An object with a field `output` says more than the output; anything else is the output itself. */
function answerOf(text: string, secrets: readonly string[]): ProgramAnswer {
  const { value, fault } = parseJson(text);
  if (fault !== undefined) throw badAnswer(WHO, `the output is not JSON: ${fault}`);
  const clean = valueWithoutSecrets(value, secrets);
  return isRecord(clean) && Object.hasOwn(clean, 'output')
    ? programAnswer(clean, WHO)
    : { output: clean, usage: null, passages: null };
}

function refusal(given: string, { file, name }: FoundCode, { message, isMissing }: NotLoaded): UsageError {
  return isMissing
    ? new UsageError(
        `module ${given}: ${file} exports no function called ${name}`,
        'export a function (case, { signal }) => output',
      )
    : new UsageError(`module ${given}: the module does not load (${message})`);
}

/** Null where it is not there any more. */
function shaNow(given: string, folder: string): string | null {
  try {
    return findOwnCode(given, folder, OWN).sha256;
  } catch (error) {
    if (error instanceof UsageError) return null;
    throw error;
  }
}

/** A module in a thread of its own, which is started again where the module ends it. */
export class ModuleHost {
  readonly #program: ModuleProgram;
  readonly #refuseChange: () => void;
  readonly #faults = new Faults('the module');
  #thread: ModuleThread;
  #starting: Promise<void> | null = null;
  #isClosed = false;

  private constructor(program: ModuleProgram, refuseChange: () => void) {
    this.#program = program;
    this.#refuseChange = refuseChange;
    this.#thread = this.#started();
  }

  /** Throws NotLoaded. `refuseChange` throws where the module is not what it was. */
  static async open(program: ModuleProgram, refuseChange: () => void): Promise<ModuleHost> {
    const host = new ModuleHost(program, refuseChange);
    await host.#thread.ready;
    return host;
  }

  /** What the function returns for an item, both as JSON. */
  async ask(given: string, signal: AbortSignal): Promise<{ readonly said: string; readonly latencyMs: number }> {
    await this.#usable(signal);
    const thread = this.#thread;
    const start = performance.now();
    try {
      const said = await thread.ask(given, signal);
      this.#faults.forget();
      return { said, latencyMs: Math.round(performance.now() - start) };
    } catch (error) {
      // That the function failed is an answer too.
      if (!thread.isOver && !signal.aborted) this.#faults.forget();
      throw error;
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#thread.end(closed());
  }

  /** Not while it may be caught in a loop: the item would be lost with it. */
  async #usable(signal: AbortSignal): Promise<void> {
    for (;;) {
      await this.#thread.settled();
      if (this.#isClosed) throw closed();
      if (signal.aborted) throw givenUp(signal);
      if (!this.#thread.isOver && this.#starting === null) return;
      await (this.#starting ??= this.#restart().finally(() => (this.#starting = null)));
    }
  }

  async #restart(): Promise<void> {
    const { tooMany } = this.#faults;
    if (tooMany !== null) throw tooMany;
    this.#refuseChange();
    this.#thread = this.#started();
    try {
      await this.#thread.ready;
    } catch (error) {
      if (!(error instanceof NotLoaded)) throw error;
      this.#faults.note(error.message);
      throw new TargetError({ kind: 'program', message: `the module was to be loaded again: ${error.message}` });
    }
  }

  #started(): ModuleThread {
    return new ModuleThread(this.#program, (reason) => this.#faults.note(reason));
  }
}

function closed(): TargetError {
  return new TargetError({ kind: 'aborted', message: 'the target was closed' });
}
