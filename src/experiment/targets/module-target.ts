import { z } from 'zod';

import { UsageError } from '../../data/problems.ts';
import { isRecord } from '../../data/record-fields.ts';
import { findOwnCode, type FoundCode } from '../../recipe/own-code.ts';
import { withinTime } from '../limits/call-with-limits.ts';
import { secretsIn, valueWithoutSecrets, withoutSecrets } from '../models/secrets.ts';
import { parseJson } from './answer-json.ts';
import { type ModuleSaid, ModuleThread, NotLoaded } from './module-thread.ts';
import { badAnswer, NO_MODEL, programAnswer, type ProgramAnswer } from './program-answer.ts';
import { type ProgramEvents, ProgramPool } from './program-pool.ts';
import { defineTarget, filePath, itemOf, TargetError } from './target.ts';

const WHO = 'the function';
const OWN = { what: 'module', of: 'experiment' };
/** Unless an answer may take longer. */
const LOADING_MS = 60_000;

/** A function of the user's own, in a thread of its own, which is started again where the module ends it. */
export const moduleTarget = defineTarget(
  z.strictObject({
    use: z.literal('module'),
    module: filePath.meta({ description: './file.ts or ./file.ts#name, in or below the folder of the experiment' }),
  }),
  async ({ module }, { folder, environment, timeoutMs, lookOnly = false }) => {
    const found = findOwnCode(module, folder, OWN);
    const secrets = secretsIn(environment);
    const program = { ...found, environment, secrets, loadingMs: Math.max(LOADING_MS, timeoutMs) };
    const start = (events: ProgramEvents): ModuleThread => {
      if (shaNow(module, folder) === found.sha256) return new ModuleThread(program, events);
      throw new TargetError({ kind: 'access', message: `the module ${found.file} was changed while it was in use` });
    };
    const pool = new ProgramPool<ModuleSaid, ModuleThread>('the module', 1, start);
    if (!lookOnly)
      await pool.start().ready.catch((error: unknown) => {
        throw error instanceof NotLoaded ? refusal(module, found, error) : error;
      });
    let asked = 0;
    return {
      kind: 'module',
      ...NO_MODEL,
      identity: { kind: 'module', module, sha256: found.sha256 },
      request: itemOf,
      preview: (item) => Promise.resolve(JSON.stringify(item, null, 2)),
      async answer(item, signal) {
        if (lookOnly) throw new TargetError({ kind: 'program', message: 'the module was opened to be looked at' });
        asked += 1;
        const [number, text] = [String(asked), JSON.stringify(itemOf(item))];
        const { said, latencyMs } = await withinTime((over) => pool.ask(number, text, over), timeoutMs, signal);
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
