import { thresholdOf } from '../../../../src/compare/compare-verdict.ts';
import type { Comparison, MeasureComparison } from '../../../../src/compare/comparison.ts';
import { betterWord } from '../../../../src/report/arrows.ts';
import { intervalOf, valuePair } from '../../../../src/report/comparison-words.ts';
import { count, levelText, NONE, pText, signedFigure } from '../../../../src/text/figures.ts';
import { isOverall, sliceText, systemName, unitWord } from '../../../../src/report/comparison-words.ts';
import { shortName } from '../short-name.ts';
import { ShortText } from '../short-text.tsx';
import { axisReach, drawnDifference } from './difference-axis.ts';
import { DifferenceAxis, DifferenceWhisker } from './difference-whisker.tsx';
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
