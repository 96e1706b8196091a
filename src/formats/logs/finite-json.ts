const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const NULL = Buffer.from('null');
/** What Python writes for numbers that JSON does not have, longest first. */
const TOKENS = ['-Infinity', 'Infinity', 'NaN'].map((token) => Buffer.from(token));
const FIRST_BYTES: ReadonlySet<number> = new Set(TOKENS.map((token) => token[0]!));
const LONGEST = Math.max(...TOKENS.map((token) => token.length));

/**
 * The bytes of JSON with `NaN`, `Infinity` and `-Infinity` outside strings as null, which is what they mean in logs: no
 * value. Everything else stays, so that lines are counted as in the file.
 *
 * @example {"value": NaN, "text": "NaN"} becomes {"value": null, "text": "NaN"}
 */
export async function* finiteJson(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const state = { inString: false, escaped: false };
  let rest: Buffer = Buffer.alloc(0);
  for await (const chunk of chunks) {
    const bytes = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    const { pieces, done } = withoutTokens(bytes, state, false);
    // A copy, because the stream may reuse the memory of the chunk.
    rest = Buffer.from(bytes.subarray(done));
    yield* pieces;
  }
  yield* withoutTokens(rest, state, true).pieces;
}

/** The same of a text at hand. */
export function finiteJsonBytes(bytes: Buffer): Buffer {
  return Buffer.concat(withoutTokens(bytes, { inString: false, escaped: false }, true).pieces);
}

function withoutTokens(bytes: Buffer, state: { inString: boolean; escaped: boolean }, isLast: boolean) {
  const pieces: Buffer[] = [];
  let from = 0;
  let at = 0;
  for (; at < bytes.length; at += 1) {
    const byte = bytes[at]!;
    if (state.inString) {
      if (state.escaped) state.escaped = false;
      else if (byte === BACKSLASH) state.escaped = true;
      else if (byte === QUOTE) state.inString = false;
      continue;
    }
    if (byte === QUOTE) state.inString = true;
    if (!FIRST_BYTES.has(byte)) continue;
    // A token may go on in the next chunk.
    if (!isLast && at + LONGEST > bytes.length) break;
    const token = TOKENS.find((one) => bytes.subarray(at, at + one.length).equals(one));
    if (token === undefined) continue;
    pieces.push(bytes.subarray(from, at), NULL);
    at += token.length - 1;
    from = at + 1;
  }
  pieces.push(bytes.subarray(from, at));
  return { pieces: pieces.filter((piece) => piece.length > 0), done: at };
}
