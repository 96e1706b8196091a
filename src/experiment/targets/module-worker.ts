// The thread of a user's module: what it does to its process (process.exit, a loop without end, words on standard output)
// it does to the thread alone.
import { type MessagePort, parentPort, workerData } from 'node:worker_threads';

import { isRecord } from '../../data/record-fields.ts';
import type { Environment } from '../models/access.ts';
import type { FromModule, ModuleStart, ToModule } from './module-thread.ts';
import { jsonText } from './program-answer.ts';
import { TargetError } from './target.ts';

/** A function of the user's own: an item (a TargetCase) in, an output out, or `{output, usage, passages}`. */
type OwnFunction = (
  given: unknown,
  how: { /** Says when nobody waits any more. */ readonly signal: AbortSignal; readonly environment: Environment },
) => unknown;

const LONGEST_WORDS = 4096;

const start: unknown = workerData;
// Not awaited here: Node would print a warning of its own where the module's top level never ends.
if (parentPort !== null && isStart(start)) void serve(parentPort, start);

async function serve(port: MessagePort, { href, name, environment }: ModuleStart): Promise<void> {
  const say = (message: FromModule): void => port.postMessage(message);
  redirectOutput((text) => say({ kind: 'words', text }));
  const unusable = (message: string, isMissing = false): void => say({ kind: 'unusable', message, isMissing });
  const onStuck = (): void => unusable('its top-level await never ends');
  process.once('beforeExit', onStuck);
  let loaded: unknown;
  try {
    loaded = await import(href);
  } catch (error) {
    return unusable(error instanceof Error ? error.message : String(error));
  } finally {
    process.off('beforeExit', onStuck);
  }
  const found: unknown = isRecord(loaded) ? Reflect.get(loaded, name) : undefined;
  if (!isFunction(found)) return unusable('it exports no such function', true);
  const controllers = new Map<string, AbortController>();
  const answer = async (id: string, text: string): Promise<void> => {
    const controller = new AbortController();
    controllers.set(id, controller);
    try {
      const given: unknown = JSON.parse(text);
      const returned = await found(given, { signal: controller.signal, environment });
      say({ kind: 'answer', id, text: jsonText(returned, 'the function') });
    } catch (error) {
      say({ kind: 'failure', id, failure: failureOf(error) });
    } finally {
      controllers.delete(id);
    }
  };
  port.on('message', (message: ToModule) => {
    if ('text' in message) return void answer(message.id, message.text);
    say({ kind: 'heard', id: message.id });
    controllers.get(message.id)?.abort(new TargetError(message.abort));
  });
  say({ kind: 'ready' });
}

/** What the module prints is heard and not shown: our own output stays what it is. */
function redirectOutput(hear: (text: string) => void): void {
  const write = (chunk: unknown, ...rest: readonly unknown[]): boolean => {
    const text = chunk instanceof Uint8Array ? Buffer.from(chunk).toString() : String(chunk);
    hear(text.slice(-LONGEST_WORDS));
    const done = rest.at(-1);
    if (isCallback(done)) queueMicrotask(done);
    return true;
  };
  for (const stream of [process.stdout, process.stderr]) Object.defineProperty(stream, 'write', { value: write });
}

function failureOf(thrown: unknown): Extract<FromModule, { kind: 'failure' }>['failure'] {
  if (thrown instanceof TargetError) {
    const { kind, message, retryAfterMs, usage, latencyMs, raw } = thrown;
    return { kind, message, retryAfterMs, usage, latencyMs, raw };
  }
  // Not cut here: half a secret would not be found in it.
  const message = thrown instanceof Error ? `${thrown.name}: ${thrown.message}` : `it threw ${String(thrown)}`;
  return { kind: 'program', message, retryAfterMs: null, usage: null, latencyMs: null, raw: null };
}

function isStart(value: unknown): value is ModuleStart {
  return isRecord(value) && typeof value['href'] === 'string' && typeof value['name'] === 'string';
}

/** What it returns is checked each time it is asked. */
function isFunction(value: unknown): value is OwnFunction {
  return typeof value === 'function';
}

function isCallback(value: unknown): value is () => void {
  return typeof value === 'function';
}
