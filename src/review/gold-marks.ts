import { hash, randomUUID } from 'node:crypto';

import { z } from 'zod';

import type { Item, Side } from '../data/item.ts';
import { shorten, UNSAFE } from '../data/visible.ts';
import { type ItemsField, type ReviewSection, reviewSection } from '../recipe/review-section.ts';
import type { ItemAnswer, ReviewItemRecord, ReviewPerson, ReviewRecord } from '../store/review-records.ts';
import { COMMIT_FIELD } from '../store/review-records.ts';
import type { Store } from '../store/store.ts';
import { opaqueIds } from './blinding.ts';
import { placeFault } from './conflicts.ts';
import { proposedFor } from './content.ts';
import { MARK_LABELS } from './corrections.ts';
import { itemsFault } from './item-list.ts';
import { nameFault, reviewPeople } from './people.ts';
import { proposedItems } from './proposed-items.ts';
import { cellFault, isAnswerList } from './questions.ts';
import { expiryOf, USUAL_DAYS } from './review-access.ts';
import { hiddenGoldOf } from './review-sources.ts';

/** A run whose gold is marked. */
export interface MarkedRun {
  /** As it is listed; with the hash of the files with its gold it names the review. */
  readonly path: string;
  readonly gold: string;
  readonly task: string;
  /** What `review create` records: how to read the gold again, and where it is. */
  readonly origin: Readonly<Record<string, unknown>>;
  /** Labels of its data. */
  readonly kinds: readonly string[];
}

/** What a mark is about: a gold item, or a prediction that the gold lacks. */
export interface MarkTarget {
  /** As the ledger and the files name it. */
  readonly case: string;
  readonly caseInFiles: string;
  readonly side: Side;
  readonly item: Item;
  /** Null if it is not at hand. */
  readonly text: string | null;
}

/** A person's mark; `label` null takes it back. */
export interface MarkSave {
  readonly id: string;
  readonly by: string;
  readonly label: string | null;
  /** The label that the gold should have. */
  readonly kind?: string | undefined;
  /** Its place in the text, in UTF-16 units. */
  readonly start?: number | undefined;
  readonly end?: number | undefined;
  readonly note?: string | undefined;
}

/** A mark that holds. */
export interface GoldMark extends Required<Pick<MarkSave, 'by' | 'label'>> {
  readonly case: string;
  /** `<side>.<kind>.<index>`, as the report calls it. */
  readonly item: string;
  readonly text: string;
  readonly was: string | null;
  readonly kind: string | null;
  /** The words at the corrected place; null if it was not moved. */
  readonly words: string | null;
  readonly start: number;
  readonly end: number;
  readonly note: string;
  readonly at: string;
}

const LONGEST_NAME = 60;
const LONGEST_TITLE = 80;

/** One question for gold items and one for what the gold lacks; an item of the review is one of either. */
function marksForm(path: string, kinds: readonly string[]): ReviewSection {
  const asked = { type: 'items', of: 'case', by: ['marker'], from: 'predicted', optional: true };
  const shared = { ...asked, allow: ['relabel', 'resize'], kinds, otherKinds: true };
  return reviewSection.parse({
    title: `Gold annotations of ${path}`,
    people: { marker: { title: 'people who mark gold', raters: 1 } },
    show: [{ field: 'text', title: 'The text' }],
    under: 'text',
    fields: {
      gold: {
        ...shared,
        title: 'Is this gold annotation wrong?',
        labels: { ...MARK_LABELS.gold, right: { title: 'Gold is right', gold: 'keep' } },
      },
      missing: {
        ...shared,
        title: 'Does the gold miss this?',
        labels: { ...MARK_LABELS.missing, right: { title: 'Gold is right without it', gold: 'drop' } },
      },
    },
  });
}

const marksOrigin = z.looseObject({ marks: z.object({ run: z.string(), gold: z.string() }) });
const target = z.looseObject({ case: z.string(), target: z.string() });

/** Whether a review is one of marks: its items come one by one. */
export function isOfMarks({ origin }: Pick<ReviewRecord, 'origin'>): boolean {
  return marksOrigin.safeParse(origin).success;
}

export function marksReview(store: Store, { path, gold }: Pick<MarkedRun, 'path' | 'gold'>): ReviewRecord | null {
  return (
    store.reviews.list().find(({ origin }) => {
      const { marks } = marksOrigin.safeParse(origin).data ?? {};
      return marks?.run === path && marks.gold === gold;
    }) ?? null
  );
}

/** The marks that hold, in the order in which items were first marked. */
export function goldMarks(store: Store, review: ReviewRecord): GoldMark[] {
  const people = new Map(store.reviews.people(review.id).map((person) => [person.id, person.name]));
  const states = Map.groupBy(store.reviews.states(review.id), ({ itemId }) => itemId);
  return store.reviews.items(review.id).flatMap((item) =>
    (states.get(item.id) ?? []).flatMap(({ cells, personId, updatedAt }) =>
      cells.flatMap(({ field, value }): GoldMark[] => {
        const known = target.safeParse(item.hidden).data;
        const [answer] = isAnswerList(value) ? value : [];
        const [was] = proposedFor(item, field);
        if (known === undefined || answer === undefined || was === undefined) return [];
        const { start, end, label, kind = null, note = '' } = answer;
        const isMoved = start !== was.start || end !== was.end;
        return [
          {
            case: known.case,
            item: known.target,
            text: was.text,
            was: was.kind,
            by: people.get(personId) ?? '',
            label,
            kind,
            words: isMoved ? answer.text : null,
            start,
            end,
            note,
            at: updatedAt,
          },
        ];
      }),
    ),
  );
}

