import { isDeepStrictEqual } from 'node:util';

import { ExactSum } from '../../../data/fold-state.ts';
import { type Fields, type Item, NO_FIELDS } from '../../../data/item.ts';
import { INDEX } from '../../../data/span-list.ts';
import { compareText } from '../../../text/compare.ts';
import { count, plural, percent, levelText } from '../../../text/figures.ts';
import { byPieces, haveSamePieces } from '../../../text/pieces.ts';
import { type AuditSpans, countEqualSpans } from '../../audit-case.ts';
import type { AuditCheck, NewFinding } from '../../check.ts';
import { entryOf, Evidence, sum } from '../../evidence.ts';
import type { FindingItem } from '../../finding.ts';
import { countSame, TELLING_KINDS } from '../../text-index.ts';

/** So many items with the same quotes and fields everywhere: no system does that. With fewer, a good one does. */
const LEAST_ITEMS = 20;
/** With places and labels alone it may be an easy set: a warning, from so many cases on. */
const LEAST_CASES = 10;
/** Copies with a few changes: so many of the cases are gold, and not because there is one easy item in each. */
const NEARLY_ALL = 0.9;
const ITEMS_A_CASE = 2;
/** From here on it is a warning; below, a good system over short cases is as likely, so it is a note. */
const ALL_BUT_A_FEW = 0.97;
/** Nor are so many changed cases a sign of a system, where everything else is the same down to quotes and fields. */
const FEW_CHANGED = 2;
const CASES_BUT_A_FEW = 30;
/** Fields that a finding names. */
const MOST_FIELDS = 20;
/** A part of the cases is out of line only by cases that have something to get wrong. */
const RICH_CASE = 3;
const LEAST_SHARE = 0.2;
/** The other cases must be bad, and copies more than so many times what items that are right by chance would give. */
const REST_RIGHT = 0.5;
const OUT_OF_LINE = 4;

export const copiedGold: AuditCheck = {
  name: 'copied-gold',
  about: 'predictions that equal gold in everything that gold has',
  severity: `Cases with predictions that equal gold in all items. Error: one file for both sides, or all (${LEAST_ITEMS}+ items) if most items have a quote or further field, or the files have the same bytes. Warning: all others (${LEAST_ITEMS}+ items, ${LEAST_CASES}+ cases); ${levelText(ALL_BUT_A_FEW)} (note: ${levelText(NEARLY_ALL)}; both ${LEAST_CASES}+ cases, ${LEAST_ITEMS}+ items, and ${ITEMS_A_CASE} a case unless most have a quote or field), or all but ${FEW_CHANGED} of ${CASES_BUT_A_FEW}+ with both; ${levelText(LEAST_SHARE)} of those with ${RICH_CASE}+ items (${LEAST_CASES}+, ${OUT_OF_LINE} times chance) if the others are at most ${levelText(REST_RIGHT)} right`,
  scoredOnly: true,
  open({ index, keep }) {
    const seen = keep(nothingCompared());
    return {
      case({ case: id, answered = true }) {
        const gold = index.items('gold', TELLING_KINDS);
        const predicted = index.items('predicted', TELLING_KINDS);
        if (predicted.length > 0) compare(seen, id, gold, predicted);
        else if (answered && gold.length > 0) seen.empty += 1;
      },
      spans(given) {
        const { gold, predicted } = given;
        if (predicted.count === 0) seen.empty += gold.count > 0 ? 1 : 0;
        // Labels that differ in upper and lower case only are the same here.
        else if (given.areLabelsPlain) compareSpans(seen, given);
        else compare(seen, given.case, index.items('gold', TELLING_KINDS), index.items('predicted', TELLING_KINDS));
      },
      find({ run: { manifest } }) {
        const predictions = manifest.inputs.filter(({ role }) => role === 'predictions');
        const subjects = predictions.map(({ name }) => name);
        const same = manifest.inputs
          .filter(({ role, sha256 }) => role === 'gold' && predictions.some((own) => own.sha256 === sha256))
          .map(({ name }) => (subjects.includes(name) ? 'file' : 'bytes'));
        const isAll = seen.copies > 0 && seen.copies === seen.cases && seen.empty === 0;
        const one = same.find((what) => what === 'file') ?? same[0] ?? null;
        const found = isAll ? allCopied(seen, one) : (nearlyAllCopied(seen) ?? partCopied(seen));
        return found === null ? null : { ...found, subjects };
      },
    };
  },
};

type Compared = ReturnType<typeof nothingCompared>;

function nothingCompared() {
  return {
    /** Those with predictions; the others say nothing of where predictions come from. */
    cases: 0,
    /** Answered with nothing, although there is gold. */
    empty: 0,
    copies: 0,
    copiedItems: 0,
    /** Of the copied items, those with a quote or a field that could well have been another. */
    telling: 0,
    inOrder: 0,
    /** Whether some copy is one only if upper and lower case are the same. */
    inOtherLetters: false,
    /** Of cases with enough items, by how many: all, and copies. */
    rich: new Map<number, { cases: number; copies: number }>(),
    /** Of those among them that are none, the shares of their items that are right, added up: a long case is one case. */
    restRight: new ExactSum(),
    fields: new Set<string>(),
    evidence: new Evidence(),
    richEvidence: new Evidence(),
  };
}

