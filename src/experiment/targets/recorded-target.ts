import { readSync } from 'node:fs';
import { type FileHandle, open as openFile } from 'node:fs/promises';
import { resolve } from 'node:path';

import { z } from 'zod';

import { InputError, Problems } from '../../data/problems.ts';
import { isRecord } from '../../data/record-fields.ts';
import { fileSource, OpenSource } from '../../data/source.ts';
import { byteOrderMarkLength, decodeUtf8 } from '../../data/utf8.ts';
import { visible } from '../../data/visible.ts';
import { type LineStart, LineSplitter } from '../line-splitter.ts';
import { parseJson } from './answer-json.ts';
import { NO_MODEL, type ProgramAnswer, programAnswer } from './program-answer.ts';
import { defineTarget, filePath, TargetError } from './target.ts';

type RecordedAnswer = Readonly<Record<string, unknown>>;

/** Where an answer stands in the unpacked bytes. */
interface Place {
  readonly start: number;
  readonly bytes: number;
  readonly line: number;
}

const WHO = 'the recorded answer';
const ID_FIELDS = ['id', 'case', 'case_id', 'item', 'item_id', 'dataset_item_id', 'journal_id'];
const LATENCY = ['latencyMs', 'latency_ms'];
/** What is said about an answer and is no part of it, where the output does not stand apart. */
const BESIDE = new Set([...ID_FIELDS, ...LATENCY, 'repeat', 'usage', 'passages', 'error']);
const LONGEST_LINE = 16 << 20;
const MOST_UNPACKED = 256 << 20;

/** Answers that were written down before: they cost nothing and need no key. */
export const recordedTarget = defineTarget(
  z.strictObject({
    use: z.literal('recorded'),
    answers: filePath.meta({ description: 'JSON lines {id, output} or {id, error}, plain or gzip' }),
  }),
  async ({ answers }, { folder }) => {
    const file = resolve(folder, answers);
    const { places, sha256, isPacked } = await indexed(file);
    // Of a plain file only the places are held in memory.
    const whole = isPacked ? Buffer.concat(await Array.fromAsync(unpacked(file).bytes())) : null;
    const handle = whole === null ? await openFile(file) : null;
    return {
      kind: 'recorded',
      ...NO_MODEL,
      identity: { kind: 'recorded', sha256 },
      preview: () => Promise.resolve(null),
      async answer({ id, repeat }) {
        const begun = performance.now();
        const place = places.get(keyOf(id, repeat));
        if (place === undefined)
          throw new TargetError({ kind: 'answer', message: `no recorded answer for ${named(id, repeat)}` });
        const { start, bytes, line } = place;
        const text = handle === null ? whole!.subarray(start, start + bytes) : readAt(handle, place);
        const { value } = parseJson(text.toString('utf8'));
        if (!isRecord(value) || recordId(value) !== id || (value['repeat'] ?? 1) !== repeat) {
          const message = 'the file was changed while it was being used';
          throw new TargetError({ kind: 'answer', message: new InputError([{ file, line, message }]).message });
        }
        const latencyMs = latencyOf(value) ?? Math.round(performance.now() - begun);
        return { ...answerOf(value), latencyMs, raw: null };
      },
      close: async () => handle?.close(),
    };
  },
);

function unpacked(file: string): OpenSource {
  return new OpenSource(fileSource(file), MOST_UNPACKED);
}

/** Where each answer stands in the unpacked bytes, and what identifies these. */
async function indexed(
  file: string,
): Promise<{ readonly places: ReadonlyMap<string, Place>; readonly sha256: string; readonly isPacked: boolean }> {
  const source = unpacked(file);
  const places = new Map<string, Place>();
  const problems = new Problems();
  const note = (line: number, message: string, next?: string): void =>
    problems.add({ file, line, message, ...(next === undefined ? {} : { next }) });
  const take = (whole: Buffer, { start, number: line }: LineStart): void => {
    const skip = line === 1 ? byteOrderMarkLength(whole) : 0;
    const bytes = whole.subarray(skip);
    const text = decodeUtf8(bytes, line, file, problems);
    if (text === null || text.trim() === '') return;
    const { value, fault } = parseJson(text);
    if (!isRecord(value)) return note(line, fault ?? 'expected an object {id, output}');
    const id = recordId(value);
    const repeat = value['repeat'] ?? 1;
    if (id === null) return note(line, `expected an id in one of the fields ${ID_FIELDS.join(', ')}`);
    if (typeof repeat !== 'number' || !Number.isInteger(repeat) || repeat < 1)
      return note(line, 'repeat: expected a whole number from 1');
    const before = places.get(keyOf(id, repeat));
    if (before === undefined) places.set(keyOf(id, repeat), { start: start + skip, bytes: bytes.length, line });
    else
      note(
        line,
        `a second answer for ${named(id, repeat)}: the first is in line ${before.line}`,
        'remove one; answers to sampling repeats say which: "repeat": 2',
      );
  };
  const lines = new LineSplitter(take, LONGEST_LINE, ({ number }) => note(number, 'the line is longer than 16 MiB'));
  for await (const chunk of source.bytes()) lines.push(chunk);
  lines.end();
  problems.throwIfAny();
  if (places.size === 0) throw new InputError([{ file, line: null, message: 'there is no recorded answer in it' }]);
  const { sha256 } = source.content();
  return { places, sha256, isPacked: sha256 !== source.digest().sha256 };
}

function keyOf(id: string, repeat: number): string {
  return `${repeat} ${id}`;
}

function named(id: string, repeat: number): string {
  return repeat === 1 ? visible(id) : `${visible(id)}, repeat ${repeat}`;
}

function recordId(record: RecordedAnswer): string | null {
  const name = ID_FIELDS.find((one) => record[one] !== undefined && record[one] !== null);
  const id = name === undefined ? null : record[name];
  if (typeof id === 'number' && Number.isSafeInteger(id)) return String(id);
  return typeof id === 'string' && id !== '' ? id : null;
}

/** At once: to hand it to another thread takes ten times as long as to read a line. */
function readAt({ fd }: FileHandle, { start, bytes }: Place): Buffer {
  const buffer = Buffer.allocUnsafe(bytes);
  return buffer.subarray(0, readSync(fd, buffer, 0, bytes, start));
}

/** `{id, output}`, or the answer's own fields beside the id, as prediction files have them. */
function answerOf(record: RecordedAnswer): ProgramAnswer {
  if (Object.hasOwn(record, 'output')) return programAnswer(record, WHO);
  const own = Object.entries(record).filter(([name]) => !BESIDE.has(name));
  const output = own.length === 0 ? undefined : Object.fromEntries(own);
  const { usage, passages, error } = record;
  return programAnswer({ output, usage, passages, error }, WHO);
}

function latencyOf(record: RecordedAnswer): number | null {
  const found = LATENCY.map((name) => record[name]).find((one) => typeof one === 'number' && one >= 0);
  return typeof found === 'number' && Number.isFinite(found) ? found : null;
}
