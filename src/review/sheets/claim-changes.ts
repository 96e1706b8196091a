import { hash } from 'node:crypto';

import { describe } from '../../data/record-fields.ts';
import {
  damageIn,
  isFormulaError,
  isSameText,
  spoiltBySaving,
  withPlainLineEnds,
} from '../../data/spreadsheet-damage.ts';
import type { ItemsField } from '../../recipe/review-section.ts';
import type { ItemAnswer } from '../../store/review-records.ts';
import type { ProposedItem } from '../content.ts';
import { isAsWritten } from './as-written.ts';
import { readOption } from './cell-values.ts';
import { nearestPlace, type Place, overlaps, placeAround } from './claim-places.ts';
import type { ClaimRow } from './claim-row.ts';
import { claimsOf, proposedOf, type WorkItem } from './person-work.ts';
import { CLAIM, CLAIM_TEXT, CLEAR, LABEL, NOTE, REMOVE } from './sheet-columns.ts';
import type { SheetContext } from './sheet-context.ts';

/** A merged claim is called by its parts as long as that is short. */
const LONGEST_NAME = 60;

/** What the rows of a sheet make of the claims of one item: labels, other words, claims split, merged, added, removed. */
export class ClaimChanges {
  /** Filled cells that say what holds already. */
  unchanged = 0;
  readonly #context: SheetContext;
  readonly #field: ItemsField;
  readonly #proposed: readonly ProposedItem[];
  readonly #under: string;
  #claims: ItemAnswer[];

  constructor(context: SheetContext, field: ItemsField, item: WorkItem, name: string) {
    this.#context = context;
    this.#field = field;
    this.#proposed = proposedOf(item, name);
    this.#under = item.content.blocks.find((block) => block.name === item.content.under)?.text ?? '';
    this.#claims = [...claimsOf(item, name)];
  }

