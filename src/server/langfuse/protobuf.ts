import { DEEPEST_JSON, tooDeep } from '../request-body.ts';
import { Refusal } from '../refusal.ts';

/** What a field holds, and how it is written in the JSON of protobuf. */
type Scalar = 'text' | 'hex' | 'base64' | 'flag' | 'int64' | 'enum' | 'fixed64' | 'double';

interface Field {
  readonly name: string;
  readonly holds: Scalar | (() => Message);
  readonly isList?: boolean;
  /** What stands for a field that was not sent, since its value is the default: protobuf leaves those out. */
  readonly missing?: string;
}

/** The fields of a message by their number; those that are not here are skipped, as protobuf asks for. */
export interface Message {
  readonly fields: Readonly<Record<number, Field>>;
  /** Only one of the fields can be set: the last one counts. */
  readonly isOneOf?: boolean;
}

type Decoded = Record<string, unknown>;

const VARINT = 0;
const EIGHT_BYTES = 1;
const LENGTH = 2;
const FOUR_BYTES = 5;
const WIRE_TYPES: Readonly<Record<Scalar, number>> = {
  text: LENGTH,
  hex: LENGTH,
  base64: LENGTH,
  flag: VARINT,
  int64: VARINT,
  enum: VARINT,
  fixed64: EIGHT_BYTES,
  double: EIGHT_BYTES,
};
/** An empty message takes two bytes on the wire and many times that in memory. */
const MOST_MESSAGES = 1_000_000;

/** A message of the wire format as the JSON that stands for it; what is not one is a refusal. */
export function decodeProtobuf(message: Message, bytes: Uint8Array): Readonly<Record<string, unknown>> {
  return new Reader(bytes).message(message, bytes.length, {}, 1);
}

class Reader {
  readonly #bytes: Buffer;
  #at = 0;
  #messages = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  }

  /** Reads up to `end` into what earlier parts of the same message gave. */
  message(type: Message, end: number, into: Decoded, depth: number): Decoded {
    if (depth > DEEPEST_JSON) throw tooDeep();
    this.#messages += 1;
    if (this.#messages > MOST_MESSAGES) throw new Refusal(413, 'The body has too many parts; send it in several.');
    while (this.#at < end) {
      const tag = Number(this.#varint(end));
      const number = Math.floor(tag / 8);
      const field = Object.hasOwn(type.fields, number) ? type.fields[number] : undefined;
      if (number === 0) throw broken();
      if (field === undefined || (tag & 7) !== wireTypeOf(field)) this.#skip(tag & 7, end);
      else this.#field(type, field, end, into, depth);
    }
    for (const { name, missing } of Object.values(type.fields)) if (missing !== undefined) into[name] ??= missing;
    return into;
  }

  #field(type: Message, field: Field, end: number, into: Decoded, depth: number): void {
    const { name, holds, isList = false } = field;
    const list = isList ? listAt(into, name) : null;
    let value: unknown;
    if (typeof holds === 'string') value = this.#scalar(holds, end);
    else {
      // The parts of one message may come apart, and belong together.
      const before = list === null ? into[name] : undefined;
      value = this.message(holds(), this.#lengthEnd(end), isDecoded(before) ? before : {}, depth + 1);
    }
    if (list !== null) list.push(value);
    else {
      if (type.isOneOf === true) for (const other of Object.keys(into)) if (other !== name) delete into[other];
      into[name] = value;
    }
  }

  #scalar(kind: Scalar, end: number): unknown {
    switch (kind) {
      case 'text':
        return utf8(this.#taken(end));
      case 'hex':
        return this.#taken(end).toString('hex');
      case 'base64':
        return this.#taken(end).toString('base64');
      case 'flag':
        return this.#varint(end) !== 0n;
      case 'int64':
        return String(BigInt.asIntN(64, this.#varint(end)));
      case 'enum':
        return Number(BigInt.asIntN(32, this.#varint(end)));
      case 'fixed64':
        return String(this.#bytes.readBigUInt64LE(this.#moved(8, end)));
      case 'double':
        return doubleValue(this.#bytes.readDoubleLE(this.#moved(8, end)));
    }
  }

  #skip(wireType: number, end: number): void {
    if (wireType === VARINT) this.#varint(end);
    else if (wireType === EIGHT_BYTES) this.#moved(8, end);
    else if (wireType === LENGTH) this.#at = this.#lengthEnd(end);
    else if (wireType === FOUR_BYTES) this.#moved(4, end);
    // Groups are gone from protobuf.
    else throw broken();
  }

  #taken(end: number): Buffer {
    const until = this.#lengthEnd(end);
    const part = this.#bytes.subarray(this.#at, until);
    this.#at = until;
    return part;
  }

  #lengthEnd(end: number): number {
    const length = this.#varint(end);
    if (length > BigInt(end - this.#at)) throw broken();
    return this.#at + Number(length);
  }

  /** Where the next `length` bytes begin; the reader is then behind them. */
  #moved(length: number, end: number): number {
    const from = this.#at;
    if (end - from < length) throw broken();
    this.#at = from + length;
    return from;
  }

  #varint(end: number): bigint {
    let value = 0n;
    for (let shift = 0n; shift < 70n; shift += 7n) {
      if (this.#at >= end) throw broken();
      const byte = this.#bytes[this.#at]!;
      this.#at += 1;
      value |= BigInt(byte & 0x7f) << shift;
      if (byte < 0x80) return BigInt.asUintN(64, value);
    }
    throw broken();
  }
}

function wireTypeOf({ holds }: Field): number {
  return typeof holds === 'string' ? WIRE_TYPES[holds] : LENGTH;
}

function listAt(into: Decoded, name: string): unknown[] {
  const list = into[name];
  if (Array.isArray(list)) return list;
  const made: unknown[] = [];
  into[name] = made;
  return made;
}

function isDecoded(value: unknown): value is Decoded {
  return typeof value === 'object' && value !== null;
}

function utf8(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw broken();
  }
}

/** JSON has no number for these: protobuf writes their names. */
function doubleValue(value: number): number | string {
  return Number.isFinite(value) ? value : String(value);
}

function broken(): Refusal {
  return new Refusal(400, 'The body is not protobuf as expected here.');
}

/** Bytes of a message, field by field; numbers from 0 and texts are all that is answered. */
export function encodeProtobuf(fields: readonly (readonly [field: number, value: number | string | Uint8Array])[]) {
  return Buffer.concat(
    fields.flatMap(([field, value]) => {
      if (typeof value === 'number') return [varintBytes(field * 8 + VARINT), varintBytes(value)];
      const bytes = Buffer.from(value);
      return [varintBytes(field * 8 + LENGTH), varintBytes(bytes.length), bytes];
    }),
  );
}

function varintBytes(value: number): Buffer {
  const bytes: number[] = [];
  let rest = value;
  for (; rest >= 0x80; rest = Math.floor(rest / 0x80)) bytes.push((rest % 0x80) + 0x80);
  return Buffer.from([...bytes, rest]);
}
