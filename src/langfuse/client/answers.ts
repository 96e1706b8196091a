import { z } from 'zod';

import type {
  ChatMessage,
  DatasetItemRecord,
  DatasetRecord,
  PromptPlaceholder,
  PromptRecord,
} from '../../store/records.ts';
import { fields, text } from '../shapes/values.ts';

/** What Langfuse answers, as far as it is read here. Fields that are not named may be there or not. */

/** Null if it is missing. */
export const maybeText = z
  .string()
  .nullish()
  .transform((value) => value ?? null);
const json = z
  .unknown()
  .optional()
  .transform((value) => value ?? null);
const texts = z
  .array(z.string())
  .nullish()
  .transform((value) => value ?? []);

export const datasetAnswer = z
  .object({
    ...fields(text, 'id', 'name', 'createdAt', 'updatedAt'),
    description: maybeText,
    ...fields(json, 'metadata', 'inputSchema', 'expectedOutputSchema'),
  })
  // Langfuse knows no archived datasets, only archived items.
  .transform((dataset): DatasetRecord => ({ ...dataset, archived: false }));

export const itemAnswer: z.ZodType<DatasetItemRecord> = z.object({
  ...fields(text, 'id', 'datasetId', 'datasetName', 'createdAt', 'updatedAt'),
  ...fields(json, 'input', 'expectedOutput', 'metadata'),
  ...fields(maybeText, 'sourceTraceId', 'sourceObservationId'),
  status: z.enum(['ACTIVE', 'ARCHIVED']),
});

const promptFields = {
  name: text,
  version: z.int().min(1),
  config: z
    .unknown()
    .optional()
    .transform((value) => value ?? {}),
  ...fields(texts, 'labels', 'tags'),
  commitMessage: maybeText,
  ...fields(
    text.optional().transform((value) => value ?? ''),
    'createdAt',
    'updatedAt',
  ),
};

// Langfuse gives messages their own type; here only placeholders have one.
const message = z.union([
  z
    .object({ type: z.literal('placeholder'), name: text })
    .transform(({ name }): PromptPlaceholder => ({ type: 'placeholder', name })),
  z.object({ role: text, content: text }).transform(({ role, content }): ChatMessage => ({ role, content })),
]);

export const promptAnswer: z.ZodType<PromptRecord> = z.union([
  z.object({ ...promptFields, type: z.literal('chat'), prompt: z.array(message) }),
  z.object({ ...promptFields, type: z.literal('text'), prompt: text }),
]);

export const promptSummaryAnswer = z.object({ name: text, versions: z.array(z.int()), labels: texts, tags: texts });

export const projectsAnswer = z.object({ data: z.array(z.object({ id: text })) });

export const runItemAnswer = z.object({ datasetRunId: text, traceId: text });

export const runAnswer = z.object({ id: text });

export const traceAnswer = z.object({
  id: text,
  name: maybeText,
  ...fields(json, 'input', 'output', 'metadata'),
  observations: z.array(z.object({ id: text, parentObservationId: maybeText })).nullish(),
});

export const traceIdAnswer = z.object({ id: text, scores: z.array(text).nullish() });

export const observationAnswer = z.object({
  id: text,
  ...fields(maybeText, 'traceId', 'parentObservationId', 'name', 'traceName'),
  isRootObservation: z.boolean().nullish(),
  ...fields(json, 'input', 'output', 'metadata'),
});

export type ObservationAnswer = z.output<typeof observationAnswer>;

export const experimentItemAnswer = z.object({
  traceId: text,
  experimentId: text,
  scores: z.array(z.object({ id: text, source: text.nullish() })).nullish(),
});

export const scoreV3Answer = z.object({
  id: text,
  source: text.nullish(),
  subject: z.object({ kind: text, id: text, traceId: maybeText }).nullish(),
});

export const scoreV2Answer = z.object({ id: text, traceId: maybeText });

export const ingestionAnswer = z.object({
  successes: z.array(z.object({ id: text })),
  errors: z.array(z.object({ id: text, status: z.int(), message: maybeText, error: z.unknown().optional() })),
});

export const spansAnswer = z
  .object({
    partialSuccess: z
      .object({
        // Protobuf's JSON writes long numbers as text.
        rejectedSpans: z.union([z.number(), z.string().transform(Number)]).nullish(),
        errorMessage: maybeText,
      })
      .nullish(),
  })
  .nullish();

/** For calls whose answer is not looked at. */
export const anyAnswer = z.unknown();
