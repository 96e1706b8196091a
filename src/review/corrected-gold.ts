import { z } from 'zod';

import { type Case, makeCase } from '../data/case.ts';
import { writableFormat } from '../data/convert.ts';
import { type Item, ITEM_KINDS, type ItemKind, makeItem } from '../data/item.ts';
import { Problems, UsageError } from '../data/problems.ts';
import { readCases } from '../data/read-cases.ts';
import { describe } from '../data/record-fields.ts';
import { fileSource, joinedSource } from '../data/source.ts';
import { writeCases } from '../data/write-cases.ts';
import { visible } from '../data/visible.ts';
import type { ItemsField } from '../recipe/review-section.ts';
import { goldMeaning } from './corrections.ts';
import { originalFile, originOf } from './evaluation.ts';
import { type GoldThing, type GoldVerdict, goldVerdicts, type UnresolvedThing } from './gold-verdicts.ts';
import { byPlace, isSamePlace, overlap } from './place.ts';
import { type HiddenGold, hiddenGold } from './review-sources.ts';
import { reviewedItems } from './review-work.ts';
import type { ReviewSnapshot } from './snapshot.ts';

/** Where an exported annotation comes from. */
export type GoldProvenance = 'gold' | 'corrected' | 'added';

/** Gold annotations with what reviewers corrected. */
export interface CorrectedGold {
  /** All cases of the files, in their order. */
  readonly cases: readonly Case[];
  readonly counts: Readonly<Record<GoldProvenance | 'dropped', number>>;
  /** Where the gold of the files was left as it is. */
  readonly unresolved: readonly UnresolvedThing[];
}

/** What reviewers made of one item, and the gold that was kept from them. */
interface ItemVerdicts {
  readonly verdicts: readonly GoldVerdict[];
  readonly gold: readonly HiddenGold[];
  readonly kind: ItemKind;
}

const WRITTEN_KINDS: ReadonlySet<ItemKind> = new Set(['span', 'object', 'entity', 'relationship']);
const hiddenParts = z.looseObject({
  gold: z.array(hiddenGold).default([]),
  kind: z.enum(ITEM_KINDS).optional(),
});
const goldOrigin = z.looseObject({
  data: z.looseObject({ offsets: z.enum(['utf16', 'codepoint', 'byte']).exactOptional() }),
  itemKind: z.enum(ITEM_KINDS).default('span'),
});

/**
 * The gold annotations of the files that a review was made of, as reviewers left them. What they accepted and the gold has
 * too is kept, what they accepted at another place or with another label replaces the gold that it is about, what the gold
 * has not is added, and gold that they rejected is dropped. Gold that no reviewer was shown stays.
 */
export async function correctedGold(snapshot: ReviewSnapshot, provenance: boolean): Promise<CorrectedGold> {
  const { origin, ...files } = await goldFiles(snapshot);
  const questions = goldQuestions(snapshot);
  const unresolved: UnresolvedThing[] = [];
  const byCase = new Map<string, ItemVerdicts[]>();
  for (const reviewed of reviewedItems(snapshot)) {
    const hidden = hiddenParts.safeParse(reviewed.item.hidden).data;
    if (hidden?.kind !== undefined && !WRITTEN_KINDS.has(hidden.kind))
      throw new UsageError(
        `${visible(snapshot.review.name)} is about gold of the kind ${hidden.kind}, which no format is written with`,
        'correct the file by hand: assay review history lists what was marked',
      );
    for (const [name, field] of questions) {
      if (field.of !== reviewed.item.kind) continue;
      const made = goldVerdicts(snapshot, reviewed, name, field);
      unresolved.push(...made.unresolved);
      const own = byCase.get(reviewed.item.caseId) ?? [];
      byCase.set(reviewed.item.caseId, own);
      own.push({ verdicts: made.verdicts, gold: hidden?.gold ?? [], kind: hidden?.kind ?? origin.itemKind });
    }
  }
  const counts = { gold: 0, corrected: 0, added: 0, dropped: 0 };
  const cases: Case[] = [];
  const problems = new Problems();
  for await (const given of readCases(files, origin.data, problems)) {
    const made = correctCase(given, byCase.get(given.id) ?? []);
    unresolved.push(
      ...made.unresolved.map((one) => ({ case: given.id, system: null, ...one, remedy: 'correct' as const })),
    );
    for (const { from } of made.items) counts[from] += 1;
    counts.dropped += made.dropped;
    const { id, text, tokens, fields, offsets } = given;
    const items = made.items.map(({ item, from }) =>
      provenance ? { ...item, fields: { ...item.fields, provenance: from } } : item,
    );
    cases.push(makeCase({ id, text, tokens, fields, offsets, gold: items }));
  }
  problems.throwIfAny();
  return { cases, counts, unresolved };
}

