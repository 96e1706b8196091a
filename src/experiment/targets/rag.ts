import { UsageError } from '../../data/problems.ts';
import { questionIn } from './advice.ts';
import { bm25 } from './bm25.ts';
import { modelTarget, type Question } from './model-task.ts';
import { promptBody } from './prompt-body.ts';
import { promptTemplate } from './prompt-template.ts';
import { ADVICE_WITH_PASSAGES } from './prompts/advice.ts';
import { readTextAnswer } from './read-answer.ts';
import { splitPassages } from './split-passages.ts';
import type { Passage, Target } from './target.ts';
import type { TargetContext } from './target-context.ts';
import type { SpecOf } from './target-schema.ts';
import { readTextFolder } from './text-folder.ts';

/** Raised whenever the same texts and question would give other passages. */
const SEARCH_VERSION = 1;

interface KnownPassage {
  readonly id: string;
  readonly text: string;
  readonly source: string;
}

/** A model that is asked a question together with the passages of a folder of texts that fit it best. */
export async function rag(spec: SpecOf<'rag'>, context: TargetContext): Promise<Target> {
  const prompt = await promptBody(spec, context, ADVICE_WITH_PASSAGES);
  if (!promptTemplate(prompt, 'prompt').names.has('passages'))
    throw new UsageError(
      'prompt: it has no {{ passages }}, so the model would not see what was found',
      'put {{ passages }} into it, or use: vanilla',
    );
  const { size, overlap, k1, b, passages: most } = spec;
  const { texts, hash } = await readTextFolder(spec.folder, context.folder);
  const passages: readonly KnownPassage[] = texts.flatMap(({ name, text }) =>
    splitPassages(text, { size, overlap }).map((one, at) => ({ id: `${name}#${at + 1}`, text: one, source: name })),
  );
  const index = bm25(
    passages.map(({ text }) => text),
    { k1, b },
  );
  return modelTarget(spec, context, {
    answerFormat: 'text',
    schemaName: 'advice',
    prompt,
    identity: { corpus: hash, passages: most, size, overlap, k1, b, search: SEARCH_VERSION },
    question({ input }): Question {
      const question = questionIn(input);
      const found = index.search(question, most).map(({ index: at, score }) => ({ ...passages[at]!, score }));
      return { known: { question, passages: numbered(found) }, text: question, schema: null, passages: found };
    },
    read(answer, { passages: found }) {
      const { output, fault } = readTextAnswer(answer);
      if (fault !== undefined) return { fault };
      const given = found ?? [];
      return {
        output: {
          response: output,
          retrieved_context: given.map(({ text }) => text),
          sources: [...new Set(given.flatMap(({ source }) => source ?? []))],
        },
      };
    },
  });
}

/** As the model sees them. */
function numbered(passages: readonly Passage[]): string {
  if (passages.length === 0) return '(none was found)';
  return passages.map(({ id, text }, at) => `[${at + 1}] ${id}\n${text}`).join('\n\n');
}
