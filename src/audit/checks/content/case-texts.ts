import { NearTexts } from '../../../text/near-texts.ts';
import { sequenceKey, wordHashes } from '../../../text/shingles.ts';
import type { AuditCase, CheckContext } from '../../check.ts';

const shared = new WeakMap<CheckContext, CaseTexts>();

/** The texts of the cases of one audit, hashed once for all checks that compare them. */
export class CaseTexts {
  readonly near = new NearTexts();
  /** By the places of `near`. */
  readonly ids: string[] = [];
  readonly #clusters = new Map<number, string>();
  #last: AuditCase | null = null;
  #words: Uint32Array | null = null;

  static of(context: CheckContext): CaseTexts {
    let texts = shared.get(context);
    if (texts === undefined) shared.set(context, (texts = new CaseTexts()));
    return texts;
  }

  /** Takes a case in; told again of the same one, it is not taken twice. False: it has no text to compare. */
  add(given: AuditCase): boolean {
    if (given === this.#last) return this.#words !== null;
    const words = given.text === null ? null : wordHashes(given.text);
    this.#last = given;
    this.#words = words === null || words.length === 0 ? null : words;
    if (this.#words === null) return false;
    const place = this.near.add(this.#words);
    this.ids.push(given.id);
    if (given.cluster !== null) this.#clusters.set(place, given.cluster);
    return true;
  }

  /** What the case shares with those it is not independent of. */
  clusterOf(place: number): string | null {
    return this.#clusters.get(place) ?? null;
  }

  /** The words of a case's text; none where it has none. */
  wordsOf(given: AuditCase): Uint32Array {
    this.add(given);
    return this.#words ?? new Uint32Array();
  }

  /** One number for a case's text; null where it has none. */
  keyOf(given: AuditCase): number | null {
    return this.add(given) && this.#words !== null ? sequenceKey(this.#words) : null;
  }
}
