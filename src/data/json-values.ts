import { type LineOptions, mostBytes, reportLong, type TextRecord } from './lines.ts';
import { InputError } from './problems.ts';
import { decodeUtf8 } from './utf8.ts';

const TAB = 0x09;
const NEWLINE = 0x0a;
const CARRIAGE_RETURN = 0x0d;
const SPACE = 0x20;
const QUOTE = 0x22;
const COMMA = 0x2c;
const OPEN_LIST = 0x5b;
const BACKSLASH = 0x5c;
const CLOSE_LIST = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;

/**
 * The elements of a JSON array (or the values of a file of JSON values), one at a time and with their line numbers,
 * without holding the file: only brackets, commas and strings are looked at here, JSON.parse judges each element.
 */
export async function* readJsonValues(
  chunks: AsyncIterable<Buffer>,
  options: LineOptions,
): AsyncGenerator<TextRecord[]> {
  const most = mostBytes(options);
  let line = 1;
  let array: 'none' | 'open' | 'closed' = 'none';
  /** In an array: whether a value came last, so that a comma or the end is due. */
  let afterValue = false;
  let values = 0;
  let inValue = false;
  let valueLine = 1;
  let depth = 0;
  let inString = false;
  let escaped = false;
  /** What earlier chunks gave of the value. */
  let held: Buffer[] = [];
  let heldBytes = 0;
  let tooLong = false;

  /** What makes the rest unreadable; thrown once the values before it have been handed on. */
  let fault: InputError | null = null;
  const refusal = (at: number, message: string, next?: string): InputError =>
    new InputError([{ file: options.file, line: at, message, next }]);
  const finish = (batch: TextRecord[], last: Buffer): void => {
    if (!tooLong && heldBytes + last.length > most) reportLong(valueLine, options);
    else if (!tooLong) {
      const bytes = heldBytes === 0 ? last : Buffer.concat([...held, last]);
      const text = decodeUtf8(bytes, valueLine, options.file, options.problems);
      if (text !== null) batch.push({ text, line: valueLine });
    }
    values += 1;
    afterValue = true;
    inValue = false;
    tooLong = false;
    held = [];
    heldBytes = 0;
  };

  for await (const chunk of chunks) {
    const batch: TextRecord[] = [];
    let from = 0;
    for (let at = 0; at < chunk.length; at += 1) {
      const byte = chunk[at]!;
      if (byte === NEWLINE) line += 1;
      if (inString) {
        if (escaped) escaped = false;
        else if (byte === BACKSLASH) escaped = true;
        else if (byte === QUOTE) inString = false;
        continue;
      }
      if (byte === SPACE || byte === NEWLINE || byte === TAB || byte === CARRIAGE_RETURN) {
        // White space ends a bare value (a number, true) outside an array.
        if (inValue && depth === 0 && array === 'none') finish(batch, chunk.subarray(from, at));
        continue;
      }
      if (array === 'closed') {
        fault = refusal(
          line,
          'something follows the end of the JSON array',
          'expected one array, or one value per line',
        );
        break;
      }
      if (array === 'open' && depth === 0 && (byte === COMMA || byte === CLOSE_LIST)) {
        if (inValue) finish(batch, chunk.subarray(from, at));
        if (!afterValue && (byte === COMMA || values > 0)) {
          fault = refusal(
            line,
            `not JSON: found ${byte === COMMA ? ',' : ']'} where a value of the array was expected`,
          );
          break;
        }
        afterValue = false;
        if (byte === CLOSE_LIST) array = 'closed';
        continue;
      }
      if (!inValue) {
        if (byte === OPEN_LIST && array === 'none' && values === 0) {
          array = 'open';
          continue;
        }
        if (array === 'open' && afterValue) {
          fault = refusal(line, 'not JSON: expected a comma before the next value of the array');
          break;
        }
        inValue = true;
        valueLine = line;
        from = at;
      }
      if (byte === QUOTE) inString = true;
      else if (byte === OPEN_OBJECT || byte === OPEN_LIST) depth += 1;
      else if ((byte === CLOSE_OBJECT || byte === CLOSE_LIST) && depth > 0) {
        depth -= 1;
        if (depth === 0) finish(batch, chunk.subarray(from, at + 1));
      }
    }
    if (inValue && !tooLong && fault === null) {
      held.push(Buffer.from(chunk.subarray(from)));
      heldBytes += chunk.length - from;
      if (heldBytes > most) {
        reportLong(valueLine, options);
        tooLong = true;
        held = [];
        heldBytes = 0;
      }
    }
    yield batch;
    if (fault !== null) throw fault;
  }
  if (inValue && depth === 0 && !inString && array === 'none') {
    const batch: TextRecord[] = [];
    finish(batch, Buffer.alloc(0));
    yield batch;
  }
  const next = 'check that the file was written to its end';
  if (inValue) throw refusal(valueLine, 'the JSON is cut off: the value that begins here never ends', next);
  if (array === 'open') throw refusal(line, 'the JSON array is cut off: no closing ]', next);
}
