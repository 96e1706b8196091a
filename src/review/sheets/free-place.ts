import type { ClaimSetting } from './claim-cells.ts';
import { type Place, placesIn } from './claim-places.ts';
import type { ClaimRow } from './claim-row.ts';
import { CLAIM_TEXT } from './sheet-columns.ts';

/**
 * Of the places where words stand in the text the first that no row has yet: several rows of the same words have one each.
 * Null, with the problem noted, where there is none.
 */
export function freePlace(
  { context, under }: ClaimSetting,
  row: ClaimRow,
  text: string,
  taken: readonly Place[],
): Place | null {
  const places = placesIn(under, text);
  const place = places.find(({ start, end }) => !taken.some((one) => one.start === start && one.end === end));
  if (place === undefined) {
    context.problem(
      row.at,
      CLAIM_TEXT,
      places.length === 0
        ? 'these words do not stand in the text: the row is left out'
        : `each place where these words stand (${places.length}) has its row already: this one is left out`,
      places.length === 0 ? 'write them letter by letter as they stand there' : undefined,
    );
    return null;
  }
  if (places.length > 1)
    context.notice(
      row.at,
      CLAIM_TEXT,
      `the words stand ${places.length} times in the text: the row is taken for place ${places.indexOf(place) + 1}`,
      'add a row for each place that is meant',
    );
  return place;
}
