import type { ItemsField } from '../recipe/review-section.ts';
import { contentOf, type ProposedItem, proposedFor, textUnderReview } from './content.ts';
import { goldMeaning } from './corrections.ts';
import { type ClaimOutcome, claimsOf, isAdjudicated, quorumFor } from './outcomes.ts';
import { isSamePlace, type Place } from './place.ts';
import { listsOf, type ReviewedItem } from './review-work.ts';
import type { ReviewSnapshot } from './snapshot.ts';

/** A thing as reviewers left it: its place, words and label of the data. */
export interface GoldThing extends Place {
  readonly text: string;
  readonly label: string;
  /** Both ends of a relationship. */
  readonly source?: string | null | undefined;
  readonly target?: string | null | undefined;
}

/** What reviewers settled on one thing: whether it is gold, and as what. */
export interface GoldVerdict {
  readonly gold: boolean;
  readonly thing: GoldThing;
  /** As it was put before them; null if they added or merged it. */
  readonly was: GoldThing | null;
  /** Fields of what was put before them. */
  readonly facts: ProposedItem['facts'];
}

/**
 * What settles it: `finish`, reviewers who finish the case; `add`, one more reviewer; `decide`, a decision of an
 * adjudicator on the conflict; `correct`, reviewers who change their answers.
 */
export type Remedy = 'finish' | 'add' | 'decide' | 'correct';

/** Something that reviewers have not settled. */
export interface UnresolvedThing {
  readonly case: string;
  readonly system: string | null;
  readonly text: string;
  readonly because: string;
  readonly remedy: Remedy;
}

/**
 * Of one question about one item. It is unresolved as a whole if too few have finished it, unless the question is optional
 * or leaves nothing to answer.
 */
export function goldVerdicts(
  snapshot: ReviewSnapshot,
  reviewed: ReviewedItem,
  name: string,
  field: ItemsField,
): { readonly verdicts: readonly GoldVerdict[]; readonly unresolved: readonly UnresolvedThing[] } {
  const { item } = reviewed;
  const about = { case: item.caseId, system: item.system };
  const [lists, wanted] = [listsOf(reviewed, name), quorumFor(snapshot.form, reviewed, name)];
  const proposed = proposedFor(item, name);
  const hasQuestion = proposed.length > 0 || field.allow.includes('add');
  if (!hasQuestion || (lists.length === 0 && field.optional)) return { verdicts: [], unresolved: [] };
  const needed = Math.floor(wanted / 2) + 1;
  if (lists.length < needed) {
    // An optional question may be finished without an answer.
    const because = `${lists.length} of ${wanted} reviewers have ${field.optional ? 'answered' : 'finished'} it`;
    const { people, waiting } = reviewed.asked(name);
    const remedy = waiting > 0 ? 'finish' : people < needed ? 'add' : 'correct';
    return { verdicts: [], unresolved: [{ ...about, text: contentOf(item).title, because, remedy }] };
  }
  const byId = new Map(proposed.map((one) => [one.id, one]));
  const claims = claimsOf(snapshot, item.id, name);
  const covered = new Set(claims.flatMap(({ from }) => from));
  const removed = field.allow.includes('remove') ? proposed.filter(({ id }) => !covered.has(id)) : [];
  const verdicts = removed.map((one): GoldVerdict => ({
    gold: false,
    thing: thingOf(one),
    was: thingOf(one),
    facts: {},
  }));
  const unresolved: UnresolvedThing[] = [];
  for (const claim of claims) {
    const was = claim.from.length === 1 ? (byId.get(claim.from[0]!) ?? null) : null;
    const because = openBecause(field, claim, was);
    const remedy = claim.how === 'disputed' && isAdjudicated(field) ? 'decide' : 'correct';
    if (because !== null) unresolved.push({ ...about, text: claim.text, because, remedy });
    else
      verdicts.push({
        gold: goldMeaning(field, claim.label) !== 'drop',
        thing: makeThing(claim, wordsOf(claim, was, textUnderReview(item)), claim.kind, was?.facts ?? {}),
        was: was === null ? null : thingOf(was),
        facts: was?.facts ?? {},
      });
  }
  return { verdicts, unresolved };
}

/** Why it is open what is gold here; null if it is settled. */
function openBecause(field: ItemsField, claim: ClaimOutcome, was: ProposedItem | null): string | null {
  const { label, kind, reason } = claim;
  if (label === null) return reason ?? 'nobody has labelled it';
  const title = field.labels[label]?.title ?? label;
  switch (goldMeaning(field, label)) {
    case null:
      return `“${title}” leaves it open`;
    case 'drop':
      return null;
    case 'relabel':
      return was !== null && kind === was.kind ? `“${title}”, and nobody said which is right` : null;
    case 'resize':
      return was !== null && isSamePlace(claim, was) && claim.text === was.text
        ? `“${title}”, and nobody said which is right`
        : null;
    case 'keep':
    case 'add':
      return kind === null ? 'it has no label' : null;
  }
}

function thingOf(proposed: ProposedItem): GoldThing {
  return makeThing(proposed, proposed.text, proposed.kind, proposed.facts);
}

/** A relationship has no place and is written `Ann → works_for → Acme`, also by those who add one. */
function makeThing({ start, end }: Place, text: string, kind: string | null, facts: ProposedItem['facts']): GoldThing {
  const [, from, to] = start < 0 ? (/^(.+?) → .+? → (.+)$/su.exec(text) ?? []) : [];
  const { source = from, target = to } = facts;
  return { start, end, text, label: kind ?? '', source, target };
}

/** The words of the text, unless nobody moved it: a name may be written otherwise there. */
function wordsOf(claim: ClaimOutcome, was: ProposedItem | null, under: string | null): string {
  if (claim.start < 0 || under === null || (was !== null && isSamePlace(claim, was))) return claim.text;
  return under.slice(claim.start, claim.end);
}
