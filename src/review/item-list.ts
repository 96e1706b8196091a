import { describe } from '../data/record-fields.ts';
import type { ItemsField } from '../recipe/review-section.ts';
import type { ItemAnswer } from '../store/review-records.ts';
import { splitsPair } from '../text/characters.ts';
import { textFault } from './questions.ts';
import type { Proposed } from './content.ts';
import { isSamePlace, isWithin, overlap, placeAround } from './place.ts';
import { partOf, type ProposedById, proposedById } from './segments.ts';

interface ProposedThings {
  readonly proposed: readonly Proposed[];
  readonly under: string | null;
}

/**
 * Why a list of labelled things cannot have come of what was proposed by what the form allows, as half a sentence; null
 * if it can. `cellFault` has checked before that it is a list.
 *
 * - Without `add` every thing names the proposed ones it was made of (`from`), and without `resize` it is where they are;
 *   the pieces of one are next to each other, and not next to the whole.
 * - Without `edit` its words are those of the text at its place, or of what it was made of.
 * - Without `split` each proposed thing is in one of the list, whole; without `merge` none is made of two; without
 *   `remove` all of what was proposed is there.
 * - Nothing is there twice: two with the same place and words are of different proposed things.
 */
export function itemsFault(
  field: ItemsField,
  { proposed, under }: ProposedThings,
  answers: readonly ItemAnswer[],
): string | null {
  const byId = proposedById(proposed);
  const things: Thing[] = [];
  for (const [at, answer] of answers.entries()) {
    const thing = { at, answer, ...originsOf(field, answer, byId) };
    const fault = thing.fault ?? placeFault(field, thing, under) ?? wordsFault(field, thing, under);
    if (fault !== null) return `entry ${at + 1}: ${fault}`;
    things.push(thing);
  }
  return (
    twiceFault(things, byId) ??
    (may(field, 'split') ? null : splitFault(field, things)) ??
    (may(field, 'add') ? null : piecesFault(things, under)) ??
    (may(field, 'remove') ? null : removeFault(field, proposed, things, under))
  );
}

interface Thing {
  readonly at: number;
  readonly answer: ItemAnswer;
  /** The proposed things it was made of; none if it was added. */
  readonly origins: readonly Proposed[];
}

function may({ allow }: ItemsField, act: ItemsField['allow'][number]): boolean {
  return allow.includes(act);
}

function originsOf(
  field: ItemsField,
  { from }: ItemAnswer,
  byId: ProposedById,
): { readonly origins: readonly Proposed[]; readonly fault: string | null } {
  const unknown = from.find((id) => !byId.has(id));
  if (unknown !== undefined)
    return { origins: [], fault: `it was made of ${describe(unknown)}, which was not proposed` };
  if (from.length > 0) {
    const origins = [...new Set(from)].map((id) => byId.get(id)!);
    const fault =
      origins.length > 1 && !may(field, 'merge')
        ? 'it was made of several, and the form does not let them merge'
        : null;
    return { origins, fault };
  }
  return {
    origins: [],
    fault: may(field, 'add')
      ? null
      : 'it was made of nothing that was proposed, and the form does not let any be added',
  };
}

/** If things may be added, one may also grow beyond what it was made of. No place cuts a character in two. */
function placeFault(
  field: ItemsField,
  { answer: { start, end }, origins }: Thing,
  under: string | null,
): string | null {
  const isMoved = start >= 0 && !origins.some((one) => isSamePlace(one, { start, end }));
  if (isMoved && [start, end].some((at) => splitsPair(under ?? '', at)))
    return `its place ${start}-${end} cuts a character in two`;
  if (start < 0 || may(field, 'add') || may(field, 'resize')) return null;
  const around = placeAround(origins);
  return around !== null && isWithin({ start, end }, around)
    ? null
    : `its place ${start}-${end} is not that of what it was made of`;
}

function wordsFault(field: ItemsField, { answer, origins }: Thing, under: string | null): string | null {
  const text = plain(answer.text);
  const there = answer.start < 0 || under === null ? '' : plain(under.slice(answer.start, answer.end));
  const joined = plain(origins.map((one) => one.text).join(' '));
  if (text === there || text === joined) return null;
  const isAdded = may(field, 'add') && (origins.length === 0 ? answer.start < 0 : may(field, 'merge'));
  // Whatever is in a text is in a claim of it; what people write is theirs to fix.
  if (may(field, 'edit') || isAdded)
    return [there, joined].some((one) => one.includes(text)) ? null : textFault(answer.text);
  // What was cut of words that are not those of the text, or put together over a gap.
  const isAsWritten = origins.every((one) => one.start >= 0 && under?.slice(one.start, one.end) === one.text);
  const isLoose = may(field, 'merge') || (may(field, 'split') && !isAsWritten);
  if (isLoose && [there, joined].some((source) => source.includes(text) || isSubsequence(text, source))) return null;
  return 'its words are not those of the text, and the form does not let them be edited';
}

