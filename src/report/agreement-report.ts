import type { AlphaMetric } from '../stats/agreement/krippendorff-alpha.ts';
import type { AnnotatedDocument } from '../review/agreement/annotations.ts';
import type { RatingGroup, RatingsFile } from '../review/agreement/ratings.ts';
import { describe } from '../data/record-fields.ts';
import { plural } from '../text/figures.ts';
import { againstTarget } from '../stats/agreement/against-target.ts';
import { agreementOfRatings, type RatingsOptions } from '../stats/agreement/agreement-of-ratings.ts';
import type { MajorityVote } from '../stats/agreement/majority-vote.ts';
import type { KappaWeights, PairwiseKappa } from '../stats/agreement/cohen-kappa.ts';
import { pairwiseSpanF1, type SpanF1Options } from '../stats/agreement/pairwise-span-f1.ts';
import { compareRatings, type Rating } from '../stats/agreement/rating.ts';

/** What `assay agree` found, as its JSON holds it. */
export interface AgreementReport {
  readonly assay: string;
  readonly file: { readonly name: string; readonly sha256: string; readonly bytes: number };
  readonly resampling: {
    readonly resamples: number;
    readonly level: number;
    readonly seed: number;
    readonly over: string;
  };
  readonly raters: readonly string[];
  /** What to mind about the file. */
  readonly notes: readonly string[];
  readonly ratings: RatingsReport | null;
  readonly spans: SpansReport | null;
}

export interface RatingsReport {
  readonly layout: 'wide' | 'long';
  readonly scale: AlphaMetric;
  readonly weights: KappaWeights;
  readonly target: number | null;
  /** Votes a label needs; null: more than half of the ratings given, and at least 2. */
  readonly quorum: number | null;
  /** The column that divides the file. */
  readonly by: string | null;
  readonly missing: readonly { readonly mark: string; readonly count: number }[];
  readonly results: readonly RatingsResult[];
}

export type RatingsResult = Omit<ReturnType<typeof ratingsResult>, 'weights'>;
export type PairwiseResult = ReturnType<typeof pairwiseResult>;
export type VoteResult = ReturnType<typeof voteResult>;
export type SpansReport = ReturnType<typeof spansReport>;

/** All that is to be said of one dimension, with raters and items by name. */
export function ratingsResult(
  group: RatingGroup,
  raters: readonly string[],
  options: RatingsOptions,
  target: number | null,
) {
  const found = agreementOfRatings(group.ratings, options);
  return {
    by: group.by,
    items: group.items.length,
    given: group.ratings.reduce((sum, row) => sum + row.filter((rating) => rating !== null).length, 0),
    possible: group.items.length * raters.length,
    weights: found.weights,
    coefficients: found.coefficients.map(({ name, agreement }) => ({
      name,
      ...agreement,
      // Raw agreement is not corrected for chance, and a target for it would say little.
      target: target === null || name === 'raw_agreement' ? null : againstTarget(agreement, target),
    })),
    prevalence: prevalenceOf(group, raters.length, options.categories),
    pairwise: found.pairwise === null ? null : pairwiseResult(found.pairwise, raters),
    vote: found.vote === null ? null : voteResult(found.vote, group),
  };
}

/** Over all ratings of the group, also of items that have one only. */
function prevalenceOf(group: RatingGroup, raters: number, declared: readonly Rating[] | undefined) {
  const counts = new Map<Rating, number[]>((declared ?? []).map((category) => [category, zeros(raters)]));
  let all = 0;
  for (const row of group.ratings) {
    row.forEach((rating, rater) => {
      if (rating === null) return;
      const own = counts.get(rating) ?? zeros(raters);
      own[rater]! += 1;
      counts.set(rating, own);
      all += 1;
    });
  }
  if (all === 0) return [];
  const categories = declared ?? [...counts.keys()].sort(compareRatings);
  return categories.map((category) => {
    const byRater = counts.get(category) ?? zeros(raters);
    const count = byRater.reduce((sum, one) => sum + one, 0);
    return { category, share: count / all, count, byRater };
  });
}

