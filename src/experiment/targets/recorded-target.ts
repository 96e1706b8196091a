import { resolve } from 'node:path';

import { z } from 'zod';

import type { Fields } from '../../data/item.ts';
import { InputError, Problems } from '../../data/problems.ts';
import { isRecord } from '../../data/record-fields.ts';
import { Records } from '../../data/records.ts';
import { fileSource } from '../../data/source.ts';
import { visible } from '../../data/visible.ts';
import { parseJson } from './answer-json.ts';
import { type ProgramAnswer, programAnswer } from './program-answer.ts';
import { defineTarget, filePath, TargetError } from './target.ts';

const WHO = 'the recorded answer';
const ID_FIELDS = ['id', 'case', 'case_id', 'item', 'item_id', 'dataset_item_id', 'journal_id'];
const LATENCY = ['latencyMs', 'latency_ms'];
/** Fields about an answer that are no part of it, if the output has no separate field. */
const BESIDE = new Set([...ID_FIELDS, ...LATENCY, 'repeat', 'usage', 'passages', 'error']);
const LIMITS = { maxBytes: 16 << 20, maxDecompressed: 256 << 20, tooLong: 'one answer per line is expected' };

/** Answers that were written down before: they cost nothing and need no key. */
export const recordedTarget = defineTarget(
  z.strictObject({
    use: z.literal('recorded'),
    answers: filePath.describe('JSON lines {id, output} or {id, error}, plain or gzip'),
  }),
  async ({ answers: given }, { folder }) => {
    const { answers, sha256 } = await readAnswers(resolve(folder, given));
    return {
      identity: { sha256 },
      async answer({ id, repeat }) {
        const begun = performance.now();
        const record = parseJson(answers.get(keyOf(id, repeat))?.bytes.toString('utf8') ?? '').value;
        if (!isRecord(record))
          throw new TargetError({ kind: 'answer', message: `no recorded answer for ${named(id, repeat)}` });
        const latencyMs = latencyOf(record) ?? Math.round(performance.now() - begun);
        return { ...answerOf(record), latencyMs, raw: null };
      },
    };
  },
);

/** The answers by item and repeat, as bytes: parsed they would take several times the memory, and that of the heap. */
async function readAnswers(file: string) {
  const answers = new Map<string, { readonly bytes: Buffer; readonly line: number }>();
  const problems = new Problems();
  const note = (line: number, message: string, next?: string): void => problems.add({ file, line, message, next });
  const take = (text: string, line: number): void => {
    const { value, fault } = parseJson(text);
    if (!isRecord(value)) return note(line, fault ?? 'expected an object {id, output}');
    const id = recordId(value);
    const repeat = value['repeat'] ?? 1;
    if (id === null) return note(line, `expected an id in one of the fields ${ID_FIELDS.join(', ')}`);
    if (typeof repeat !== 'number' || !Number.isInteger(repeat) || repeat < 1)
      return note(line, 'repeat: expected a whole number from 1');
    const first = answers.get(keyOf(id, repeat))?.line;
    if (first === undefined) return void answers.set(keyOf(id, repeat), { bytes: Buffer.from(text), line });
    const next = 'remove one; answers to sampling repeats say which: "repeat": 2';
    note(line, `a second answer for ${named(id, repeat)}: the first is in line ${first}`, next);
  };
  const records = new Records(fileSource(file), { problems, ...LIMITS });
  for await (const batch of records.lines()) for (const { text, line } of batch) take(text, line);
  problems.throwIfAny();
  if (answers.size === 0) throw new InputError([{ file, line: null, message: 'there is no recorded answer in it' }]);
  return { answers, sha256: records.content().sha256 };
}

function keyOf(id: string, repeat: number): string {
  return `${repeat} ${id}`;
}

function named(id: string, repeat: number): string {
  return repeat === 1 ? visible(id) : `${visible(id)}, repeat ${repeat}`;
}

function recordId(record: Fields): string | null {
  const name = ID_FIELDS.find((one) => record[one] !== undefined && record[one] !== null);
  const id = name === undefined ? null : record[name];
  if (typeof id === 'number' && Number.isSafeInteger(id)) return String(id);
  return typeof id === 'string' && id !== '' ? id : null;
}

/** `{id, output}`, or the answer's own fields beside the id, as prediction files have them. */
function answerOf(record: Fields): ProgramAnswer {
  if (Object.hasOwn(record, 'output')) return programAnswer(record, WHO);
  const own = Object.entries(record).filter(([name]) => !BESIDE.has(name));
  const output = own.length === 0 ? undefined : Object.fromEntries(own);
  const { usage, passages, error } = record;
  return programAnswer({ output, usage, passages, error }, WHO);
}

function latencyOf(record: Fields): number | null {
  const found = LATENCY.map((name) => record[name]).find((one) => typeof one === 'number' && one >= 0);
  return typeof found === 'number' && Number.isFinite(found) ? found : null;
}