/** The files with the gold annotations, as they were. */
async function goldFiles(snapshot: ReviewSnapshot) {
  const origin = goldOrigin.safeParse(snapshot.review.origin).data;
  const files = originOf(snapshot)?.files ?? [];
  const source = async (...roles: readonly string[]) => {
    const paths = files.filter(({ role }) => roles.includes(role)).map((file) => originalFile(file));
    const sources = (await Promise.all(paths)).map(fileSource);
    return sources.length === 0 ? undefined : joinedSource(sources);
  };
  const [cases, gold] = [await source('cases', 'items'), await source('gold')];
  if (origin === undefined || (cases === undefined && gold === undefined))
    throw new UsageError(
      `${visible(snapshot.review.name)} does not record which files its gold annotations are in`,
      'only reviews of spans, objects, entities or relationships that this version made have gold to export',
    );
  return { origin, cases, gold };
}

function goldQuestions({ form, review }: ReviewSnapshot): [string, ItemsField][] {
  const questions = Object.entries(form.fields).flatMap(([name, field]): [string, ItemsField][] =>
    field.type === 'items' && Object.keys(field.labels).some((label) => goldMeaning(field, label) !== null)
      ? [[name, field]]
      : [],
  );
  if (questions.length === 0)
    throw new UsageError(
      `the form of ${visible(review.name)} does not say which answers are gold`,
      'set gold: keep, add, drop, relabel or resize on the labels of a question of the type items, and make the review again',
    );
  return questions;
}

interface MadeItem {
  readonly item: Item;
  readonly from: GoldProvenance;
}

type Fate = { readonly keep: true } | { readonly keep: false; readonly by: MadeItem | null };

/** Every gold item of a case with what becomes of it; two answers that want different things of one leave it as it is. */
function correctCase(given: Case, items: readonly ItemVerdicts[]) {
  const fates = new Map<string, Fate[]>();
  const unresolved: { readonly text: string; readonly because: string }[] = [];
  const accepted: { readonly item: Item; readonly by: ItemVerdicts }[] = [];
  const settle = (gold: HiddenGold, fate: Fate): void => {
    for (const [at, index] of gold.indexes.entries()) {
      const key = `${gold.kind} ${index}`;
      fates.set(key, [...(fates.get(key) ?? []), at === 0 || fate.keep ? fate : { keep: false, by: null }]);
    }
  };
  for (const by of items) {
    const { verdicts, gold, kind } = by;
    const exact = new Set(
      verdicts.flatMap(({ gold: isGold, thing }) => gold.find((one) => isGold && isSame(one, thing)) ?? []),
    );
    for (const one of exact) settle(one, { keep: true });
    const free = new Set(gold.filter((one) => !exact.has(one)));
    const take = (is: (one: HiddenGold) => boolean): HiddenGold[] => {
      const found = [...free].filter(is);
      for (const one of found) free.delete(one);
      return found;
    };
    // What was shown as it is in the gold is about that; what is left of the gold goes to the first that it fits.
    const own = new Map(
      verdicts.map((verdict) => [verdict, take((one) => verdict.was !== null && isSame(one, verdict.was))]),
    );
    for (const verdict of verdicts) {
      const { gold: isGold, thing, was, facts } = verdict;
      const shown = own.get(verdict)!;
      if (!isGold) for (const one of shown) settle(one, { keep: false, by: null });
      if (!isGold || gold.some((one) => exact.has(one) && isSame(one, thing))) continue;
      const [first, ...others] =
        shown.length > 0 ? shown : take((one) => isAbout(one, thing) || (was !== null && isAbout(one, was)));
      for (const one of others) settle(one, { keep: false, by: null });
      if (first !== undefined) {
        const raw = given.gold.find((one) => one.kind === first.kind && one.index === first.indexes[0]);
        if (raw !== undefined)
          settle(first, { keep: false, by: { item: replaced(raw, first, thing), from: 'corrected' } });
        continue;
      }
      const item = newItem(kind, thing, facts);
      if (item.kind === 'span' && item.start < 0)
        unresolved.push({ text: thing.text, because: 'a span needs its place in the text' });
      else accepted.push({ item, by });
    }
  }
  const added = accepted.flatMap(({ item, by }): MadeItem[] => {
    const rival = accepted.find((one) => one.by !== by && !isSame(one.item, item) && isAbout(one.item, item));
    if (rival === undefined) return [{ item, from: 'added' }];
    unresolved.push({ text: item.text, because: `reviewers accepted ${describe(rival.item.text)} in another answer` });
    return [];
  });
  let dropped = 0;
  const kept = given.gold.flatMap((item): MadeItem[] => {
    const own = fates.get(`${item.kind} ${item.index}`) ?? [];
    if (new Set(own.map((fate) => JSON.stringify(fate))).size > 1) {
      unresolved.push({ text: item.text, because: 'reviewers judged it differently in two answers' });
      return [{ item, from: 'gold' }];
    }
    const [fate] = own;
    if (fate === undefined || fate.keep) return [{ item, from: 'gold' }];
    if (fate.by === null) dropped += 1;
    return fate.by === null ? [] : [fate.by];
  });
  const inOrder = added.toSorted((a, b) => byPlace(a.item, b.item));
  return { items: renamedEnds(given, withoutTwins([...kept, ...inOrder])), dropped, unresolved };
}

