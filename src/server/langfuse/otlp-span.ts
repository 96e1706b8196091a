import { isRecord } from '../../data/record-fields.ts';
import type { ExperimentLink, ObservationRecord, TraceRecord } from '../../store/records.ts';
import {
  OBSERVATION_TYPES,
  type OtlpAttribute,
  type OtlpSpan,
  type OtlpValue,
} from '../../langfuse/shapes/ingestion.ts';
import { LEVELS } from '../../langfuse/shapes/values.ts';
import { defined, type Defined } from '../../experiment/defined.ts';
import { readableMetadata, valueOfText } from './readable-values.ts';

const ERROR_STATUS = 2;
/** A later year has more than four digits, and would not be kept. */
const LAST_TIME = Date.parse('9999-12-31T23:59:59.999Z');
const OBSERVATION = 'langfuse.observation';
const TRACE = 'langfuse.trace';
const EXPERIMENT = 'langfuse.experiment';
const PROMPT_VERSION = `${OBSERVATION}.prompt.version`;

const MODEL_NAMES = [`${OBSERVATION}.model.name`, 'gen_ai.response.model', 'gen_ai.request.model'];
const USER_NAMES = ['langfuse.user.id', 'user.id'];
const SESSION_NAMES = ['langfuse.session.id', 'session.id'];
const KNOWN = new Set([...MODEL_NAMES, ...USER_NAMES, ...SESSION_NAMES]);

/** A span as what Langfuse makes of it: an observation, and fields of its trace. */
export interface ReadSpan {
  readonly isRoot: boolean;
  readonly observation: Defined<Omit<ObservationRecord, 'id' | 'traceId' | 'startTime'>> &
    Pick<ObservationRecord, 'id' | 'traceId' | 'startTime'>;
  readonly trace: Defined<Omit<TraceRecord, 'id'>>;
}

/** Why a span cannot be kept; null if it can. */
export function spanProblem(attributes: SpanAttributes): string | null {
  const version = attributes.number(PROMPT_VERSION);
  if (version === undefined || Number.isSafeInteger(version)) return null;
  return `${PROMPT_VERSION}: expected a whole number up to ${Number.MAX_SAFE_INTEGER}, found ${version}`;
}

export function readSpan(span: OtlpSpan, attributes: SpanAttributes, environment: string | undefined): ReadSpan {
  const parent = span.parentSpanId == null || span.parentSpanId === '' ? null : span.parentSpanId.toLowerCase();
  const isRoot =
    parent === null ||
    attributes.flag('langfuse.internal.as_root') === true ||
    attributes.flag('langfuse.internal.is_app_root') === true;
  const shared = defined({
    input: attributes.json(`${OBSERVATION}.input`, 'input.value', 'gen_ai.input.messages', 'gen_ai.prompt'),
    output: attributes.json(`${OBSERVATION}.output`, 'output.value', 'gen_ai.output.messages', 'gen_ai.completion'),
    metadata: metadataOf(attributes),
    version: attributes.text('langfuse.version'),
    environment: attributes.text('langfuse.environment') ?? environment,
  });
  const model = attributes.text(...MODEL_NAMES);
  return {
    isRoot,
    observation: {
      ...shared,
      ...defined({
        model,
        level: levelOf(span, attributes),
        statusMessage: attributes.text(`${OBSERVATION}.status_message`) ?? span.status?.message ?? undefined,
        completionStartTime: timeOf(attributes.text(`${OBSERVATION}.completion_start_time`)),
        modelParameters: attributes.json(`${OBSERVATION}.model.parameters`),
        usageDetails: attributes.counts(`${OBSERVATION}.usage_details`) ?? genAiUsage(attributes),
        costDetails: attributes.counts(`${OBSERVATION}.cost_details`) ?? genAiCost(attributes),
        promptName: attributes.text(`${OBSERVATION}.prompt.name`),
        promptVersion: attributes.number(PROMPT_VERSION),
        experiment: experimentOf(attributes, isRoot ? span.spanId.toLowerCase() : null),
      }),
      id: span.spanId.toLowerCase(),
      traceId: span.traceId.toLowerCase(),
      parentObservationId: parent,
      type: typeOf(attributes, model),
      name: span.name,
      startTime: span.startTimeUnixNano,
      endTime: span.endTimeUnixNano ?? null,
    },
    trace: traceFields(span, attributes, isRoot ? shared : null),
  };
}