  apply(rows: readonly ClaimRow[]): readonly ItemAnswer[] {
    // Merges first, so that the rows of what was merged are known for what they are.
    const merging = rows.filter(({ ids }) => ids.length > 1);
    for (const row of merging) this.#takeMerged(row);
    const fresh: ClaimRow[] = [];
    const seen = new Map<string, ClaimRow>();
    for (const row of rows.filter(({ ids }) => ids.length === 1)) {
      const id = row.ids[0]!;
      const before = seen.get(id);
      if (before === undefined) {
        seen.set(id, row);
        this.#takeNamed(row, id);
      } else if (row.text !== '' && !isSameText(before.text, row.text)) {
        // A row that was copied to split its claim.
        fresh.push({ ...row, above: row.ids });
      } else if (row.label !== before.label)
        this.#problem(
          row,
          CLAIM,
          `the claim ${describe(id)} stands in line ${before.at.line} already; that one counts`,
        );
    }
    const counts = new Map<string, number>();
    for (const row of [...rows.filter(({ ids }) => ids.length === 0), ...fresh]) this.#takeNew(row, counts);
    return this.#claims;
  }

  #takeNamed(row: ClaimRow, id: string): void {
    const at = this.#claims.findIndex((claim) => claim.id === id);
    if (at >= 0) {
      this.#update(at, row, false);
      return;
    }
    const proposed = this.#proposed.find((one) => one.id === id);
    const isProposed = proposed !== undefined;
    if (isProposed && row.label === REMOVE) {
      this.unchanged += 1;
      return;
    }
    // A row of a claim that is gone or has become part of another one does no harm as long as nothing was written there.
    if (isProposed && isSilent(row, proposed)) return;
    const part = this.#claims.find(({ from }) => from.includes(id));
    const damage = damageIn(id);
    this.#problem(
      row,
      CLAIM,
      part !== undefined
        ? `the claim ${describe(id)} has become part of ${describe(part.id)}, which has its own row`
        : isProposed
          ? `the claim ${describe(id)} was taken out`
          : `there is no claim ${describe(id)} in this item${damage === null ? '' : `; it ${damage}`}`,
      part === undefined && !isProposed ? 'leave the cell empty for a new claim' : undefined,
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
    const parts = this.#claims.filter((claim) => ids.includes(claim.id));
    if (parts.length < ids.length) {
      const missing = ids.find((one) => !parts.some((part) => part.id === one));
      this.#problem(row, CLAIM, `there is no claim ${describe(missing)} to be merged in this item`);
      return;
    }
    if (!this.#allows(row, 'merge', CLAIM)) return;
    const at = this.#claims.indexOf(parts[0]!);
    const isRun = parts.every((part, offset) => this.#claims[at + offset] === part);
    const place = placeAround(parts);
    const text =
      isRun && place.start >= 0 && this.#under !== ''
        ? this.#under.slice(place.start, place.end)
        : parts.map((part) => part.text).join(' ');
    const from = [...new Set(parts.flatMap((part) => (part.from.length > 0 ? part.from : [part.id])))];
    const merged: ItemAnswer = { id, ...place, text, label: null, from };
    this.#claims = this.#claims.flatMap((claim, index) =>
      index === at ? [merged] : parts.includes(claim) ? [] : [claim],
    );
    this.#update(at, said, true);
  }

  #takeNew(row: ClaimRow, counts: Map<string, number>): void {
    const text = withPlainLineEnds(row.text);
    if (text === '') {
      if (row.label !== '' || row.note !== '')
        this.#problem(row, CLAIM_TEXT, 'expected the words of the new claim, found nothing');
      return;
    }
    if (isFormulaError(text)) {
      this.#problem(row, CLAIM_TEXT, `found ${describe(text)}: the words were taken for a formula`, 'write them again');
      return;
    }
    const count = (counts.get(text) ?? 0) + 1;
    counts.set(text, count);
    const id = `n${hash('sha256', JSON.stringify([text, count])).slice(0, 12)}`;
    const existing = this.#claims.findIndex((claim) => claim.id === id);
    if (existing >= 0) {
      this.#update(existing, { ...row, marks: '' }, true);
      return;
    }
    const twin = this.#claims.find((claim) => isSameText(claim.text, text));
    if (twin !== undefined) {
      this.#problem(row, CLAIM_TEXT, `a new claim has the same words as ${describe(twin.id)}: it is left out`);
      return;
    }
    const above = this.#proposed.filter((one) => row.above.includes(one.id));
    const place = nearestPlace(this.#under, text, placeAround(above));
    const origins = place.start >= 0 ? this.#proposed.filter((one) => overlaps(one, place)) : above;
    const isSplit = origins.length > 0 && this.#field.allow.includes('split');
    if (!isSplit && !this.#allows(row, 'add', CLAIM_TEXT)) return;
    const claim: ItemAnswer = {
      id,
      ...place,
      text,
      label: null,
      from: isSplit ? origins.map((origin) => origin.id) : [],
    };
    const at = this.#placeFor(claim, row.above);
    this.#claims = this.#claims.toSpliced(at, 0, claim);
    this.#update(at, { ...row, text: '', marks: '' }, true);
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

  /** Takes over what a row says of one claim, where it says something. */
  #update(at: number, row: ClaimRow, isNew: boolean): void {
    const claim = this.#claims[at]!;
    if (row.label === REMOVE) {
      if (this.#allows(row, 'remove', LABEL)) this.#claims = this.#claims.toSpliced(at, 1);
      return;
    }
    const words = this.#wordsOf(row, claim, isNew);
    const label = this.#labelOf(row, claim);
    const note = this.#noteOf(row, claim);
    const { note: _before, ...rest } = claim;
    this.#claims[at] = { ...rest, ...words, label, ...(note === undefined ? {} : { note }) };
  }

  #wordsOf(row: ClaimRow, claim: ItemAnswer, isNew: boolean): Place & { readonly text: string } {
    const { start, end, text } = claim;
    const same = { start, end, text };
    if (row.text === '' || isSameText(text, row.text) || isAsWritten(row.marks, CLAIM_TEXT, row.text)) return same;
    const damage = isFormulaError(row.text) ? 'was taken for a formula' : spoiltBySaving(text, row.text);
    if (damage !== null) {
      this.#problem(row, CLAIM_TEXT, `the text ${damage}: the claim keeps its words`, 'save the sheet as UTF-8');
      return same;
    }
    const mayEdit = isNew || this.#field.allow.includes('split') || this.#allows(row, 'edit', CLAIM_TEXT);
    if (!mayEdit) return same;
    const words = withPlainLineEnds(row.text);
    const within = start < 0 ? -1 : this.#under.slice(start, end).indexOf(words);
    return within < 0
      ? { start, end, text: words }
      : { start: start + within, end: start + within + words.length, text: words };
  }

  #labelOf(row: ClaimRow, claim: ItemAnswer): string | null {
    if (row.label === '') return claim.label;
    if (row.label === CLEAR) return null;
    const reading = readOption(this.#field.labels, row.label);
    if (!('value' in reading)) {
      this.#problem(row, LABEL, reading.fault, reading.next);
      return claim.label;
    }
    const value = String(reading.value);
    if (value !== claim.label && !isAsWritten(row.marks, LABEL, value)) return value;
    this.unchanged += 1;
    return claim.label;
  }

  #noteOf(row: ClaimRow, claim: ItemAnswer): string | undefined {
    if (row.note === '') return claim.note;
    if (row.note === CLEAR) return undefined;
    if (isFormulaError(row.note)) {
      this.#problem(row, NOTE, `found ${describe(row.note)}: the words were taken for a formula`, 'write them again');
      return claim.note;
    }
    if (!isSameText(claim.note ?? '', row.note) && !isAsWritten(row.marks, NOTE, row.note))
      return withPlainLineEnds(row.note);
    this.unchanged += 1;
    return claim.note;
  }

  #allows(row: ClaimRow, act: ItemsField['allow'][number], column: string): boolean {
    if (this.#field.allow.includes(act)) return true;
    const what = { edit: 'edited', split: 'split', merge: 'merged', add: 'added', remove: 'removed' }[act];
    this.#problem(row, column, `the form does not let these be ${what}: the change is left out`);
    return false;
  }

  #problem(row: ClaimRow, column: string, message: string, next?: string): void {
    this.#context.problems.add({
      ...this.#context.place(row.at, column),
      message,
      ...(next === undefined ? {} : { next }),
    });
  }
}

function isSilent({ text, label, note, marks }: ClaimRow, proposed: ProposedItem): boolean {
  const isOld = (column: string, words: string): boolean => words === '' || isAsWritten(marks, column, words);
  return isOld(LABEL, label) && isOld(NOTE, note) && (isOld(CLAIM_TEXT, text) || isSameText(proposed.text, text));
}
