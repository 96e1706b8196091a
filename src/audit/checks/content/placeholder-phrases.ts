import type { NewFinding } from '../../check.ts';
import { Evidence } from '../../evidence.ts';
import type { FindingItem } from '../../finding.ts';
import { count, counted, percent } from '../../../text/figures.ts';

/** What stands where somebody meant to put something. */
const PLACEHOLDERS: readonly RegExp[] = [
  /\bTODO\b/g,
  /\bFIXME\b/g,
  /\blorem ipsum\b/gi,
  /\bplaceholder\b/gi,
  /\bnot (?:yet )?implemented\b/gi,
  /\bdummy (?:answer|response|output|text|summary)\b/gi,
  /\bmock(?:ed)? (?:answer|response|output|summary)\b/gi,
  /\b(?:your|insert) (?:text|answer|response) here\b/gi,
];
/** What models say of themselves, and people who write a stand-in for one. */
const MODEL = /\bas an? (?:large language|ai(?: language)?|language) (?:model|assistant)\b/i;

const ERROR_SHARE = 0.2;
const WARNING_SHARE = 0.05;
const LEAST_ANSWERS = 3;
const MOST_OPENINGS = 0.5;

/** Of an answer, what is shown before the words that tell. */
const SHOWN_BEFORE = 40;

/** Words as the first answer that has them writes them, and how many answers have them in whatever letters. */
interface Told {
  readonly words: string;
  answers: number;
}

/** Counts tell-tale phrases in answers; those that the case's own text has do not tell. */
export class Phrases {
  #texts = 0;
  #model = 0;
  #withAny = 0;
  readonly #told = new Map<string, Told>();
  readonly #placeholderEvidence = new Evidence();
  readonly #modelEvidence = new Evidence();

  add(id: string, answer: string, text: string | null): void {
    this.#texts += 1;
    const model = answer.search(MODEL);
    if (model >= 0) {
      this.#model += 1;
      this.#modelEvidence.addItem(itemAt(id, answer, model));
    }
    const found = PLACEHOLDERS.flatMap((pattern) =>
      answer.search(pattern) < 0 || (text !== null && text.search(pattern) >= 0) ? [] : [...answer.matchAll(pattern)],
    );
    if (found.length === 0) return;
    this.#withAny += 1;
    this.#placeholderEvidence.addItem(itemAt(id, answer, Math.min(...found.map(({ index }) => index))));
    for (const key of new Set(found.map(([words]) => words.toLowerCase()))) {
      const told = this.#told.get(key);
      if (told !== undefined) told.answers += 1;
      else this.#told.set(key, { words: found.find(([words]) => words.toLowerCase() === key)![0], answers: 1 });
    }
  }

  /** A sentence for a finding about a template; null where the answers do not say so of themselves. */
  modelPhrase(): string | null {
    if (this.#model === 0) return null;
    return `${count(this.#model)} of ${count(this.#texts)} say that they are from a language model, which stand-ins do too.`;
  }

  findings(hasTemplate: boolean): NewFinding[] {
    return [...this.#placeholders(), ...(hasTemplate ? [] : this.#selfNamed())];
  }

  #placeholders(): NewFinding[] {
    if (this.#withAny === 0) return [];
    const isOften = this.#withAny >= LEAST_ANSWERS;
    const share = this.#withAny / this.#texts;
    const told = [...this.#told.values()].sort((a, b) => b.answers - a.answers);
    const names = told.map(({ words, answers }) => `"${words}" (${count(answers)})`);
    return [
      {
        severity: isOften && share >= ERROR_SHARE ? 'error' : isOften && share >= WARNING_SHARE ? 'warning' : 'note',
        title: `${count(this.#withAny)} of ${counted(this.#texts, 'answer')} (${percent(this.#withAny, this.#texts)}) hold words of a placeholder: ${names.join(', ')}`,
        why: 'Such words stand where a system was to put its own; figures about them are about nobody.',
        todo: 'Read these answers; run the system again where a stand-in answered for it.',
        subjects: [],
        cases: this.#placeholderEvidence.cases,
        items: this.#placeholderEvidence.items,
      },
    ];
  }

  #selfNamed(): NewFinding[] {
    if (this.#model < LEAST_ANSWERS || this.#model < MOST_OPENINGS * this.#texts) return [];
    return [
      {
        severity: 'note',
        title: `${count(this.#model)} of ${counted(this.#texts, 'answer')} say that they are from a language model`,
        why: 'Models say so when they decline; people say so when they write a stand-in for one.',
        todo: 'Read some of these answers.',
        subjects: [],
        cases: this.#modelEvidence.cases,
        items: this.#modelEvidence.items,
      },
    ];
  }
}

/** An answer from shortly before the words that tell: they may stand far from its beginning. */
function itemAt(id: string, answer: string, at: number): FindingItem {
  const [word] = at > SHOWN_BEFORE ? (/(?<=\s)\S.*$/su.exec(answer.slice(at - SHOWN_BEFORE, at)) ?? ['']) : [null];
  const text = word === null ? answer : `…${word}${answer.slice(at)}`;
  return { case: id, side: 'predicted', label: null, text, note: null };
}
