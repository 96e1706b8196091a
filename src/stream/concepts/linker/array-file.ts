import { createHash } from 'node:crypto';
import { existsSync, statSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { endianness } from 'node:os';

import { z } from 'zod';

import { errorCode, FileWriter, InputError, SHARED, sortedJson, UsageError } from '../../../plugin.ts';

/**
 * A file of named typed arrays: a mark of eight characters, the version and the length of the header (32 bits each), a
 * header of JSON with facts and `arrays: [{ name, type, length, offset }]`, the arrays, and the sha256 of all of it.
 * Header and arrays start at multiples of eight bytes; offsets count from the end of the header. Little-endian.
 */
interface ArrayFormat<Facts, Arrays> {
  readonly mark: string;
  readonly version: number;
  /** What such a file is, for messages: "linker index". */
  readonly what: string;
  readonly command: string;
  readonly facts: z.ZodType<Facts>;
  readonly arrays: z.ZodType<Arrays>;
}

const ARRAY_TYPES = { uint8: Uint8Array, uint32: Uint32Array, float64: Float64Array } as const;
type ArrayType = keyof typeof ARRAY_TYPES;
type NumberArray = InstanceType<(typeof ARRAY_TYPES)[ArrayType]>;

const PREFIX_BYTES = 16;
const DIGEST_BYTES = 32;
const MOST_PER_READ = 1 << 26;

const natural = z.int().min(0);
const arrayTable = z.object({
  arrays: z.array(
    z.object({ name: z.string(), type: z.enum(['uint8', 'uint32', 'float64']), length: natural, offset: natural }),
  ),
});

/** The same facts and arrays always give the same bytes. Returns how many. */
export function writeArrays<Facts extends object, Arrays extends Readonly<Record<string, NumberArray>>>(
  file: string,
  { mark, version }: ArrayFormat<Facts, Arrays>,
  facts: Facts,
  arrays: Arrays,
): number {
  refuseBigEndian();
  if (existsSync(file) && !statSync(file).isFile())
    throw new UsageError(`cannot write ${file}: it exists and is not a file`, 'choose another path');
  let end = 0;
  const table = Object.entries(arrays).map(([name, array]) => {
    const offset = end;
    end += aligned(array.byteLength);
    return { name, type: typeOf(array), length: array.length, offset };
  });
  const header = Buffer.from(sortedJson({ ...facts, arrays: table }), 'utf8');
  const prefix = Buffer.alloc(PREFIX_BYTES);
  prefix.write(mark, 'latin1');
  prefix.writeUInt32LE(version, 8);
  prefix.writeUInt32LE(header.length, 12);
  const out = new FileWriter(file, { folderMode: SHARED });
  const hash = createHash('sha256');
  for (const { buffer, byteOffset, byteLength } of [prefix, header, ...Object.values(arrays)])
    for (const piece of [
      new Uint8Array(buffer, byteOffset, byteLength),
      new Uint8Array(aligned(byteLength) - byteLength),
    ]) {
      hash.update(piece);
      out.write(piece);
    }
  out.write(hash.digest());
  out.finish();
  return PREFIX_BYTES + aligned(header.length) + end + DIGEST_BYTES;
}

/** Reads what `writeArrays` wrote. A file that is damaged, foreign or of another version is refused. */
export async function readArrays<Facts, Arrays>(
  file: string,
  format: ArrayFormat<Facts, Arrays>,
): Promise<{ readonly facts: Facts; readonly arrays: Arrays }> {
  refuseBigEndian();
  const content = await contentOf(file, format);
  const end = PREFIX_BYTES + content.readUInt32LE(12);
  try {
    const header: unknown = JSON.parse(content.toString('utf8', PREFIX_BYTES, end));
    const views = arrayTable.parse(header).arrays.map(({ name, type, length, offset }) => {
      const view = new ARRAY_TYPES[type](content.buffer, aligned(end) + offset, length);
      return [name, view] as const;
    });
    return { facts: format.facts.parse(header), arrays: format.arrays.parse(Object.fromEntries(views)) };
  } catch {
    throw damagedFile(file, format, 'its header does not fit its content');
  }
}

export function damagedFile(
  file: string,
  { what, command }: Pick<ArrayFormat<unknown, unknown>, 'what' | 'command'>,
  reason: string,
): InputError {
  return refusal(file, `the ${what} is damaged or incomplete: ${reason}`, `build it again with ${command}`);
}

/** The whole file in one piece of memory, its mark, version and checksum checked. */
async function contentOf<F, A>(file: string, format: ArrayFormat<F, A>): Promise<Buffer<ArrayBuffer>> {
  const { mark, version, what, command } = format;
  let opened: FileHandle | null = null;
  try {
    opened = await open(file);
    const { size } = await opened.stat();
    const prefix = Buffer.alloc(PREFIX_BYTES);
    await opened.read(prefix, 0, PREFIX_BYTES, 0);
    if (prefix.toString('latin1', 0, mark.length) !== mark)
      throw refusal(file, `this is not a ${what}`, `expected a file made by ${command}`);
    const found = prefix.readUInt32LE(8);
    if (found !== version)
      throw refusal(
        file,
        `the ${what} has version ${found}, this assay reads version ${version}`,
        `${found > version ? 'use a newer assay, or ' : ''}build it again with ${command}`,
      );
    const hash = createHash('sha256');
    const content = Buffer.from(new ArrayBuffer(size));
    for (let at = 0; at < size;) {
      const { bytesRead } = await opened.read(content, at, Math.min(MOST_PER_READ, size - at), at);
      if (bytesRead === 0) break;
      hash.update(content.subarray(at, Math.min(at + bytesRead, size - DIGEST_BYTES)));
      at += bytesRead;
    }
    if (size < PREFIX_BYTES + DIGEST_BYTES || !hash.digest().equals(content.subarray(size - DIGEST_BYTES)))
      throw damagedFile(file, format, 'its content does not match the sha256 at its end');
    return content;
  } catch (error) {
    if (error instanceof InputError) throw error;
    throw refusal(file, `cannot be read (${errorCode(error)})`, `expected a file made by ${command}`);
  } finally {
    await opened?.close();
  }
}

/** Arrays are read as they are stored, which needs a machine with the same byte order. */
function refuseBigEndian(): void {
  if (endianness() === 'BE') throw new UsageError('index files cannot be used on a big-endian machine');
}

function typeOf(array: NumberArray): ArrayType {
  return array instanceof Float64Array ? 'float64' : array instanceof Uint32Array ? 'uint32' : 'uint8';
}

function aligned(bytes: number): number {
  return Math.ceil(bytes / 8) * 8;
}

function refusal(file: string, message: string, next: string): InputError {
  return new InputError([{ file, line: null, message, next }]);
}