/** What only a trace has comes from any span; name, input and output come from the root unless they are set. */
function traceFields(
  span: OtlpSpan,
  attributes: SpanAttributes,
  root: Defined<Pick<TraceRecord, 'input' | 'output' | 'metadata' | 'version' | 'environment'>> | null,
): Defined<Omit<TraceRecord, 'id'>> {
  return {
    ...(root === null ? {} : { name: span.name, timestamp: span.startTimeUnixNano, ...root }),
    ...defined({
      name: attributes.text(`${TRACE}.name`),
      userId: attributes.text(...USER_NAMES),
      sessionId: attributes.text(...SESSION_NAMES),
      tags: attributes.texts(`${TRACE}.tags`),
      public: attributes.flag(`${TRACE}.public`),
      input: attributes.json(`${TRACE}.input`),
      output: attributes.json(`${TRACE}.output`),
      metadata: attributes.metadata(`${TRACE}.metadata`),
      release: attributes.text('langfuse.release'),
    }),
  };
}

/** An unknown kind is a span; without a kind, what names a model is a generation. */
function typeOf(attributes: SpanAttributes, model: string | undefined): string {
  const sent = attributes.text(`${OBSERVATION}.type`)?.toUpperCase();
  if (sent === undefined) return model === undefined ? 'SPAN' : 'GENERATION';
  return OBSERVATION_TYPES.find((type) => type === sent) ?? 'SPAN';
}

function levelOf(span: OtlpSpan, attributes: SpanAttributes): string | undefined {
  const sent = attributes.text(`${OBSERVATION}.level`)?.toUpperCase();
  const level = LEVELS.find((one) => one === sent);
  return level ?? (span.status?.code === ERROR_STATUS ? 'ERROR' : undefined);
}

/** Of what is not understood nothing is lost: it stands among the metadata. */
function metadataOf(attributes: SpanAttributes): unknown {
  const sent = attributes.metadata(`${OBSERVATION}.metadata`);
  // SDKs put metadata of the trace on every span, and Langfuse 4 has only spans.
  const ofTrace = attributes.metadata(`${TRACE}.metadata`);
  const others = attributes.others((name) => name.startsWith('langfuse.') || KNOWN.has(name));
  if (others === undefined && ofTrace === undefined) return sent;
  return {
    ...(others === undefined ? {} : { attributes: others }),
    ...(isRecord(sent) ? sent : sent === undefined ? {} : { metadata: sent }),
    ...(isRecord(ofTrace) ? ofTrace : {}),
  };
}

function genAiUsage(attributes: SpanAttributes): Record<string, number> | undefined {
  const input = attributes.number('gen_ai.usage.input_tokens', 'gen_ai.usage.prompt_tokens');
  const output = attributes.number('gen_ai.usage.output_tokens', 'gen_ai.usage.completion_tokens');
  return input === undefined && output === undefined ? undefined : defined({ input, output });
}

function genAiCost(attributes: SpanAttributes): Record<string, number> | undefined {
  const total = attributes.number('gen_ai.usage.cost');
  return total === undefined ? undefined : { total };
}