/** A case with so many gold items. */
function addCase(seen: Compared, items: number, isCopy: boolean, inOrder: boolean): void {
  seen.cases += 1;
  if (items >= RICH_CASE) {
    const known = entryOf(seen.rich, items, () => ({ cases: 0, copies: 0 }));
    known.cases += 1;
    if (isCopy) known.copies += 1;
  }
  if (!isCopy) return;
  seen.copies += 1;
  seen.copiedItems += items;
  if (inOrder) seen.inOrder += 1;
}

function isTellingMostly({ telling, copiedItems }: Compared): boolean {
  return telling >= copiedItems / 2;
}

function compare(seen: Compared, id: string, gold: readonly Item[], predicted: readonly Item[]): void {
  const ordered = areSame(gold, predicted);
  const isCopy = ordered || isReordered(gold, predicted);
  const isRich = gold.length >= RICH_CASE;
  addCase(seen, gold.length, isCopy, ordered);
  if (!isCopy && isRich) seen.restRight.add(countSame(gold, predicted, isWholly) / gold.length);
  if (!isCopy) return;
  seen.inOtherLetters ||= !haveSameLetters(gold, predicted);
  for (const [at, item] of gold.entries()) {
    const other = predicted[at]!;
    if (isTelling(item, other)) seen.telling += 1;
    for (const field of Object.keys(item.fields))
      if (seen.fields.size < MOST_FIELDS && Object.hasOwn(other.fields, field)) seen.fields.add(field);
    const shown = { case: id, side: 'predicted', label: other.label, text: other.text, note: null } as const;
    seen.evidence.addItem(shown);
    if (isRich) seen.richEvidence.addItem(shown);
  }
}

/** The same of plain spans, without fields. */
function compareSpans(seen: Compared, given: AuditSpans): void {
  const { case: id, gold, predicted } = given;
  const isRich = gold.count >= RICH_CASE;
  let isCopy = gold.count === predicted.count;
  let ordered = isCopy;
  for (let at = 0; at < gold.count && isCopy; at += 1) {
    for (let what = 0; what < INDEX; what += 1) isCopy &&= gold.get(at, what) === predicted.get(at, what);
    ordered &&= gold.get(at, INDEX) === predicted.get(at, INDEX);
  }
  addCase(seen, gold.count, isCopy, ordered);
  if (!isCopy && isRich) seen.restRight.add(countEqualSpans(gold, predicted, true) / gold.count);
  if (!isCopy) return;
  const shown = (index: number): FindingItem => {
    const at = given.placeOf(predicted, index);
    const [label, text] = [given.labelOf(predicted, at), given.slice(predicted, at)];
    return { case: id, side: 'predicted', label, text, note: null };
  };
  seen.evidence.addItems(id, gold.count, shown);
  if (isRich) seen.richEvidence.addItems(id, gold.count, shown);
}

/** Whether two items that are the same have a quote, or a custom field, in which a system would differ somewhere. */
function isTelling(gold: Item, predicted: Item): boolean {
  if (gold.kind === 'object' && gold.text !== '') return true;
  const { label, text, start, end, source, target, fields } = gold;
  const plain: readonly unknown[] = [label, gold.was, text, start, end, source, target, null, undefined];
  return Object.keys(fields).some((name) => Object.hasOwn(predicted.fields, name) && !plain.includes(fields[name]));
}

/** What is the same in all copies. */
function sameParts({ fields, inOtherLetters }: Compared): string {
  const named = [...fields].slice(0, MOST_FIELDS);
  const parts = ['text', 'label', 'place', ...named.sort(compareText)].join(', ');
  return inOtherLetters ? `${parts}; but for upper and lower case` : parts;
}

function nearlyAllCopied(seen: Compared): NewFinding | null {
  const { cases, copies, copiedItems, empty, evidence } = seen;
  const isMostlyTelling = isTellingMostly(seen);
  const isMuch = copies >= LEAST_CASES && copies >= NEARLY_ALL * cases && copiedItems >= LEAST_ITEMS;
  if (!isMuch || (copiedItems < ITEMS_A_CASE * copies && !isMostlyTelling)) return null;
  const isRich = cases >= CASES_BUT_A_FEW && isMostlyTelling && copiedItems >= 2 * copies;
  const isAllButAFew = copies >= ALL_BUT_A_FEW * cases || (isRich && cases - copies <= FEW_CHANGED);
  const unanswered = empty === 0 ? '' : `; ${plural(empty, 'case has', 'cases have')} gold and an empty answer`;
  return {
    severity: isAllButAFew ? 'warning' : 'note',
    title: `${count(copies)} of ${plural(cases, 'case')} with predictions (${percent(copies, cases)}) equal gold in all of their ${plural(copiedItems, 'item')}: ${sameParts(seen)}${unanswered}`,
    words: 'copied-gold/nearlyAll',
    evidence,
  };
}

