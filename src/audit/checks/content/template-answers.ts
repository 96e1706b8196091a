import type { Item } from '../../../data/item.ts';
import type { ContentHash } from '../../../score/fingerprint.ts';
import { count, plural, percent } from '../../../text/figures.ts';
import { LEAST_WORDS } from '../../../text/near-texts.ts';
import { maskCopies, sequenceKey, SLOT, wordHashes } from '../../../text/shingles.ts';
import type { AuditCheck, CheckContext, NewFinding } from '../../check.ts';
import { entryOf, Evidence } from '../../evidence.ts';
import type { FindingItem } from '../../finding.ts';
import { itemsKey, TELLING_KINDS } from '../../text-index.ts';
import type { AuditCase } from '../../totals.ts';
import { repeatedAnswers } from './repeated-answers.ts';

const LEAST_SHARE = 0.3;
const LEAST_CASES = 5;
/** An answer repeats a text where it has so much of it. */
const REPEATED = 0.8;
/** "You asked:" before the text is no answer. A longer frame is found as a template. */
const MOST_FRAME_WORDS = 4;

export const repeatedAnswersCheck: AuditCheck = {
  name: 'repeated-answers',
  about:
    'one answer, one list of items or the same places given to many cases; answers that repeat the case; words of a placeholder',
  scoredOnly: true,
  open(context) {
    const phrases = tellTalePhrases();
    const answers = repeatedAnswers(context.index);
    const echoes = echoedTexts(context);
    const items = repeatedItems(context);
    return {
      case: (given) => items.add(given),
      kinds: ['answer', 'summary'],
      verdict({ predicted }, given) {
        if (predicted === null || predicted.text.trim() === '') return;
        phrases.add(given.case, predicted.text, given.text);
        answers.add(given, predicted);
        if (predicted.kind === 'answer') echoes.add(given.case, predicted.text);
      },
      find() {
        const repeated = answers.finding(phrases.modelPhrase());
        return [repeated, ...echoes.findings(), ...items.findings(), ...phrases.findings(repeated !== null)];
      },
    };
  },
};

/** Answers that are the text they were to answer. Quotes, spans and summaries are made of it by right. */
function echoedTexts({ index }: CheckContext) {
  const [bare, framed] = [new Evidence(), new Evidence()];
  /** The words that are added, hashed, and how many they are. Where they vary they may be an answer. */
  const frames = new Map<number, number>();
  let all = 0;
  const finding = (evidence: Evidence, how: string): NewFinding | null => {
    const [n, cases] = [evidence.items.total, evidence.cases.total];
    if (cases < LEAST_CASES || n < LEAST_SHARE * all) return null;
    return {
      severity: 'warning',
      title: `${count(n)} of ${plural(all, 'answer')} (${percent(n, all)}) to ${plural(cases, 'case')} only repeat the text of the case${how}`,
      words: 'template-answers/echo',
      evidence,
    };
  };
  return {
    add(id: string, answer: string): void {
      all += 1;
      const own = ownOfEcho(wordHashes(answer), index.words);
      if (own === null) return;
      // Two that differ say as much as more of them.
      if (own.length > 0 && frames.size < 2) frames.set(sequenceKey(own), own.length);
      const evidence = own.length === 0 ? bare : framed;
      evidence.addItem({ case: id, side: 'predicted', label: null, text: answer, note: null });
    },
    findings(): (NewFinding | null)[] {
      const [words = 0] = frames.values();
      const how = `, with the same ${plural(words, 'word added', 'words added')} each time`;
      return [finding(bare, ''), frames.size === 1 ? finding(framed, how) : null];
    },
  };
}

/** What an answer that repeats the text adds to it; null for any other answer. */
function ownOfEcho(words: Uint32Array, text: Uint32Array): Uint32Array | null {
  // Most answers have another length: they need not be compared.
  if (text.length < LEAST_WORDS || words.length < REPEATED * text.length) return null;
  if (words.length > text.length / REPEATED + MOST_FRAME_WORDS) return null;
  const own = maskCopies(text)(words).filter((word) => word !== SLOT);
  return own.length <= MOST_FRAME_WORDS && words.length - own.length >= REPEATED * text.length ? own : null;
}

/** What stands where somebody meant to put something. */
const PLACEHOLDERS: readonly RegExp[] = [
  /\bTODO\b/g,
  /\bFIXME\b/g,
  /\blorem ipsum\b/gi,
  /\bplaceholder\b/gi,
  /\bnot (?:yet )?implemented\b/gi,
  /\bdummy (?:answer|response|output|text|summary)\b/gi,
  /\bmock(?:ed)? (?:answer|response|output|summary)\b/gi,
  /\b(?:your|insert) (?:text|answer|response) here\b/gi,
];
/** What models say of themselves, and people who write a stand-in for one. */
const MODEL = /\bas an? (?:large language|ai(?: language)?|language) (?:model|assistant)\b/i;