/**
 * Keeps a mark, within a transaction: as an answer in the review of the run, which begins with its first mark. A sentence
 * if it cannot be kept.
 */
export function saveMark(
  store: Store,
  run: MarkedRun,
  about: MarkTarget,
  mark: MarkSave,
  secret: Buffer,
): string | null {
  const fault = nameFault(mark.by);
  if (fault !== null) return `This cannot be a name: ${fault}.`;
  const name = about.side === 'gold' ? 'gold' : 'missing';
  const existing = marksReview(store, run);
  const form = existing === null ? marksForm(run.path, run.kinds) : reviewSection.parse(existing.form);
  const field = form.fields[name];
  if (field?.type !== 'items') return 'The review of these marks was made by another version of Assay.';
  const content = itemContent(name, field, about);
  const value = mark.label === null ? null : [answerOf(content.proposed[name]![0]!, mark, about.text)];
  const wrong =
    value === null
      ? null
      : (cellFault(form, { field: name, part: null, value }) ??
        placeFault(value, about.text?.length ?? 0) ??
        itemsFault(field, { proposed: content.proposed[name]!, under: about.text }, value));
  if (wrong !== null) return `This mark cannot be kept: ${wrong}.`;

  const review = existing ?? createMarks(store, run, form);
  const ids = opaqueIds(secret, review.name);
  const key = `${about.side}.${about.item.kind}.${about.item.index}`;
  const item: Omit<ReviewItemRecord, 'reviewId'> = {
    id: ids.item('case', about.case, key, null),
    kind: 'case',
    caseId: about.caseInFiles,
    system: null,
    language: null,
    content,
    hidden: {
      case: about.case,
      target: key,
      kind: about.item.kind,
      gold: about.side === 'gold' ? [hiddenGoldOf(about.item)] : [],
    },
  };
  if (store.reviews.item(review.id, item.id) === null) store.reviews.addItem(review.id, item);
  const { id: personId } = personOf(store, review, mark.by, secret);
  const queue = store.reviews.queue(personId);
  if (!queue.some(({ itemId }) => itemId === item.id))
    store.reviews.addPeople(review.id, [], [{ personId, itemId: item.id, position: queue.length }]);
  const event = (
    own: string,
    cell: { readonly field: string; readonly value: readonly ItemAnswer[] | boolean | null },
  ) => ({
    id: hash('sha256', JSON.stringify([personId, item.id, mark.id, own]), 'base64url'),
    itemId: item.id,
    personId,
    part: null,
    origin: 'app' as const,
    ...cell,
  });
  // One that was taken back is no answer any more.
  store.reviews.append([
    event('answer', { field: name, value }),
    event('commit', { field: COMMIT_FIELD, value: value !== null }),
  ]);
  return null;
}

function itemContent(name: 'gold' | 'missing', field: ItemsField, { item, text }: MarkTarget) {
  const under = text === null ? null : { name: 'text', text };
  const proposed = proposedItems(field, under, [item], []);
  return {
    title: shorten(`${item.label} ${proposed[0]?.text ?? ''}`.replaceAll(/\s+/g, ' ').trim(), LONGEST_TITLE),
    blocks: text === null ? [] : [{ name: 'text', title: 'The text', text }],
    under: text === null ? null : 'text',
    proposed: { [name]: proposed },
  };
}

function answerOf(
  was: Pick<ItemAnswer, 'id' | 'start' | 'end' | 'text'> & { readonly kind: string | null },
  mark: MarkSave,
  text: string | null,
): ItemAnswer {
  const { label, kind, start = was.start, end = was.end, note = '' } = mark;
  const isMoved = start !== was.start || end !== was.end;
  return {
    id: was.id,
    start,
    end,
    text: isMoved ? (text ?? '').slice(start, end) : was.text,
    label,
    from: [was.id],
    ...(kind === undefined || kind === was.kind ? {} : { kind }),
    ...(note.trim() === '' ? {} : { note }),
  };
}

function createMarks(store: Store, run: MarkedRun, form: ReviewSection): ReviewRecord {
  const origin = { ...run.origin, marks: { run: run.path, gold: run.gold } };
  const name = freeName(store, run.path);
  return store.reviews.create({ name, seed: 0, task: run.task, form, origin, items: [], people: [], assignments: [] });
}

/** `gold-may-first` for the run may/first; with a number if the name is taken. */
function freeName(store: Store, path: string): string {
  const words = path.replaceAll(UNSAFE, '-').replaceAll(/[/\\\s]+/g, '-');
  const plain = path === '.' ? '' : `-${words}`;
  const base = `gold${shorten(plain, LONGEST_NAME)}`;
  let name = base;
  for (let number = 2; store.reviews.find(name) !== null; number += 1) name = `${base}-${number}`;
  return name;
}

/** By the name in the request; a person who marks for the first time joins the review. */
function personOf(store: Store, review: ReviewRecord, name: string, secret: Buffer): Pick<ReviewPerson, 'id'> {
  const same = name.toLowerCase();
  const known = store.reviews
    .people(review.id)
    .find((person) => person.role === 'reviewer' && person.name.toLowerCase() === same);
  if (known !== undefined) return known;
  const expiresAt = expiryOf(`${USUAL_DAYS}d`, new Date());
  const ids = opaqueIds(secret, `${review.name} ${randomUUID()}`);
  const made = reviewPeople([{ name, role: 'reviewer', groups: [] }], { reviewId: review.id, ids, secret, expiresAt });
  store.reviews.addPeople(review.id, made, []);
  return made[0]!;
}
