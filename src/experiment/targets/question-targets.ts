import { z } from 'zod';

import { UsageError } from '../../data/problems.ts';
import { isRecord } from '../../data/record-fields.ts';
import { bm25, readTextFolder, splitPassages } from '../passages.ts';
import { modelSettings, modelTarget, readTextAnswer } from './model-target.ts';
import { promptBody, promptTemplate } from './prompt.ts';
import { countSetting, defineTarget, filePath, TargetError } from './target.ts';
import BUILT_IN from './built-in-targets.json' with { type: 'json' };

const QUESTION_FIELDS = ['question', 'scenario', 'query', 'text', 'prompt', 'message'];

/** A model that is asked a question and given nothing else. */
export const questionTarget = defineTarget(
  z.strictObject({ use: z.literal(BUILT_IN.question.use), ...modelSettings }),
  async (spec, context) =>
    modelTarget(spec, context, {
      answerFormat: 'text',
      schemaName: BUILT_IN.question.schemaName,
      prompt: await promptBody(spec, context, { type: 'chat', prompt: BUILT_IN.question.prompt }),
      identity: {},
      question({ input }) {
        const question = questionIn(input);
        return { known: { question }, text: question };
      },
      read: (answer) => ({ response: readTextAnswer(answer) }),
    }),
  BUILT_IN.question.promptName,
);

/** Raised whenever the same texts and question would give other passages. */
const SEARCH_VERSION = 1;

/** A model that is asked a question together with the passages of a folder of texts that fit it best. */
export const passageTarget = defineTarget(
  z
    .strictObject({
      use: z.literal(BUILT_IN.passages.use),
      ...modelSettings,
      folder: filePath.meta({ description: 'folder of .txt and .md files' }),
      passages: countSetting(1000).default(5).meta({ description: 'how many the model is given' }),
      size: countSetting(100_000).default(200).meta({ description: 'words of a passage' }),
      overlap: z.int().min(0).default(40).meta({ description: 'words that a passage shares with the one before' }),
      k1: z.number().min(0).max(100).default(1.2),
      b: z.number().min(0).max(1).default(0.75),
    })
    .refine(({ size, overlap }) => overlap < size, {
      path: ['overlap'],
      message: 'expected less than size: each passage has to bring new words',
    }),
  async (spec, context) => {
    const prompt = await promptBody(spec, context, { type: 'chat', prompt: BUILT_IN.passages.prompt });
    if (!promptTemplate(prompt, 'prompt').names.has('passages'))
      throw new UsageError(
        'prompt: it has no {{ passages }}, so the model would not see what was found',
        `put {{ passages }} into it, or use: ${BUILT_IN.question.use}`,
      );
    const { size, overlap, k1, b, passages: most } = spec;
    const { texts, hash } = await readTextFolder(spec.folder, context.folder);
    const passages = texts.flatMap(({ name, text }) =>
      splitPassages(text, { size, overlap }).map((one, at) => ({ id: `${name}#${at + 1}`, text: one, source: name })),
    );
    const index = bm25(
      passages.map(({ text }) => text),
      { k1, b },
    );
    return modelTarget(spec, context, {
      answerFormat: 'text',
      schemaName: BUILT_IN.passages.schemaName,
      prompt,
      identity: { corpus: hash, passages: most, size, overlap, k1, b, search: SEARCH_VERSION },
      question({ input }) {
        const question = questionIn(input);
        const found = index.search(question, most).map(({ index: at, score }) => ({ ...passages[at]!, score }));
        const numbered = found.map(({ id, text }, at) => `[${at + 1}] ${id}\n${text}`).join('\n\n');
        const known = { question, passages: found.length === 0 ? '(none was found)' : numbered };
        return { known, text: question, passages: found };
      },
      read: (answer, { passages: given = [] }) => ({
        response: readTextAnswer(answer),
        retrieved_context: given.map(({ text }) => text),
        sources: [...new Set(given.flatMap(({ source }) => source ?? []))],
      }),
    });
  },
  BUILT_IN.passages.promptName,
);

/** What somebody asks: the input itself, or the first of the fields that hold such a thing. */
function questionIn(input: unknown): string {
  const values = isRecord(input) ? QUESTION_FIELDS.map((name) => input[name]) : [input];
  const question = values.find((value) => typeof value === 'string' && value.trim() !== '');
  if (typeof question === 'string') return question;
  throw new TargetError({
    kind: 'request',
    message: `the input asks nothing: expected a text, or one of the fields ${QUESTION_FIELDS.join(', ')}`,
  });
}
