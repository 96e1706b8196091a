import type { Item } from '../../../data/item.ts';
import { compareText } from '../../../text/compare.ts';
import type { AuditCase, AuditMaterial, Check, NewFinding } from '../../check.ts';
import { Evidence } from '../../evidence.ts';
import { count, counted, percent } from '../../../text/figures.ts';
import { itemsOf, TELLING_KINDS } from './case-items.ts';
import { areSame, haveSameLetters, isReordered, sameItems } from './same-items.ts';

/** So many items with the same quotes and fields everywhere: no system does that. With fewer, a good one does. */
const LEAST_ITEMS = 20;
/** With places and labels alone it may be an easy set: a warning, from so many cases on. */
const LEAST_CASES = 10;
/** Copies with a few changes: so many of the cases are gold, and not because there is one easy item in each. */
const NEARLY_ALL = 0.9;
/** From here on it is a warning; below, a good system over short cases is as likely, so it is a note. */
const ALL_BUT_A_FEW = 0.97;
/** Nor are so many changed cases a sign of a system, where everything else is the same down to quotes and fields. */
const FEW_CHANGED = 2;
const CASES_BUT_A_FEW = 30;
const ITEMS_A_CASE = 2;
/** Fields that a finding names. */
const MOST_FIELDS = 20;

/** A part of the cases is out of line only by cases that have something to get wrong. */
const RICH_CASE = 3;
const LEAST_SHARE = 0.2;
/** The other cases must be bad, and copies more than so many times what items that are right by chance would give. */
const REST_RIGHT = 0.5;
const OUT_OF_LINE = 4;
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
  /** Whether some copy is one only if upper and lower case are the same. */
  #inOtherLetters = false;
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
      this.#inOtherLetters ||= !haveSameLetters(gold, predicted);
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
      const same = inputs.filter(
        ({ role, sha256 }) => role === 'gold' && predictions.some((own) => own.sha256 === sha256),
      );
      const oneName = same.some(({ name }) => subjects.includes(name));
      return this.#allCopied(same.length > 0 ? (oneName ? 'file' : 'bytes') : null, subjects);
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
    const parts = ['text', 'label', 'place', ...[...this.#fields].sort(compareText)].join(', ');
    return this.#inOtherLetters ? `${parts}; but for upper and lower case` : parts;
  }

  get #isAllButAFew(): boolean {
    const changed = this.#cases - this.#copies;
    const isRich = this.#cases >= CASES_BUT_A_FEW && this.#isTelling && this.#copiedItems >= 2 * this.#copies;
    return this.#copies >= ALL_BUT_A_FEW * this.#cases || (isRich && changed <= FEW_CHANGED);
  }

  #nearlyAllCopied(subjects: readonly string[]): NewFinding[] {
    const empty =
      this.#empty === 0 ? '' : `; ${counted(this.#empty, 'case has', 'cases have')} gold and an empty answer`;
    return [
      {
        severity: this.#isAllButAFew ? 'warning' : 'note',
        title: `${count(this.#copies)} of ${counted(this.#cases, 'case')} with predictions (${percent(this.#copies, this.#cases)}) equal gold in all of their ${counted(this.#copiedItems, 'item')}: ${this.#same()}${empty}`,
        why: `Copied gold with a few changes, or the gold of most cases, looks like this; a score against it says how well files are copied. ${OR_RIGHT}`,
        todo: WHAT_TO_DO,
        subjects,
        cases: this.#evidence.cases,
        items: this.#evidence.items,
      },
    ];
  }

  /** `same`: whether gold and predictions come from one file, or from two with the same bytes. */
  #allCopied(same: 'file' | 'bytes' | null, subjects: readonly string[]): NewFinding[] {
    const isMuch = this.#copiedItems >= LEAST_ITEMS;
    if (same === null && !(isMuch && (this.#isTelling || this.#cases >= LEAST_CASES))) return [];
    const order =
      this.#inOrder === this.#copies
        ? ' in the same order'
        : this.#inOrder === 0
          ? ''
          : `, ${count(this.#inOrder)} of them in the same order`;
    const isSure = same === 'file' || (isMuch && (same !== null || this.#isTelling));
    const files = same === null ? '' : same === 'file' ? '; both are one file' : '; both files have the same bytes';
    return [
      {
        // Two small files may be the same by chance.
        severity: isSure ? 'error' : isMuch ? 'warning' : 'note',
        title: `All ${counted(this.#cases, 'case')} with ${counted(this.#copiedItems, 'item')} have predictions equal to gold${order}: ${this.#same()}${files}`,
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
