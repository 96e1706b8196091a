import { FAILED, parseRecord } from '../../data/json-record.ts';
import { Problems, UsageError } from '../../data/problems.ts';
import { mayKeepAll } from '../../data/record-fields.ts';
import { OpenSource, type Source, memorySource, sourceOf } from '../../data/source.ts';
import { byteOrderMarkLength, decodeUtf8 } from '../../data/utf8.ts';
import { hasExactNumbers } from '../../experiment/datasets/exact-records.ts';

/** What is read more than once, or as a whole, is held; more than this has to be a file of records. */
const MOST_BYTES = 1 << 28;

/** All of a file or of standard input, as text without its byte order mark. */
export async function wholeText(path: string): Promise<{ readonly name: string; readonly text: string }> {
  const source = sourceOf(path);
  const bytes = await wholeBytes(source);
  const problems = new Problems();
  const text = decodeUtf8(bytes.subarray(byteOrderMarkLength(bytes)), 1, source.name, problems);
  problems.throwIfAny();
  return { name: source.name, text: text ?? '' };
}

/** A file that holds one JSON value. */
export async function jsonFile(path: string): Promise<{ readonly name: string; readonly value: unknown }> {
  const { name, text } = await wholeText(path);
  const problems = new Problems();
  const value = parseRecord({ text, line: 1 }, name, problems);
  if (value !== FAILED && hasExactNumbers(text, 1, { file: name, problems }))
    mayKeepAll({ value }, 'file', 1, { file: name, problems });
  problems.throwIfAny();
  return { name, value };
}

/** Standard input can be read once: it is held, so that it can be read again as files can. */
export async function rereadable(path: string): Promise<Source> {
  const source = sourceOf(path);
  return source.path === null ? memorySource(source.name, await wholeBytes(source)) : source;
}

async function wholeBytes(source: Source): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of new OpenSource(source).bytes()) {
    size += chunk.length;
    if (size > MOST_BYTES)
      throw new UsageError(`${source.name} is longer than ${MOST_BYTES / 1048576} MiB`, 'give it as a file of records');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
