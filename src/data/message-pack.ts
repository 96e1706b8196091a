/** MessagePack, as much of it as files of plain data need: https://github.com/msgpack/msgpack/blob/master/spec.md */

const DEEPEST = 64;
/** Files of data have several bytes for each value; what is only empty lists would take 50 times its size. */
const BYTES_PER_VALUE = 8;
const VALUES_BEFORE = 1 << 16;
const MOST_VALUES = 1 << 20;

/** The value that bytes hold; maps become objects with text keys. Throws a RangeError at bytes that end too soon. */
export function decodeMessagePack(bytes: Buffer): unknown {
  let at = 0;
  const most = Math.min(MOST_VALUES, VALUES_BEFORE + Math.floor(bytes.length / BYTES_PER_VALUE));
  let left = most;
  const take = (length: number): Buffer => {
    if (at + length > bytes.length) throw new RangeError('the data ends too soon');
    at += length;
    return bytes.subarray(at - length, at);
  };
  const uint = (length: number): number => take(length).readUIntBE(0, length);
  const list = (length: number, depth: number): unknown[] => {
    // Each element takes a byte at least.
    if (length > bytes.length - at) throw new RangeError('a list is longer than the data');
    // A list grows as it is read: lists within lists may each claim all bytes that are left.
    const out: unknown[] = [];
    while (out.length < length) out.push(value(depth + 1));
    return out;
  };
  const map = (length: number, depth: number): Record<string, unknown> => {
    const entries = list(2 * length, depth);
    const out: Record<string, unknown> = {};
    for (let pair = 0; pair < length; pair += 1) {
      const key = entries[2 * pair];
      // A key that is a list would be as long as all of its texts.
      if (typeof key !== 'string' && typeof key !== 'number' && typeof key !== 'bigint')
        throw new RangeError('a key that is a list or a map');
      if (key !== '__proto__') out[String(key)] = entries[2 * pair + 1];
    }
    return out;
  };
  const extension = (length: number): null => {
    take(1 + length);
    return null;
  };
  const value = (depth: number): unknown => {
    if (depth > DEEPEST) throw new RangeError('nested too deeply');
    if ((left -= 1) < 0) throw new RangeError(`more than ${most} values`);
    const byte = uint(1);
    if (byte < 0x80) return byte;
    if (byte < 0x90) return map(byte & 0x0f, depth);
    if (byte < 0xa0) return list(byte & 0x0f, depth);
    if (byte < 0xc0) return take(byte & 0x1f).toString('utf8');
    if (byte >= 0xe0) return byte - 0x100;
    switch (byte) {
      case 0xc0:
        return null;
      case 0xc2:
        return false;
      case 0xc3:
        return true;
      case 0xc4:
      case 0xc5:
      case 0xc6:
        return take(uint(1 << (byte - 0xc4)));
      case 0xc7:
      case 0xc8:
      case 0xc9:
        return extension(uint(1 << (byte - 0xc7)));
      case 0xca:
        return take(4).readFloatBE();
      case 0xcb:
        return take(8).readDoubleBE();
      case 0xcc:
      case 0xcd:
      case 0xce:
        return uint(1 << (byte - 0xcc));
      case 0xcf:
        return take(8).readBigUInt64BE();
      case 0xd0:
      case 0xd1:
      case 0xd2: {
        const length = 1 << (byte - 0xd0);
        return take(length).readIntBE(0, length);
      }
      case 0xd3:
        return take(8).readBigInt64BE();
      case 0xd4:
      case 0xd5:
      case 0xd6:
      case 0xd7:
      case 0xd8:
        return extension(1 << (byte - 0xd4));
      case 0xd9:
      case 0xda:
      case 0xdb:
        return take(uint(1 << (byte - 0xd9))).toString('utf8');
      case 0xdc:
      case 0xdd:
        return list(uint(2 << (byte - 0xdc)), depth);
      case 0xde:
      case 0xdf:
        return map(uint(2 << (byte - 0xde)), depth);
      default:
        throw new RangeError(`an unknown type, 0x${byte.toString(16)}`);
    }
  };
  return value(0);
}

type Packed = null | boolean | number | string | Uint8Array | readonly Packed[] | { readonly [key: string]: Packed };

/** The bytes of a value; whole numbers up to 2^32, fractions as doubles. */
export function encodeMessagePack(value: Packed): Buffer {
  const head = (small: number | null, sizes: readonly number[], codes: readonly number[], length: number): Buffer => {
    if (small !== null) return Buffer.from([small]);
    const at = sizes.findIndex((size) => length < 2 ** (8 * size));
    const bytes = Buffer.alloc(1 + sizes[at]!);
    bytes[0] = codes[at]!;
    bytes.writeUIntBE(length, 1, sizes[at]!);
    return bytes;
  };
  if (value === null) return Buffer.from([0xc0]);
  if (typeof value === 'boolean') return Buffer.from([value ? 0xc3 : 0xc2]);
  if (typeof value === 'number') {
    if (Number.isInteger(value) && value >= 0 && value < 2 ** 32)
      return head(value < 0x80 ? value : null, [1, 2, 4], [0xcc, 0xcd, 0xce], value);
    const bytes = Buffer.alloc(9, 0xcb);
    bytes.writeDoubleBE(value, 1);
    return bytes;
  }
  if (typeof value === 'string') {
    const bytes = Buffer.from(value, 'utf8');
    return Buffer.concat([
      head(bytes.length < 32 ? 0xa0 | bytes.length : null, [1, 2, 4], [0xd9, 0xda, 0xdb], bytes.length),
      bytes,
    ]);
  }
  if (value instanceof Uint8Array)
    return Buffer.concat([head(null, [1, 2, 4], [0xc4, 0xc5, 0xc6], value.length), value]);
  if (isList(value))
    return Buffer.concat([
      head(value.length < 16 ? 0x90 | value.length : null, [2, 4], [0xdc, 0xdd], value.length),
      ...value.map(encodeMessagePack),
    ]);
  const entries = Object.entries(value);
  return Buffer.concat([
    head(entries.length < 16 ? 0x80 | entries.length : null, [2, 4], [0xde, 0xdf], entries.length),
    ...entries.flatMap(([key, inner]) => [encodeMessagePack(key), encodeMessagePack(inner)]),
  ]);
}

function isList(value: readonly Packed[] | { readonly [key: string]: Packed }): value is readonly Packed[] {
  return Array.isArray(value);
}
