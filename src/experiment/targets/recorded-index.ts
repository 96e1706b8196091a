import { createHash } from 'node:crypto';
import { type FileHandle, open } from 'node:fs/promises';

import { InputError, Problems } from '../../data/problems.ts';
import { isRecord } from '../../data/record-fields.ts';
import { errorCode, fileSource, OpenSource } from '../../data/source.ts';
import { byteOrderMarkLength, decodeUtf8 } from '../../data/utf8.ts';
import { visible } from '../../data/visible.ts';
import { parseJson } from './json-text.ts';

/** Answers that were written down, found by item and repeat. Of a plain file only the places are held in memory. */
export interface RecordedIndex {
  /** Of the unpacked bytes. */
  readonly sha256: string;
  readonly size: number;
  /** The record, with the line it stands in; null where there is none. */
  find(id: string, repeat: number): Promise<RecordedLine | null>;
  close(): Promise<void>;
}

export interface RecordedLine {
  readonly record: Readonly<Record<string, unknown>>;
  readonly line: number;
}

interface Place {
  readonly start: number;
  readonly bytes: number;
  readonly line: number;
}

export const ID_FIELDS = ['id', 'case', 'case_id', 'item', 'item_id', 'dataset_item_id', 'journal_id'];
const NEWLINE = 0x0a;
const LONGEST_LINE = 16 << 20;
const MOST_UNPACKED = 256 << 20;

export async function indexRecorded(file: string): Promise<RecordedIndex> {
  const isPacked = await beginsAsGzip(file);
  const places = new Map<string, Place>();
  const problems = new Problems();
  const hash = createHash('sha256');
  const kept: Buffer[] = [];
  const note = (line: number, message: string, next?: string): void =>
    problems.add({ file, line, message, ...(next === undefined ? {} : { next }) });

  let size = 0;
  const source = new OpenSource(fileSource(file));
  const seen = async function* (): AsyncGenerator<Buffer> {
    for await (const chunk of source.bytes()) {
      hash.update(chunk);
      size += chunk.length;
      if (isPacked) {
        if (size > MOST_UNPACKED)
          throw new InputError([
            {
              file,
              line: null,
              message: `unpacked it is longer than ${MOST_UNPACKED >> 20} MiB`,
              next: 'unpack it: gunzip',
            },
          ]);
        kept.push(chunk);
      }
      yield chunk;
    }
  };
  for await (const { bytes, start, line } of linesOf(seen(), (at) => note(at, 'the line is longer than 16 MiB'))) {
    const text = decodeUtf8(bytes, line, file, problems);
    if (text === null || text.trim() === '') continue;
    const { value, fault } = parseJson(text);
    if (!isRecord(value)) {
      note(line, fault ?? 'expected an object {id, output}');
      continue;
    }
    const id = recordId(value);
    const repeat = value['repeat'] ?? 1;
    if (id === null) note(line, `expected an id in one of the fields ${ID_FIELDS.join(', ')}`);
    else if (typeof repeat !== 'number' || !Number.isInteger(repeat) || repeat < 1)
      note(line, 'repeat: expected a whole number from 1');
    else {
      const before = places.get(keyOf(id, repeat));
      if (before === undefined) places.set(keyOf(id, repeat), { start, bytes: bytes.length, line });
      else
        note(
          line,
          `a second answer for ${visible(id)}${repeat === 1 ? '' : `, repeat ${repeat}`}: the first is in line ${before.line}`,
          'remove one; answers to sampling repeats say which: "repeat": 2',
        );
    }
  }
  problems.throwIfAny();
  if (places.size === 0) throw new InputError([{ file, line: null, message: 'there is no recorded answer in it' }]);

  const whole = isPacked ? Buffer.concat(kept) : null;
  const handle = whole === null ? await open(file) : null;
  return {
    sha256: hash.digest('hex'),
    size: places.size,
    async find(id, repeat) {
      const place = places.get(keyOf(id, repeat));
      if (place === undefined) return null;
      const bytes =
        handle === null ? whole!.subarray(place.start, place.start + place.bytes) : await readAt(handle, place);
      const { value } = parseJson(bytes.toString('utf8'));
      if (!isRecord(value) || recordId(value) !== id || (value['repeat'] ?? 1) !== repeat)
        throw new InputError([{ file, line: place.line, message: 'the file was changed while it was being used' }]);
      return { record: value, line: place.line };
    },
    close: async () => handle?.close(),
  };
}

function keyOf(id: string, repeat: number): string {
  return `${repeat} ${id}`;
}

function recordId(record: Readonly<Record<string, unknown>>): string | null {
  const name = ID_FIELDS.find((one) => record[one] !== undefined && record[one] !== null);
  const id = name === undefined ? null : record[name];
  if (typeof id === 'number' && Number.isSafeInteger(id)) return String(id);
  return typeof id === 'string' && id !== '' ? id : null;
}

async function readAt(handle: FileHandle, { start, bytes }: Place): Promise<Buffer> {
  const buffer = Buffer.allocUnsafe(bytes);
  const { bytesRead } = await handle.read(buffer, 0, bytes, start);
  return buffer.subarray(0, bytesRead);
}

async function beginsAsGzip(file: string): Promise<boolean> {
  let handle: FileHandle;
  try {
    handle = await open(file);
  } catch (error) {
    // Whoever reads it says what is wrong, with the names of files nearby.
    if (['ENOENT', 'EACCES', 'EISDIR', 'ENOTDIR'].includes(errorCode(error))) return false;
    throw error;
  }
  try {
    const { buffer } = await handle.read(Buffer.alloc(2), 0, 2, 0);
    return buffer[0] === 0x1f && buffer[1] === 0x8b;
  } catch {
    return false;
  } finally {
    await handle.close();
  }
}

/** Lines with the byte at which they start, split at LF only. */
async function* linesOf(
  chunks: AsyncIterable<Buffer>,
  onLong: (line: number) => void,
): AsyncGenerator<{ readonly bytes: Buffer; readonly start: number; readonly line: number }> {
  let held: Buffer[] = [];
  let heldBytes = 0;
  let start = 0;
  let line = 1;
  const take = (last: Buffer) => {
    const bytes = heldBytes === 0 ? last : Buffer.concat([...held, last]);
    const skip = line === 1 ? byteOrderMarkLength(bytes) : 0;
    return { bytes: bytes.subarray(skip), start: start + skip, line };
  };
  for await (const chunk of chunks) {
    let from = 0;
    for (let at = chunk.indexOf(NEWLINE); at !== -1; at = chunk.indexOf(NEWLINE, from)) {
      const piece = chunk.subarray(from, at);
      if (heldBytes + piece.length > LONGEST_LINE) onLong(line);
      else yield take(piece);
      start += heldBytes + piece.length + 1;
      held = [];
      heldBytes = 0;
      from = at + 1;
      line += 1;
    }
    if (from === chunk.length) continue;
    // What is too long is counted, not held.
    if (heldBytes + chunk.length - from <= LONGEST_LINE) held.push(Buffer.from(chunk.subarray(from)));
    heldBytes += chunk.length - from;
  }
  if (heldBytes > LONGEST_LINE) onLong(line);
  else if (heldBytes > 0) yield take(Buffer.alloc(0));
}
