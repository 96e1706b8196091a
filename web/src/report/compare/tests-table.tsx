import { thresholdOf } from '../../../../src/compare/compare-verdict.ts';
import type { Comparison, MeasureComparison } from '../../../../src/compare/comparison.ts';
import { count, effectText, pText } from '../../../../src/text/figures.ts';
import { casesText } from '../../../../src/report/comparison-tables.ts';
import { measureTitle, unitWord } from '../../../../src/report/comparison-words.ts';
import { ShortText } from '../short-text.tsx';
import { type DataColumn, DataTable } from '../figures/data-table.tsx';

const number = true;

export function TestsTable(props: {
  readonly comparison: Comparison;
  readonly rows: readonly MeasureComparison[];
  readonly label: string;
}) {
  const alpha = thresholdOf(props.comparison.level);
  const unit = unitWord(props.comparison);
  const columns: readonly DataColumn<MeasureComparison>[] = [
    { title: 'Measure', cell: (row) => <ShortText text={measureTitle(row)} /> },
    { title: 'Won', about: `${unit}s where the other is better`, number, cell: (row) => casesText(row)[0] },
    { title: 'Lost', about: `${unit}s where it is worse`, number, cell: (row) => casesText(row)[1] },
    { title: 'Tied', number, cell: (row) => casesText(row)[2] },
    {
      title: 'No pair',
      about: `${unit}s with a value in one run only`,
      number,
      cell: ({ withoutPair }) => count(withoutPair),
    },
    {
      title: 'p permutation',
      about: 'Before correction',
      number,
      cell: ({ permutation }) => pText(permutation.pValue, alpha),
    },
    { title: 'p Wilcoxon', about: 'Before correction', number, cell: ({ wilcoxon }) => pText(wilcoxon.pValue, alpha) },
    {
      title: 'p McNemar',
      about: 'Before correction; where a case is right or wrong',
      number,
      cell: ({ mcnemar }) => pText(mcnemar?.pValue ?? null, alpha),
    },
    {
      title: 'dz',
      about: `Mean of the differences per ${unit} / their standard deviation`,
      number,
      cell: ({ effect }) => effectText(effect.dz),
    },
    {
      title: 'rank r',
      about: 'Rank-biserial correlation',
      number,
      cell: ({ effect }) => effectText(effect.rankBiserial),
    },
  ];
  return (
    <DataTable
      label={props.label}
      columns={columns}
      rows={props.rows}
      keyOf={({ name, slice }) => JSON.stringify([name, slice])}
    />
  );
}