/** Two of the same place and words are two only where they were made of different things. */
function twiceFault(things: readonly Thing[], byId: ProposedById): string | null {
  const seen = new Map<string, { readonly at: number; readonly ids: Set<string> }>();
  for (const { at, answer, origins } of things) {
    const key = JSON.stringify([partOf(answer, byId), plain(answer.text)]);
    const ids = origins.map(({ id }) => id);
    const before = seen.get(key);
    if (before === undefined) {
      seen.set(key, { at, ids: new Set(ids) });
      continue;
    }
    if (ids.length === 0 || before.ids.size === 0 || ids.some((id) => before.ids.has(id)))
      return `entries ${before.at + 1} and ${at + 1} have the same place and words: ${describe(answer.text)}`;
    for (const id of ids) before.ids.add(id);
  }
  return null;
}

/** If things may not be added, none is twice in the list: as a whole and in pieces, or in pieces that overlap. */
function piecesFault(things: readonly Thing[], under: string | null): string | null {
  const byOrigin = new Map<Proposed, Thing[]>();
  for (const thing of things)
    for (const origin of thing.origins) {
      const own = byOrigin.get(origin) ?? [];
      byOrigin.set(origin, own);
      own.push(thing);
    }
  for (const [origin, pieces] of byOrigin) {
    const whole = pieces.length < 2 ? undefined : pieces.find((one) => isUncut(one, origin));
    const piece = pieces.find((one) => one !== whole && one.origins.length === 1);
    if (whole !== undefined && piece !== undefined)
      return `entry ${piece.at + 1}: it was made of ${describe(origin.id)}, which is there uncut as entry ${whole.at + 1}`;
    // In the order of the text, so that each is compared with those only that begin within it.
    const placed = pieces.filter(({ answer }) => answer.start >= 0).sort((a, b) => a.answer.start - b.answer.start);
    for (const [at, one] of placed.entries())
      for (let next = at + 1; next < placed.length && overlap(one.answer, placed[next]!.answer); next += 1)
        if (!mayOverlap(one, placed[next]!, under))
          return `entries ${one.at + 1} and ${placed[next]!.at + 1} overlap, and both were made of ${describe(origin.id)}`;
  }
  return null;
}

function isUncut({ answer, origins }: Thing, { start, end, text }: Proposed): boolean {
  return origins.length === 1 && answer.start === start && answer.end === end && plain(answer.text) === plain(text);
}

/** One word whose claim was worded in several cannot be cut; and what was proposed within something else overlaps it. */
function mayOverlap(one: Thing, other: Thing, under: string | null): boolean {
  const { start, end } = one.answer;
  if (isSamePlace(one.answer, other.answer) && !/\S\s+\S/.test(under?.slice(start, end) ?? '')) return true;
  return one.origins.some((mine) => other.origins.some((theirs) => mine !== theirs && overlap(mine, theirs)));
}

function splitFault(field: ItemsField, things: readonly Thing[]): string | null {
  const taken = new Map<string, number>();
  for (const { at, answer, origins } of things)
    for (const { id, start, end } of origins) {
      const isPart = start >= 0 && answer.start >= 0 && (answer.start > start || answer.end < end);
      if (isPart && !may(field, 'resize'))
        return `entry ${at + 1}: it is a part of ${describe(id)}, and the form does not let any be split`;
      const other = taken.get(id);
      if (other !== undefined)
        return `entries ${other + 1} and ${at + 1} are both made of ${describe(id)}, and the form does not let any be split`;
      taken.set(id, at);
    }
  return null;
}

/** Of what has a place, every letter has to be in some thing; of what has none, some thing has to be made of it. */
function removeFault(
  field: ItemsField,
  proposed: readonly Proposed[],
  things: readonly Thing[],
  under: string | null,
): string | null {
  const kept = new Set(things.flatMap(({ origins }) => origins.map(({ id }) => id)));
  const covered = new Uint8Array(under?.length ?? 0);
  for (const { answer, origins } of things)
    for (const { start, end } of answer.start >= 0 ? [answer] : origins) if (start >= 0) covered.fill(1, start, end);
  const isWhole = ({ id, start, end }: Proposed): boolean => {
    if (start < 0 || under === null || !kept.has(id) || may(field, 'resize')) return kept.has(id);
    return ![...under.slice(start, end).matchAll(/\S/g)].some(({ index }) => covered[start + index] === 0);
  };
  const gone = proposed.find((one) => !isWhole(one));
  return gone === undefined
    ? null
    : `${describe(gone.id)} is not there, or not whole: ${describe(gone.text)}; the form does not let any be removed`;
}

/** What spreadsheets and browsers do to white space changes no words. */
function plain(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim();
}

function isSubsequence(text: string, source: string): boolean {
  const words = text.split(' ');
  let at = 0;
  for (const word of source.split(' ')) if (word === words[at]) at += 1;
  return at === words.length;
}
