import { z } from 'zod';

import { endpoint, noBody } from './endpoint.ts';
import * as v from './values.ts';

/** Always on the newest version; nobody gives it. */
const RESERVED_LABEL = 'latest';
/** Pages of Langfuse's own are called that. */
const RESERVED_NAMES = new Set(['new', 'metrics', 'prompt-detail']);
const LONGEST_COMMIT_MESSAGE = 500;

const message = v.fields(v.anyText, 'role', 'content');
const chatMessage = z.strictObject({ type: z.literal('chatmessage').optional(), ...message });
const placeholder = z.strictObject({ type: z.literal('placeholder'), name: z.string() });

const base = {
  ...v.fields(v.anyText, 'id', 'projectId', 'createdBy', 'name'),
  /** Whether it is labelled production; null in what answers a change. */
  isActive: z.boolean().nullish(),
  version: z.int().min(1),
  config: v.anyJson,
  ...v.fields(v.textList, 'labels', 'tags'),
  commitMessage: v.nullishText,
  resolutionGraph: v.anyByName.nullish(),
  ...v.fields(v.time.optional(), 'createdAt', 'updatedAt'),
};

export const promptShape = z.discriminatedUnion('type', [
  z.strictObject({ ...base, type: z.literal('text'), prompt: z.string() }),
  z.strictObject({ ...base, type: z.literal('chat'), prompt: z.array(z.union([placeholder, chatMessage])) }),
]);

const promptMeta = z.strictObject({
  name: z.string(),
  type: z.enum(['text', 'chat']),
  versions: z.array(z.int()),
  ...v.fields(v.textList, 'labels', 'tags'),
  lastUpdatedAt: v.time,
  lastConfig: v.anyJson,
});

/** Name of a prompt; `|` is for references. */
const promptName = v.folderName
  .refine((name) => !name.includes('|'), { error: 'cannot contain |' })
  .refine((name) => !RESERVED_NAMES.has(name), { error: `cannot be ${[...RESERVED_NAMES].join(', ')}` });

const givenLabel = z.string().regex(/^[a-z0-9_.-]{1,36}$/, {
  error: 'expected up to 36 lower-case letters, digits, underscores, hyphens or periods',
});

const created = {
  name: promptName,
  config: v.anyJson,
  labels: v.optional(z.array(givenLabel)),
  tags: v.optional(z.array(z.string())),
  commitMessage: v.optional(z.string().max(LONGEST_COMMIT_MESSAGE)),
};

/** Without a type: a placeholder has a name, a message has a role. */
const givenMessage = z.union([
  z.object(message),
  z.object({ type: z.literal('placeholder').default('placeholder'), name: z.string() }),
]);

const createRequest = z.union([
  z.object({ ...created, type: z.literal('chat'), prompt: z.array(givenMessage) }),
  z.object({
    ...created,
    type: z
      .literal('text')
      .nullish()
      .transform(() => 'text' as const),
    prompt: z.string(),
  }),
]);

/** By version or by label, never by both. */
const whichPrompt = z
  .object({ version: v.wholeNumberText(1).optional(), label: v.optionalText, resolve: v.flagText.optional() })
  .refine(({ version, label }) => version === undefined || label === undefined, {
    path: ['label'],
    error: 'cannot be together with version',
  });

export const promptsApi = {
  listPrompts: endpoint('GET', '/api/public/v2/prompts', {
    query: z.object({
      ...v.pageQuery,
      ...v.fields(v.optionalText, 'name', 'label', 'tag'),
      ...v.fields(v.sentTime.optional(), 'fromUpdatedAt', 'toUpdatedAt'),
    }),
    answer: z.strictObject({ data: z.array(promptMeta), meta: v.pageMeta, pagination: v.pageMeta }),
  }),
  createPrompt: endpoint('POST', '/api/public/v2/prompts', {
    request: createRequest,
    answer: promptShape,
    status: 201,
  }),
  getPrompt: endpoint('GET', '/api/public/v2/prompts/:name', {
    query: whichPrompt,
    answer: promptShape,
  }),
  deletePrompt: endpoint('DELETE', '/api/public/v2/prompts/:name', {
    query: whichPrompt,
    answer: noBody,
    status: 204,
  }),
  updatePromptVersion: endpoint('PATCH', '/api/public/v2/prompts/:name/versions/:version', {
    request: z.object({
      newLabels: z.array(
        z.string().refine((label) => label !== RESERVED_LABEL, {
          error: `${RESERVED_LABEL} is always on the newest version and cannot be given`,
        }),
      ),
    }),
    answer: promptShape,
  }),
};
