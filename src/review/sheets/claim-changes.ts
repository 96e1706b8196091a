import { hash } from 'node:crypto';

import { describe } from '../../data/record-fields.ts';
import type { ItemAnswer } from '../../store/review-records.ts';
import { LONGEST_ANSWER, MOST_ORIGINS, MOST_THINGS } from '../questions.ts';
import type { ProposedItem } from '../content.ts';
import { overlap, type Place, placeAround } from '../place.ts';
import {
  allows,
  changedPart,
  type ClaimRow,
  type ClaimSetting,
  closestPlace,
  freePlace,
  NOWHERE,
  originsByWords,
  standingOfGone,
} from './claim-row.ts';
import { CLAIM, CLAIM_TEXT, isRemove, LABEL } from './sheet-columns.ts';
import { damageIn, isSameText, withPlainLineEnds } from './spreadsheet-cells.ts';

/** A merged claim is called by its parts as long as that is short. */
const LONGEST_NAME = 60;

interface ChangedClaims {
  readonly claims: readonly ItemAnswer[];
  /** Rows that changed something, and rows that say what holds already. */
  readonly changed: number;
  readonly unchanged: number;
}

/** What the rows of a sheet make of the claims of one item: labels, other words, claims split, merged, added, removed. */
export class ClaimChanges {
  readonly #setting: ClaimSetting;
  readonly #proposed: readonly ProposedItem[];
  #claims: ItemAnswer[];
  #changed = 0;
  #unchanged = 0;

  constructor(setting: ClaimSetting, proposed: readonly ProposedItem[], claims: readonly ItemAnswer[]) {
    this.#setting = setting;
    this.#proposed = proposed;
    this.#claims = [...claims];
  }

  apply(given: readonly ClaimRow[]): ChangedClaims {
    const rows = this.#setting.context.has(CLAIM) ? given : this.#byWords(given);
    // Merges first, so that the rows of what was merged are known for what they are.
    for (const row of rows.filter(({ ids }) => ids.length > 1)) this.#takeMerged(row);
    const copies: ClaimRow[] = [];
    const seen = new Map<string, ClaimRow>();
    for (const row of rows.filter(({ ids }) => ids.length === 1)) {
      const id = row.ids[0]!;
      const before = seen.get(id);
      if (before === undefined) {
        seen.set(id, row);
        this.#takeNamed(row, id);
      } else if (row.text !== '' && !isSameText(before.text, row.text)) {
        // A row that was copied to split its claim.
        copies.push({ ...row, above: row.ids });
      } else if (row.label !== before.label)
        this.#problem(row, CLAIM, `the claim ${describe(id)} is in line ${before.at.line} already; that one counts`);
    }
    const counts = new Map<string, number>();
    for (const row of rows) if (row.ids.length === 0) this.#takeNew(row, counts, false);
    for (const row of copies) this.#takeNew(row, counts, true);
    return { claims: this.#claims, changed: this.#changed, unchanged: this.#unchanged };
  }

  /** Without the column that names them, claims are known by their words, the same words in their order. */
  #byWords(rows: readonly ClaimRow[]): ClaimRow[] {
    const left = [...this.#claims, ...this.#proposed.filter(({ id }) => !this.#claims.some((one) => one.id === id))];
    return rows.flatMap((row) => {
      const at = row.text === '' ? -1 : left.findIndex(({ text }) => isSameText(text, row.text));
      if (at >= 0) return [{ ...row, ids: left.splice(at, 1).map(({ id }) => id) }];
      if (row.label !== '' || row.note !== '')
        this.#problem(
          row,
          CLAIM_TEXT,
          `there is no column ${CLAIM}, and no claim of the item has these words: the row is left out`,
          `add the column ${CLAIM} as it was exported`,
        );
      return [];
    });
  }

