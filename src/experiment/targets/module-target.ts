import { z } from 'zod';

import { UsageError } from '../../data/problems.ts';
import { isRecord } from '../../data/record-fields.ts';
import { findOwnCode, type FoundCode } from '../../recipe/own-code.ts';
import { withinTime } from '../limits/call-with-limits.ts';
import { parseJson } from './json-text.ts';
import { ModuleHost } from './module-host.ts';
import { NotLoaded } from './module-thread.ts';
import { badAnswer, programAnswer, type ProgramAnswer } from './program-answer.ts';
import { secretsIn, valueWithoutSecrets } from '../models/secrets.ts';
import { defineTarget, filePath, type Target, type TargetContext, TargetError } from './target.ts';

const schema = z.strictObject({
  use: z.literal('module'),
  module: filePath.meta({ description: './file.ts or ./file.ts#name, in or below the folder of the experiment' }),
});
type ModuleSpec = z.infer<typeof schema>;

/** A function of the user's own, in a thread of its own. */
export const moduleTarget = defineTarget(schema, open);

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
    model: null,
    modelParameters: {},
    identity: { kind: 'module', module: spec.module, sha256: found.sha256 },
    // What it imports is not hashed, and it may do as it likes.
    cacheable: false,
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
