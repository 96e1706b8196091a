import { UsageError } from '../../data/problems.ts';
import { describe } from '../../data/record-fields.ts';
import { codeRatings, type Rating, type Ratings } from './rating.ts';

export interface VoteOptions {
  /** Votes that a label needs. Without it: more than half of the ratings given, and at least 2. */
  readonly quorum?: number | undefined;
  /** How many ratings an item is meant to get (the 3 of "2 of 3"); without it one from every rater. */
  readonly of?: number;
  readonly categories?: readonly Rating[];
}

/** What became of one item. */
export interface Vote {
  /** Its row, from 0. */
  readonly item: number;
  /** The label that won, or null with the reason. */
  readonly label: Rating | null;
  /** Most votes first, then in the order of the categories. */
  readonly votes: readonly { readonly label: Rating; readonly count: number }[];
  readonly ratings: number;
  /** Raters said different things and no label won. An item with too few ratings is undecided, not disputed. */
  readonly disputed: boolean;
  /** Why there is no label. */
  readonly reason: string | null;
}

export interface MajorityVote {
  readonly items: readonly Vote[];
  /** Rows of the items that are disputed, and of those that have too few ratings to be decided. */
  readonly disputed: readonly number[];
  readonly undecided: readonly number[];
  readonly decided: number;
}

/**
 * The label that most raters gave, where it has the quorum and no other has as many votes. A tie is disputed, never
 * resolved by order. The default quorum is more than half of the ratings that an item got, and at least 2.
 * Example: [a, a, b] with quorum 2 of 3: a; [a, b, c]: disputed; [a, null, null]: undecided.
 */
export function majorityVote(ratings: Ratings, options: VoteOptions = {}): MajorityVote {
  const { codes, raters, categories } = codeRatings(ratings, options);
  const { quorum, of = raters } = options;
  if (ratings.length > 0) checkQuorum(quorum, of);
  const items = codes.map((row, item): Vote => {
    const given = row.filter((code) => code >= 0);
    const votes = [...Map.groupBy(given, (code) => code)]
      .sort(([a, x], [b, y]) => y.length - x.length || a - b)
      .map(([code, same]) => ({ label: categories[code]!, count: same.length }));
    if (given.length > of)
      throw new UsageError(`row ${item + 1}: ${given.length} ratings, more than the ${of} an item is meant to have`);
    return { item, votes, ratings: given.length, ...outcome(votes, given.length, quorum, of) };
  });
  const disputed = items.filter((vote) => vote.disputed).map(({ item }) => item);
  const undecided = items.filter((vote) => vote.label === null && !vote.disputed).map(({ item }) => item);
  return { items, disputed, undecided, decided: items.length - disputed.length - undecided.length };
}

function outcome(
  votes: Vote['votes'],
  given: number,
  quorum: number | undefined,
  of: number,
): Pick<Vote, 'label' | 'disputed' | 'reason'> {
  const needed = quorum ?? Math.max(2, Math.floor(given / 2) + 1);
  const [first, second] = votes;
  if (first === undefined) return { label: null, disputed: false, reason: 'it has no rating' };
  const isTie = second !== undefined && second.count === first.count;
  if (!isTie && first.count >= needed) return { label: first.label, disputed: false, reason: null };
  const missing = given < of ? `; ${of - given} of ${of} ratings are missing` : '';
  const tied = votes.filter(({ count }) => count === first.count).map(({ label }) => describe(label));
  const reason =
    second === undefined
      ? `${given} of the ${needed} ratings it takes`
      : isTie
        ? `a tie: ${tied.join(' and ')} have ${first.count} of ${given} votes each`
        : `${describe(first.label)} leads with ${first.count} of ${given} votes, and needs ${needed}`;
  return { label: null, disputed: second !== undefined, reason: reason + missing };
}

function checkQuorum(quorum: number | undefined, of: number): void {
  if (!Number.isInteger(of) || of < 0) throw new UsageError(`of ${of}: expected a whole number of ratings`);
  if (quorum === undefined) return;
  if (!Number.isInteger(quorum) || quorum < 1)
    throw new UsageError(`quorum ${quorum}: expected a whole number from 1 on`);
  if (quorum > of)
    throw new UsageError(`quorum ${quorum}: no label can have so many votes of ${of} ratings`, `at most ${of}`);
}
