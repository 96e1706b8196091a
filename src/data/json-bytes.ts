const [QUOTE, BACKSLASH, COLON] = [0x22, 0x5c, 0x3a];
/** What is not what was looked for. */
export const UNKNOWN = -1;

export function skipBlanks(bytes: Buffer, from: number, to: number): number {
  let at = from;
  while (at < to && (bytes[at] === 0x20 || bytes[at] === 0x09 || bytes[at] === 0x0d)) at += 1;
  return at;
}

/** Which of the keys, each with its closing quote, stands here. */
export function keyAt(bytes: Buffer, at: number, to: number, keys: readonly Buffer[]): number {
  if (bytes[at] !== QUOTE) return UNKNOWN;
  for (let key = 0; key < keys.length; key += 1) {
    const name = keys[key]!;
    if (at + name.length >= to) continue;
    let same = 0;
    while (same < name.length && bytes[at + 1 + same] === name[same]) same += 1;
    if (same === name.length) return key;
  }
  return UNKNOWN;
}

export function afterColon(bytes: Buffer, from: number, to: number): number {
  const at = skipBlanks(bytes, from, to);
  return bytes[at] === COLON ? skipBlanks(bytes, at + 1, to) : UNKNOWN;
}

export function isNull(bytes: Buffer, at: number): boolean {
  return bytes[at] === 0x6e && bytes[at + 1] === 0x75 && bytes[at + 2] === 0x6c && bytes[at + 3] === 0x6c;
}

/** Whether a quote is escaped: an odd number of backslashes stands before it. */
export function isEscapedAt(bytes: Buffer, from: number, quote: number): boolean {
  let at = quote;
  while (at > from && bytes[at - 1] === BACKSLASH) at -= 1;
  return (quote - at) % 2 === 1;
}

const ESCAPES = new Map(
  Object.entries({ '"': '"', '\\': '\\', '/': '/', b: '\b', f: '\f', n: '\n', r: '\r', t: '\t' }),
);
/** By the byte after a backslash, the unit that the two are; 0 for none. */
const ESCAPED = Uint8Array.from(
  { length: 256 },
  (_, byte) => ESCAPES.get(String.fromCharCode(byte))?.charCodeAt(0) ?? 0,
);

/**
 * The UTF-16 units of a JSON string, given the valid UTF-8 between its quotes, and how many there are; -1 for what is no
 * JSON, and for characters beyond the basic plane, where offsets have to be counted out.
 */
export function decodeUnits(bytes: Buffer, from: number, to: number, units: Uint16Array): number {
  let length = 0;
  for (let at = from; at < to; length += 1) {
    const byte = bytes[at]!;
    if (byte < 0x80) {
      at += 1;
      if (byte < 0x20) return -1;
      units[length] = byte;
      if (byte !== BACKSLASH) continue;
      const escaped = bytes[at]!;
      at += 1;
      units[length] = ESCAPED[escaped]!;
      if (units[length] !== 0) continue;
      const unit = escaped === 0x75 && at + 4 <= to ? hexUnit(bytes, at) : -1;
      if (unit < 0 || (unit & 0xf800) === 0xd800) return -1;
      units[length] = unit;
      at += 4;
    } else if (byte < 0xe0) {
      units[length] = ((byte & 0x1f) << 6) | (bytes[at + 1]! & 0x3f);
      at += 2;
    } else if (byte < 0xf0) {
      units[length] = ((byte & 0x0f) << 12) | ((bytes[at + 1]! & 0x3f) << 6) | (bytes[at + 2]! & 0x3f);
      at += 3;
    } else return -1;
  }
  return length;
}

/** The same for a string without escapes. */
export function plainUnits(bytes: Buffer, from: number, to: number, units: Uint16Array): number {
  const text = bytes.toString('utf8', from, to);
  Buffer.from(units.buffer, units.byteOffset).write(text, 'utf16le');
  for (let at = 0; at < text.length; at += 1) {
    const unit = units[at]!;
    if (unit < 0x20 || (unit & 0xf800) === 0xd800) return -1;
  }
  return text.length;
}

/** Four hexadecimal digits; -1 where there are not four. */
function hexUnit(bytes: Buffer, from: number): number {
  let unit = 0;
  for (let at = from; at < from + 4; at += 1) {
    const byte = bytes[at]!;
    const letter = (byte | 0x20) - 0x61 + 10;
    const digit = byte >= 0x30 && byte <= 0x39 ? byte - 0x30 : letter >= 10 && letter <= 15 ? letter : -1;
    if (digit < 0) return -1;
    unit = unit * 16 + digit;
  }
  return unit;
}
