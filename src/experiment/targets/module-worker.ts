// The process of a user's module: what it does to its process (process.exit, a loop without end, words on standard output)
// it does to this one alone.
import { z } from 'zod';

import { lineSplitter } from '../../data/lines.ts';
import { isRecord } from '../../data/record-fields.ts';
import type { FromModule } from './module-target.ts';
import { answerLine } from './program-answer.ts';
import { failureShape, TargetError } from './target.ts';

/** An item as JSON, or that nobody waits for it any more. */
const toModule = z.object({
  id: z.string(),
  text: z.string().optional(),
  abort: failureShape.optional(),
});

const write = process.stdout.write.bind(process.stdout);
const say = (message: FromModule): void => void write(`${JSON.stringify(message)}\n`);
// What the module prints is no answer.
process.stdout.write = process.stderr.write.bind(process.stderr);

process.on('uncaughtException', (error) => {
  // The module may have its own way with errors.
  if (process.listenerCount('uncaughtException') > 1) return;
  say({ kind: 'fault', message: errorText(error) });
  process.exit(1);
});

const [href = '', name = ''] = process.argv.slice(2);
// Not awaited: Node would print its own warning if the module's top level never ends.
void load(href, name).then(serve, (error: unknown) => unusable(error instanceof Error ? error.message : String(error)));

async function load(from: string, exported: string): Promise<unknown> {
  const onStuck = (): void => unusable('its top-level await never ends');
  process.once('beforeExit', onStuck);
  const loaded: unknown = await import(from);
  process.off('beforeExit', onStuck);
  return isRecord(loaded) ? Reflect.get(loaded, exported) : undefined;
}

function unusable(message: string): void {
  say({ kind: 'unusable', message });
}

/** An item (a TargetCase) in, an output out, or `{output, usage, passages}`; the signal fires once nobody waits. */
function serve(found: unknown): void {
  if (typeof found !== 'function') return unusable(`it exports no function called ${name}`);
  const controllers = new Map<string, AbortController>();
  const answer = async (id: string, text: string): Promise<void> => {
    const controller = new AbortController();
    controllers.set(id, controller);
    try {
      const given: unknown = JSON.parse(text);
      const how = { signal: controller.signal, environment: { ...process.env } };
      const returned: unknown = await Reflect.apply(found, undefined, [given, how]);
      say({ kind: 'answer', id, text: answerLine(returned, 'the function') });
    } catch (error) {
      say({ kind: 'failure', id, failure: failureOf(error) });
    } finally {
      controllers.delete(id);
    }
  };
  const lines = lineSplitter((line) => {
    const { id, text, abort } = toModule.parse(JSON.parse(line.toString('utf8')));
    if (text !== undefined) return void answer(id, text);
    say({ kind: 'heard', id });
    if (abort !== undefined) controllers.get(id)?.abort(new TargetError(abort));
  });
  process.stdin.on('data', (chunk: Buffer) => lines.push(chunk)).on('end', () => process.exit());
  say({ kind: 'ready' });
}

function failureOf(error: unknown): Extract<FromModule, { kind: 'failure' }>['failure'] {
  // Not made a TargetError, which is cut: half a secret would not be found in it.
  if (!(error instanceof TargetError)) return { kind: 'program', message: errorText(error) };
  const { kind, message, retryAfterMs, usage, latencyMs, raw } = error;
  return { kind, message, retryAfterMs, usage, latencyMs, raw };
}

function errorText(error: unknown): string {
  return error instanceof Error ? `${error.name}: ${error.message}` : `it threw ${String(error)}`;
}
