import type { TextCompletion, TextModel } from '../../../src/experiment/models/text-prompt.ts';
import type { StreamModel } from '../../../src/stream/replay/model.ts';
import { promptedModel } from '../../../src/stream/replay/prompted-model.ts';
import { steadyRandom } from './steady-random.ts';
import type { WrittenAnswers, WrittenDecision, WrittenSummary } from './written-answers.ts';

export const MODEL_ID = 'example-answers';

/** Answers written by hand, given as a model gives its own: as text, read and checked by the same code. */
export function writtenModel(answersTo: (caseId: string) => WrittenAnswers): StreamModel {
  return {
    id: MODEL_ID,
    kind: 'recorded',
    note: 'written by hand for the example; no model gave them, and the latencies are made up',
    decide(request) {
      const { caseId, variant, index } = request;
      const written = answersTo(caseId).decision(variant, index);
      const name = `${caseId} ${variant} decision ${index}`;
      return promptedModel(textModel(() => decisionText(written), name)).decide(request);
    },
    async summarize(request) {
      const { caseId, variant, index } = request;
      const written = answersTo(caseId).summary(variant, index);
      const name = `${caseId} ${variant} summary ${index}`;
      const answer = await promptedModel(textModel((what) => summaryText(written, what), name)).summarize(request);
      // The window and the summaries before it are in the traces and logs already.
      const { summarizer_input_text: _, ...short } = answer;
      return short;
    },
  };
}

function textModel(textFor: (schemaName: string) => string, name: string): TextModel {
  const random = steadyRandom(name);
  return {
    id: MODEL_ID,
    async complete({ schemaName }): Promise<TextCompletion> {
      const text = textFor(schemaName);
      // As of a model that sends about 600 characters a second after a pause.
      const latencyMs = Math.round(420 + random() * 400 + (text.length * 1000) / 600);
      return { text, latencyMs, promptTokens: null, completionTokens: null };
    },
  };
}

function decisionText({ state, relevant, novel, complete, failure }: WrittenDecision): string {
  if (failure !== null) throw new Error(failure);
  return JSON.stringify({
    rationale: 'Written for the example.',
    stream_state: state,
    is_relevant: relevant,
    is_novel: novel,
    is_complete: complete,
  });
}

function summaryText({ answer, rewrite }: WrittenSummary, schemaName: string): string {
  return JSON.stringify(schemaName === 'stream_summary' ? answer : rewrite);
}
