import { thresholdOf } from '../../../../src/compare/compare-verdict.ts';
import type { Comparison, ComparisonVerdict, MeasureComparison } from '../../../../src/compare/comparison.ts';
import { betterWord } from '../../../../src/report/arrows.ts';
import { CASE_MEAN, isCaseMean, poolsDiffer } from '../../../../src/report/pooling.ts';
import {
  correctedTitle,
  intervalOf,
  isUnsliced,
  sliceText,
  systemName,
  unitWord,
  valuePair,
} from '../../../../src/report/comparison-words.ts';
import { count, levelText, NONE, pText, signedFigure } from '../../../../src/text/figures.ts';
import { shortName } from '../short-name.ts';
import { MeasureName } from '../measure-name.tsx';
import { ShortText } from '../short-text.tsx';
import { AxisNumbers, Whisker } from '../../whisker.tsx';
import { type DataColumn, DataTable } from '../figures/data-table.tsx';
import { axisReach, drawnDifference, type DrawnDifference } from './difference-axis.ts';
import { VerdictMark } from './verdict-mark.tsx';

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
  const differ = poolsDiffer(rows);
  const drawn = new Map(rows.map((row) => [row, drawnDifference(row)]));
  const common = axisReach(rows.filter(({ name }) => shares.has(name)).flatMap((row) => drawn.get(row) ?? []));
  const unit = unitWord(comparison);
  const number = true;
  const columns: readonly DataColumn<MeasureComparison>[] = [
    {
      title: 'Measure',
      class: 'prose',
      cell: (row) => (
        <>
          <MeasureName name={row.name} />
          <span class="hint meaning">
            {isUnsliced(row) ? '' : <ShortText text={`${sliceText(row.slice)}; `} />}
            {betterWord(row)} is better
            {differ && isCaseMean(row) ? `; ${CASE_MEAN}` : ''}
          </span>
        </>
      ),
    },
    {
      title: <DifferenceAxis reach={common} />,
      class: 'drawing',
      cell: (row) => {
        const difference = drawn.get(row) ?? null;
        if (difference === null) return <span class="hint">undefined: {row.undefined ?? 'no reason given'}</span>;
        const reach = shares.has(row.name) ? common : axisReach([difference]);
        return (
          <>
            <DifferenceWhisker drawn={difference} reach={reach} verdict={row.verdict} />
            {shares.has(row.name) ? null : <span class="hint meaning">to ±{reach}</span>}
          </>
        );
      },
    },
    { title: 'Verdict', cell: ({ verdict }) => <VerdictMark verdict={verdict} /> },
    { title: systemName(comparison, 0), number, cell: (row) => valuePair(row)[0] },
    { title: systemName(comparison, system), number, cell: (row) => valuePair(row)[1] },
    { title: 'Difference', number, cell: ({ difference }) => signedFigure(difference) },
    {
      title: `${levelText(comparison.level)} interval`,
      number,
      cell: (row) => (
        <>
          {intervalOf(row)}
          {row.best === undefined ? null : <span class="hint meaning">of distances from {row.best}</span>}
        </>
      ),
    },
    {
      title: correctedTitle(comparison, rows),
      about: 'Of the permutation test, after Holm’s correction over so many tests',
      number,
      cell: ({ adjusted }) => pText(adjusted, alpha),
    },
    {
      title: 'n (counts differ)',
      about: `${unit}s that have anything to do with it, and in how many of them its counts differ, which the tests rest on; won and lost below are by its value`,
      number,
      cell: (row) => (
        <>
          {count(row.units)} <span class="hint">({count(row.differing)})</span>
        </>
      ),
    },
    {
      title: 'n needed',
      about: `${unit}s needed to show a difference of this size, with a chance of 80 %`,
      number,
      cell: ({ needed }) => (needed === null ? NONE : count(needed)),
    },
  ];
  const cases: DataColumn<MeasureComparison> = {
    title: 'Cases',
    cell: (row) => (
      <a href={casesOf?.(row) ?? ''} aria-label={`Show the cases of ${shortName(sliceText(row.slice))}`}>
        show
      </a>
    ),
  };
  return (
    <DataTable
      label={props.label}
      columns={casesOf === undefined ? columns : [...columns, cases]}
      rows={rows}
      keyOf={({ name, slice }) => JSON.stringify([name, slice])}
    />
  );
}

/** Verdicts differ in form too: a point up, a point down, a full or a hollow dot. */
const LOOKS = {
  better: { sign: 'up', tone: 'accent' },
  worse: { sign: 'down', tone: 'fault' },
  'no difference shown': { sign: 'dot', tone: 'muted' },
  'too little data': { sign: 'hollow', tone: 'warn' },
} as const;

/** A difference around 0 with its interval: better to the right. The numbers stand beside it, so it is not read out. */
function DifferenceWhisker(props: {
  readonly drawn: DrawnDifference;
  readonly reach: number;
  readonly verdict: ComparisonVerdict;
}) {
  const { value, low, high } = props.drawn;
  return (
    <Whisker
      axis={[-props.reach, props.reach]}
      ticks={[0]}
      value={value}
      interval={low === null || high === null ? null : { low, high }}
      {...LOOKS[props.verdict]}
    />
  );
}

function DifferenceAxis(props: { readonly reach: number }) {
  const { reach } = props;
  return (
    <>
      <span class="unseen">Drawn</span>
      <span class="axis-ends" aria-hidden="true">
        <span>← worse</span> <span>better →</span>
      </span>
      <AxisNumbers axis={[-reach, reach]} ticks={[-reach, 0, reach]} />
    </>
  );
}
