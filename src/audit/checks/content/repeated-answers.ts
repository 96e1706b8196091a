import { z } from 'zod';

import type { Foldable } from '../../../data/fold-state.ts';
import type { Item, ItemKind } from '../../../data/item.ts';
import { isRecord } from '../../../data/record-fields.ts';
import { UNKNOWN_CLASS } from '../../../prepare/read-class.ts';
import { LEAST_WORDS, NearTexts } from '../../../text/near-texts.ts';
import { sequenceKey, SLOT } from '../../../text/shingles.ts';
import { wordHashes } from '../../../text/text-scan.ts';
import { DisjointSets } from '../../../text/disjoint-sets.ts';
import { count, plural, percent } from '../../../text/figures.ts';
import type { NewFinding, OpenContext } from '../../check.ts';
import { addTo, entryOf, Evidence, sum } from '../../evidence.ts';
import type { FindingWords, Severity } from '../../finding.ts';
import { parseSaved } from '../../saved-shape.ts';
import { savedTexts } from '../../text-index.ts';
import { maskedWords } from './masked-words.ts';
import type { AuditCase } from '../../audit-case.ts';

/** Answers of different cases are alike from here on. Of the real answers looked at no two were above 0.44. */
const ALIKE = 0.8;
export const SAME_TEXT = { warning: 0.3, error: 0.5, fewest: 5 };
/** Answers go by class where this much of every class has its own texts. */
const OWN_SHARE = 0.5;
/** A short summary may be the same by right: that there is nothing new. */
const LEAST_SUMMARY_WORDS = 8;
/** A shorter answer is a word of the task, such as the name of a class: the same for many cases by right. */
const LEAST_ANSWER_WORDS = 6;
/** If short answers vary as much as this, they follow the case; scores of other tools are often of yes or no. */
const [VARIETY, VARIETY_OF_SCORES] = [3, 2];
/** More texts than this are not compared. */
const MOST_TEXTS = 200_000;
const SHOWN = 120;
/** An answer is made of a skeleton if so many of its shingles are in half of all answers; real ones are below 0.1. */
const SKELETON = 0.6;
const COMMON = 0.5;
/** Texts that common shingles are counted over. */
const SAMPLE = 2000;

const CLASS: ReadonlySet<ItemKind> = new Set<ItemKind>(['class']);

type Groups = readonly (readonly number[])[];
/** By the first place of a text that is given more than once, all of its places. */
type Equals = ReadonlyMap<number, readonly number[]>;

const savedAnswer = z.object({
  case: z.string(),
  cluster: z.string().optional(),
  /** The text that it answers, and its own words as they are, hashed. */
  asked: z.number().nullable(),
  literal: z.number(),
  /** The class that was predicted with it; null if there was no class. */
  said: z.string().nullable(),
  /** Whether its words are enough to tell: fewer are the same for many cases by right. */
  isLong: z.boolean(),
  /** Whether it is short, or has little left once the case's own words are taken out. */
  isShort: z.boolean(),
  /** Whether a greeting, quotes or the case's own words were taken out before it was compared. */
  masked: z.boolean(),
  opening: z.string(),
});
type Answer = Readonly<z.infer<typeof savedAnswer>>;
const savedAnswers = z.object({ near: savedTexts, answers: z.array(savedAnswer), notCompared: z.int() });

/** The first answers, so many that all can be compared with each other. */
class ComparedAnswers implements Foldable {
  readonly near = new NearTexts();
  /** By their places in `near`. */
  readonly answers: Answer[] = [];
  notCompared = 0;

  get isFull(): boolean {
    return this.answers.length >= MOST_TEXTS;
  }

  add(words: Uint32Array, answer: Answer): void {
    this.near.add(words);
    this.answers.push(answer);
  }

  save(): z.infer<typeof savedAnswers> {
    return { near: this.near.save(), answers: this.answers, notCompared: this.notCompared };
  }

  merge(saved: unknown): void {
    const { near, answers, notCompared } = parseSaved(savedAnswers, saved);
    const more = answers.slice(0, MOST_TEXTS - this.answers.length);
    this.near.merge(near, more.length);
    for (const answer of more) this.answers.push(answer);
    this.notCompared += notCompared + answers.length - more.length;
  }
}

/** A text that may be given to several cases: all places of it, and how many different cases they are of. */
type GivenText = Readonly<{ places: readonly number[]; shingles: Uint32Array; cases: number }>;

