import type { NewFinding } from '../../check.ts';
import { NO_EVIDENCE } from '../../evidence.ts';
import { count, counted, percent } from '../../words.ts';

/** What stands where somebody meant to put something. */
const PLACEHOLDERS: readonly (readonly [name: string, pattern: RegExp])[] = [
  ['TODO', /\bTODO\b/],
  ['FIXME', /\bFIXME\b/],
  ['lorem ipsum', /\blorem ipsum\b/i],
  ['placeholder', /\bplaceholder\b/i],
  ['not implemented', /\bnot (?:yet )?implemented\b/i],
  ['dummy', /\bdummy (?:answer|response|output|text|summary)\b/i],
  ['mock', /\bmock(?:ed)? (?:answer|response|output|summary)\b/i],
  ['your text here', /\b(?:your|insert) (?:text|answer|response) here\b/i],
];
/** What models say of themselves, and people who write a stand-in for one. */
const MODEL = /\bas an? (?:large language|ai(?: language)?|language) (?:model|assistant)\b/i;

const ERROR_SHARE = 0.2;
const WARNING_SHARE = 0.05;
const LEAST_ANSWERS = 3;
const MOST_OPENINGS = 0.5;

/** Counts tell-tale phrases in answers; those that the case's own text has do not tell. */
export class Phrases {
  #texts = 0;
  #model = 0;
  #withAny = 0;
  readonly #counts = new Map<string, number>();

  add(answer: string, text: string | null): void {
    this.#texts += 1;
    if (MODEL.test(answer)) this.#model += 1;
    const found = PLACEHOLDERS.filter(([, pattern]) => pattern.test(answer) && (text === null || !pattern.test(text)));
    if (found.length > 0) this.#withAny += 1;
    for (const [name] of found) this.#counts.set(name, (this.#counts.get(name) ?? 0) + 1);
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
    const names = [...this.#counts].sort(([, a], [, b]) => b - a).map(([name, n]) => `"${name}" (${count(n)})`);
    return [
      {
        severity: isOften && share >= ERROR_SHARE ? 'error' : isOften && share >= WARNING_SHARE ? 'warning' : 'note',
        title: `${count(this.#withAny)} of ${counted(this.#texts, 'answer')} (${percent(this.#withAny, this.#texts)}) hold words of a placeholder: ${names.join(', ')}`,
        why: 'Such words stand where a system was to put its own; figures about them are about nobody.',
        todo: 'Read these answers; run the system again where a stand-in answered for it.',
        subjects: [],
        ...NO_EVIDENCE,
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
        ...NO_EVIDENCE,
      },
    ];
  }
}
