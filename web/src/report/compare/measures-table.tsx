import { thresholdOf } from '../../../../src/compare/compare-verdict.ts';
import type { Comparison, ComparisonVerdict, MeasureComparison } from '../../../../src/compare/comparison.ts';
import { betterWord } from '../../../../src/report/arrows.ts';
import {
  intervalOf,
  isOverall,
  sliceText,
  systemName,
  unitWord,
  valuePair,
} from '../../../../src/report/comparison-words.ts';
import { count, levelText, NONE, pText, signedFigure } from '../../../../src/text/figures.ts';
import { shortName } from '../short-name.ts';
import { ShortText } from '../short-text.tsx';
import { axisReach, drawnDifference, type DrawnDifference, onAxis } from './difference-axis.ts';
import { VerdictMark } from './verdict-mark.tsx';

/** The measures of one system beside the baseline, with the difference drawn around 0. */
export function MeasuresTable(props: {
  readonly comparison: Comparison;
  readonly system: number;
  readonly rows: readonly MeasureComparison[];
  /** Measures that are shares of 1, which have one axis in common; others have one each. */
  readonly shares: ReadonlySet<string>;
  readonly label: string;
  /** The address of the cases of a row. */
  readonly casesOf?: (row: MeasureComparison) => string;
}) {
  const { comparison, system, rows, shares, casesOf } = props;
  const alpha = thresholdOf(comparison.level);
  const drawn = new Map(rows.map((row) => [row, drawnDifference(row)]));
  const common = axisReach(rows.filter(({ name }) => shares.has(name)).flatMap((row) => drawn.get(row) ?? []));
  const unit = unitWord(comparison);
  return (
    <div class="data-table measure-differences" role="region" aria-label={shortName(props.label)} tabIndex={0}>
      <table>
        <thead>
          <tr>
            <th scope="col">Measure</th>
            <th scope="col" class="drawing">
              <span class="unseen">Drawn</span>
              <DifferenceAxis reach={common} />
            </th>
            <th scope="col">Verdict</th>
            <th scope="col" class="number">
              <ShortText text={systemName(comparison, 0)} />
            </th>
            <th scope="col" class="number">
              <ShortText text={systemName(comparison, system)} />
            </th>
            <th scope="col" class="number">
              Difference
            </th>
            <th scope="col" class="number">
              {levelText(comparison.level)} interval
            </th>
            <th scope="col" class="number" title="Of the permutation test, after Holm’s correction">
              p Holm
            </th>
            <th
              scope="col"
              class="number"
              title={`${unit}s that have anything to do with it, and in how many of them its counts differ, which the tests rest on; won and lost below are by its value`}
            >
              n (counts differ)
            </th>
            <th
              scope="col"
              class="number"
              title={`${unit}s needed to show a difference of this size, with a chance of 80 %`}
            >
              n needed
            </th>
            {casesOf === undefined ? null : <th scope="col">Cases</th>}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => {
            const [baseline, other] = valuePair(row);
            const difference = drawn.get(row) ?? null;
            const own = !shares.has(row.name);
            return (
              <tr key={JSON.stringify([row.name, row.slice])}>
                <th scope="row" class="prose">
                  <ShortText text={row.name} />
                  <span class="hint meaning">
                    {isOverall(row) ? '' : <ShortText text={`${sliceText(row.slice)}; `} />}
                    {betterWord(row)} is better
                  </span>
                </th>
                <td class="drawing">
                  {difference === null ? (
                    <span class="hint">undefined: {row.undefined ?? 'no reason given'}</span>
                  ) : (
                    <>
                      <DifferenceWhisker
                        drawn={difference}
                        reach={own ? axisReach([difference]) : common}
                        verdict={row.verdict}
                      />
                      {own ? <span class="hint meaning">to ±{axisReach([difference])}</span> : null}
                    </>
                  )}
                </td>
                <td>
                  <VerdictMark verdict={row.verdict} />
                </td>
                <td class="number">{baseline}</td>
                <td class="number">{other}</td>
                <td class="number">{signedFigure(row.difference)}</td>
                <td class="number">
                  {intervalOf(row)}
                  {row.best === undefined ? null : <span class="hint meaning">of distances from {row.best}</span>}
                </td>
                <td class="number">{pText(row.adjusted, alpha)}</td>
                <td class="number">
                  {count(row.units)} <span class="hint">({count(row.differing)})</span>
                </td>
                <td class="number">{row.needed === null ? NONE : count(row.needed)}</td>
                {casesOf === undefined ? null : (
                  <td>
                    <a href={casesOf(row)} aria-label={`Show the cases of ${shortName(sliceText(row.slice))}`}>
                      show
                    </a>
                  </td>
                )}
              </tr>
            );
          })}
        </tbody>
      </table>
    </div>
  );
}

