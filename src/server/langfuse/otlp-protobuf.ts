import { decodeProtobuf, encodeProtobuf, type Message } from './protobuf.ts';
import type { Wire } from './api-route.ts';

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