function zeros(length: number): number[] {
  return Array.from({ length }, () => 0);
}

function pairwiseResult({ pairs, mean, undefinedPairs }: PairwiseKappa, raters: readonly string[]) {
  return {
    mean,
    undefinedPairs,
    pairs: pairs.map(({ a, b, agreement: { value, undefined: why, n, left } }) => ({
      raters: [raters[a]!, raters[b]!] as const,
      value,
      undefined: why,
      n,
      left,
    })),
  };
}

function voteResult({ items, disputed, undecided, decided }: MajorityVote, group: RatingGroup) {
  const id = (item: number): string => group.items[item]!.id;
  return {
    decided,
    disputed: disputed.map(id),
    undecided: undecided.map(id),
    items: items.map(({ item, label, votes, disputed: isDisputed, reason }) => ({
      item: id(item),
      line: group.items[item]!.line,
      label,
      ratings: group.ratings[item]!,
      votes,
      disputed: isDisputed,
      reason,
    })),
  };
}

/** Agreement on spans, with annotators by name. */
export function spansReport(
  documents: readonly AnnotatedDocument[],
  annotators: readonly string[],
  options: SpanF1Options,
  target: number | null,
) {
  const { pairs, raters: _, ...found } = pairwiseSpanF1(documents, options);
  const { match = 'exact', threshold = 0.5 } = options;
  return {
    ...found,
    match,
    threshold: match === 'iou' ? threshold : null,
    target: target === null ? null : againstTarget(found, target),
    pairs: pairs.map(({ a, b, ...pair }) => ({ raters: [annotators[a]!, annotators[b]!] as const, ...pair })),
  };
}

/** Whole numbers over no more steps than this look like points of a scale. */
const MOST_STEPS = 11;

/** What to mind about a file of ratings: who was left out, and what may have been read in another way than meant. */
export function fileNotes(
  file: RatingsFile,
  { scaleGiven, categoriesGiven }: { readonly scaleGiven: boolean; readonly categoriesGiven: boolean },
): string[] {
  const { silent, notAsked } = file;
  return [
    ...(silent.length === 0 ? [] : [`no rating by ${silent.map(describe).join(', ')}: left out`]),
    ...(notAsked === 0 ? [] : [`${plural(notAsked, 'rating')} by raters who are not in --raters: left out`]),
    ...(scaleGiven ? [] : scaleNote(file)),
    ...(categoriesGiven ? [] : oddRaters(file)),
  ];
}

function scaleNote({ numbers, groups }: RatingsFile): string[] {
  if (!numbers) return [];
  const values = new Set(groups.flatMap(({ ratings }) => ratings.flat()));
  const steps = [...values].filter((value) => typeof value === 'number').sort((a, b) => a - b);
  const low = steps[0]!;
  const high = steps.at(-1)!;
  if (steps.length < 3 || !steps.every(Number.isInteger) || high - low >= MOST_STEPS) return [];
  return [
    `all ratings are whole numbers from ${low} to ${high}: if they are steps of a scale, --scale ordinal counts a near miss as less than a far one; without it every difference counts the same`,
  ];
}

/** A rater who never said what anybody else said is more likely a column of remarks. */
function oddRaters({ raters, groups, numbers, layout }: RatingsFile): string[] {
  if (numbers || layout.kind === 'long') return [];
  const said = raters.map(
    (_, rater) => new Set(groups.flatMap(({ ratings }) => ratings.flatMap((row) => row[rater] ?? []))),
  );
  return raters.flatMap((rater, at) => {
    const others = new Set(said.flatMap((own, other) => (other === at ? [] : [...own])));
    if (!said[at]!.isDisjointFrom(others)) return [];
    return [
      `${describe(rater)} shares no category with the others: if this column is not a rater, name the raters with --raters`,
    ];
  });
}