  #takeNamed(row: ClaimRow, id: string): void {
    const at = this.#claims.findIndex((claim) => claim.id === id);
    if (at >= 0) {
      this.#update(at, row, false);
      return;
    }
    const proposed = this.#proposed.find((one) => one.id === id);
    if (proposed !== undefined && isRemove(row.label)) {
      this.#unchanged += 1;
      return;
    }
    const { context, past } = this.#setting;
    const wasThere = proposed !== undefined || past.wasThere(id, row.since);
    // A row of a claim that is gone or has become part of another one does no harm as long as it has nothing new.
    const standing = wasThere ? standingOfGone(this.#setting, row, id) : 'new';
    if (standing === 'kept') context.keep(row.at, CLAIM);
    if (standing !== 'new') return;
    const part = this.#claims.find(({ from }) => from.includes(id));
    const damage = damageIn(id);
    this.#problem(
      row,
      CLAIM,
      part !== undefined
        ? `the claim ${describe(id)} has become part of ${describe(part.id)}, which has its own row`
        : wasThere
          ? `the claim ${describe(id)} was taken out`
          : `there is no claim ${describe(id)} in this item${damage === null ? '' : `; it ${damage}`}`,
      part === undefined && !wasThere ? 'leave the cell empty for a new claim' : undefined,
    );
  }

  #takeMerged(row: ClaimRow): void {
    const order = (id: string): number => this.#proposed.findIndex((one) => one.id === id);
    const ids = row.ids.toSorted((a, b) => order(a) - order(b) || (a < b ? -1 : 1));
    const name = ids.join('+');
    const id = name.length <= LONGEST_NAME ? name : `m${hash('sha256', name).slice(0, 12)}`;
    // The words of one part alone are what was left standing, not an edit.
    const isLeft = [...this.#proposed, ...this.#claims].some(
      (one) => ids.includes(one.id) && isSameText(one.text, row.text),
    );
    const said = { ...row, marks: '', ...(isLeft ? { text: '' } : {}) };
    const existing = this.#claims.findIndex((claim) => claim.id === id);
    if (existing >= 0) {
      this.#update(existing, { ...said, marks: row.marks }, true);
      return;
    }
    if (this.#setting.past.wasThere(id, row.since)) {
      this.#setting.context.keep(row.at, CLAIM);
      return;
    }
    const parts = this.#claims.filter((claim) => ids.includes(claim.id));
    if (parts.length < ids.length) {
      const missing = ids.find((one) => !parts.some((part) => part.id === one));
      this.#problem(row, CLAIM, `there is no claim ${describe(missing)} to be merged in this item`);
      return;
    }
    if (!allows(this.#setting, row, 'merge', CLAIM)) return;
    const at = this.#claims.indexOf(parts[0]!);
    const isRun = parts.every((part, offset) => this.#claims[at + offset] === part);
    const place = placeAround(parts) ?? NOWHERE;
    const { under } = this.#setting;
    const text =
      isRun && place.start >= 0 && under !== ''
        ? under.slice(place.start, place.end)
        : parts.map((part) => part.text).join(' ');
    const from = [...new Set(parts.flatMap((part) => (part.from.length > 0 ? part.from : [part.id])))];
    if (text.length > LONGEST_ANSWER || from.length > MOST_ORIGINS) {
      this.#problem(row, CLAIM, 'merged, these would be too long for one claim: they are left as they are');
      return;
    }
    const merged: ItemAnswer = { id, ...place, text, label: null, from };
    this.#claims = this.#claims.flatMap((claim, index) =>
      index === at ? [merged] : parts.includes(claim) ? [] : [claim],
    );
    this.#update(at, said, true, true);
  }

  #takeNew(row: ClaimRow, counts: Map<string, number>, isCopy: boolean): void {
    const text = withPlainLineEnds(row.text);
    if (text === '') {
      if (row.label !== '' || row.note !== '')
        this.#problem(row, CLAIM_TEXT, 'expected the words of the new claim, found nothing');
      return;
    }
    if (!this.#setting.context.acceptsWords(row.at, CLAIM_TEXT, null, text, 'the row is left out')) return;
    const count = (counts.get(text) ?? 0) + 1;
    counts.set(text, count);
    const id = `n${hash('sha256', JSON.stringify([text, count])).slice(0, 12)}`;
    const existing = this.#claims.findIndex((claim) => claim.id === id);
    if (existing >= 0) {
      this.#update(existing, { ...row, marks: '' }, true);
      return;
    }
    if (this.#setting.past.wasThere(id, row.since)) {
      this.#setting.context.keep(row.at, CLAIM_TEXT);
      return;
    }
    const claim = this.#newClaim(row, id, text, isCopy);
    if (claim === null) return;
    const at = this.#placeFor(claim, row.above);
    this.#claims = this.#claims.toSpliced(at, 0, claim);
    this.#update(at, { ...row, text: '', marks: '' }, true, true);
  }

  /** A part of a claim, or one more; null, with the problem noted, if it can be neither. */
  #newClaim(row: ClaimRow, id: string, text: string, isCopy: boolean): ItemAnswer | null {
    const { field, under, isPlaced } = this.#setting;
    const twin = isPlaced ? undefined : this.#claims.find((claim) => isSameText(claim.text, text));
    if (twin !== undefined)
      return this.#problem(row, CLAIM_TEXT, `a new claim has the same words as ${describe(twin.id)}: it is left out`);
    if (this.#claims.length >= MOST_THINGS)
      return this.#problem(row, CLAIM_TEXT, `the item has ${MOST_THINGS} claims, which is the most: this is left out`);
    const above = this.#proposed.filter((one) => row.above.includes(one.id));
    const place = isPlaced
      ? freePlace(this.#setting, row, text, this.#claims)
      : closestPlace(under, text, placeAround(above));
    if (place === null) return null;
    const origins =
      place.start >= 0
        ? this.#proposed.filter((one) => overlap(one, place))
        : isCopy
          ? above
          : originsByWords(text, above, this.#proposed);
    const isSplit = origins.length > 0 && origins.length <= MOST_ORIGINS && field.allow.includes('split');
    if (isSplit || field.allow.includes('add'))
      return { id, ...place, text, label: null, from: isSplit ? origins.map((origin) => origin.id) : [] };
    return this.#problem(
      row,
      CLAIM_TEXT,
      field.allow.includes('split') && place.start < 0
        ? 'these words are from none of the item’s claims, and the form does not let claims be added: the row is left out'
        : 'the form does not let these be added: the change is left out',
      field.allow.includes('split') ? 'to split a claim, copy its row, with its name in the column claim' : undefined,
    );
  }

  /** Behind what begins before it; one without a place behind the claim of the row above. */
  #placeFor({ start }: Place, above: readonly string[]): number {
    const before =
      start >= 0
        ? this.#claims.findLastIndex((claim) => claim.start >= 0 && claim.start <= start)
        : this.#claims.findLastIndex(
            (claim) => above.includes(claim.id) || claim.from.some((origin) => above.includes(origin)),
          );
    return before >= 0 || start >= 0 ? before + 1 : this.#claims.length;
  }

  /** Takes over what a row gives for one claim. `mayWord`: whether other words are no edit. */
  #update(at: number, row: ClaimRow, mayWord: boolean, isNew = false): void {
    const claim = this.#claims[at]!;
    const { context, past } = this.#setting;
    if (isRemove(row.label)) {
      if (past.wasTakenOut(claim.id, row.since)) context.keep(row.at, LABEL);
      else if (allows(this.#setting, row, 'remove', LABEL)) {
        this.#claims = this.#claims.toSpliced(at, 1);
        this.#changed += 1;
      }
      return;
    }
    const trouble = context.trouble;
    const words = changedPart(this.#setting, row, claim, 'text');
    const mayEdit = words === undefined || mayWord || this.#setting.field.allow.includes('split');
    const text = words !== undefined && (mayEdit || allows(this.#setting, row, 'edit', CLAIM_TEXT)) ? words : null;
    const label = changedPart(this.#setting, row, claim, 'label');
    const note = changedPart(this.#setting, row, claim, 'note');
    const { note: before, ...rest } = claim;
    const kept = note === undefined ? before : (note ?? undefined);
    this.#claims[at] = {
      ...rest,
      ...(text === null ? {} : this.#worded(claim, text)),
      label: label === undefined ? claim.label : label,
      ...(kept === undefined ? {} : { note: kept }),
    };
    const isSame = !isNew && text === null && label === undefined && note === undefined;
    const isFilled = row.label !== '' || row.note !== '' || row.ids.length !== 1;
    if (!isSame) this.#changed += 1;
    else if (isFilled && context.trouble === trouble) this.#unchanged += 1;
  }

  /** Words with their place, if they are within that of the claim. */
  #worded({ start, end }: Place, text: string): Place & { readonly text: string } {
    const within = start < 0 ? -1 : this.#setting.under.slice(start, end).indexOf(text);
    return within < 0 ? { start, end, text } : { start: start + within, end: start + within + text.length, text };
  }

  #problem(row: ClaimRow, column: string, message: string, next?: string): null {
    this.#setting.context.problem(row.at, column, message, next);
    return null;
  }
}