/** Free text that was written once and given to many cases, with or without some words put in. */
export function repeatedAnswers({ index, keep, recipe }: OpenContext) {
  const variety = isRecord(recipe['scores']) ? VARIETY_OF_SCORES : VARIETY;
  const compared = keep(new ComparedAnswers());
  const { near, answers } = compared;

  /** Cases with the same text, or of one origin, may have the same answer. */
  const differentCases = (places: readonly number[]): number => {
    if (places.length < 2) return places.length;
    const keys = places.map((place) => {
      const { case: id, cluster, asked } = answers[place]!;
      return cluster ?? (asked === null ? id : `text ${asked}`);
    });
    return new Set(keys).size;
  };
  const casesOf = (places: readonly number[]): number => new Set(places.map((place) => answers[place]!.case)).size;
  /** What the answers of every group have in common. */
  const howAlike = (groups: Groups): string => {
    const given = groups.map((places) => places.map((place) => answers[place]!));
    if (given.every((group) => group.every(({ literal }) => literal === group[0]!.literal)))
      return 'word for word the same';
    const masked = given.flat().filter((answer) => answer.masked).length;
    const once = " once greetings, quotes and the case's own words are taken out";
    return `the same or nearly so${masked < given.flat().length / 2 ? '' : once}`;
  };
  const evidenceOf = (groups: Groups): Evidence => {
    const evidence = new Evidence();
    const places = groups.flatMap((group) => group.map((place) => ({ place, times: group.length })));
    for (const { place, times } of places.sort((a, b) => a.place - b.place)) {
      const { case: id, opening } = answers[place]!;
      const note = groups.length === 1 ? null : `given in ${count(times)} answers`;
      evidence.addItem({ case: id, side: 'predicted', label: null, text: opening, note });
    }
    return evidence;
  };
  /** Groups of places of answers that are alike across cases that differ. */
  const repeatedGroups = (equals: Equals): number[][] => {
    const literalAt = (place: number): number => answers[place]!.literal;
    const alike = near.near(ALIKE).map((places) => places.flatMap((first) => equals.get(first) ?? [first]));
    const short = [...answers.keys()].filter((place) => answers[place]!.isShort);
    const isVaried = new Set(short.map(literalAt)).size >= variety;
    // What is taken out depends on the case, so that the same answer may look different without it.
    const long = [...answers.keys()].filter((place) => answers[place]!.isLong);
    return joinedGroups([
      ...[...alike, ...equals.values()].filter(([first]) => !answers[first!]!.isShort),
      ...(isVaried ? [] : Map.groupBy(short, literalAt).values()),
      ...Map.groupBy(long, literalAt).values(),
    ])
      .filter((places) => differentCases(places) >= SAME_TEXT.fewest)
      .map((places) => places.toSorted((a, b) => a - b));
  };
  /** Different texts that are long enough to have a skeleton, each with all places that it is given at. */
  const longTexts = (equals: Equals): GivenText[] =>
    near.sketches().map(({ place, shingles }) => {
      const places = equals.get(place) ?? [place];
      return { places, shingles, cases: differentCases(places) };
    });
  /** Places of answers that are mostly made of what half of these share. */
  const placesOnSkeleton = (texts: readonly GivenText[]): number[] => {
    const places = onSkeleton(texts).flatMap((text) => text.places);
    return differentCases(places) < SAME_TEXT.fewest ? [] : places.sort((a, b) => a - b);
  };
  /**
   * Whether the texts go by the predicted class: none is given with two classes, and every class that is given often has
   * its own texts. A fallback among answers that are written for the case is not that.
   */
  const goByClass = (groups: Groups, equals: Equals): boolean => {
    const saidAt = (place: number): string | null => answers[place]!.said;
    const isOfOne = (places: readonly number[]): boolean =>
      saidAt(places[0]!) !== null && places.every((place) => saidAt(place) === saidAt(places[0]!));
    if (!groups.every(isOfOne)) return false;
    const classes = [...Map.groupBy(answers.keys(), saidAt)].filter(
      ([said, places]) => said !== null && places.length >= SAME_TEXT.fewest,
    );
    if (classes.length < 2) return false;
    const repeated = new Set(groups.flat());
    const texts = longTexts(equals).flatMap(({ places, shingles }) =>
      [...Map.groupBy(places, saidAt)].map(([said, own]) => {
        return { said, places: own, shingles, cases: differentCases(own) };
      }),
    );
    const textsOf = Map.groupBy(texts, ({ said }) => said);
    return classes.every(([said, places]) => {
      const least = OWN_SHARE * places.length;
      if (places.filter((place) => repeated.has(place)).length >= least) return true;
      return placesOnSkeleton(textsOf.get(said) ?? []).length >= least;
    });
  };
  return {
    /** An answer or a summary that is not empty. */
    add({ case: id, cluster }: AuditCase, { kind, text }: Item): void {
      const literal = wordHashes(text);
      const least = kind === 'summary' ? LEAST_SUMMARY_WORDS : LEAST_ANSWER_WORDS;
      if (kind === 'summary' && literal.length < least) return;
      if (compared.isFull) {
        compared.notCompared += 1;
        return;
      }
      const words = maskedWords(text, index.words);
      const label = index.items('predicted', CLASS)[0]?.label ?? UNKNOWN_CLASS;
      compared.add(words, {
        case: id,
        cluster,
        asked: index.key,
        literal: sequenceKey(literal),
        said: label === UNKNOWN_CLASS ? null : label,
        isLong: literal.length >= least,
        isShort: words.length < least,
        masked: words.includes(SLOT),
        // Copied, since a slice would hold on to the whole answer.
        opening: Buffer.from(text.slice(0, SHOWN)).toString(),
      });
    },
    /** `phrase` is what the answers say of themselves, to go with why it matters. */
    finding(phrase: string | null): NewFinding | null {
      const [all, { notCompared }] = [answers.length, compared];
      const equals = new Map(near.equal().map((places) => [places[0]!, places]));
      const groups = repeatedGroups(equals).sort((a, b) => b.length - a.length);
      const largest = groups[0] ?? [];
      // Only where no text alone settles it.
      const skeleton = largest.length >= SAME_TEXT.error * all ? [] : placesOnSkeleton(longTexts(equals));
      const one = largest.length >= skeleton.length ? largest : skeleton;
      const isOne = one.length >= SAME_TEXT.warning * all && casesOf(one) >= SAME_TEXT.fewest;
      if (!isOne && (groups.length < 2 || groups.flat().length < SAME_TEXT.warning * all)) return null;
      const share = (n: number): string => `${count(n)} of ${count(all)} answers (${percent(n, all)})`;
      const isByClass = goByClass(isOne ? [one, ...groups] : groups, equals);
      const isSeveral = groups.length > 1 && (isByClass || !isOne);
      const together = groups.flat();
      const several = `${count(groups.length)} texts make up ${share(together.length)} to ${count(casesOf(together))} cases; wherever one is given it is ${howAlike(groups)}; the commonest is given in ${count(largest.length)} (${percent(largest.length, all)})`;
      const leftOut = notCompared === 0 ? '' : `; ${count(notCompared)} more were not compared`;
      const finding = (severity: Severity, words: FindingWords, title: string): NewFinding => ({
        severity,
        title: `${title}${leftOut}`,
        words,
        why: (usual) => (phrase === null ? usual : `${usual} ${phrase}`),
        evidence: evidenceOf(isSeveral ? groups : [one]),
      });
      const alone = `${share(one.length)} are one template`;
      // What a system does that has one text for each class: worth knowing, and no fault.
      const own = `${alone} that goes with one predicted class; other classes have their own`;
      if (isByClass)
        return finding(
          'note',
          'template-answers/byClass',
          isSeveral ? `${several}; each goes with one predicted class` : own,
        );
      if (!isOne) return finding('warning', 'template-answers/several', several);
      const known = new Set(one);
      const others = groups.filter((group) => !group.some((place) => known.has(place)));
      const more = `; ${plural(others.length, 'more text is', 'more texts are')} given in ${count(others.flat().length)} others`;
      const tiny = near.short > 0 ? ` of ${LEAST_WORDS} words or more` : '';
      const how =
        one === skeleton ? `most of their words are in half of all answers${tiny}` : `they are ${howAlike([one])}`;
      return finding(
        one.length >= SAME_TEXT.error * all ? 'error' : 'warning',
        'template-answers/one',
        `${alone} given to ${count(casesOf(one))} cases: ${how}${others.length === 0 ? '' : more}`,
      );
    },
  };
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
    return casesOf(sample.filter(stands)) < SAME_TEXT.warning * all ? [] : texts.filter(stands);
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
