import type { LineOptions, TextRecord } from './lines.ts';
import { byteOrderMarkLength, decodeUtf8 } from './lines.ts';

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const NEWLINE = 0x0a;

/**
 * The elements of a JSON array (or the values of a file of JSON values), one at a time and with their line numbers,
 * without holding the file: only brackets and strings are looked at here, JSON.parse judges each element.
 */
export async function* readJsonValues(
  chunks: AsyncIterable<Buffer>,
  options: LineOptions,
): AsyncGenerator<TextRecord[]> {
  let line = 1;
  let depth = 0;
  let inString = false;
  let escaped = false;
  let arrayOpen = false;
  let arrayClosed = false;
  let value: Buffer[] = [];
  let valueBytes = 0;
  let valueLine = 1;
  let inValue = false;
  let first = true;

  const fail = (message: string, next?: string): never => {
    options.problems.add({ file: options.file, line, message, ...(next === undefined ? {} : { next }) });
    options.problems.throwIfAny();
    throw new Error('unreachable');
  };
  const finish = (batch: TextRecord[]): void => {
    const text = decodeUtf8(Buffer.concat(value), valueLine, options);
    if (text !== null && text.trim() !== '') batch.push({ text, line: valueLine });
    value = [];
    valueBytes = 0;
    inValue = false;
  };

  for await (const chunk of chunks) {
    const batch: TextRecord[] = [];
    const begin = first ? byteOrderMarkLength(chunk, options) : 0;
    first = false;
    let from = inValue ? 0 : -1;
    for (let at = begin; at < chunk.length; at += 1) {
      const byte = chunk[at] as number;
      if (byte === NEWLINE) line += 1;
      if (inString) {
        if (escaped) escaped = false;
        else if (byte === BACKSLASH) escaped = true;
        else if (byte === QUOTE) inString = false;
        continue;
      }
      if (byte === 0x20 || byte === NEWLINE || byte === 0x09 || byte === 0x0d) {
        // White space ends a bare value (a number, true) outside an array.
        if (inValue && depth === 0 && !arrayOpen) {
          value.push(Buffer.from(chunk.subarray(from, at)));
          finish(batch);
        }
        continue;
      }
      if (arrayClosed)
        fail('found something after the end of the JSON array', 'one array, or one JSON value per line, is expected');
      if (!inValue) {
        if (byte === 0x5b && !arrayOpen && depth === 0) {
          arrayOpen = true;
          continue;
        }
        if (byte === 0x5d && arrayOpen) {
          arrayClosed = true;
          continue;
        }
        if (byte === 0x2c && arrayOpen) continue;
        inValue = true;
        valueLine = line;
        from = at;
      }
      if (byte === QUOTE) inString = true;
      else if (byte === 0x7b || byte === 0x5b) depth += 1;
      else if (byte === 0x7d || byte === 0x5d) {
        if (depth === 0) {
          value.push(Buffer.from(chunk.subarray(from, at)));
          finish(batch);
          arrayClosed = true;
          continue;
        }
        depth -= 1;
        if (depth === 0) {
          value.push(Buffer.from(chunk.subarray(from, at + 1)));
          finish(batch);
        }
      } else if (byte === 0x2c && depth === 0 && arrayOpen) {
        value.push(Buffer.from(chunk.subarray(from, at)));
        finish(batch);
      }
    }
    if (inValue) {
      value.push(Buffer.from(chunk.subarray(from)));
      valueBytes += chunk.length - from;
      if (valueBytes > options.maxBytes)
        fail(
          `one JSON value is longer than ${Math.floor(options.maxBytes / 1048576)} MiB`,
          'an array of cases, or one case per line, is expected',
        );
    }
    yield batch;
  }
  if (inValue && depth === 0 && !inString) {
    const batch: TextRecord[] = [];
    finish(batch);
    yield batch;
  } else if (inValue) {
    line = valueLine;
    fail('the JSON is cut off: the value that begins here never ends', 'check that the file was written to its end');
  }
  if (arrayOpen && !arrayClosed)
    fail('the JSON array is cut off: no closing ]', 'check that the file was written to its end');
}
