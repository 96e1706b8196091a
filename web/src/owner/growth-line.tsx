import type { AgreementFigure } from '../../../src/review/api.ts';
import { along } from './axis.ts';
import { growthWords } from './figure-words.ts';
import { growthPath } from './growth-path.ts';

const WIDTH = 160;
const HEIGHT = 42;

/** How the figure came to be what it is, item by item, with its interval as a band. */
export function GrowthLine(props: { readonly figure: AgreementFigure }) {
  const { growth, target } = props.figure;
  const path = growthPath(growth, WIDTH, HEIGHT);
  const [first, last] = [growth[0], growth.at(-1)];
  if (path === null || first === undefined || last === undefined) return null;
  const goal = target === null ? null : (1 - along(target).share) * HEIGHT;
  return (
    <svg
      class="growth"
      viewBox={`-3 -3 ${WIDTH + 6} ${HEIGHT + 6}`}
      role="img"
      aria-label={`As it grew: ${growthWords([first, last])}`}
    >
      {path.band === null ? null : <path class="band" d={path.band} />}
      {path.reaches.map(({ x, low, high }) => (
        <line key={x} class="sure" x1={x} x2={x} y1={low} y2={high} />
      ))}
      <line class="axis" x1="0" x2={WIDTH} y1={(1 - along(0).share) * HEIGHT} y2={(1 - along(0).share) * HEIGHT} />
      {goal === null ? null : <line class="target" x1="0" x2={WIDTH} y1={goal} y2={goal} />}
      <path class="line" d={path.line} />
      <circle class="dot" cx={path.last.x} cy={path.last.y} r="2.5" />
    </svg>
  );
}
