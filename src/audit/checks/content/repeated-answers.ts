import type { Item, ItemKind } from '../../../data/item.ts';
import { UNKNOWN_CLASS } from '../../../prepare/read-class.ts';
import { LEAST_WORDS, NearTexts } from '../../../text/near-texts.ts';
import { isMasked, maskedWords, sequenceKey, wordHashes } from '../../../text/shingles.ts';
import { DisjointSets } from '../../../text/disjoint-sets.ts';
import { count, counted, percent } from '../../../text/figures.ts';
import type { NewFinding } from '../../check.ts';
import { addTo, entryOf, Evidence, sum } from '../../evidence.ts';
import type { FindingWords, Severity } from '../../finding.ts';
import type { TextIndex } from '../../text-index.ts';
import type { AuditCase } from '../../totals.ts';

/** Answers of different cases are alike from here on. Of the real answers looked at no two were above 0.44. */
const ALIKE = 0.8;
const LEAST_SHARE = 0.3;
const ERROR_SHARE = 0.5;
const LEAST_CASES = 5;
/** Answers go by class where this much of every class is made of texts of its own. */
const OWN_SHARE = 0.5;
/** A short summary may be the same by right: that there is nothing new. */
const LEAST_SUMMARY_WORDS = 8;
/** A shorter answer is a word of the task, such as the name of a class: the same for many cases by right. */
const LEAST_ANSWER_WORDS = 6;
/** Where short answers vary as much as this, they follow the case. */
const VARIETY = 3;
/** More texts than this are not compared. */
const MOST_TEXTS = 200_000;
const SHOWN = 120;
/** An answer is made of a skeleton when so many of its shingles stand in half of all answers; real ones stayed below 0.1. */
const SKELETON = 0.6;
const COMMON = 0.5;
/** Texts that common shingles are counted over. */
const SAMPLE = 2000;

const CLASS: ReadonlySet<ItemKind> = new Set<ItemKind>(['class']);

type Groups = readonly (readonly number[])[];
/** By the first place of a text that is given more than once, all of its places. */
type Equals = ReadonlyMap<number, readonly number[]>;

interface Answer {
  readonly case: string;
  readonly cluster: string | null;
  /** The text that it answers, and its own words as they are, hashed. */
  readonly asked: number | null;
  readonly literal: number;
  /** The class that was predicted with it; null where there is none. */
  readonly said: string | null;
  /** Whether its words are enough to tell: fewer are the same for many cases by right. */
  readonly isLong: boolean;
  /** Whether a greeting, quotes or the case's own words were taken out before it was compared. */
  readonly masked: boolean;
  readonly opening: string;
}

/** A text that may be given to several cases: all places of it, and how many different cases they are of. */
type GivenText = Readonly<{ places: readonly number[]; shingles: Uint32Array; cases: number }>;

/** Free text that was written once and given to many cases, with or without some words put in. */
export class RepeatedAnswers {
  readonly #index: TextIndex;
  readonly #near = new NearTexts();
  readonly #answers: Answer[] = [];
  /** Places of answers that are short, or have little left once the case's own words are taken out. */
  readonly #short = new Set<number>();
  #notCompared = 0;

  constructor(index: TextIndex) {
    this.#index = index;
  }

