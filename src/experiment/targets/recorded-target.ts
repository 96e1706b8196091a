import { resolve } from 'node:path';

import { z } from 'zod';

import { InputError } from '../../data/problems.ts';
import { visible } from '../../data/visible.ts';
import { type ProgramAnswer, programAnswer } from './program-answer.ts';
import { ID_FIELDS, indexRecorded } from './recorded-index.ts';
import { defineTarget, filePath, type Target, type TargetContext, TargetError } from './target.ts';

const schema = z.strictObject({
  use: z.literal('recorded'),
  answers: filePath.meta({ description: 'JSON lines {id, output} or {id, error}, plain or gzip' }),
});
type RecordedSpec = z.infer<typeof schema>;

/** Answers that were written down before: they cost nothing and need no key. */
export const recordedTarget = defineTarget(schema, open);

const WHO = 'the recorded answer';
const LATENCY = ['latencyMs', 'latency_ms'];
/** What is said about an answer and is no part of it, where the output does not stand apart. */
const BESIDE = new Set([...ID_FIELDS, ...LATENCY, 'repeat', 'usage', 'passages', 'error']);

async function open(spec: RecordedSpec, { folder }: TargetContext): Promise<Target> {
  const index = await indexRecorded(resolve(folder, spec.answers));
  return {
    kind: 'recorded',
    model: null,
    modelParameters: {},
    identity: { kind: 'recorded', sha256: index.sha256 },
    cacheable: false,
    preview: () => Promise.resolve(null),
    async answer({ id, repeat }) {
      const start = performance.now();
      const found = await index.find(id, repeat).catch(changed);
      if (found === null) {
        const which = repeat === 1 ? visible(id) : `${visible(id)}, repeat ${repeat}`;
        throw new TargetError({ kind: 'answer', message: `no recorded answer for ${which}` });
      }
      const { record } = found;
      const latencyMs = latencyOf(record) ?? Math.round(performance.now() - start);
      return { ...answerOf(record), latencyMs, raw: null };
    },
    close: () => index.close(),
  };
}

/** `{id, output}`, or the answer's own fields beside the id, as prediction files have them. */
function answerOf(record: Readonly<Record<string, unknown>>): ProgramAnswer {
  if (Object.hasOwn(record, 'output')) return programAnswer(record, WHO);
  const own = Object.entries(record).filter(([name]) => !BESIDE.has(name));
  const output = own.length === 0 ? undefined : Object.fromEntries(own);
  const { usage, passages, error } = record;
  return programAnswer({ output, usage, passages, error }, WHO);
}

function latencyOf(record: Readonly<Record<string, unknown>>): number | null {
  const found = LATENCY.map((name) => record[name]).find((one) => typeof one === 'number' && one >= 0);
  return typeof found === 'number' && Number.isFinite(found) ? found : null;
}

function changed(error: unknown): never {
  if (error instanceof InputError) throw new TargetError({ kind: 'answer', message: error.message });
  throw error;
}
