import type { ComparedSystem, Comparison } from '../../../../src/compare/comparison.ts';
import { count } from '../../../../src/text/figures.ts';
import { ShortText } from '../short-text.tsx';
import { type DataColumn, DataTable } from '../figures/data-table.tsx';

const number = true;

/** The runs that are compared, with what is missing of each and the signature that names how it came about. */
export function SystemsTable(props: { readonly comparison: Comparison }) {
  const { systems } = props.comparison;
  const columns: readonly DataColumn<ComparedSystem>[] = [
    {
      title: 'Run',
      cell: (system) => (
        <>
          <ShortText text={system.name} />
          <span class="hint meaning role">{systems[0] === system ? 'baseline' : 'against it'}</span>
        </>
      ),
    },
    { title: 'Cases', number, cell: ({ cases }) => count(cases) },
    { title: 'Failed', number, cell: ({ failed }) => count(failed) },
    {
      title: 'No answer',
      about: 'Cases without a prediction record, scored as empty',
      number,
      cell: ({ unanswered }) => count(unanswered),
    },
    {
      title: 'Not paired',
      about: 'Cases that are not compared since another run lacks them',
      number,
      cell: ({ unpaired }) => count(unpaired.n),
    },
    {
      title: 'Signature',
      cell: ({ signature }) => (
        <span class="signature">
          <ShortText text={signature} most={1000} />
        </span>
      ),
    },
  ];
  return <DataTable label="Runs that are compared" columns={columns} rows={systems} keyOf={(_, at) => at} />;
}
