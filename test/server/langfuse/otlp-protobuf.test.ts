import { gzipSync } from 'node:zlib';

import { ROOT_CONTEXT, trace } from '@opentelemetry/api';
import { JsonTraceSerializer, ProtobufTraceSerializer } from '@opentelemetry/otlp-transformer';
import { NodeTracerProvider, type ReadableSpan } from '@opentelemetry/sdk-trace-node';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { otlpProtobuf } from '../../../src/server/langfuse/otlp-protobuf.ts';
import { Refusal } from '../../../src/server/refusal.ts';
import { basic, type Serving, serving } from './serving.ts';
import { runsHere } from '../../many-runs.ts';

const PATH = '/api/public/otel/v1/traces';
const HEADERS = { authorization: basic(), 'content-type': 'application/x-protobuf' };

/** A root with a generation in it, with a value of every kind that attributes can have. */
function someSpans(): ReadableSpan[] {
  const ended: ReadableSpan[] = [];
  const provider = new NodeTracerProvider({
    spanProcessors: [
      {
        onStart: () => undefined,
        onEnd: (span) => void ended.push(span),
        forceFlush: () => Promise.resolve(),
        shutdown: () => Promise.resolve(),
      },
    ],
  });
  const tracer = provider.getTracer('tests', '1.2.3');
  const root = tracer.startSpan('wörld 🎈', { startTime: 1_777_629_600_000 }, ROOT_CONTEXT);
  root.setAttributes({
    'langfuse.observation.input': '{"q":[1,2]}',
    'langfuse.observation.metadata.whole': -7,
    'langfuse.observation.metadata.large': 9_007_199_254_740_991,
    'langfuse.observation.metadata.half': 0.5,
    'langfuse.observation.metadata.no': false,
    'langfuse.observation.metadata.empty': '',
    'langfuse.trace.tags': ['x', 'y'],
    'langfuse.trace.public': true,
    other: ['a', 'b'],
  });
  const call = tracer.startSpan('', { startTime: 1_777_629_601_000 }, trace.setSpan(ROOT_CONTEXT, root));
  call.setAttributes({
    'langfuse.observation.type': 'generation',
    'langfuse.observation.model.name': 'm-1',
    'langfuse.observation.usage_details': '{"input":3,"output":4}',
    'langfuse.observation.prompt.version': 3,
  });
  call.setStatus({ code: 2, message: 'broke' });
  call.end(1_777_629_602_500);
  root.end(1_777_629_603_000);
  return ended;
}

async function send({ url }: Serving, body: Uint8Array<ArrayBuffer>, headers: Record<string, string> = {}) {
  const answer = await fetch(`${url}${PATH}`, { method: 'POST', headers: { ...HEADERS, ...headers }, body });
  return { status: answer.status, type: answer.headers.get('content-type'), bytes: await answer.bytes() };
}

/** What the store holds, without when it was told. */
function held({ store }: Serving) {
  const page = { page: 1, limit: 10 };
  const plain = ({ createdAt: _created, updatedAt: _updated, ...row }: { createdAt: string; updatedAt: string }) => row;
  return {
    traces: store.traces.list({}, page).rows.map(plain),
    observations: store.traces.listObservations({}, page).rows.map(plain),
  };
}

const bytesOf = (spans: ReadableSpan[]) => new Uint8Array(ProtobufTraceSerializer.serializeRequest(spans)!);
const textOf = (bytes: Uint8Array) => new TextDecoder().decode(bytes);

describe('spans in protobuf', () => {
  it("are the same as in OTLP JSON, by OpenTelemetry's own serialisers", async () => {
    const spans = someSpans();
    const inJson = await serving();
    const json = textOf(JsonTraceSerializer.serializeRequest(spans)!);
    expect((await inJson.ask('POST', PATH, json)).status).toBe(200);
    const expected = held(inJson);
    expect(expected.observations).toHaveLength(2);
    expect(expected.observations[1]).toMatchObject({
      metadata: { whole: -7, large: 9_007_199_254_740_991, no: false },
    });

    for (const gzip of [false, true]) {
      const inProtobuf = await serving();
      const bytes = bytesOf(spans);
      const answer = await send(
        inProtobuf,
        gzip ? new Uint8Array(gzipSync(bytes)) : bytes,
        gzip ? { 'content-encoding': 'gzip' } : {},
      );
      expect(answer).toEqual({ status: 200, type: 'application/x-protobuf', bytes: new Uint8Array() });
      expect(held(inProtobuf)).toEqual(expected);
    }
  });

  it('are told in protobuf how many were rejected, and why', async () => {
    const server = await serving();
    const [call, root] = someSpans();
    const noId = { ...root!, spanContext: () => ({ ...root!.spanContext(), spanId: 'aa' }) };
    const { status, bytes } = await send(server, bytesOf([call!, noId]));
    expect(status).toBe(200);
    expect(ProtobufTraceSerializer.deserializeResponse(bytes)).toEqual({
      partialSuccess: { rejectedSpans: 1, errorMessage: 'spanId: expected 16 hex digits' },
    });
    expect(server.store.traces.listObservations({}, { page: 1, limit: 10 }).total).toBe(1);
  });

  it('are none where nothing is sent, and a bad request where it is something else', async () => {
    const server = await serving();
    expect((await send(server, new Uint8Array())).status).toBe(200);
    for (const [body, status] of [
      ['{"resourceSpans":[]}', 400],
      ['\u0000', 400],
      ['\u000a\u007f', 400],
    ] as const) {
      const answer = await send(server, new Uint8Array(Buffer.from(body)));
      expect(answer.status, body).toBe(status);
      expect(JSON.parse(textOf(answer.bytes))).toMatchObject({ error: 'BadRequest' });
    }
    expect((await send(server, new Uint8Array([1, 2]), { 'content-type': 'application/grpc' })).status).toBe(415);
  });

  it('are refused where they are logs, whose fields have the numbers of spans', async () => {
    const server = await serving();
    // A log record: its time (fixed64, 1), its severity (2), its text (3), its body (5).
    const record = [0x09, 0, 0, 0, 0, 0, 0, 0, 1, 0x10, 9, 0x1a, 4, 0x49, 0x4e, 0x46, 0x4f, 0x2a, 3, 0x0a, 1, 0x78];
    const within = (field: number, bytes: readonly number[]) => [field * 8 + 2, bytes.length, ...bytes];
    const { status, bytes } = await send(server, new Uint8Array(within(1, within(2, within(2, record)))));
    expect(status).toBe(400);
    expect(textOf(bytes)).toContain('traceId');
  });
});

