import type { VerdictName } from './case-items.ts';
import { lanesBefore, type Segment } from './laid-text.ts';
import type { Mark } from './marks.ts';

/** How marks stand out at this moment. */
export type Stress = 'selected' | 'partner' | null;

/** Where a bar is drawn: text of CSS. */
interface Layer {
  readonly image: string;
  readonly position: string;
  readonly size: string;
  readonly repeat: string;
}

const THIN = 4;
const THICK = 7;
/** Of a bar that shows what several runs made of one gold item, each on a strip. */
const BOTH = 8;
const MOST_STRIPS = 4;
const GAP = 2;
const CAP = 2;

/**
 * The bars of a segment as backgrounds of its inline box. They follow the text wherever a line breaks, on paper too, and
 * leave the text one piece for selecting and copying.
 */
export function barStyle(
  segment: Segment,
  lanes: readonly number[],
  stressOf: (mark: Mark) => Stress,
): Readonly<Record<string, string>> | null {
  if (segment.cells.length === 0) return null;
  const up = lanes[0] ?? 0;
  const down = lanes.slice(1).reduce((sum, own) => sum + own, 0);
  const layers: Layer[] = [];
  const washes: Layer[] = [];
  for (const { mark, lane, opens, closes } of segment.cells) {
    const stress = stressOf(mark);
    const several = mark.verdicts.length > 1;
    const thick = several ? BOTH : stress === null ? THIN : THICK;
    const away = lanesBefore(lanes, mark.row, lane);
    const across = mark.row === 0 ? 'top' : 'bottom';
    const offset = (height: number): string =>
      `calc(${(mark.row === 0 ? up : down) - away} * var(--lane) - ${GAP + height}px)`;
    const [first] = mark.verdicts;
    if (first === undefined) continue;
    const caps = [...(opens ? ['left'] : []), ...(closes ? ['right'] : [])];
    for (const end of caps)
      layers.push({
        image: `var(--ink-${several ? 'mixed' : first})`,
        position: `${end} 0 ${across} ${offset(thick)}`,
        size: `${CAP}px ${thick + GAP}px`,
        repeat: 'no-repeat',
      });
    const strips = mark.verdicts.slice(0, MOST_STRIPS);
    const strip = Math.floor(thick / strips.length);
    for (const [at, verdict] of strips.entries())
      layers.push({
        ...bar(verdict),
        position: `left 0 ${across} ${offset(thick - at * strip)}`,
        size: barSize(verdict, strip),
      });
    if (stress !== null)
      washes.push({
        image: `var(--wash-${stress})`,
        position: `left 0 top calc(${up} * var(--lane))`,
        size: `100% calc(100% - ${up + down} * var(--lane))`,
        repeat: 'no-repeat',
      });
  }
  const all = [...layers, ...washes.slice(0, 1)];
  return {
    backgroundImage: all.map(({ image }) => image).join(', '),
    backgroundPosition: all.map(({ position }) => position).join(', '),
    backgroundSize: all.map(({ size }) => size).join(', '),
    backgroundRepeat: all.map(({ repeat }) => repeat).join(', '),
  };
}

function bar(verdict: VerdictName): Pick<Layer, 'image' | 'repeat'> {
  return { image: `var(--bar-${verdict})`, repeat: verdict === 'excused' ? 'repeat-x' : 'no-repeat' };
}

/** Dots are a small picture over and over. */
function barSize(verdict: VerdictName, thick: number): string {
  return verdict === 'excused' ? `6px ${thick}px` : `100% ${thick}px`;
}
