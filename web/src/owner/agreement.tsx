import { plural } from '../../../src/text/figures.ts';
import type { AgreementFigure } from '../../../src/review/api.ts';
import { along } from '../along.ts';
import { AxisNumbers, Whisker } from '../whisker.tsx';
import { figureNumber, figureSentence, growthWords, intervalWords, targetWords } from './figure-words.ts';
import { AGREEMENT, growthPath } from './growth-path.ts';

export type ShownFigure = AgreementFigure & { readonly model?: string; readonly expired?: string | null };

export function Agreement(props: { readonly figures: readonly ShownFigure[]; readonly of: string }) {
  const { figures } = props;
  return (
    <>
      <ul class="figure-list" role="list">
        <li class="figure-row axis-row" aria-hidden="true">
          <span class="hint figure-title">Agreement: 0 is chance, 1 is perfect</span>
          <AxisNumbers axis={AGREEMENT} ticks={[0, 0.5, 1]} />
          <span class="hint figure-growth">as it grew</span>
        </li>
        {shortened(figures).map(({ figure, alike }) => (
          <Row key={keyOf(figure)} figure={figure} alike={alike} />
        ))}
      </ul>
      <details class="figure-numbers">
        <summary>The numbers as a table</summary>
        <div class="wide-table" tabIndex={0} role="region" aria-label={`Numbers of ${props.of}`}>
          <NumbersTable figures={figures} />
        </div>
      </details>
    </>
  );
}

function Row(props: { readonly figure: ShownFigure; readonly alike: number }) {
  const { figure, alike } = props;
  const target = targetWords(figure);
  const grown = GrowthLine({ figure });
  return (
    <li class={figure.part === null ? 'figure-row' : 'figure-row part'}>
      <div class="figure-title">
        <strong>{figure.title}</strong>
        <span class="hint">
          {figure.part === null
            ? `${figure.coefficient}, ${figure.n} rated by ${plural(figure.raters, 'person', 'people')}`
            : `${figure.n} rated`}
          {figure.model === undefined ? '' : `, ${figure.model}`}
        </span>
        {figure.expired == null ? null : <span class="expired">Expired: {figure.expired}</span>}
      </div>
      {figure.value === null ? null : (
        <Whisker axis={AGREEMENT} ticks={[0, 1]} {...figure} label={figureSentence(figure)} />
      )}
      <div class={valueClass(figure, grown)}>
        {figure.value === null ? (
          <span class="hint">
            Undefined: {figure.undefined ?? 'no reason given'}
            {alike === 0 ? '' : `. The same holds for each of its ${alike} parts`}
          </span>
        ) : (
          <>
            <strong class="count">{figureNumber(figure.value)}</strong>{' '}
            <span class="hint count">
              {figure.interval === null
                ? intervalWords(figure)
                : `${figureNumber(figure.interval.low)} to ${figureNumber(figure.interval.high)}`}
            </span>
          </>
        )}
        {target === null || figure.target === null ? null : (
          <span class={`figure-target ${target.replace(' ', '-')}`}>
            target {figureNumber(figure.target)}: {target}
          </span>
        )}
      </div>
      {grown}
    </li>
  );
}

/** If a question and all its parts are undefined for one reason, shows it once; the table has them all. */
function shortened(figures: readonly ShownFigure[]): { readonly figure: ShownFigure; readonly alike: number }[] {
  const groups = Map.groupBy(figures, ({ field, model }) => JSON.stringify([field, model ?? null]));
  return [...groups.values()].flatMap((group) => {
    const [whole, ...parts] = group;
    const isOne = whole?.part === null && parts.length > 0 && group.every((figure) => isLike(figure, whole));
    return isOne ? [{ figure: whole, alike: parts.length }] : group.map((figure) => ({ figure, alike: 0 }));
  });
}

function isLike(figure: ShownFigure, whole: ShownFigure): boolean {
  return figure.value === null && figure.undefined === whole.undefined;
}

/** A figure without a drawing has more to say in words, and the room for it. */
function valueClass(figure: ShownFigure, grown: unknown): string {
  if (figure.value === null) return 'figure-value undefined';
  return grown === null ? 'figure-value wide' : 'figure-value';
}

function NumbersTable(props: { readonly figures: readonly ShownFigure[] }) {
  return (
    <table>
      <thead>
        <tr>
          {['Question', 'Coefficient', 'Value', 'Interval', 'Rated', 'People', 'Target', 'As it grew'].map((head) => (
            <th key={head} scope="col">
              {head}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {props.figures.map((figure) => (
          <tr key={keyOf(figure)}>
            <th scope="row">{figure.title}</th>
            <td>{figure.coefficient}</td>
            {figure.value === null ? (
              <td colSpan={2}>undefined: {figure.undefined ?? 'no reason given'}</td>
            ) : (
              <>
                <td>{figureNumber(figure.value)}</td>
                <td>{intervalWords(figure)}</td>
              </>
            )}
            <td>{figure.n}</td>
            <td>{figure.raters}</td>
            <td>{figure.target === null ? 'none' : `${figureNumber(figure.target)}: ${targetWords(figure) ?? ''}`}</td>
            <td>{growthWords(figure.growth)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function keyOf(figure: ShownFigure): string {
  return JSON.stringify([figure.field, figure.part, figure.coefficient, figure.model ?? null]);
}

const WIDTH = 160;
const HEIGHT = 42;

function GrowthLine(props: { readonly figure: AgreementFigure }) {
  const { growth, target } = props.figure;
  const path = growthPath(growth, WIDTH, HEIGHT);
  const [first, last] = [growth[0], growth.at(-1)];
  if (path === null || first === undefined || last === undefined) return null;
  const goal = target === null ? null : (1 - along(target, AGREEMENT).share) * HEIGHT;
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
      <line
        class="axis"
        x1="0"
        x2={WIDTH}
        y1={(1 - along(0, AGREEMENT).share) * HEIGHT}
        y2={(1 - along(0, AGREEMENT).share) * HEIGHT}
      />
      {goal === null ? null : <line class="target" x1="0" x2={WIDTH} y1={goal} y2={goal} />}
      <path class="line" d={path.line} />
      <circle class="sign" cx={path.last.x} cy={path.last.y} r="2.5" />
    </svg>
  );
}