const ERROR_SHARE = 0.2;
const WARNING_SHARE = 0.05;
const LEAST_ANSWERS = 3;
const MOST_OPENINGS = 0.5;
/** Of an answer, what is shown before the words that tell. */
const SHOWN_BEFORE = 40;

/** Counts tell-tale phrases in answers; those that the case's own text has do not tell. */
function tellTalePhrases() {
  let all = 0;
  /** By the words in small letters: as the first answer that has them writes them, and how many answers have them. */
  const told = new Map<string, { readonly words: string; answers: number }>();
  const [placeholders, model] = [new Evidence(), new Evidence()];
  return {
    add(id: string, answer: string, text: string | null): void {
      all += 1;
      const named = answer.search(MODEL);
      if (named >= 0) model.addItem(itemAt(id, answer, named));
      const found = PLACEHOLDERS.flatMap((pattern) =>
        answer.search(pattern) < 0 || (text !== null && text.search(pattern) >= 0) ? [] : [...answer.matchAll(pattern)],
      );
      if (found.length === 0) return;
      placeholders.addItem(itemAt(id, answer, Math.min(...found.map(({ index }) => index))));
      for (const [key, [first]] of Map.groupBy(found, ([words]) => words.toLowerCase()))
        entryOf(told, key, () => ({ words: first![0], answers: 0 })).answers += 1;
    },
    /** A sentence for a finding about a template; null where the answers do not say so of themselves. */
    modelPhrase(): string | null {
      const n = model.items.total;
      const which = `${count(n)} of ${count(all)} say that they are from a language model`;
      return n === 0 ? null : `${which}, which placeholders do too.`;
    },
    findings(hasTemplate: boolean): NewFinding[] {
      const [n, named] = [placeholders.items.total, model.items.total];
      const share = n < LEAST_ANSWERS ? 0 : n / all;
      const names = [...told.values()]
        .sort((a, b) => b.answers - a.answers)
        .map(({ words, answers }) => `"${words}" (${count(answers)})`);
      const isSelfNamed = !hasTemplate && named >= LEAST_ANSWERS && named >= MOST_OPENINGS * all;
      const held: NewFinding = {
        severity: share >= ERROR_SHARE ? 'error' : share >= WARNING_SHARE ? 'warning' : 'note',
        title: `${count(n)} of ${plural(all, 'answer')} (${percent(n, all)}) hold words of a placeholder: ${names.join(', ')}`,
        words: 'template-answers/placeholder',
        evidence: placeholders,
      };
      const selfNamed: NewFinding = {
        severity: 'note',
        title: `${count(named)} of ${plural(all, 'answer')} say that they are from a language model`,
        words: 'template-answers/model',
        evidence: model,
      };
      return [...(n === 0 ? [] : [held]), ...(isSelfNamed ? [selfNamed] : [])];
    },
  };
}

/** An answer from shortly before the words that tell: they may stand far from its beginning. */
function itemAt(id: string, answer: string, at: number): FindingItem {
  const [word] = at > SHOWN_BEFORE ? (/(?<=\s)\S.*$/su.exec(answer.slice(at - SHOWN_BEFORE, at)) ?? ['']) : [null];
  const text = word === null ? answer : `…${word}${answer.slice(at)}`;
  return { case: id, side: 'predicted', label: null, text, note: null };
}

/** Sets that are kept in mind; in a set of this many different answers none is given often. */
const MOST_SETS = 200_000;
/** One list of items; and the same places, which may be where all such texts begin. */
const LEAST_SET_SHARE = { items: 0.2, places: 0.5 };
const ERROR_SET_SHARE = 0.5;
/** One span at one place may be where all such texts begin. */
const SURE_ITEMS = 2;

/** A set of items that some cases have. */
interface MetSet {
  cases: number;
  readonly items: number;
  /** Cases in which gold differs: not the same items, or less than half of the places. */
  wrong: number;
  /** Cases that differ from the first in what should make a difference: gold, or the words at these places. */
  others: number;
  readonly first: number;
  readonly firstCase: string;
  /** From the second case on: most sets are met once, and nothing of them is kept. */
  evidence: Evidence | null;
}

