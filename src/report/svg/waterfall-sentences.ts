import type { Waterfall } from '../../compare/waterfall/waterfall.ts';
import { shownValue, stepName, valuesOf } from '../waterfall-words.ts';
import { columnDigits, shownChange, rounded } from '../../text/figures.ts';
import { oneLine } from './text-width.ts';

const MOST = 20;

/** What the figure shows, for those who cannot see it. */
export function waterfallSentences(waterfall: Waterfall, measure: string = waterfall.shown): string[] {
  const { steps } = waterfall;
  const values = valuesOf(steps, measure);
  const digits = columnDigits(values);
  const name = oneLine(measure);
  const first = values[0] ?? null;
  const last = values.at(-1) ?? null;
  if (steps.length === 1) return [`${name} is ${shownValue(last, digits)}; the recipe is strict matching.`];
  const moved = steps
    .map((step, at) => ({ step, at, change: at === 0 ? '' : shownChange(values[at - 1] ?? null, values[at]!, digits) }))
    .filter(({ at, change }) => at > 0 && change !== '0' && change !== '');
  const idle = steps.length - 1 - moved.length;
  return [
    `${name} is ${shownValue(first, digits)} under strict matching and ${shownValue(last, digits)} under the whole recipe${wayText(first, last, digits)}.`,
    ...moved
      .slice(0, MOST)
      .map(
        ({ step, at, change }) =>
          `${oneLine(stepName(step))}: ${change === '–' ? '' : `${change}, `}to ${shownValue(values[at]!, digits)}.`,
      ),
    ...(moved.length > MOST ? [`${moved.length - MOST} further steps change it.`] : []),
    ...(idle === 0 ? [] : [`${idle} ${idle === 1 ? 'step changes' : 'steps change'} nothing.`]),
  ];
}

function wayText(first: number | null, last: number | null, digits: number): string {
  if (first === null || last === null || rounded(first, digits) === rounded(last, digits)) return '';
  return `, ${shownChange(first, last, digits)} in all`;
}
