import { Refusal } from '../refusal.ts';
import { DEEPEST_BODY, tooDeep } from '../request-body.ts';
import type { Wire } from './api-route.ts';

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
interface Message {
  readonly fields: Readonly<Record<number, Field>>;
  /** Only one of the fields can be set: the last one counts. */
  readonly isOneOf?: boolean;
}

type Decoded = Record<string, unknown>;

const VARINT = 0;
const EIGHT_BYTES = 1;
const LENGTH = 2;
const FOUR_BYTES = 5;

/** How each scalar is on the wire, and what is read from there. JSON has no number for NaN: protobuf writes its name. */
const SCALARS: Readonly<Record<Scalar, { readonly wire: number; readonly read: (bytes: Reader) => unknown }>> = {
  text: { wire: LENGTH, read: (bytes) => utf8(bytes.part()) },
  hex: { wire: LENGTH, read: (bytes) => bytes.part().toString('hex') },
  base64: { wire: LENGTH, read: (bytes) => bytes.part().toString('base64') },
  flag: { wire: VARINT, read: (bytes) => bytes.varint() !== 0n },
  int64: { wire: VARINT, read: (bytes) => String(BigInt.asIntN(64, bytes.varint())) },
  enum: { wire: VARINT, read: (bytes) => Number(BigInt.asIntN(32, bytes.varint())) },
  fixed64: { wire: EIGHT_BYTES, read: (bytes) => String(bytes.take(8).readBigUInt64LE()) },
  double: {
    wire: EIGHT_BYTES,
    read(bytes) {
      const value = bytes.take(8).readDoubleLE();
      return Number.isFinite(value) ? value : String(value);
    },
  },
};
/** An empty message takes two bytes on the wire and many times that in memory. */
const MOST_MESSAGES = 1_000_000;

/** A message of the wire format as the JSON that stands for it; anything else is a refusal. */
function decodeProtobuf(message: Message, bytes: Uint8Array): Readonly<Record<string, unknown>> {
  const counted = { messages: 0 };
  return decode(message, new Reader(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)), {}, 1, counted);
}

/** Reads a message into what earlier parts of it gave: the parts of one message may come apart, and belong together. */
function decode(type: Message, bytes: Reader, into: Decoded, depth: number, counted: { messages: number }): Decoded {
  if (depth > DEEPEST_BODY) throw tooDeep();
  counted.messages += 1;
  if (counted.messages > MOST_MESSAGES) throw new Refusal(413, 'The body has too many parts; send it in several.');
  while (!bytes.isAtEnd) {
    const tag = Number(bytes.varint());
    const [number, wire] = [Math.floor(tag / 8), tag & 7];
    if (number === 0) throw broken();
    const field = Object.hasOwn(type.fields, number) ? type.fields[number] : undefined;
    if (field === undefined || wire !== wireTypeOf(field)) {
      bytes.skip(wire);
      continue;
    }
    const { name, holds, isList = false } = field;
    const before = into[name];
    const value =
      typeof holds === 'string'
        ? SCALARS[holds].read(bytes)
        : decode(holds(), new Reader(bytes.part()), !isList && isDecoded(before) ? before : {}, depth + 1, counted);
    if (isList) {
      if (Array.isArray(before)) before.push(value);
      else into[name] = [value];
      continue;
    }
    if (type.isOneOf === true) for (const other of Object.keys(into)) if (other !== name) delete into[other];
    into[name] = value;
  }
  for (const { name, missing } of Object.values(type.fields)) if (missing !== undefined) into[name] ??= missing;
  return into;
}