/** One list of items, or the same places whatever stands there, given to many cases. */
function repeatedItems({ index }: CheckContext) {
  const [lists, places] = [new Map<number, MetSet>(), new Map<number, MetSet>()];
  let answered = 0;
  return {
    add({ case: id, text }: AuditCase): void {
      const predicted = index.items('predicted', TELLING_KINDS);
      if (predicted.length === 0) return;
      const gold = index.items('gold', TELLING_KINDS);
      answered += 1;
      // Items that are in the case's own text were found there, however often.
      if (isBlind(predicted, text)) {
        const [key, goldKey] = [itemsKey(predicted, sayItem), itemsKey(gold, sayItem)];
        const met = meet(lists, key, id, predicted.length, goldKey);
        if (met !== null && goldKey !== key) met.wrong += 1;
        // The first case was not kept item by item, and has the same ones.
        for (const of of met?.cases === 2 ? [met.firstCase, id] : [id])
          for (const { label, text: said } of predicted)
            met?.evidence?.addItem({ case: of, side: 'predicted', label, text: said, note: null });
      }
      // Where gold has the same places too they are the form's.
      if (predicted.every(({ kind, start }) => kind === 'span' && start >= 0)) {
        // Without texts, gold at other places shows that they differ.
        const words = text === null ? itemsKey(gold, sayPlace) : itemsKey(predicted, sayWords);
        const met = meet(places, itemsKey(predicted, sayPlace), id, predicted.length, words);
        if (met !== null && rightOf(predicted, gold) < predicted.length / 2) met.wrong += 1;
        for (const { label, text: said, start, end } of predicted)
          met?.evidence?.addItem({ case: id, side: 'predicted', label, text: said, note: `at ${start} to ${end}` });
      }
    },
    findings(): NewFinding[] {
      const often = (sets: ReadonlyMap<number, MetSet>, share: number): MetSet[] =>
        [...sets.values()].filter(
          ({ cases, wrong }) => cases >= LEAST_CASES && cases >= share * answered && wrong > cases / 2,
        );
      const title = ({ cases }: MetSet): string =>
        `${count(cases)} of ${count(answered)} cases (${percent(cases, answered)}) have the same predicted`;
      const ofItems = (met: MetSet): NewFinding => ({
        severity: met.cases >= ERROR_SET_SHARE * answered ? 'error' : 'warning',
        title: `${title(met)} items, which are not in their texts; for ${count(met.wrong)} of them gold differs`,
        words: 'template-answers/items',
        evidence: met.evidence!,
      });
      const ofPlaces = (met: MetSet): NewFinding => ({
        severity: met.items >= SURE_ITEMS ? 'error' : 'warning',
        title: `${title(met)} spans, at the same places of texts that differ; in ${count(met.wrong)} of them most of these spans are not in gold`,
        words: 'template-answers/places',
        // Those of the first case are not kept, but they are items like the others.
        evidence: { cases: met.evidence!.cases, items: { ...met.evidence!.items, total: met.cases * met.items } },
      });
      return [
        ...often(lists, LEAST_SET_SHARE.items)
          .filter(({ others }) => others > 0)
          .map(ofItems),
        ...often(places, LEAST_SET_SHARE.places)
          .filter(({ others, cases }) => others >= cases / 2)
          .map(ofPlaces),
      ];
    },
  };
}

/** One more case that has the set; null where there are too many sets to keep another. */
function meet(sets: Map<number, MetSet>, key: number, id: string, items: number, first: number): MetSet | null {
  if (!sets.has(key) && sets.size >= MOST_SETS) return null;
  const none = (): MetSet => ({ cases: 0, items, wrong: 0, others: 0, first, firstCase: id, evidence: null });
  const met = entryOf(sets, key, none);
  met.cases += 1;
  if (first !== met.first) met.others += 1;
  if (met.cases > 1 && met.evidence === null) {
    met.evidence = new Evidence();
    met.evidence.addCase(met.firstCase);
  }
  return met;
}

/** Whether the items cannot have come from the text; without one, whether there is enough of them to be sure. */
function isBlind(items: readonly Item[], text: string | null): boolean {
  if (text === null) return items.length > 1;
  let inText = items.filter(({ start }) => start >= 0).length;
  if (inText >= items.length / 2) return false;
  const folded = text.toLowerCase();
  for (const item of items) if (item.start < 0 && folded.includes(item.text.toLowerCase())) inText += 1;
  return inText < items.length / 2;
}

/** How many of the predicted spans gold has, with their label: the same ones may be there twice. */
function rightOf(predicted: readonly Item[], gold: readonly Item[]): number {
  const isRight = new Uint8Array(predicted.length);
  const places = Map.groupBy(predicted.keys(), (at) => predicted[at]!.start);
  for (const { label, start, end } of gold)
    for (const at of places.get(start) ?? [])
      if (predicted[at]!.end === end && predicted[at]!.label === label) isRight[at] = 1;
  return isRight.reduce((all, one) => all + one, 0);
}

function sayItem({ kind, label, text, source, target }: Item, to: ContentHash): void {
  for (const part of [kind, label, text, source ?? '', target ?? '']) to.text(part);
}

function sayPlace({ kind, label, start, end }: Item, to: ContentHash): void {
  for (const part of [kind, label]) to.text(part);
  for (const part of [start, end]) to.number(part);
}

function sayWords({ text }: Item, to: ContentHash): void {
  to.text(text);
}
