import { isDeepStrictEqual } from 'node:util';

import type { Fields, Item } from '../../../../data/item.ts';
import { compareText } from '../../../../text/compare.ts';
import type { AuditCase, AuditMaterial, Check, NewFinding } from '../../check.ts';
import { Evidence } from '../../evidence.ts';
import { count, counted, percent } from '../../words.ts';
import { itemsOf, TELLING_KINDS } from './case-items.ts';

/** So many items with the same quotes and fields everywhere: no system does that. */
const LEAST_ITEMS = 20;
/** With fewer items in that many cases, or with places and labels alone, it may be an easy set: a warning. */
const LEAST_CASES = 10;
/** Copies with a few changes: so many of the cases are gold, and not because there is one easy item in each. */
const NEARLY_ALL = 0.9;
/** From here on it is a warning; below, a good system over short cases is as likely, so it is a note. */
const ALL_BUT_A_FEW = 0.97;
const ITEMS_A_CASE = 2;
/** Fields that a finding names. */
const MOST_FIELDS = 20;

/** A part of the cases is out of line only by cases that have something to get wrong. */
const RICH_CASE = 3;
const LEAST_SHARE = 0.2;
/** The other cases must be bad, and copies more than so many times what items that are right by chance would give. */
const REST_RIGHT = 0.5;
const OUT_OF_LINE = 4;
/** More pairs than this are not all looked at. */
const MOST_PAIRS = 400;

const WHY =
  'A score against copied gold says how well files are copied. Two people who mark the same text never agree on every boundary and every value.';
const WHAT_TO_DO =
  'Look at how the predictions were made: is the gold file, or a prompt with gold in it, what the system was given? Score real output.';

const OR_RIGHT =
  'A system that is right to the letter looks the same: gold may be easy, or what is looked for has one form only, as e-mail addresses have.';

/** Predictions that are gold itself: the score then is 1, or near it, and says nothing of a system. */
export const copiedGold: Check = {
  name: 'copied-gold',
  about: 'predictions that equal gold in everything that gold says',
  open: () => {
    const seen = new Compared();
    return {
      add: (given) => seen.add(given),
      finish: (material) => seen.findings(material),
    };
  },
};

class Compared {
  /** Those with predictions; the others say nothing of where predictions come from. */
  #cases = 0;
  /** Answered with nothing, although there is gold. */
  #empty = 0;
  #copies = 0;
  #copiedItems = 0;
  /** Of the copied items, those with a quote or a field that could well have been another. */
  #telling = 0;
  #inOrder = 0;
  /** Of cases with enough items, by how many: all, and copies. */
  readonly #rich = new Map<number, { cases: number; copies: number }>();
  #restCases = 0;
  /** The shares of their items that are right, added up: a long case is one case. */
  #restRight = 0;
  readonly #fields = new Set<string>();
  readonly #evidence = new Evidence();
  readonly #richEvidence = new Evidence();

