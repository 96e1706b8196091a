import { isRecord } from '../../data/record-fields.ts';
import { loadOwnCode } from '../../recipe/own-code.ts';
import { withinTime } from '../limits/within-time.ts';
import type { Environment } from '../models/access.ts';
import { plainJson } from './plain-json.ts';
import { programAnswer, type ProgramAnswer } from './program-answer.ts';
import { secretsIn, withoutSecrets } from './secrets.ts';
import { type Target, type TargetCase, TargetError } from './target.ts';
import type { TargetContext } from './target-context.ts';
import type { SpecOf } from './target-schema.ts';

/** A function of the user's own: an item in, an output out, or `{output, usage, passages}`. */
export type OwnFunction = (given: TargetCase, how: OwnFunctionContext) => unknown;

export interface OwnFunctionContext {
  /** Says when nobody waits for the answer any more. */
  readonly signal: AbortSignal;
  readonly environment: Environment;
}

export async function moduleTarget(spec: SpecOf<'module'>, context: TargetContext): Promise<Target> {
  const { code: call, sha256 } = await loadOwnCode(spec.module, context.folder, {
    what: 'module',
    of: 'experiment',
    isWanted: isFunction,
    expected: '(case, { signal }) => output',
  });
  const { environment, timeoutMs } = context;
  const secrets = secretsIn(environment);
  const called = async (given: TargetCase, signal: AbortSignal): Promise<unknown> => {
    try {
      return await call(given, { signal, environment });
    } catch (error) {
      throw thrown(error, secrets);
    }
  };
  return {
    kind: 'module',
    model: null,
    modelParameters: {},
    identity: { kind: 'module', module: spec.module, sha256 },
    // What it imports is not hashed, and it may do as it likes.
    cacheable: false,
    preview: (given) => Promise.resolve(JSON.stringify(given, null, 2)),
    async answer(given, signal) {
      const start = performance.now();
      const returned = await withinTime((over) => called(given, over), timeoutMs, signal);
      const latencyMs = Math.round(performance.now() - start);
      return { ...answerOf(returned, secrets), latencyMs, raw: null };
    },
    close: () => Promise.resolve(),
  };
}

/** An object with a field `output` says more than the output; anything else is the output itself. */
function answerOf(returned: unknown, secrets: readonly string[]): ProgramAnswer {
  const { text, value } = plainJson(returned, 'the function');
  const scrubbed = withoutSecrets(text, secrets);
  const clean: unknown = scrubbed === text ? value : JSON.parse(scrubbed);
  return isRecord(clean) && Object.hasOwn(clean, 'output')
    ? programAnswer(clean, 'the function')
    : { output: clean, usage: null, passages: null };
}

function thrown(error: unknown, secrets: readonly string[]): TargetError {
  if (error instanceof TargetError) return error;
  const text = error instanceof Error ? `${error.name}: ${error.message}` : `it threw ${String(error)}`;
  return new TargetError({ kind: 'program', message: withoutSecrets(text, secrets) });
}

/** What it returns is checked each time it is asked. */
function isFunction(value: unknown): value is OwnFunction {
  return typeof value === 'function';
}