/** Bytes of a message, each read once. */
class Reader {
  readonly #bytes: Buffer;
  #at = 0;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  get isAtEnd(): boolean {
    return this.#at >= this.#bytes.length;
  }

  take(length: number): Buffer {
    const part = this.#bytes.subarray(this.#at, this.#at + length);
    if (part.length < length) throw broken();
    this.#at += length;
    return part;
  }

  part(): Buffer {
    const length = this.varint();
    if (length > BigInt(this.#bytes.length)) throw broken();
    return this.take(Number(length));
  }

  skip(wireType: number): void {
    if (wireType === VARINT) this.varint();
    else if (wireType === EIGHT_BYTES) this.take(8);
    else if (wireType === LENGTH) this.part();
    else if (wireType === FOUR_BYTES) this.take(4);
    // Groups are gone from protobuf.
    else throw broken();
  }

  varint(): bigint {
    let value = 0n;
    for (let shift = 0n; shift < 70n; shift += 7n) {
      const byte = this.#bytes[this.#at];
      if (byte === undefined) throw broken();
      this.#at += 1;
      value |= BigInt(byte & 0x7f) << shift;
      if (byte < 0x80) return BigInt.asUintN(64, value);
    }
    throw broken();
  }
}

function wireTypeOf({ holds }: Field): number {
  return typeof holds === 'string' ? SCALARS[holds].wire : LENGTH;
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

function broken(): Refusal {
  return new Refusal(400, 'The body is not protobuf as expected here.');
}

/** Bytes of a message, by the numbers of its fields; numbers from 0 and texts are all that is answered. */
function encodeProtobuf(fields: Readonly<Record<number, number | string | Uint8Array>>) {
  return Buffer.concat(
    Object.entries(fields).flatMap(([field, value]) => {
      const tag = (wire: number): Buffer => varintBytes(Number(field) * 8 + wire);
      if (typeof value === 'number') return [tag(VARINT), varintBytes(value)];
      const bytes = Buffer.from(value);
      return [tag(LENGTH), varintBytes(bytes.length), bytes];
    }),
  );
}

function varintBytes(value: number): Buffer {
  const bytes: number[] = [];
  let rest = value;
  for (; rest >= 0x80; rest = Math.floor(rest / 0x80)) bytes.push((rest % 0x80) + 0x80);
  return Buffer.from([...bytes, rest]);
}

/*
 * The messages of opentelemetry/proto/trace/v1/trace.proto and common/v1/common.proto, as far as spans are read here.
 * Fields that are left out (events, links, flags, counts of what was dropped) are not read from JSON either.
 */
const anyValue: Message = {
  isOneOf: true,
  fields: {
    1: { name: 'stringValue', holds: 'text' },
    2: { name: 'boolValue', holds: 'flag' },
    3: { name: 'intValue', holds: 'int64' },
    4: { name: 'doubleValue', holds: 'double' },
    5: { name: 'arrayValue', holds: () => arrayValue },
    6: { name: 'kvlistValue', holds: () => keyValueList },
    7: { name: 'bytesValue', holds: 'base64' },
  },
};
const arrayValue: Message = { fields: { 1: { name: 'values', holds: () => anyValue, isList: true } } };
const keyValue: Message = {
  fields: { 1: { name: 'key', holds: 'text', missing: '' }, 2: { name: 'value', holds: () => anyValue } },
};
const keyValueList: Message = { fields: { 1: { name: 'values', holds: () => keyValue, isList: true } } };
const attributes = { name: 'attributes', holds: () => keyValue, isList: true };
const status: Message = { fields: { 2: { name: 'message', holds: 'text' }, 3: { name: 'code', holds: 'enum' } } };
const span: Message = {
  fields: {
    1: { name: 'traceId', holds: 'hex' },
    2: { name: 'spanId', holds: 'hex' },
    4: { name: 'parentSpanId', holds: 'hex' },
    5: { name: 'name', holds: 'text', missing: '' },
    7: { name: 'startTimeUnixNano', holds: 'fixed64' },
    8: { name: 'endTimeUnixNano', holds: 'fixed64' },
    9: attributes,
    15: { name: 'status', holds: () => status },
  },
};
const scope: Message = { fields: { 1: { name: 'name', holds: 'text' }, 2: { name: 'version', holds: 'text' } } };
const scopeSpans: Message = {
  fields: { 1: { name: 'scope', holds: () => scope }, 2: { name: 'spans', holds: () => span, isList: true } },
};
const resource: Message = { fields: { 1: attributes } };
const resourceSpans: Message = {
  fields: {
    1: { name: 'resource', holds: () => resource },
    2: { name: 'scopeSpans', holds: () => scopeSpans, isList: true },
  },
};
const request: Message = { fields: { 1: { name: 'resourceSpans', holds: () => resourceSpans, isList: true } } };

interface ExportAnswer {
  readonly partialSuccess?: { readonly rejectedSpans: number; readonly errorMessage: string } | undefined;
}

/** An export of spans and its answer, as every SDK of OpenTelemetry but that of JavaScript sends and reads them. */
export const otlpProtobuf: Wire<ExportAnswer> = {
  type: 'application/x-protobuf',
  read: (bytes) => ({ resourceSpans: [], ...decodeProtobuf(request, bytes) }),
  write: ({ partialSuccess: partial }) =>
    encodeProtobuf(
      partial === undefined ? {} : { 1: encodeProtobuf({ 1: partial.rejectedSpans, 2: partial.errorMessage }) },
    ),
};