/** The same annotation. */
function isSame(one: GoldThing, other: GoldThing): boolean {
  return one.label === other.label && isAtSame(one, other);
}

/** By place where both have one, else by words; relationships by what they join. */
function isAtSame(one: GoldThing, other: GoldThing): boolean {
  return one.start >= 0 && other.start >= 0 ? isSamePlace(one, other) : nameOf(one) === nameOf(other);
}

function nameOf({ text, source, target }: GoldThing): string {
  return source == null || target == null ? text.trim() : JSON.stringify([source, target]);
}

/** Whether a gold annotation is what reviewers meant: there under another label, or of that label and overlapping. */
function isAbout(gold: GoldThing, thing: GoldThing): boolean {
  return isAtSame(gold, thing) || (gold.label === thing.label && overlap(gold, thing));
}

/** With the label of the file unless reviewers chose another one than the recipe made of it. */
function replaced(raw: Item, gold: HiddenGold, thing: GoldThing): Item {
  const label = thing.label === gold.label ? raw.label : thing.label;
  if (raw.kind === 'relationship') return { ...raw, label };
  if (raw.start < 0 || isSamePlace(raw, thing)) return { ...raw, label, text: thing.text };
  // At another place it is in one piece.
  const { fragments: _, aligned: __, ...rest } = raw;
  return { ...rest, label, text: thing.text, start: thing.start, end: thing.end };
}

function newItem(kind: ItemKind, thing: GoldThing, facts: GoldVerdict['facts']): Item {
  const { start, end, text, label, source, target } = thing;
  const { source: _, target: __, ...fields } = facts;
  const isLink = (kind === 'entity' || kind === 'relationship') && source != null && target != null;
  if (isLink) return makeItem({ kind: 'relationship', index: -1, label, text, source, target, fields });
  return makeItem({ kind, index: -1, label, text, start, end, fields });
}

/** Relationships follow an entity whose name was corrected. */
function renamedEnds(given: Case, items: readonly MadeItem[]): readonly MadeItem[] {
  const names = new Map(
    items.flatMap(({ item, from }) => {
      const before =
        from === 'corrected' ? given.gold.find((one) => one.kind === item.kind && one.index === item.index) : undefined;
      return item.kind === 'entity' && before !== undefined && before.text !== item.text
        ? [[before.text, item.text]]
        : [];
    }),
  );
  if (names.size === 0) return items;
  const now = (name: string | null): string | null => (name === null ? null : (names.get(name) ?? name));
  return items.map(({ item, from }) => ({
    item: { ...item, source: now(item.source), target: now(item.target) },
    from,
  }));
}

/** What two answers added alike is one. */
function withoutTwins(items: readonly MadeItem[]): MadeItem[] {
  const seen: MadeItem[] = [];
  for (const one of items)
    if (one.from === 'gold' || !seen.some(({ item }) => item.kind === one.item.kind && isSame(item, one.item)))
      seen.push(one);
  return seen;
}

/** Formats whose places are read in the unit of the recipe. */
const IN_UNIT_OF_RECIPE = new Set(['spans', 'graph', 'annotated-documents', 'csv']);

/**
 * Writes corrected gold. Without a format that follows from what it holds: `spans`, or `annotated-documents` if items name
 * their annotators, `journal` for objects, `graph` for entities and relationships.
 */
export async function writeGold(
  { review }: ReviewSnapshot,
  { cases }: CorrectedGold,
  out: string,
  to: string = formatFor(cases),
): Promise<void> {
  const { format, writer } = writableFormat(to, out);
  const unit = goldOrigin.safeParse(review.origin).data?.data.offsets;
  const isOpen = IN_UNIT_OF_RECIPE.has(format.name) && unit !== undefined;
  await writeCases(cases, isOpen ? { ...writer, offsets: unit } : writer, out);
}

function formatFor(cases: readonly Case[]): string {
  const items = cases.flatMap(({ gold }) => gold);
  if (items.some(({ kind }) => kind === 'entity' || kind === 'relationship')) return 'graph';
  if (items.some(({ kind }) => kind === 'object')) return 'journal';
  return items.some(({ annotator }) => annotator !== null) ? 'annotated-documents' : 'spans';
}
