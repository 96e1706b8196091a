import { count, plural } from '../text/figures.ts';
import {
  coefficientTable,
  disputedTable,
  MOST_RATERS,
  pairwiseTable,
  prevalenceTable,
  spansTable,
} from './agreement-tables.ts';
import type { AgreementReport, RatingsReport, RatingsResult, VoteResult } from './agreement-report.ts';
import type { Document, Section } from './document.ts';

const ITEMS_SHOWN = 10;

/** Coefficients with intervals, who agrees with whom, what to mind, and which items are disputed. */
export function agreementDocument(report: AgreementReport): Document {
  const { file, ratings, spans, resampling, notes } = report;
  const { resamples, seed, over } = resampling;
  const intervals = `Intervals: percentile bootstrap over ${over}s, ${count(resamples)} resamples, seed ${seed}.`;
  return {
    title: `Agreement: ${file.name}`,
    about: `${aboutText(report)}.`,
    sections: [
      ...(ratings === null ? [] : [notesSection(notes)]),
      ...(ratings?.results.flatMap((result) => resultSections(result, ratings, report)) ?? []),
      ...(spans === null
        ? []
        : [
            { title: 'F1 between annotators', blocks: [spansTable(spans, resampling.level)] },
            notesSection([...notes, ...spans.notes]),
          ]),
      { blocks: [{ text: intervals, tone: 'quiet' }] },
    ],
  };
}

function aboutText({ ratings, spans, raters }: AgreementReport): string {
  if (ratings === null)
    return `${plural((spans?.n ?? 0) + (spans?.left ?? 0), 'document')}, ${plural(raters.length, 'annotator')}`;
  const { results, by, missing, scale } = ratings;
  const only = by === null && results.length === 1 ? results[0] : undefined;
  const total = missing.reduce((sum, part) => sum + part.count, 0);
  const marks = missing.map(({ mark, count: n }) => `${count(n)} ${mark === '' ? 'empty' : mark}`).join(', ');
  return [
    ...(only === undefined ? [] : [sizeText(only, raters)]),
    `raters: ${raters.join(', ')}`,
    `scale: ${scale}`,
    ...(total === 0 ? [] : [`${plural(total, 'cell')} without a rating (${marks})`]),
  ].join('; ');
}

/** How much there is: 24 items, 3 raters, 67 of 72 ratings. */
function sizeText({ items, given, possible }: RatingsResult, raters: readonly string[]): string {
  const ratings = given === possible ? plural(given, 'rating') : `${count(given)} of ${plural(possible, 'rating')}`;
  return `${plural(items, 'item')}, ${plural(raters.length, 'rater')}, ${ratings}`;
}

/** Notes that differ only in their figures are shown once: those of the first coefficient that has them. */
function notesSection(notes: readonly string[]): Section {
  const byKind = Map.groupBy(notes, (note) => note.split(': ', 1)[0]!.replaceAll(/\d+/g, '#'));
  return { blocks: [{ list: [...byKind.values()].map(([first]) => first!), mark: 'warning' }] };
}

function resultSections(result: RatingsResult, ratings: RatingsReport, report: AgreementReport): Section[] {
  const { raters, resampling } = report;
  const { by, pairwise, vote, coefficients } = result;
  const { weights, quorum } = ratings;
  const level = by === null ? 2 : 3;
  const heading =
    by === null ? { title: 'Coefficient' } : { title: `${ratings.by ?? ''}: ${by}`, about: sizeText(result, raters) };
  const pairs = `Cohen's kappa by pair${weights === 'none' ? '' : `, ${weights} weights`}${raters.length > MOST_RATERS ? ', lowest first' : ''}`;
  return [
    { ...heading, blocks: [coefficientTable(result, ratings, resampling.level)] },
    { title: pairs, level, blocks: [pairwise === null ? null : pairwiseTable(pairwise, raters)] },
    { title: 'Ratings given', level, blocks: [prevalenceTable(result, raters)] },
    notesSection(coefficients.flatMap(({ notes }) => notes)),
    { title: 'Majority vote', level, blocks: vote === null ? [] : voteBlocks(vote, quorum, raters) },
  ];
}

/** How the majority vote went, and the items that it could not settle, with each rater's rating. */
function voteBlocks(vote: VoteResult, quorum: number | null, raters: readonly string[]): Section['blocks'] {
  const { decided, disputed, undecided, items } = vote;
  const rule = quorum === null ? 'more than half of the ratings given, and at least 2' : plural(quorum, 'vote');
  const summary = [
    `${plural(decided, 'item')} decided`,
    `${count(disputed.length)} disputed`,
    ...(undecided.length === 0 ? [] : [`${count(undecided.length)} with too few ratings`]),
  ].join(', ');
  const more = undecided.length - ITEMS_SHOWN;
  const few = undecided.slice(0, ITEMS_SHOWN).join(', ') + (more > 0 ? ` and ${count(more)} more` : '');
  return [
    { text: `${summary}; a label needs ${rule}`, tone: 'quiet' },
    disputedTable(
      items.filter((item) => item.disputed),
      raters,
    ),
    undecided.length === 0 ? null : { text: `too few ratings: ${few}`, tone: 'quiet' },
  ];
}
