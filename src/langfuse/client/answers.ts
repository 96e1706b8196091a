import { z } from 'zod';

import type {
  ChatMessage,
  DatasetItemRecord,
  DatasetRecord,
  PromptPlaceholder,
  PromptRecord,
} from '../../store/records.ts';
import { fields, plainText } from '../shapes/values.ts';

/** What Langfuse answers, as far as it is read here. Fields that are not named may be there or not. */

/** Null if it is missing. */
export const maybeText = z
  .string()
  .nullish()
  .transform((value) => value ?? null);
export const maybeJson = z
  .unknown()
  .optional()
  .transform((value) => value ?? null);
const texts = z
  .array(z.string())
  .nullish()
  .transform((value) => value ?? []);

export const datasetAnswer = z
  .object({
    ...fields(plainText, 'id', 'name', 'createdAt', 'updatedAt'),
    description: maybeText,
    ...fields(maybeJson, 'metadata', 'inputSchema', 'expectedOutputSchema'),
  })
  // Langfuse knows no archived datasets, only archived items.
  .transform((dataset): DatasetRecord => ({ ...dataset, archived: false }));

export const itemAnswer: z.ZodType<DatasetItemRecord> = z.object({
  ...fields(plainText, 'id', 'datasetId', 'datasetName', 'createdAt', 'updatedAt'),
  ...fields(maybeJson, 'input', 'expectedOutput', 'metadata'),
  ...fields(maybeText, 'sourceTraceId', 'sourceObservationId'),
  status: z.enum(['ACTIVE', 'ARCHIVED']),
});

const promptFields = {
  name: plainText,
  version: z.int().min(1),
  config: z
    .unknown()
    .optional()
    .transform((value) => value ?? {}),
  ...fields(texts, 'labels', 'tags'),
  commitMessage: maybeText,
  ...fields(
    plainText.optional().transform((value) => value ?? ''),
    'createdAt',
    'updatedAt',
  ),
};

// Langfuse gives messages their own type; here only placeholders have one.
const message = z.union([
  z
    .object({ type: z.literal('placeholder'), name: plainText })
    .transform(({ name }): PromptPlaceholder => ({ type: 'placeholder', name })),
  z.object({ role: plainText, content: plainText }).transform(({ role, content }): ChatMessage => ({ role, content })),
]);

export const promptAnswer: z.ZodType<PromptRecord> = z.union([
  z.object({ ...promptFields, type: z.literal('chat'), prompt: z.array(message) }),
  z.object({ ...promptFields, type: z.literal('text'), prompt: plainText }),
]);

export const summaryAnswer = z.object({ name: plainText, versions: z.array(z.int()), labels: texts, tags: texts });

export const observationAnswer = z.object({
  id: plainText,
  ...fields(maybeText, 'traceId', 'parentObservationId', 'name', 'traceName'),
  isRootObservation: z.boolean().nullish(),
  ...fields(maybeJson, 'input', 'output', 'metadata'),
});

export type ObservationAnswer = z.output<typeof observationAnswer>;
