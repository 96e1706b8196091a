import type { IntervalPicture } from './evaluation-page.ts';
import { intervalBar } from './svg/interval-bar.ts';
import { marker } from './svg/marker.ts';
import { element, type Markup } from './svg/markup.ts';
import { linearScale } from './svg/scale.ts';

const WIDTH = 120;
const HEIGHT = 12;
const MIDDLE = HEIGHT / 2;
/** So that a dot at an end of the stretch is whole. */
const EDGE = 4;

/** A dot with its whiskers on a line that is the whole stretch; a tick where the value to aim at is. */
export function intervalPicture({ value, low, high, ends, aim }: IntervalPicture): Markup {
  const [least, most] = ends;
  const scale = linearScale(ends, [EDGE, WIDTH - EDGE]);
  const at = (place: number): number => scale(Math.min(most, Math.max(least, place)));
  const line = `M${EDGE} ${MIDDLE}L${WIDTH - EDGE} ${MIDDLE}`;
  return element(
    'svg',
    { class: 'bar', viewBox: `0 0 ${WIDTH} ${HEIGHT}`, width: WIDTH, height: HEIGHT, 'aria-hidden': 'true' },
    [
      element('path', { class: 'line', d: line }),
      ...(aim === null || aim < least || aim > most
        ? []
        : [marker('tick', at(aim), MIDDLE, 5, { colour: 'currentColor', opacity: 0.5 })]),
      ...(low === null || high === null ? [] : [intervalBar(at(low), MIDDLE, at(high), MIDDLE, 'currentColor')]),
      marker('circle', at(value), MIDDLE, 2.6, { colour: 'currentColor', rim: 'none' }),
    ],
  );
}