/** `same`: whether gold and predictions come from one file, or from two with the same bytes. */
function allCopied(seen: Compared, same: 'file' | 'bytes' | null): NewFinding | null {
  const { cases, copies, copiedItems, inOrder, evidence } = seen;
  const isMostlyTelling = isTellingMostly(seen);
  const isMuch = copiedItems >= LEAST_ITEMS;
  if (same === null && !(isMuch && (isMostlyTelling || cases >= LEAST_CASES))) return null;
  const some = inOrder === 0 ? '' : `, ${count(inOrder)} of them in the same order`;
  const isSure = same === 'file' || (isMuch && (same !== null || isMostlyTelling));
  const files = same === null ? '' : same === 'file' ? '; both are one file' : '; both files have the same bytes';
  return {
    // Two small files may be the same by chance.
    severity: isSure ? 'error' : isMuch ? 'warning' : 'note',
    title: `All ${plural(cases, 'case')} with ${plural(copiedItems, 'item')} have predictions equal to gold${inOrder === copies ? ' in the same order' : some}: ${sameParts(seen)}${files}`,
    words: isSure ? 'copied-gold/sure' : 'copied-gold/all',
    evidence,
  };
}

/** Some cases are gold and the others are bad: what a system that was shown a part of the answers looks like. */
function partCopied(seen: Compared): NewFinding | null {
  const restRight = seen.restRight.value;
  const rich = [...seen.rich.values()];
  const [cases, copies] = [sum(rich.map((own) => own.cases)), sum(rich.map((own) => own.copies))];
  const restCases = cases - copies;
  if (copies < LEAST_CASES || copies < LEAST_SHARE * cases || restCases === 0) return null;
  const right = (copies + restRight) / cases;
  const expected = sum([...seen.rich].map(([items, own]) => own.cases * right ** items));
  if (restRight / restCases > REST_RIGHT || copies < OUT_OF_LINE * expected) return null;
  return {
    severity: 'warning',
    title: `${count(copies)} of ${plural(cases, 'case')} with ${RICH_CASE} items or more equal gold in everything; of the items of each other case ${percent(restRight, restCases)} do on average`,
    why: `Items that are right as often as these are overall would make about ${count(Math.round(expected))} such cases. A system that has seen the gold of some cases looks like this; so does one that is good at one kind of case and bad at another.`,
    todo: 'See what these cases share: examples in the prompt, cases of the training data, answers filled in by hand. Leave out those the system has seen.',
    evidence: seen.richEvidence,
  };
}

/** Whether predictions equal gold, one by one. */
function areSame(gold: readonly Item[], predicted: readonly Item[]): boolean {
  return gold.length === predicted.length && gold.every((item, at) => isSame(item, predicted[at]!));
}

/** Sorting costs more than seeing that some item has no like. */
function isReordered(gold: readonly Item[], predicted: readonly Item[]): boolean {
  if (gold.length !== predicted.length) return false;
  let moved = 0;
  for (const [at, { start, end }] of gold.entries()) moved += start - predicted[at]!.start + end - predicted[at]!.end;
  if (moved !== 0) return false;
  const texts = new Set(predicted.map(({ text }) => text.toLowerCase()));
  if (gold.some(({ text }) => !texts.has(text.toLowerCase()))) return false;
  return areSame(gold.toSorted(byContent), predicted.toSorted(byContent));
}

/** Fields count where both have them. Upper and lower case aside: recipes that compare names do not look at it either. */
function isSame(gold: Item, predicted: Item): boolean {
  return (
    haveSamePieces(gold, predicted) &&
    gold.kind === predicted.kind &&
    isAlike(gold.label, predicted.label) &&
    isAlike(gold.text, predicted.text) &&
    isAlike(gold.source ?? '', predicted.source ?? '') &&
    isAlike(gold.target ?? '', predicted.target ?? '') &&
    haveSameFields(gold.fields, predicted.fields)
  );
}

function haveSameFields(gold: Fields, predicted: Fields): boolean {
  if (gold === NO_FIELDS || predicted === NO_FIELDS) return true;
  return Object.keys(gold).every((field) => !Object.hasOwn(predicted, field) || isAlike(gold[field], predicted[field]));
}

/** Also upper and lower case of its text. */
function isWholly(gold: Item, predicted: Item): boolean {
  return gold.text === predicted.text && isSame(gold, predicted);
}

function isAlike(one: unknown, other: unknown): boolean {
  if (one === other) return true;
  if (typeof one !== 'string' || typeof other !== 'string') return isDeepStrictEqual(one, other);
  return one === other || (one.length === other.length && one.toLowerCase() === other.toLowerCase());
}

/** Whether not even upper and lower case differ. */
function haveSameLetters(gold: readonly Item[], predicted: readonly Item[]): boolean {
  const [own, others] = [gold, predicted].map((items) => items.flatMap(({ label, text }) => [label, text]).toSorted());
  return isDeepStrictEqual(own, others);
}

function byContent(a: Item, b: Item): number {
  const contentOf = ({ kind, label, text, source, target }: Item): string =>
    [kind, label, text, source ?? '', target ?? ''].join('\u0000').toLowerCase();
  return byPieces(a, b) || compareText(contentOf(a), contentOf(b));
}
