import { valuePair } from '../../../../src/report/comparison-words.ts';
import { signedFigure } from '../../../../src/text/figures.ts';
import type { MovedCase } from '../../../../src/compare/comparison.ts';
import { ShortText } from '../short-text.tsx';
import { CaseLink } from '../figures/case-link.tsx';
import { type DataColumn, DataTable } from '../figures/data-table.tsx';

/** The cases whose value changed most, one way. */
export function MovedCases(props: { readonly moved: readonly MovedCase[]; readonly label: string }) {
  const { moved } = props;
  const [first] = moved;
  if (first === undefined) return null;
  const columns: readonly DataColumn<MovedCase>[] = [
    { title: 'Case', cell: (one) => <CaseLink id={one.case} run={one.system} /> },
    { title: 'From, to', number: true, cell: (one) => valuePair(one).join(' → ') },
    { title: 'Difference', number: true, cell: ({ difference }) => signedFigure(difference) },
  ];
  return (
    <>
      <p class="hint">
        Among the cases that moved most, by <ShortText text={first.name} />:
      </p>
      <DataTable label={props.label} columns={columns} rows={moved} keyOf={(one) => one.case} />
    </>
  );
}