function experimentOf(attributes: SpanAttributes, root: string | null): ExperimentLink | undefined {
  const experimentId = attributes.text(`${EXPERIMENT}.id`);
  const itemId = attributes.text(`${EXPERIMENT}.item.id`);
  if (experimentId === undefined || itemId === undefined) return undefined;
  return {
    experimentId,
    experimentName: attributes.text(`${EXPERIMENT}.name`) ?? experimentId,
    experimentDescription: attributes.text(`${EXPERIMENT}.description`) ?? null,
    experimentMetadata: attributes.metadata(`${EXPERIMENT}.metadata`) ?? null,
    datasetId: attributes.text(`${EXPERIMENT}.dataset.id`) ?? null,
    itemId,
    itemExpectedOutput: attributes.json(`${EXPERIMENT}.item.expected_output`) ?? null,
    itemMetadata: attributes.metadata(`${EXPERIMENT}.item.metadata`) ?? null,
    rootObservationId: attributes.text(`${EXPERIMENT}.item.root_observation_id`)?.toLowerCase() ?? root,
  };
}

/** The SDK writes a time as JSON, in quotes. */
function timeOf(text: string | undefined): string | undefined {
  const time = Date.parse((text ?? '').replaceAll('"', ''));
  return time <= LAST_TIME ? new Date(time).toISOString() : undefined;
}

/** The attributes of a span by name. */
export class SpanAttributes {
  readonly #values: ReadonlyMap<string, unknown>;

  constructor(attributes: readonly OtlpAttribute[] | null | undefined) {
    this.#values = new Map((attributes ?? []).map(({ key, value }) => [key, plainValue(value)]));
  }

  text(...names: readonly string[]): string | undefined {
    return this.#first(names, (value) =>
      typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? String(value) : undefined,
    );
  }

  flag(name: string): boolean | undefined {
    const value = this.#values.get(name);
    if (typeof value === 'boolean') return value;
    return value === 'true' ? true : value === 'false' ? false : undefined;
  }

  number(...names: readonly string[]): number | undefined {
    return this.#first(names, (value) => {
      const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
      return typeof number === 'number' && Number.isFinite(number) ? number : undefined;
    });
  }

  /** What was written as JSON is read again. */
  json(...names: readonly string[]): unknown {
    const value = this.#first(names, (one) => one ?? undefined);
    return typeof value === 'string' ? valueOfText(value) : value;
  }

  #first<Value>(names: readonly string[], read: (value: unknown) => Value | undefined): Value | undefined {
    for (const name of names) {
      const value = read(this.#values.get(name));
      if (value !== undefined) return value;
    }
    return undefined;
  }

  counts(name: string): Record<string, number> | undefined {
    const value = this.json(name);
    if (!isRecord(value)) return undefined;
    return Object.fromEntries(
      Object.entries(value).flatMap(([key, count]) => (Number.isFinite(count) ? [[key, Number(count)] as const] : [])),
    );
  }

  texts(name: string): string[] | undefined {
    const value = this.json(name);
    if (Array.isArray(value)) return value.filter((one) => typeof one === 'string');
    return typeof value === 'string' ? value.split(',').map((one) => one.trim()) : undefined;
  }

  /** Metadata comes as a whole under its name, and one by one under `name.key`. */
  metadata(name: string): unknown {
    const whole = this.json(name);
    const parts = [...this.#values.keys()].filter((key) => key.startsWith(`${name}.`));
    if (parts.length === 0) return isRecord(whole) ? readableMetadata(whole) : whole;
    const single = parts.map((key) => [key.slice(name.length + 1), this.json(key)] as const);
    return {
      ...(isRecord(whole) ? readableMetadata(whole) : whole === undefined ? {} : { metadata: whole }),
      ...Object.fromEntries(single),
    };
  }

  others(isKnown: (name: string) => boolean): Record<string, unknown> | undefined {
    const rest = [...this.#values].filter(([name]) => !isKnown(name));
    return rest.length === 0 ? undefined : Object.fromEntries(rest);
  }
}

function plainValue(value: OtlpValue | undefined): unknown {
  if (value === undefined) return null;
  if ('arrayValue' in value) return (value.arrayValue.values ?? []).map(plainValue);
  if ('kvlistValue' in value)
    return Object.fromEntries((value.kvlistValue.values ?? []).map((pair) => [pair.key, plainValue(pair.value)]));
  return Object.values(value)[0] ?? null;
}
