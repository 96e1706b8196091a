import type { VotedItem, VoteResult } from './agreement-report.ts';
import { counted } from '../text/figures.ts';
import { quietLines } from './quiet-lines.ts';
import type { Style } from './style.ts';
import { type Cell, type Column, tableLines } from './table.ts';

const ITEMS_SHOWN = 10;
/** With more raters the votes are shown by label, not by rater. */
const MOST_RATERS = 6;

/** How the majority vote went, and the first items that it could not settle, with who said what. */
export function voteLines(vote: VoteResult, quorum: number | null, raters: readonly string[], style: Style): string[] {
  const rule = quorum === null ? 'more than half of the ratings given, and at least 2' : counted(quorum, 'vote');
  const summary = [
    `${counted(vote.decided, 'item')} decided`,
    `${vote.disputed.length} disputed`,
    ...(vote.undecided.length === 0 ? [] : [`${vote.undecided.length} with too few ratings`]),
  ].join(', ');
  const disputed = vote.items.filter((item) => item.disputed);
  const rest = disputed.length - ITEMS_SHOWN;
  return [
    style.paint('Majority vote', 'strong'),
    ...quietLines(`${summary}; a label needs ${rule}`, style),
    ...(disputed.length === 0 ? [] : disputedLines(disputed.slice(0, ITEMS_SHOWN), raters, style)),
    ...(rest > 0 ? quietLines(`… and ${counted(rest, 'item')} more; --json or --out FILE lists them all`, style) : []),
    ...(vote.undecided.length === 0 ? [] : quietLines(`too few ratings: ${firstOf(vote.undecided)}`, style)),
  ];
}

function disputedLines(items: readonly VotedItem[], raters: readonly string[], style: Style): string[] {
  const byRater = raters.length <= MOST_RATERS;
  const columns: Column[] = [
    { title: 'disputed', shrinks: true },
    ...(byRater ? raters.map((title): Column => ({ title, shrinks: true })) : [{ title: 'votes', shrinks: true }]),
    { title: '' },
  ];
  const rows = items.map((item): Cell[] => [
    item.item,
    ...(byRater
      ? item.ratings.map((rating): Cell => (rating === null ? { text: '–', tone: 'quiet' } : String(rating)))
      : [item.votes.map(({ label, count }) => `${String(label)} (${count})`).join(', ')]),
    { text: outcome(item), tone: 'quiet' },
  ]);
  return tableLines(columns, rows, style, '  ');
}

function outcome({ votes }: VotedItem): string {
  const [first, second] = votes;
  if (first === undefined) return '';
  return first.count === second?.count ? `tie at ${first.count}` : `only ${first.count} for ${String(first.label)}`;
}

function firstOf(ids: readonly string[]): string {
  const rest = ids.length - ITEMS_SHOWN;
  return ids.slice(0, ITEMS_SHOWN).join(', ') + (rest > 0 ? ` and ${rest} more` : '');
}