  /** An answer or a summary that is not empty. */
  add({ case: id, cluster }: AuditCase, { kind, text }: Item): void {
    const literal = wordHashes(text);
    const least = kind === 'summary' ? LEAST_SUMMARY_WORDS : LEAST_ANSWER_WORDS;
    if (kind === 'summary' && literal.length < least) return;
    if (this.#answers.length >= MOST_TEXTS) {
      this.#notCompared += 1;
      return;
    }
    const words = maskedWords(text, this.#index.words);
    if (words.length < least) this.#short.add(this.#answers.length);
    this.#near.add(words);
    const label = this.#index.items('predicted', CLASS)[0]?.label ?? UNKNOWN_CLASS;
    this.#answers.push({
      case: id,
      cluster,
      asked: this.#index.key,
      literal: sequenceKey(literal),
      said: label === UNKNOWN_CLASS ? null : label,
      isLong: literal.length >= least,
      masked: isMasked(words),
      // Copied, since a slice would hold on to the whole answer.
      opening: Buffer.from(text.slice(0, SHOWN)).toString(),
    });
  }

  /** `phrase` is what the answers say of themselves, to go with why it matters. */
  finding(phrase: string | null): NewFinding | null {
    const all = this.#answers.length;
    const equals = new Map(this.#near.equal().map((places) => [places[0]!, places]));
    const groups = this.#repeated(equals).sort((a, b) => b.length - a.length);
    const largest = groups[0] ?? [];
    // Only where no text alone settles it.
    const skeleton = largest.length >= ERROR_SHARE * all ? [] : this.#onSkeleton(this.#longTexts(equals));
    const one = largest.length >= skeleton.length ? largest : skeleton;
    const isOne = one.length >= LEAST_SHARE * all && this.#casesOf(one) >= LEAST_CASES;
    if (!isOne && (groups.length < 2 || groups.flat().length < LEAST_SHARE * all)) return null;
    const share = (n: number): string => `${count(n)} of ${count(all)} answers (${percent(n, all)})`;
    const isByClass = this.#isByClass(isOne ? [one, ...groups] : groups, equals);
    const isSeveral = groups.length > 1 && (isByClass || !isOne);
    const together = groups.flat();
    const several = `${count(groups.length)} texts make up ${share(together.length)} to ${count(this.#casesOf(together))} cases; wherever one is given it is ${this.#howAlike(groups)}; the commonest is given in ${count(largest.length)} (${percent(largest.length, all)})`;
    const leftOut = this.#notCompared === 0 ? '' : `; ${count(this.#notCompared)} more were not compared`;
    const finding = (severity: Severity, words: FindingWords, title: string): NewFinding => ({
      severity,
      title: `${title}${leftOut}`,
      words,
      why: (usual) => (phrase === null ? usual : `${usual} ${phrase}`),
      evidence: this.#evidence(isSeveral ? groups : [one]),
    });
    const alone = `${share(one.length)} are one template`;
    // What a system does that has one text for each class: worth knowing, and no fault.
    const own = `${alone} that goes with one predicted class; other classes have their own`;
    if (isByClass)
      return finding(
        'note',
        'one-template/byClass',
        isSeveral ? `${several}; each goes with one predicted class` : own,
      );
    if (!isOne) return finding('warning', 'one-template/several', several);
    const known = new Set(one);
    const others = groups.filter((group) => !group.some((place) => known.has(place)));
    const more = `; ${counted(others.length, 'more text is', 'more texts are')} given in ${count(others.flat().length)} others`;
    const tiny = this.#hasTiny() ? ` of ${LEAST_WORDS} words or more` : '';
    const how =
      one === skeleton
        ? `most of their words stand in half of all answers${tiny}`
        : `they are ${this.#howAlike([one])}`;
    return finding(
      one.length >= ERROR_SHARE * all ? 'error' : 'warning',
      'one-template/one',
      `${alone} given to ${count(this.#casesOf(one))} cases: ${how}${others.length === 0 ? '' : more}`,
    );
  }

  /** What the answers of every group have in common. */
  #howAlike(groups: Groups): string {
    const answers = groups.map((places) => places.map((place) => this.#answers[place]!));
    if (answers.every((group) => group.every(({ literal }) => literal === group[0]!.literal)))
      return 'word for word the same';
    const masked = answers.flat().filter((answer) => answer.masked).length;
    const once = " once greetings, quotes and the case's own words are taken out";
    return `the same or nearly so${masked < answers.flat().length / 2 ? '' : once}`;
  }

  #evidence(groups: Groups): Evidence {
    const evidence = new Evidence();
    const places = groups.flatMap((group) => group.map((place) => ({ place, times: group.length })));
    for (const { place, times } of places.sort((a, b) => a.place - b.place)) {
      const { case: id, opening } = this.#answers[place]!;
      const note = groups.length === 1 ? null : `given in ${count(times)} answers`;
      evidence.addItem({ case: id, side: 'predicted', label: null, text: opening, note });
    }
    return evidence;
  }

  /** Groups of places of answers that are alike across cases that differ. */
  #repeated(equals: Equals): number[][] {
    const literalAt = (place: number): number => this.#answers[place]!.literal;
    const near = this.#near
      .near(ALIKE)
      .map(({ places }) => places.flatMap((first) => equals.get(first) ?? [first]))
      .concat([...equals.values()].map((places) => [...places]));
    const isVaried = new Set([...this.#short].map(literalAt)).size >= VARIETY;
    const short = isVaried ? [] : Map.groupBy(this.#short, literalAt).values();
    // What is taken out depends on the case, so that the same answer may look different without it.
    const long = [...this.#answers.keys()].filter((place) => this.#answers[place]!.isLong);
    return joinedGroups([
      ...near.filter(([first]) => !this.#short.has(first!)),
      ...short,
      ...Map.groupBy(long, literalAt).values(),
    ])
      .filter((places) => this.#differentCases(places) >= LEAST_CASES)
      .map((places) => places.toSorted((a, b) => a - b));
  }

  /** Different texts that are long enough to have a skeleton, each with all places that it is given at. */
  #longTexts(equals: Equals): GivenText[] {
    return this.#answers.flatMap((_, first) => {
      const shingles = this.#near.shingles(first);
      const places = equals.get(first) ?? [first];
      return shingles === null ? [] : [{ places, shingles, cases: this.#differentCases(places) }];
    });
  }

  /** Places of answers that are mostly made of what half of these share. */
  #onSkeleton(texts: readonly GivenText[]): number[] {
    const places = onSkeleton(texts).flatMap((text) => text.places);
    return this.#differentCases(places) < LEAST_CASES ? [] : places.sort((a, b) => a - b);
  }

  /**
   * Whether the texts go by the predicted class: none is given with two classes, and every class that is given often has
   * texts of its own. A fallback among answers that are written for the case is not that.
   */
  #isByClass(groups: Groups, equals: Equals): boolean {
    const saidAt = (place: number): string | null => this.#answers[place]!.said;
    const isOfOne = (places: readonly number[]): boolean =>
      saidAt(places[0]!) !== null && places.every((place) => saidAt(place) === saidAt(places[0]!));
    if (!groups.every(isOfOne)) return false;
    const classes = [...Map.groupBy(this.#answers.keys(), saidAt)].filter(
      ([said, places]) => said !== null && places.length >= LEAST_CASES,
    );
    if (classes.length < 2) return false;
    const repeated = new Set(groups.flat());
    const longTexts = this.#longTexts(equals).flatMap(({ places, shingles }) =>
      [...Map.groupBy(places, saidAt)].map(([said, own]) => ({
        said,
        places: own,
        shingles,
        cases: this.#differentCases(own),
      })),
    );
    const textsOf = Map.groupBy(longTexts, ({ said }) => said);
    return classes.every(([said, places]) => {
      const least = OWN_SHARE * places.length;
      if (places.filter((place) => repeated.has(place)).length >= least) return true;
      return this.#onSkeleton(textsOf.get(said) ?? []).length >= least;
    });
  }

  #casesOf(places: readonly number[]): number {
    return new Set(places.map((place) => this.#answers[place]!.case)).size;
  }

  /** Cases with the same text, or of one origin, may have the same answer. */
  #differentCases(places: readonly number[]): number {
    if (places.length < 2) return places.length;
    const keys = places.map((place) => {
      const { case: id, cluster, asked } = this.#answers[place]!;
      return cluster ?? (asked === null ? id : `text ${asked}`);
    });
    return new Set(keys).size;
  }

  /** Whether there are answers too short to have a skeleton. */
  #hasTiny(): boolean {
    const equal = new Set(this.#near.equal().flatMap(([, ...again]) => again));
    return this.#answers.some((_, place) => !equal.has(place) && this.#near.shingles(place) === null);
  }
}

/** Texts that are mostly made of what half of all answers share; none where these are few. */
function onSkeleton(texts: readonly GivenText[]): readonly GivenText[] {
  const sample = texts.slice(0, SAMPLE);
  const frequency = new Map<number, number>();
  for (const { shingles, cases } of sample) for (const shingle of shingles) addTo(frequency, shingle, cases);
  const casesOf = (some: readonly GivenText[]): number => sum(some.map(({ cases }) => cases));
  const all = casesOf(sample);
  const half = COMMON * all;
  const standing = (isCommon: (shingle: number) => boolean): readonly GivenText[] => {
    const stands = ({ shingles }: GivenText): boolean =>
      shingles.length > 0 && shingles.filter(isCommon).length >= SKELETON * shingles.length;
    return casesOf(sample.filter(stands)) < LEAST_SHARE * all ? [] : texts.filter(stands);
  };
  const found = standing((shingle) => (frequency.get(shingle) ?? 0) > half);
  if (found.length > 0) return found;
  const [first] = standing((shingle) => (frequency.get(shingle) ?? 0) >= half);
  if (first === undefined) return [];
  // What exactly half of the answers share may be two skeletons of one half each: only the first of them is looked for.
  const own = new Set(first.shingles);
  return standing((shingle) => own.has(shingle) && (frequency.get(shingle) ?? 0) >= half);
}

/** Groups that have a member in common become one; every member is in one group, and those met first come first. */
export function joinedGroups(groups: Groups): number[][] {
  const sets = new DisjointSets();
  const groupOf = new Map<number, number>();
  for (const [group, members] of groups.entries())
    for (const member of members) {
      const met = entryOf(groupOf, member, () => group);
      sets.join(met, group);
    }
  return [...Map.groupBy(groupOf.keys(), (member) => sets.rootOf(groupOf.get(member)!)).values()];
}
