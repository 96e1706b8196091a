import { hash } from 'node:crypto';

/**
 * Plain data in bytes: a line of JSON, and behind it the numbers and texts of long lists, which are quicker to read that
 * way. Holds texts, numbers, lists, objects, maps, sets and typed arrays. Unlike `v8.deserialize`, the reader makes
 * nothing that the bytes do not hold, and its version does not depend on that of Node.
 */

const MARK = 'assay typed values 1\n';
const NEWLINE = 0x0a;
/** Texts in a piece: a string has at most 2^29 characters. */
const PIECE = 1 << 12;
const DEEPEST = 64;

const ARRAYS = { Uint8Array, Uint16Array, Uint32Array, Int32Array, Float64Array };
type ArrayName = keyof typeof ARRAYS;

/** Data that bytes do not hold, or not in full. */
export class TypedValueError extends Error {}

/** The pieces of the bytes of a value, in order. */
export function encodeTyped(value: unknown): Uint8Array[] {
  const pieces: Uint8Array[] = [];
  /** Pieces of texts by their hash, numbered from -1 down: the ids of all cases are in several lists. */
  const numbers = new Map<string, number>();
  const put = (piece: Uint8Array): number => pieces.push(piece) && piece.byteLength;
  const encoded = (item: unknown): unknown => {
    if (typeof item === 'string' || typeof item === 'boolean' || item === null) return item;
    if (typeof item === 'number')
      return Number.isFinite(item) && !Object.is(item, -0) ? item : ['number', Object.is(item, -0) ? '-0' : `${item}`];
    if (item === undefined) return ['none'];
    if (Array.isArray(item)) return encodedList(item);
    if (item instanceof Map) return ['map', encodedList([...item.keys()]), encodedList([...item.values()])];
    if (item instanceof Set) return ['set', encodedList([...item])];
    const name = isArrayName(item.constructor.name) ? item.constructor.name : null;
    if (name !== null && item instanceof ARRAYS[name])
      return [name, put(new Uint8Array(item.buffer, item.byteOffset, item.byteLength))];
    return Object.fromEntries(Object.entries(item).map(([key, field]) => [key, encoded(field)]));
  };
  const encodedList = (list: readonly unknown[]): unknown[] => {
    if (list.length > 0 && list.every((item) => typeof item === 'number'))
      return ['numbers', put(new Uint8Array(Float64Array.from(list).buffer))];
    if (list.length === 0 || !list.every((item) => typeof item === 'string'))
      // Not map: a list may have holes.
      return ['list', ...Array.from(list, encoded)];
    const sizes: number[] = [];
    for (let at = 0; at < list.length; at += PIECE) {
      const piece = Buffer.from(JSON.stringify(list.slice(at, at + PIECE)));
      const sum = hash('sha256', piece);
      const earlier = numbers.get(sum);
      sizes.push(earlier ?? put(piece));
      if (earlier === undefined) numbers.set(sum, -1 - numbers.size);
    }
    return ['texts', ...sizes];
  };
  const line = `${MARK}${JSON.stringify(encoded(value))}\n`;
  return [Buffer.from(line), ...pieces];
}

/** The value that bytes hold. Throws a TypedValueError where `encodeTyped` would not have written them. */
export function decodeTyped(bytes: Buffer): unknown {
  const start = MARK.length;
  const end = bytes.indexOf(NEWLINE, start);
  if (end < 0 || bytes.toString('latin1', 0, start) !== MARK) throw new TypedValueError('no typed values');
  const pieces: (readonly string[])[] = [];
  let at = end + 1;
  const take = (size: unknown, unit = 1): Buffer => {
    const length = Number(size);
    if (!Number.isSafeInteger(size) || length < 0 || length % unit !== 0 || at + length > bytes.length)
      throw new TypedValueError('a list is longer than the data');
    return bytes.subarray(at, (at += length));
  };
  const decoded = (item: unknown, depth: number): unknown => {
    if (depth > DEEPEST) throw new TypedValueError('nested too deeply');
    if (!isList(item)) {
      if (typeof item !== 'object' || item === null) return item;
      return Object.fromEntries(Object.entries(item).map(([key, field]) => [key, decoded(field, depth + 1)]));
    }
    const [type, ...parts] = item;
    switch (type) {
      case 'number':
        if (parts.length !== 1 || !['-0', 'NaN', 'Infinity', '-Infinity'].includes(String(parts[0]))) break;
        return Number(parts[0]);
      case 'none':
        return undefined;
      case 'list':
        return parts.map((part) => decoded(part, depth + 1));
      case 'numbers':
        return Array.from(array('Float64Array', parts[0]));
      case 'texts':
        return parts.flatMap((size) => {
          const earlier = typeof size === 'number' && size < 0 ? pieces[-1 - size] : undefined;
          if (earlier === undefined) pieces.push(textsIn(take(size)));
          return earlier ?? pieces.at(-1)!;
        });
      case 'map': {
        const [keys, values] = parts.map((part) => decoded(part, depth + 1));
        if (!Array.isArray(keys) || !Array.isArray(values) || keys.length !== values.length) break;
        return distinct(new Map(keys.map((key, place) => [key, values[place]])), keys.length);
      }
      case 'set': {
        const list = decoded(parts[0], depth + 1);
        if (Array.isArray(list)) return distinct(new Set(list), list.length);
        break;
      }
      default:
        if (isArrayName(type)) return array(type, parts[0]);
    }
    throw new TypedValueError('an unknown type');
  };
  const array = (name: ArrayName, size: unknown): InstanceType<(typeof ARRAYS)[ArrayName]> => {
    const Made = ARRAYS[name];
    // A copy: the data may begin anywhere.
    return new Made(new Uint8Array(take(size, Made.BYTES_PER_ELEMENT)).buffer);
  };
  const value = decoded(parsed(bytes.subarray(start, end)), 0);
  if (at !== bytes.length) throw new TypedValueError('there is more data than values');
  return value;
}

function isList(value: unknown): value is readonly unknown[] {
  return Array.isArray(value);
}

function isArrayName(name: unknown): name is ArrayName {
  return typeof name === 'string' && Object.hasOwn(ARRAYS, name);
}

function textsIn(piece: Buffer): string[] {
  const texts = parsed(piece);
  if (Array.isArray(texts) && texts.every((text) => typeof text === 'string')) return texts;
  throw new TypedValueError('expected texts');
}

function distinct<T extends ReadonlyMap<unknown, unknown> | ReadonlySet<unknown>>(entries: T, length: number): T {
  if (entries.size !== length) throw new TypedValueError('an entry comes twice');
  return entries;
}

function parsed(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString('utf8'));
  } catch {
    throw new TypedValueError('no JSON');
  }
}
