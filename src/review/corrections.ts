import type { ItemsField } from '../recipe/review-section.ts';
import type { ItemAnswer } from '../store/review-records.ts';

/*
 * What reviewers correct of things that were proposed to them: the label that the data calls them by (their kind) and
 * their place. The screens use it too.
 */

type Label = ItemsField['labels'][string];
/** What an answer makes of the gold annotations. */
export type GoldMeaning = NonNullable<Extract<Label, { gold?: unknown }>['gold']>;

/** Null if the form leaves it open, as for an answer such as "unsure". */
export function goldMeaning({ labels }: Pick<ItemsField, 'labels'>, label: string | null): GoldMeaning | null {
  const declared = label !== null && Object.hasOwn(labels, label) ? labels[label]! : null;
  return declared !== null && 'gold' in declared ? (declared.gold ?? null) : null;
}

/** The first label of this meaning; null if the form has none. */
export function labelMeaning(field: Pick<ItemsField, 'labels'>, meaning: GoldMeaning): string | null {
  return Object.keys(field.labels).find((label) => goldMeaning(field, label) === meaning) ?? null;
}

/** What a person who looks at a run can say of its gold: of a gold item, and of a prediction that the gold lacks. */
export const MARK_LABELS = {
  gold: {
    wrong: { title: 'Should not be there', gold: 'drop' },
    wrong_label: { title: 'Wrong label', gold: 'relabel' },
    wrong_boundary: { title: 'Wrong boundary', gold: 'resize' },
    unsure: { title: 'Unsure' },
  },
  missing: {
    missing: { title: 'Gold misses this', gold: 'add' },
    unsure: { title: 'Unsure' },
  },
} as const;

interface Kinded {
  readonly kind?: string | null;
}

/** What the data calls a thing: as corrected, or else as what it was made of; null if that is unknown or several. */
export function kindOf({ kind, from }: ItemAnswer, proposed: ReadonlyMap<string, Kinded>): string | null {
  if (kind !== undefined) return kind;
  const kinds = new Set(from.map((id) => proposed.get(id)?.kind ?? null));
  return kinds.size === 1 ? [...kinds][0]! : null;
}

/** If labels of the data can be corrected, an item that a reviewer added needs one. */
export function lacksKind(allow: ItemsField['allow'], { from, kind }: ItemAnswer): boolean {
  return allow.includes('relabel') && from.length === 0 && kind === undefined;
}

/** What was proposed, as a list that nobody has touched. */
export function untouched(proposed: readonly Pick<ItemAnswer, 'id' | 'start' | 'end' | 'text'>[]): ItemAnswer[] {
  return proposed.map(({ id, start, end, text }) => ({ id, start, end, text, label: null, from: [id] }));
}

interface ThingFacts {
  readonly start: number;
  readonly end: number;
  readonly text: string;
  /** What the data calls it. */
  readonly kind: string | null;
  readonly label: string | null;
}

/** Null before: it was added; null after: it was removed. */
export interface ListChange {
  readonly id: string;
  readonly before: ThingFacts | null;
  readonly after: ThingFacts | null;
}

/** What a reviewer changed of a list, thing by thing, with what it was before; what is the same is left out. */
export function listChanges(
  before: readonly ItemAnswer[],
  after: readonly ItemAnswer[],
  proposed: ReadonlyMap<string, Kinded>,
): ListChange[] {
  const factsOf = (list: readonly ItemAnswer[], id: string): ThingFacts | null => {
    const answer = list.find((one) => one.id === id);
    if (answer === undefined) return null;
    const { start, end, text, label } = answer;
    return { start, end, text, kind: kindOf(answer, proposed), label };
  };
  const ids = new Set([...before, ...after].map(({ id }) => id));
  return [...ids].flatMap((id) => {
    const change = { id, before: factsOf(before, id), after: factsOf(after, id) };
    return JSON.stringify(change.before) === JSON.stringify(change.after) ? [] : [change];
  });
}