describe('the reader of protobuf', () => {
  const { read } = otlpProtobuf;

  it('takes the last of several values, and puts the parts of a message together', () => {
    const attribute = (bytes: readonly number[]) => [
      0x0a,
      5 + bytes.length,
      0x0a,
      1,
      0x6b,
      0x12,
      bytes.length,
      ...bytes,
    ];
    const wrapped = attribute([0x10, 1, 0x0a, 1, 0x78]);
    const resource = [0x0a, wrapped.length, ...wrapped];
    const twice = [...resource, ...resource];
    expect(read(new Uint8Array([0x0a, twice.length, ...twice]))).toEqual({
      resourceSpans: [
        {
          resource: {
            attributes: [
              { key: 'k', value: { stringValue: 'x' } },
              { key: 'k', value: { stringValue: 'x' } },
            ],
          },
        },
      ],
    });
  });

  it('reads whole numbers of 64 bits with their sign, and numbers that are none by name', () => {
    const attribute = (bytes: readonly number[]) => {
      const pair = [0x12, bytes.length, ...bytes];
      const list = [0x0a, pair.length, ...pair];
      const resource = [0x0a, list.length, ...list];
      const read1 = read(new Uint8Array([0x0a, resource.length, ...resource])) as {
        resourceSpans: { resource: { attributes: { value: unknown }[] } }[];
      };
      return read1.resourceSpans[0]!.resource.attributes[0]!.value;
    };
    expect(attribute([0x18, ...Array<number>(9).fill(0xff), 1])).toEqual({ intValue: '-1' });
    expect(attribute([0x18, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 1])).toEqual({
      intValue: '-9223372036854775808',
    });
    expect(attribute([0x21, 0, 0, 0, 0, 0, 0, 0xf8, 0x7f])).toEqual({ doubleValue: 'NaN' });
    expect(attribute([0x21, 0, 0, 0, 0, 0, 0, 0xf0, 0xff])).toEqual({ doubleValue: '-Infinity' });
    expect(attribute([0x3a, 2, 0xff, 0])).toEqual({ bytesValue: '/wA=' });
    expect(attribute([0x2a, 0])).toEqual({ arrayValue: {} });
  });

  it('ends with a value or a refusal, whatever it is given', () => {
    const real = bytesOf(someSpans());
    const changed = fc
      .array(fc.tuple(fc.nat(real.length - 1), fc.integer({ min: 0, max: 255 })), { maxLength: 8 })
      .map((changes) => {
        const bytes = real.slice();
        for (const [at, byte] of changes) bytes[at] = byte;
        return bytes;
      });
    const cut = fc.nat(real.length).map((length) => real.slice(0, length));
    fc.assert(
      fc.property(fc.oneof(fc.uint8Array({ maxLength: 300 }), changed, cut), (bytes) => {
        let outcome: unknown;
        try {
          outcome = read(bytes);
        } catch (error) {
          outcome = error;
        }
        expect(outcome instanceof Refusal || JSON.stringify(outcome).startsWith('{"resourceSpans"')).toBe(true);
      }),
      { numRuns: runsHere(3000), seed: 20 },
    );
  });

  it('is not led into depth, length or number', () => {
    let nested: number[] = [];
    const lengthOf = (length: number) => {
      const bytes: number[] = [];
      for (; length >= 0x80; length = Math.floor(length / 0x80)) bytes.push((length % 0x80) + 0x80);
      return [...bytes, length];
    };
    // Lists within lists, as values of an attribute of a resource.
    for (let level = 0; level < 400; level += 1) {
      const list = [0x0a, ...lengthOf(nested.length), ...nested];
      nested = [0x2a, ...lengthOf(list.length), ...list];
    }
    for (const head of [0x12, 0x0a, 0x0a, 0x0a]) nested = [head, ...lengthOf(nested.length), ...nested];
    expect(() => read(new Uint8Array(nested))).toThrow('nested deeper than 200');
    const many = Buffer.alloc(4_000_000);
    for (let at = 0; at < many.length; at += 2) many[at] = 0x0a;
    expect(() => read(many)).toThrow('too many parts');
    // A length that says four thousand million million bytes.
    expect(() => read(new Uint8Array([0x0a, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x07]))).toThrow('not protobuf');
    expect(() => read(new Uint8Array([0x0a, ...Array<number>(11).fill(0xff)]))).toThrow('not protobuf');
    expect(() => read(new Uint8Array([0x0b, 0x0c]))).toThrow('not protobuf');
  });
});
