import { z } from 'zod';

import { describe, isRecord } from '../../data/record-fields.ts';
import { nearestNames } from '../../text/nearest.ts';
import { UNSUPPORTED } from './journal-rules.ts';
import { promptSchema } from './prompt-schema.ts';

const NO_NUL = /^[^\0]*$/;
const NUL = 'expected text without a NUL character';
const path = z.string().trim().min(1).regex(NO_NUL, NUL);
const count = (most: number) => z.int().min(1).max(most);
const pointer = z
  .string()
  .regex(/^(?:\/(?:[^~]|~[01])*)?$/, 'expected a JSON pointer such as /answer/text')
  .meta({ description: 'JSON pointer into the answer, such as /answer/text' });

const asked = {
  model: z.string().trim().min(1).meta({ description: 'PROVIDER/NAME, such as google/gemini-2.5-flash' }),
  prompt: promptSchema.optional(),
  temperature: z
    .number()
    .min(0)
    .max(2)
    .nullable()
    .default(0)
    .meta({ description: 'null sends none, for models that take none' }),
  maxOutputTokens: count(10_000_000).optional(),
  baseUrl: z.string().optional().meta({ description: "address of the server, where it is not the provider's own" }),
};

const answerFormat = z.enum(['schema', 'json', 'text']).meta({
  description: 'what the server is held to: the JSON Schema, any JSON, or nothing but the words of the prompt',
});

const model = z.strictObject({
  use: z.literal('model'),
  ...asked,
  schema: z
    .union([z.record(z.string(), z.unknown()), path])
    .optional()
    .meta({ description: 'JSON Schema of the answer, or a .json file that holds it' }),
  answerFormat: answerFormat.optional(),
  output: z
    .enum(['json', 'text'])
    .optional()
    .meta({ description: 'what the answer is taken for (default: json where a schema or JSON is asked for)' }),
});

const http = z.strictObject({
  use: z.literal('http'),
  url: z.string().trim().min(1),
  method: z.enum(['POST', 'PUT', 'PATCH']).default('POST'),
  headers: z
    .record(z.string(), z.string())
    .default({})
    .meta({ description: '$NAME or ${NAME} stands for an environment variable, whose value is kept secret' }),
  body: z
    .unknown()
    .optional()
    .meta({ description: 'what is sent, with {{ variables }} (default: id, input, metadata, repeat)' }),
  output: pointer.optional(),
  usage: pointer.optional(),
  passages: pointer.optional(),
  allow: z
    .enum(['loopback', 'any'])
    .default('loopback')
    .meta({ description: 'which servers may be asked: those of this machine, or any' }),
});

const command = z.strictObject({
  use: z.literal('command'),
  command: z
    .union([
      z
        .array(z.string().regex(NO_NUL, NUL))
        .min(1)
        .refine(([program = '']) => program.trim() !== '', { path: [0], message: 'expected the name of a program' }),
      z.string().trim().min(1).regex(NO_NUL, NUL),
    ])
    .meta({ description: '[program, argument, …]; one text goes to the shell' }),
  processes: count(256).default(1).meta({ description: 'how many of it run at once' }),
  parallel: count(1000).default(1).meta({ description: 'how many items one process has at once' }),
  cwd: path.optional(),
});

const ownModule = z.strictObject({
  use: z.literal('module'),
  module: path.meta({ description: './file.ts or ./file.ts#name, in or below the folder of the experiment' }),
});

const recorded = z.strictObject({
  use: z.literal('recorded'),
  answers: path.meta({ description: 'JSON lines {id, output} or {id, error}, plain or gzip' }),
});

const journalExtractor = z.strictObject({
  use: z.literal('journal-extractor'),
  ...asked,
  answerFormat: answerFormat.default('schema'),
  unsupported: z.enum(UNSUPPORTED).default('drop').meta({
    description:
      'an item whose quote is not in the entry: drop it, flag it and leave it in, or make its polarity uncertain',
  }),
  predictions: z
    .boolean()
    .default(false)
    .meta({ description: 'also write predictions.jsonl to the run folder: a line {journal_id, items} for each entry' }),
});

const graphExtractor = z.strictObject({
  use: z.literal('graph-extractor'),
  ...asked,
  answerFormat: answerFormat.default('schema'),
});

const vanilla = z.strictObject({ use: z.literal('vanilla'), ...asked });

const rag = z
  .strictObject({
    use: z.literal('rag'),
    ...asked,
    folder: path.meta({ description: 'folder of .txt and .md files' }),
    passages: count(1000).default(5).meta({ description: 'how many the model is given' }),
    size: count(100_000).default(200).meta({ description: 'words of a passage' }),
    overlap: z.int().min(0).default(40).meta({ description: 'words that a passage shares with the one before' }),
    k1: z.number().min(0).max(100).default(1.2),
    b: z.number().min(0).max(1).default(0.75),
  })
  .refine(({ size, overlap }) => overlap < size, {
    path: ['overlap'],
    message: 'expected less than size: each passage has to bring new words',
  });

const TARGETS = [model, http, command, ownModule, recorded, journalExtractor, graphExtractor, vanilla, rag] as const;

const NAMES = TARGETS.map((target) => target.shape.use.value);

/** What others call a target. */
const OTHER_WORDS: Readonly<Record<string, (typeof NAMES)[number]>> = {
  program: 'command',
  process: 'command',
  executable: 'command',
  script: 'command',
  shell: 'command',
  llm: 'model',
  url: 'http',
  api: 'http',
  endpoint: 'http',
  function: 'module',
  file: 'recorded',
};

function unknownTarget({ input }: { readonly input?: unknown }): string {
  const use = isRecord(input) ? input['use'] : undefined;
  const word = typeof use === 'string' ? use : '';
  const meant = Object.hasOwn(OTHER_WORDS, word) ? [OTHER_WORDS[word]] : nearestNames(word, NAMES);
  const found = use === undefined ? '' : `, found ${describe(use)}`;
  return `expected one of ${NAMES.join(', ')}${found}${meant.length === 0 ? '' : `: did you mean ${meant.join(' or ')}?`}`;
}

/** The `target` section of an experiment: what is being evaluated. */
export const targetSchema = z.discriminatedUnion('use', TARGETS, { error: unknownTarget });

export type TargetSpec = z.infer<typeof targetSchema>;
export type SpecOf<Use extends TargetSpec['use']> = Extract<TargetSpec, { readonly use: Use }>;
/** Targets that ask a model. */
export type ModelSpec = SpecOf<'model' | 'journal-extractor' | 'graph-extractor' | 'vanilla' | 'rag'>;