  add(given: AuditCase): void {
    const { id, failed, answered } = given;
    if (failed !== null) return;
    const gold = itemsOf(given, 'gold', TELLING_KINDS);
    const predicted = itemsOf(given, 'predicted', TELLING_KINDS);
    if (predicted.length === 0) {
      if (answered && gold.length > 0) this.#empty += 1;
      return;
    }
    this.#cases += 1;
    const ordered = areSame(gold, predicted);
    const isCopy = ordered || isReordered(gold, predicted);
    const isRich = gold.length >= RICH_CASE;
    if (isRich) {
      let known = this.#rich.get(gold.length);
      if (known === undefined) this.#rich.set(gold.length, (known = { cases: 0, copies: 0 }));
      known.cases += 1;
      if (isCopy) known.copies += 1;
    }
    if (isCopy) {
      this.#copies += 1;
      this.#copiedItems += gold.length;
      for (const [at, item] of gold.entries()) if (isTelling(item, predicted[at]!)) this.#telling += 1;
      if (ordered) this.#inOrder += 1;
      for (const item of predicted) {
        const shown = { case: id, side: 'predicted', label: item.label, text: item.text, note: null } as const;
        this.#evidence.addItem(shown);
        if (isRich) this.#richEvidence.addItem(shown);
      }
      for (let at = 0; at < gold.length && this.#fields.size < MOST_FIELDS; at += 1)
        for (const field of Object.keys(gold[at]!.fields))
          if (Object.hasOwn(predicted[at]!.fields, field) && this.#fields.size < MOST_FIELDS) this.#fields.add(field);
    } else if (isRich) {
      this.#restCases += 1;
      this.#restRight += sameItems(gold, predicted) / gold.length;
    }
  }

  findings({ run }: AuditMaterial): NewFinding[] {
    const { inputs } = run.manifest;
    const predictions = inputs.filter(({ role }) => role === 'predictions');
    const subjects = predictions.map(({ name }) => name);
    if (this.#copies > 0 && this.#copies === this.#cases && this.#empty === 0) {
      const sameFile = inputs.some(
        ({ role, sha256 }) => role === 'gold' && predictions.some((own) => own.sha256 === sha256),
      );
      return this.#allCopied(sameFile, subjects);
    }
    return this.#isNearlyAll() ? this.#nearlyAllCopied(subjects) : this.#partCopied(subjects);
  }

  get #isTelling(): boolean {
    return this.#telling >= this.#copiedItems / 2;
  }

  #isNearlyAll(): boolean {
    return (
      this.#copies >= LEAST_CASES &&
      this.#copies >= NEARLY_ALL * this.#cases &&
      this.#copiedItems >= LEAST_ITEMS &&
      (this.#copiedItems >= ITEMS_A_CASE * this.#copies || this.#isTelling)
    );
  }

  /** What is the same in all copies. */
  #same(): string {
    return ['text', 'label', 'place', ...[...this.#fields].sort(compareText)].join(', ');
  }

  #nearlyAllCopied(subjects: readonly string[]): NewFinding[] {
    const empty =
      this.#empty === 0 ? '' : `; ${counted(this.#empty, 'case has', 'cases have')} gold and an empty answer`;
    return [
      {
        severity: this.#copies >= ALL_BUT_A_FEW * this.#cases ? 'warning' : 'note',
        title: `${count(this.#copies)} of ${counted(this.#cases, 'case')} with predictions (${percent(this.#copies, this.#cases)}) equal gold in all of their ${counted(this.#copiedItems, 'item')}: ${this.#same()}${empty}`,
        why: `Copied gold with a few changes, or the gold of most cases, looks like this; a score against it says how well files are copied. ${OR_RIGHT}`,
        todo: WHAT_TO_DO,
        subjects,
        cases: this.#evidence.cases,
        items: this.#evidence.items,
      },
    ];
  }

  #allCopied(sameFile: boolean, subjects: readonly string[]): NewFinding[] {
    if (!sameFile && this.#copiedItems < LEAST_ITEMS && this.#cases < LEAST_CASES) return [];
    const order =
      this.#inOrder === this.#copies
        ? ' in the same order'
        : this.#inOrder === 0
          ? ''
          : `, ${count(this.#inOrder)} of them in the same order`;
    const isSure = sameFile || (this.#copiedItems >= LEAST_ITEMS && this.#isTelling);
    return [
      {
        severity: isSure ? 'error' : 'warning',
        title: `All ${counted(this.#cases, 'case')} with ${counted(this.#copiedItems, 'item')} have predictions equal to gold${order}: ${this.#same()}${sameFile ? '; both are the same file' : ''}`,
        why: isSure ? WHY : `${WHY} ${OR_RIGHT}`,
        todo: WHAT_TO_DO,
        subjects,
        cases: this.#evidence.cases,
        items: this.#evidence.items,
      },
    ];
  }

  /** Some cases are gold and the others are bad: what a system that was shown a part of the answers looks like. */
  #partCopied(subjects: readonly string[]): NewFinding[] {
    let [cases, copies] = [0, 0];
    for (const own of this.#rich.values()) {
      cases += own.cases;
      copies += own.copies;
    }
    if (copies < LEAST_CASES || copies < LEAST_SHARE * cases || this.#restCases === 0) return [];
    const rest = this.#restRight / this.#restCases;
    const right = (copies + this.#restRight) / cases;
    let expected = 0;
    for (const [items, own] of this.#rich) expected += own.cases * right ** items;
    if (rest > REST_RIGHT || copies < OUT_OF_LINE * expected) return [];
    return [
      {
        severity: 'warning',
        title: `${count(copies)} of ${counted(cases, 'case')} with ${RICH_CASE} items or more equal gold in everything; of the items of each other case ${percent(this.#restRight, this.#restCases)} do on average`,
        why: `Items that are right as often as these are overall would make about ${count(Math.round(expected))} such cases. A system that has seen the gold of some cases looks like this; so does one that is good at one kind of case and bad at another.`,
        todo: 'See what these cases share: examples in the prompt, cases of the training data, answers filled in by hand. Leave out those the system has seen.',
        subjects,
        cases: this.#richEvidence.cases,
        items: this.#richEvidence.items,
      },
    ];
  }
}

/** Whether two items that are the same have a quote, or a field of its own, in which a system would differ somewhere. */
function isTelling(gold: Item, predicted: Item): boolean {
  if (gold.kind === 'object' && gold.text !== '') return true;
  const { label, text, start, end, source, target, fields } = gold;
  const plain: readonly unknown[] = [label, gold.was, text, start, end, source, target, null, undefined];
  return Object.keys(fields).some((name) => Object.hasOwn(predicted.fields, name) && !plain.includes(fields[name]));
}

function areSame(gold: readonly Item[], predicted: readonly Item[]): boolean {
  return gold.length === predicted.length && gold.every((item, at) => isSame(item, predicted[at]!));
}

/** Sorting costs more than seeing that some item has no like. */
function isReordered(gold: readonly Item[], predicted: readonly Item[]): boolean {
  if (gold.length !== predicted.length) return false;
  const texts = new Set(predicted.map(({ text }) => text));
  if (gold.some(({ text }) => !texts.has(text))) return false;
  return areSame(gold.toSorted(byContent), predicted.toSorted(byContent));
}

function isSame(gold: Item, predicted: Item): boolean {
  return (
    gold.label === predicted.label &&
    gold.text === predicted.text &&
    gold.start === predicted.start &&
    gold.end === predicted.end &&
    gold.kind === predicted.kind &&
    gold.source === predicted.source &&
    gold.target === predicted.target &&
    haveSameFields(gold.fields, predicted.fields)
  );
}

/** Whether the fields that both have say the same. */
function haveSameFields(gold: Fields, predicted: Fields): boolean {
  for (const field of Object.keys(gold)) {
    if (!Object.hasOwn(predicted, field)) continue;
    const [one, other] = [gold[field], predicted[field]];
    if (one !== other && !isDeepStrictEqual(one, other)) return false;
  }
  return true;
}

function contentOf({ kind, label, text, start, end, source, target }: Item): string {
  return [kind, label, text, start, end, source ?? '', target ?? ''].join('\u0000');
}

function byContent(a: Item, b: Item): number {
  return compareText(contentOf(a), contentOf(b));
}

/** How many gold items have a prediction that is the same. */
function sameItems(gold: readonly Item[], predicted: readonly Item[]): number {
  if (gold.length * predicted.length > MOST_PAIRS) return sameByText(gold, predicted);
  const taken = new Set<Item>();
  let same = 0;
  for (const item of gold) {
    const found = predicted.find((one) => one.text === item.text && !taken.has(one) && isSame(item, one));
    if (found === undefined) continue;
    taken.add(found);
    same += 1;
  }
  return same;
}

/** The same for many items, by their texts. */
function sameByText(gold: readonly Item[], predicted: readonly Item[]): number {
  const free = Map.groupBy(predicted, ({ text }) => text);
  let same = 0;
  for (const item of gold) {
    const alike = free.get(item.text);
    const at = alike?.findIndex((one) => isSame(item, one)) ?? -1;
    if (at < 0) continue;
    alike?.splice(at, 1);
    same += 1;
  }
  return same;
}
