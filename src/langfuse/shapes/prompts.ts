import { z } from 'zod';

import { endpoint, noBody } from './endpoint.ts';
import { pageMeta, pageQuery } from './paging.ts';
import { anyByName, flagText, givenTime, json, optional, time, wholeNumberText } from './values.ts';

/** Always on the newest version; nobody gives it. */
const RESERVED_LABEL = 'latest';
/** Pages of Langfuse's own are called that. */
const RESERVED_NAMES = new Set(['new', 'metrics', 'prompt-detail']);
const LONGEST_COMMIT_MESSAGE = 500;

const chatMessage = z.strictObject({
  type: z.literal('chatmessage').optional(),
  role: z.string(),
  content: z.string(),
});
const placeholder = z.strictObject({ type: z.literal('placeholder'), name: z.string() });

const base = {
  id: z.string(),
  projectId: z.string(),
  createdBy: z.string(),
  /** Whether it is labelled production; null in what answers a change. */
  isActive: z.boolean().nullish(),
  name: z.string(),
  version: z.int().min(1),
  config: json,
  labels: z.array(z.string()),
  tags: z.array(z.string()),
  commitMessage: z.string().nullish(),
  resolutionGraph: anyByName.nullish(),
  createdAt: time.optional(),
  updatedAt: time.optional(),
};

export const prompt = z.discriminatedUnion('type', [
  z.strictObject({ ...base, type: z.literal('text'), prompt: z.string() }),
  z.strictObject({ ...base, type: z.literal('chat'), prompt: z.array(z.union([placeholder, chatMessage])) }),
]);

const promptMeta = z.strictObject({
  name: z.string(),
  type: z.enum(['text', 'chat']),
  versions: z.array(z.int()),
  labels: z.array(z.string()),
  tags: z.array(z.string()),
  lastUpdatedAt: time,
  lastConfig: json,
});

/** The rules of Langfuse for the names of prompts: folders are written with slashes, and `|` is for references. */
const givenName = z
  .string()
  .min(1)
  .regex(/^(?!.*<[^<>]*>)/s, { error: 'cannot contain HTML tags' })
  .regex(/^[^|]*$/, { error: 'cannot contain |' })
  .regex(/^(?!\/)(?!.*\/\/)(?!.*\/$)/s, { error: 'cannot begin or end with a slash, or have two in a row' })
  .transform((name) => name.trim())
  .refine((name) => name !== '', { error: 'cannot be empty' })
  .refine((name) => !RESERVED_NAMES.has(name), { error: `cannot be ${[...RESERVED_NAMES].join(', ')}` });

const givenLabel = z.string().regex(/^[a-z0-9_.-]{1,36}$/, {
  error: 'expected up to 36 lower-case letters, digits, underscores, hyphens or periods',
});

const created = {
  name: givenName,
  config: json,
  labels: optional(z.array(givenLabel)),
  tags: optional(z.array(z.string())),
  commitMessage: optional(z.string().max(LONGEST_COMMIT_MESSAGE)),
};

/** Without a type: a placeholder has a name, a message has a role. */
const givenMessage = z.union([
  z.object({ role: z.string(), content: z.string() }),
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

const which = { version: wholeNumberText(1).optional(), label: z.string().optional() };
const ONE_OF_BOTH = { path: ['label'], error: 'cannot be together with version' };

function oneOfBoth({ version, label }: { version?: number | undefined; label?: string | undefined }): boolean {
  return version === undefined || label === undefined;
}

export const listPrompts = endpoint('GET', '/api/public/v2/prompts', {
  query: z.object({
    ...pageQuery,
    name: z.string().optional(),
    label: z.string().optional(),
    tag: z.string().optional(),
    fromUpdatedAt: givenTime.optional(),
    toUpdatedAt: givenTime.optional(),
  }),
  answer: z.strictObject({ data: z.array(promptMeta), meta: pageMeta, pagination: pageMeta }),
});

export const createPrompt = endpoint('POST', '/api/public/v2/prompts', {
  request: createRequest,
  answer: prompt,
  status: 201,
});

export const getPrompt = endpoint('GET', '/api/public/v2/prompts/:name', {
  query: z.object({ ...which, resolve: flagText.optional() }).refine(oneOfBoth, ONE_OF_BOTH),
  answer: prompt,
});

export const deletePrompt = endpoint('DELETE', '/api/public/v2/prompts/:name', {
  query: z.object(which).refine(oneOfBoth, ONE_OF_BOTH),
  answer: noBody,
  status: 204,
});

export const updatePromptVersion = endpoint('PATCH', '/api/public/v2/prompts/:name/versions/:version', {
  request: z.object({
    newLabels: z.array(
      z.string().refine((label) => label !== RESERVED_LABEL, {
        error: `${RESERVED_LABEL} is always on the newest version and cannot be given`,
      }),
    ),
  }),
  answer: prompt,
});
