import type { RatingsFile } from '../review/agreement/ratings.ts';
import { describe } from '../data/record-fields.ts';
import { counted } from '../text/figures.ts';

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
    ...(notAsked === 0 ? [] : [`${counted(notAsked, 'rating')} by raters who are not in --raters: left out`]),
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
