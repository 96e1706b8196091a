import { isSameText } from './spreadsheet-damage.ts';
import type { ItemAnswer } from '../../store/review-records.ts';
import { isAnswerList } from '../questions.ts';
import type { PastAnswers } from './past-answers.ts';

type Claims = readonly ItemAnswer[];

/** How the claims of an item have stood since a sheet was written: what a row says may have been said and changed since. */
export class ClaimPast {
  readonly #past: PastAnswers;
  readonly #field: string;
  readonly #proposed: Claims;

  constructor(past: PastAnswers, field: string, proposed: Claims) {
    this.#past = past;
    this.#field = field;
    this.#proposed = proposed;
  }

  /** The state when the sheet was written first, which was the proposed one where nobody can tell. */
  #states(since: number | null): Claims[] {
    const values = this.#past.values(this.#field, null, since);
    const states = values.map((value) => (isAnswerList(value) ? value : this.#proposed));
    return since === null ? [this.#proposed, ...states] : states;
  }

  #claims(id: string, states: readonly Claims[]): ItemAnswer[] {
    return states.flatMap((claims) => claims.find((claim) => claim.id === id) ?? []);
  }

  hadLabel(id: string, label: string | null, since: number | null): boolean {
    const states = this.#states(since);
    // That it had none to begin with is no answer, unless the sheet was written then.
    const given = since === null && label === null ? states.slice(1) : states;
    return this.#claims(id, given).some((claim) => claim.label === label);
  }

  hadNote(id: string, note: string, since: number | null): boolean {
    const states = this.#states(since);
    const given = since === null && note === '' ? states.slice(1) : states;
    return this.#claims(id, given).some((claim) => isSameText(claim.note ?? '', note));
  }

  hadWords(id: string, words: string, since: number | null): boolean {
    return this.#claims(id, this.#states(since)).some((claim) => isSameText(claim.text, words));
  }

  /** Whether these are the words that the sheet was written with. */
  beganWith(id: string, words: string, since: number | null): boolean {
    return this.#claims(id, this.#states(since).slice(0, 1)).some((claim) => isSameText(claim.text, words));
  }

  wasThere(id: string, since: number | null): boolean {
    return this.#claims(id, this.#states(since)).length > 0;
  }

  wasTakenOut(id: string, since: number | null): boolean {
    const isThere = this.#states(since).map((claims) => claims.some((claim) => claim.id === id));
    return isThere.includes(false, isThere.indexOf(true) + 1) && isThere.includes(true);
  }
}
