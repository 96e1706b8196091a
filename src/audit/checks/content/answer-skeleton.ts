import { sum } from '../../evidence.ts';

/** An answer is made of a skeleton when so many of its shingles stand in half of all answers; real ones stayed below 0.1. */
const SKELETON = 0.6;
const COMMON = 0.5;
const LEAST_SHARE = 0.3;
/** Texts that common shingles are counted over. */
const SAMPLE = 2000;

/** A text that may be given to several cases. */
export interface GivenText {
  readonly shingles: Uint32Array;
  /** How many different cases it is given to. */
  readonly cases: number;
}

/** Texts that are mostly made of what half of all answers share; none where these are few. */
export function onSkeleton<Text extends GivenText>(texts: readonly Text[]): Text[] {
  const sample = texts.slice(0, SAMPLE);
  const frequency = new Map<number, number>();
  for (const { shingles, cases } of sample)
    for (const shingle of shingles) frequency.set(shingle, (frequency.get(shingle) ?? 0) + cases);
  const all = casesOf(sample);
  const half = COMMON * all;
  const standing = (isCommon: (shingle: number) => boolean): Text[] => {
    const stands = ({ shingles }: Text): boolean =>
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

function casesOf(texts: readonly GivenText[]): number {
  return sum(texts.map(({ cases }) => cases));
}