const WIDTH = 200;
const MARGIN = 7;
const MIDDLE = 11;

/** A difference around 0 with its interval: better to the right. The numbers stand beside it, so it is not read out. */
function DifferenceWhisker(props: {
  readonly drawn: DrawnDifference;
  readonly reach: number;
  readonly verdict: ComparisonVerdict;
}) {
  const { drawn, reach, verdict } = props;
  const at = (value: number): number => place(value, reach);
  return (
    <svg class={`difference ${verdict.replaceAll(' ', '-')}`} viewBox={`0 0 ${WIDTH} 22`} aria-hidden="true">
      <line class="rule" x1={at(-reach)} x2={at(reach)} y1={MIDDLE} y2={MIDDLE} />
      <line class="zero" x1={at(0)} x2={at(0)} y1="1" y2="21" />
      {drawn.low === null || drawn.high === null ? null : (
        <path
          class="reach"
          d={`M${at(drawn.low)} ${MIDDLE - 4}v8M${at(drawn.low)} ${MIDDLE}H${at(drawn.high)}M${at(drawn.high)} ${MIDDLE - 4}v8`}
        />
      )}
      <Sign x={at(drawn.value)} verdict={verdict} />
    </svg>
  );
}

/** Verdicts differ in form too: a point up, a point down, a full or a hollow dot. */
function Sign(props: { readonly x: number; readonly verdict: ComparisonVerdict }) {
  const { x } = props;
  switch (props.verdict) {
    case 'better':
      return <path class="sign" d={`M${x} ${MIDDLE - 6}l6 10h-12z`} />;
    case 'worse':
      return <path class="sign" d={`M${x} ${MIDDLE + 6}l6 -10h-12z`} />;
    case 'no difference shown':
      return <circle class="sign" cx={x} cy={MIDDLE} r="4.5" />;
    case 'too little data':
      return <circle class="sign hollow" cx={x} cy={MIDDLE} r="4.5" />;
  }
}

/** The numbers of the axis that shares have in common. */
function DifferenceAxis(props: { readonly reach: number }) {
  const { reach } = props;
  return (
    <svg class="difference numbers" viewBox={`0 0 ${WIDTH} 30`} aria-hidden="true">
      <text x={MARGIN} y="11" text-anchor="start">
        ← worse
      </text>
      <text x={WIDTH - MARGIN} y="11" text-anchor="end">
        better →
      </text>
      <text x={MARGIN} y="27" text-anchor="start">
        {shortFigure(reach)}
      </text>
      <text x={WIDTH / 2} y="27" text-anchor="middle">
        0
      </text>
      <text x={WIDTH - MARGIN} y="27" text-anchor="end">
        {shortFigure(reach)}
      </text>
    </svg>
  );
}

function shortFigure(reach: number): string {
  return String(reach).length <= 6 ? String(reach) : signedFigure(reach).replace('+', '');
}

function place(value: number, reach: number): number {
  return Math.round((MARGIN + onAxis(value, reach) * (WIDTH - 2 * MARGIN)) * 10) / 10;
}
