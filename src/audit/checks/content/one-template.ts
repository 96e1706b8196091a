import { count, counted, percent } from '../../../text/figures.ts';
import { LEAST_WORDS } from '../../../text/near-texts.ts';
import { sequenceKey, wordHashes } from '../../../text/shingles.ts';
import { ownWords } from '../../../text/template.ts';
import type { Check, CheckContext, NewFinding } from '../../check.ts';
import { Evidence } from '../../evidence.ts';
import { Phrases } from './placeholder-phrases.ts';
import { RepeatedAnswers } from './repeated-answers.ts';
import { repeatedItems } from './repeated-items.ts';

const LEAST_SHARE = 0.3;
const LEAST_CASES = 5;
/** An answer repeats a text where it has so much of it. */
const REPEATED = 0.8;
/** "You asked:" before the text is no answer. A longer frame is found as a template. */
const MOST_FRAME_WORDS = 4;

/** One answer for everything: a stand-in that was scored as if it were a system. */
export const oneTemplate: Check = {
  name: 'one-template',
  about:
    'one answer, one list of items or the same places given to many cases; answers that repeat the case; words of a placeholder',
  scoredOnly: true,
  open(context) {
    const phrases = new Phrases();
    const answers = new RepeatedAnswers(phrases, context.index);
    const echoes = echoedTexts(context);
    const items = repeatedItems(context);
    return {
      case: (given) => items.add(given),
      verdict({ predicted }, given) {
        if (predicted === null || predicted.text.trim() === '') return;
        if (predicted.kind !== 'answer' && predicted.kind !== 'summary') return;
        phrases.add(given.id, predicted.text, given.text);
        answers.add(given, predicted);
        if (predicted.kind === 'answer') echoes.add(given.id, predicted.text);
      },
      find() {
        const repeated = answers.finding();
        return [repeated, ...echoes.findings(), ...items.findings(), ...phrases.findings(repeated !== null)];
      },
    };
  },
};

/** Answers that are the text they were to answer. Quotes, spans and summaries are made of it by right. */
function echoedTexts({ index }: CheckContext) {
  const [bare, framed] = [new Evidence(), new Evidence()];
  /** The words that are added, hashed, and how many they are. Where they vary they may be an answer. */
  const frames = new Map<number, number>();
  let all = 0;
  const finding = (evidence: Evidence, how: string): NewFinding | null => {
    const [n, cases] = [evidence.items.total, evidence.cases.total];
    if (cases < LEAST_CASES || n < LEAST_SHARE * all) return null;
    return {
      severity: 'warning',
      title: `${count(n)} of ${counted(all, 'answer')} (${percent(n, all)}) to ${counted(cases, 'case')} only repeat the text of the case${how}`,
      why: 'Who gets the question back has no answer; what is found in such a text is what the question says.',
      todo: 'Find what put the input in the place of the answer: a stub, a column read as another, or a call that failed.',
      evidence,
    };
  };
  return {
    add(id: string, answer: string): void {
      all += 1;
      const own = ownOfEcho(wordHashes(answer), index.words);
      if (own === null) return;
      // Two that differ say as much as more of them.
      if (own.length > 0 && frames.size < 2) frames.set(sequenceKey(own), own.length);
      const evidence = own.length === 0 ? bare : framed;
      evidence.addItem({ case: id, side: 'predicted', label: null, text: answer, note: null });
    },
    findings(): (NewFinding | null)[] {
      const [words = 0] = frames.values();
      const how = `, with the same ${counted(words, 'word added', 'words added')} each time`;
      return [finding(bare, ''), frames.size === 1 ? finding(framed, how) : null];
    },
  };
}

/** What an answer that repeats the text adds to it; null for any other answer. */
function ownOfEcho(words: Uint32Array, text: Uint32Array): Uint32Array | null {
  // Most answers have another length: they need not be compared.
  if (text.length < LEAST_WORDS || words.length < REPEATED * text.length) return null;
  if (words.length > text.length / REPEATED + MOST_FRAME_WORDS) return null;
  const own = ownWords(words, text);
  return own.length <= MOST_FRAME_WORDS && words.length - own.length >= REPEATED * text.length ? own : null;
}
