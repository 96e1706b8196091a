import { LEAST_WORDS } from '../../../text/near-texts.ts';
import { sequenceKey, wordHashes } from '../../../text/shingles.ts';
import { ownWords } from '../../../text/template.ts';
import type { AuditCase, NewFinding } from '../../check.ts';
import { Evidence } from '../../evidence.ts';
import { count, counted, percent } from '../../../text/figures.ts';
import type { CaseTexts } from './case-texts.ts';

const LEAST_SHARE = 0.3;
const LEAST_CASES = 5;
/** An answer repeats a text where it has so much of it. */
const REPEATED = 0.8;
/** "You asked:" before the text is no answer. A longer frame is found as a template. */
const MOST_FRAME_WORDS = 4;

/** Answers that are the text they were to answer. Quotes, spans and summaries are made of it by right. */
export class EchoedTexts {
  readonly #texts: CaseTexts;
  readonly #bare = new Evidence();
  readonly #framed = new Evidence();
  /** The words that are added, hashed, and how many they are. Where they vary they may be an answer. */
  #frame: { readonly key: number; readonly words: number; isOne: boolean } | null = null;
  #answers = 0;

  constructor(texts: CaseTexts) {
    this.#texts = texts;
  }

  add(given: AuditCase): void {
    if (given.failed !== null) return;
    for (const { predicted } of given.verdicts) {
      if (predicted?.kind !== 'answer' || predicted.text.trim() === '') continue;
      this.#answers += 1;
      const own = ownOfEcho(wordHashes(predicted.text), this.#texts.wordsOf(given));
      if (own === null) continue;
      if (own.length > 0) this.#meetFrame(own);
      const evidence = own.length === 0 ? this.#bare : this.#framed;
      evidence.addItem({ case: given.id, side: 'predicted', label: null, text: predicted.text, note: null });
    }
  }

  findings(): NewFinding[] {
    const frame = this.#frame;
    return [
      ...this.#finding(this.#bare, ''),
      ...(frame?.isOne === true ? this.#finding(this.#framed, `, with the same ${added(frame.words)} each time`) : []),
    ];
  }

  #finding({ cases, items }: Evidence, how: string): NewFinding[] {
    const [echoes, all] = [items.total, this.#answers];
    if (cases.total < LEAST_CASES || echoes < LEAST_SHARE * all) return [];
    return [
      {
        severity: 'warning',
        title: `${count(echoes)} of ${counted(all, 'answer')} (${percent(echoes, all)}) to ${counted(cases.total, 'case')} only repeat the text of the case${how}`,
        why: 'Who gets the question back has no answer; what is found in such a text is what the question says.',
        todo: 'Find what put the input in the place of the answer: a stub, a column read as another, or a call that failed.',
        subjects: [],
        cases,
        items,
      },
    ];
  }

  #meetFrame(own: Uint32Array): void {
    const key = sequenceKey(own);
    this.#frame ??= { key, words: own.length, isOne: true };
    if (key !== this.#frame.key) this.#frame.isOne = false;
  }
}

/** What an answer that repeats the text adds to it; null for any other answer. */
function ownOfEcho(words: Uint32Array, text: Uint32Array): Uint32Array | null {
  // Most answers have another length: they need not be compared.
  if (text.length < LEAST_WORDS || words.length < REPEATED * text.length) return null;
  if (words.length > text.length / REPEATED + MOST_FRAME_WORDS) return null;
  const own = ownWords(words, text);
  return own.length <= MOST_FRAME_WORDS && words.length - own.length >= REPEATED * text.length ? own : null;
}

function added(words: number): string {
  return counted(words, 'word added', 'words added');
}
