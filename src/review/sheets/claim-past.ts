import type { CellValue, ItemAnswer } from '../../store/review-records.ts';
import { isAnswerList } from '../questions.ts';
import { isSameAnswer, type PastAnswers } from './past-answers.ts';

/** What may be changed of a claim. */
export type ClaimPart = 'text' | 'label' | 'note';
type Claims = readonly ItemAnswer[];

/** How the claims of an item have been since a sheet was written: what a row gives may have been given and changed since. */
export class ClaimPast {
  readonly #past: PastAnswers;
  readonly #field: string;
  readonly #proposed: Claims;

  constructor(past: PastAnswers, field: string, proposed: Claims) {
    this.#past = past;
    this.#field = field;
    this.#proposed = proposed;
  }

  /** The state when the sheet was written first, which was the proposed one if nobody knows. */
  #states(since: number | null): Claims[] {
    const values = this.#past.values(this.#field, null, since);
    const states = values.map((value) => (isAnswerList(value) ? value : this.#proposed));
    return since === null ? [this.#proposed, ...states] : states;
  }

  had(id: string, part: ClaimPart, value: CellValue, since: number | null): boolean {
    const states = this.#states(since);
    // That it had none to begin with is no answer, unless the sheet was written then.
    const own = since === null && value === null ? states.slice(1) : states;
    return claimsIn(own, id).some((claim) => isSameAnswer(claim[part] ?? null, value));
  }

  /** The words of a claim that the sheet was written with. */
  firstWords(id: string, since: number | null): string[] {
    return claimsIn(this.#states(since).slice(0, 1), id).map(({ text }) => text);
  }

  wasThere(id: string, since: number | null): boolean {
    return claimsIn(this.#states(since), id).length > 0;
  }

  wasTakenOut(id: string, since: number | null): boolean {
    const isThere = this.#states(since).map((claims) => claims.some((claim) => claim.id === id));
    return isThere.includes(false, isThere.indexOf(true) + 1) && isThere.includes(true);
  }
}

function claimsIn(states: readonly Claims[], id: string): ItemAnswer[] {
  return states.flatMap((claims) => claims.find((claim) => claim.id === id) ?? []);
}
