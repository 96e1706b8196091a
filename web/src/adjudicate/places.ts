import type { ConflictView } from '../../../src/review/api.ts';
import { kindOf } from '../../../src/review/corrections.ts';
import type { CellValue, ItemAnswer } from '../../../src/store/review-records.ts';

export interface Place {
  readonly start: number;
  readonly end: number;
}

/** The disputed places in the text under review: the claim in question, or the claims that reviewers do not share. */
export function disputedPlaces(
  view: Pick<ConflictView, 'content' | 'field' | 'part' | 'question' | 'answers'>,
): Place[] {
  if (view.question.type !== 'items') return [];
  if (view.part !== null) {
    const place = placeOfPart(view.content.proposed[view.field] ?? [], view.part);
    return place === null ? [] : [place];
  }
  const lists = view.answers.map((answer) => claimsOf(answer.value));
  const proposed = new Map(view.content.proposed[view.field]?.map((one) => [one.id, one]));
  const found = lists.flat().filter((claim) => claim.start >= 0 && !inAll(claim, lists, proposed));
  const places = new Map(found.map(({ start, end }) => [`${start}-${end}`, { start, end }]));
  return joined([...places.values()]);
}

/** Whether every list holds this claim at its place, in its words, with its label and called the same. */
export function inAll(
  claim: ItemAnswer,
  lists: readonly (readonly ItemAnswer[])[],
  proposed: Parameters<typeof kindOf>[1] = new Map(),
): boolean {
  const isSame = (a: ItemAnswer, b: ItemAnswer): boolean =>
    a.start === b.start &&
    a.end === b.end &&
    a.text === b.text &&
    a.label === b.label &&
    kindOf(a, proposed) === kindOf(b, proposed);
  return lists.every((list) => list.some((other) => isSame(claim, other)));
}

export function claimsOf(value: CellValue): readonly ItemAnswer[] {
  return typeof value === 'object' && value !== null ? value : [];
}

/** A part is the id of a proposed item, or its place written `start-end`, with `#2` for the second one there. */
function placeOfPart(
  proposed: readonly { readonly id: string; readonly start: number; readonly end: number }[],
  part: string,
): Place | null {
  const item = proposed.find((candidate) => candidate.id === part);
  if (item !== undefined) return item.start < 0 ? null : { start: item.start, end: item.end };
  const [, start, end] = /^(\d{1,9})-(\d{1,9})(?:#\d+)?$/.exec(part) ?? [];
  return start === undefined || end === undefined ? null : { start: Number(start), end: Number(end) };
}

/** Places that overlap become one: a text cannot be marked twice at once. */
function joined(places: readonly Place[]): Place[] {
  const result: Place[] = [];
  for (const place of [...places].sort((a, b) => a.start - b.start || a.end - b.end)) {
    const last = result.at(-1);
    if (last === undefined || place.start >= last.end) result.push(place);
    else result[result.length - 1] = { start: last.start, end: Math.max(last.end, place.end) };
  }
  return result;
}
