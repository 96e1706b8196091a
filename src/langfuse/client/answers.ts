import { z } from 'zod';

import type {
  ChatMessage,
  DatasetItemRecord,
  DatasetRecord,
  PromptPlaceholder,
  PromptRecord,
} from '../../store/records.ts';
import { fields, anyText } from '../shapes/values.ts';

/** What Langfuse answers, as far as it is read here. Fields that are not named may be there or not. */

/** Null if it is missing. */
export const textOrNull = z
  .string()
  .nullish()
  .transform((value) => value ?? null);
export const jsonOrNull = z
  .unknown()
  .optional()
  .transform((value) => value ?? null);
const texts = z
  .array(z.string())
  .nullish()
  .transform((value) => value ?? []);

export const datasetAnswer = z
  .object({
    ...fields(anyText, 'id', 'name', 'createdAt', 'updatedAt'),
    description: textOrNull,
    ...fields(jsonOrNull, 'metadata', 'inputSchema', 'expectedOutputSchema'),
  })
  // Langfuse knows no archived datasets, only archived items.
  .transform((dataset): DatasetRecord => ({ ...dataset, archived: false }));

export const itemAnswer: z.ZodType<DatasetItemRecord> = z.object({
  ...fields(anyText, 'id', 'datasetId', 'datasetName', 'createdAt', 'updatedAt'),
  ...fields(jsonOrNull, 'input', 'expectedOutput', 'metadata'),
  ...fields(textOrNull, 'sourceTraceId', 'sourceObservationId'),
  status: z.enum(['ACTIVE', 'ARCHIVED']),
});

const promptFields = {
  name: anyText,
  version: z.int().min(1),
  config: z
    .unknown()
    .optional()
    .transform((value) => value ?? {}),
  ...fields(texts, 'labels', 'tags'),
  commitMessage: textOrNull,
  ...fields(
    anyText.optional().transform((value) => value ?? ''),
    'createdAt',
    'updatedAt',
  ),
};

// Langfuse gives messages their own type; here only placeholders have one.
const message = z.union([
  z
    .object({ type: z.literal('placeholder'), name: anyText })
    .transform(({ name }): PromptPlaceholder => ({ type: 'placeholder', name })),
  z.object({ role: anyText, content: anyText }).transform(({ role, content }): ChatMessage => ({ role, content })),
]);

export const promptAnswer: z.ZodType<PromptRecord> = z.union([
  z.object({ ...promptFields, type: z.literal('chat'), prompt: z.array(message) }),
  z.object({ ...promptFields, type: z.literal('text'), prompt: anyText }),
]);

export const summaryAnswer = z.object({ name: anyText, versions: z.array(z.int()), labels: texts, tags: texts });

export const fetchedObservation = z.object({
  id: anyText,
  ...fields(textOrNull, 'traceId', 'parentObservationId', 'name', 'traceName', 'level'),
  isRootObservation: z.boolean().nullish(),
  ...fields(jsonOrNull, 'input', 'output', 'metadata'),
});

export type FetchedObservation = z.output<typeof fetchedObservation>;

/** Where a score is; Langfuse names the trace of an observation beside it. */
export const scorePlace = z.object({ kind: anyText, id: anyText, traceId: textOrNull }).nullish();

export const scoreRow = z.object({
  ...fields(anyText, 'id', 'name', 'source', 'dataType', 'timestamp'),
  value: z.union([z.number(), anyText, z.boolean()]),
  ...fields(textOrNull, 'comment', 'configId', 'authorUserId'),
  metadata: z
    .record(z.string(), z.unknown())
    .nullish()
    .transform((value) => value ?? {}),
  subject: scorePlace,
});

/** A score as the server has it, with its comment and whose it is. */
export type ServerScore = z.output<typeof scoreRow>;
