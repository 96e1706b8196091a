import { isRecord } from '../../data/record-fields.ts';
import type { ExperimentLink, ObservationRecord, TraceRecord } from '../../store/records.ts';
import type { OtlpSpan } from '../../langfuse/shapes/otlp.ts';
import { LEVELS, OBSERVATION_TYPES } from '../../langfuse/shapes/values.ts';
import { defined, type Defined } from '../../experiment/defined.ts';
import type { Attributes } from './otlp-attributes.ts';

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
export function spanProblem(attributes: Attributes): string | null {
  const version = attributes.number(PROMPT_VERSION);
  if (version === undefined || Number.isSafeInteger(version)) return null;
  return `${PROMPT_VERSION}: expected a whole number up to ${Number.MAX_SAFE_INTEGER}, found ${version}`;
}

export function readSpan(span: OtlpSpan, attributes: Attributes, environment: string | undefined): ReadSpan {
  const parent = span.parentSpanId == null || span.parentSpanId === '' ? null : span.parentSpanId.toLowerCase();
  const isRoot =
    parent === null ||
    attributes.flag('langfuse.internal.as_root') === true ||
    attributes.flag('langfuse.internal.is_app_root') === true;
  const given = defined({
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
      ...given,
      ...defined({
        model,
        level: levelOf(span, attributes),
        statusMessage: attributes.text(`${OBSERVATION}.status_message`) ?? span.status?.message ?? undefined,
        completionStartTime: timeOf(attributes.text(`${OBSERVATION}.completion_start_time`)),
        modelParameters: attributes.json(`${OBSERVATION}.model.parameters`),
        usageDetails: attributes.counts(`${OBSERVATION}.usage_details`) ?? genAiUsage(attributes),
        costDetails: attributes.counts(`${OBSERVATION}.cost_details`),
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
    trace: traceFields(span, attributes, isRoot ? given : null),
  };
}

/** What only a trace has comes from any span; name, input and output come from the root unless they are set. */
function traceFields(
  span: OtlpSpan,
  attributes: Attributes,
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
function typeOf(attributes: Attributes, model: string | undefined): string {
  const sent = attributes.text(`${OBSERVATION}.type`)?.toUpperCase();
  if (sent === undefined) return model === undefined ? 'SPAN' : 'GENERATION';
  return OBSERVATION_TYPES.find((type) => type === sent) ?? 'SPAN';
}

function levelOf(span: OtlpSpan, attributes: Attributes): string | undefined {
  const sent = attributes.text(`${OBSERVATION}.level`)?.toUpperCase();
  const level = LEVELS.find((one) => one === sent);
  return level ?? (span.status?.code === ERROR_STATUS ? 'ERROR' : undefined);
}

/** Of what is not understood nothing is lost: it stands among the metadata. */
function metadataOf(attributes: Attributes): unknown {
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

function genAiUsage(attributes: Attributes): Record<string, number> | undefined {
  const input = attributes.number('gen_ai.usage.input_tokens', 'gen_ai.usage.prompt_tokens');
  const output = attributes.number('gen_ai.usage.output_tokens', 'gen_ai.usage.completion_tokens');
  if (input === undefined && output === undefined) return undefined;
  return { ...(input === undefined ? {} : { input }), ...(output === undefined ? {} : { output }) };
}

function experimentOf(attributes: Attributes, root: string | null): ExperimentLink | undefined {
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
