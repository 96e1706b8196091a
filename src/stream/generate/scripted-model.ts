import { sha256Of } from '../../plugin.ts';
import { MersenneTwister } from '../../stats.ts';
import { type ConversationModel, NoAnswer, type SpeakRequest, type SpokenPiece, SUPERVISOR } from './conversation.ts';

const SCRIPTED_NOTE =
  'spoken by a fixed rule from sentences of the case, not by a language model; figures made with it say nothing about one';

const MOST_SENTENCES = 5;

/** Stands in for a model: agents say sentences of the case, chosen by the seed, and the supervisor ends the last round. */
export function ruleModel(seed: number, terminationWord: string): ConversationModel {
  return {
    id: 'scripted-1',
    kind: 'scripted',
    note: SCRIPTED_NOTE,
    now: () => null,
    speak: (request) => Promise.resolve(pieces(ruleText(request, seed, terminationWord))),
  };
}

function ruleText(request: SpeakRequest, seed: number, word: string): string {
  const { agent, round, isLast, presentation, caseId } = request;
  const ends = isLast && agent === SUPERVISOR;
  const sentences = presentation
    .split(/(?<=[.!?])\s+|\n+/u)
    .map((text) => text.trim())
    .filter((text) => text !== '');
  const hash = Number.parseInt(
    sha256Of(`${caseId} ${agent} ${round}`).slice('sha256:'.length, 'sha256:'.length + 8),
    16,
  );
  const random = new MersenneTwister([seed, hash]);
  const chosen = new Set<string>();
  const most = Math.min(MOST_SENTENCES, sentences.length);
  while (chosen.size < most && new Set(sentences).size > chosen.size)
    chosen.add(sentences[random.below(sentences.length)]!);
  const lead =
    agent === SUPERVISOR
      ? ends
        ? 'The discussion ends here. What was said of the case:'
        : 'Please look at these points again:'
      : agent === 'orchestrator'
        ? 'The agents spoke of the following:'
        : `In round ${round} ${agent} points to the following.`;
  return `${lead} ${[...chosen].join(' ')}${ends ? `\n${word}` : ''}`;
}

/** One line of a script; without a case it is for every case. */
export interface ScriptLine {
  readonly case: string | null;
  readonly agent: string;
  readonly text: string;
}

/** A script as a model: each agent speaks its lines in order, those of the case, else those for every case. */
export function scriptModel(lines: readonly ScriptLine[], file: string, hash: string): ConversationModel {
  const spoken = new Map<string, number>();
  return {
    id: `scripted-${hash.slice('sha256:'.length, 'sha256:'.length + 8)}`,
    kind: 'scripted',
    note: 'spoken from a script, not by a language model',
    now: () => null,
    speak({ caseId, agent }) {
      const ofAgent = lines.filter((line) => line.agent === agent);
      const ofCase = ofAgent.filter((line) => line.case === caseId);
      const own = ofCase.length > 0 ? ofCase : ofAgent.filter((line) => line.case === null);
      const key = JSON.stringify([caseId, agent]);
      const at = spoken.get(key) ?? 0;
      spoken.set(key, at + 1);
      const line = own[at];
      if (line === undefined)
        return Promise.reject(
          new NoAnswer(`${file} has ${own.length} lines for ${agent} in ${caseId}, and more were needed`),
        );
      return Promise.resolve(pieces(line.text));
    },
  };
}

/** Pieces of words, as models send them; together they are the text. */
function pieces(text: string): SpokenPiece[] {
  return (text.match(/\s*\S{1,5}|\s+$/gu) ?? []).map((piece) => ({ text: piece, time: null }));
}
