import { count } from '../../../../src/text/figures.ts';
import { ShortText } from '../short-text.tsx';
import { type CaseTable, errorsOf } from '../list/case-table.ts';
import { filterRows } from '../list/filter-rows.ts';
import { sortRows } from '../list/sort-rows.ts';
import { linkTo, linkToCases, useReport } from '../report-context.ts';
import { type CaseFilter, type CaseSort, caseState } from '../state.ts';
import { VerdictBar } from '../verdict-bar.tsx';

const SHOWN = 8;
const WORST: CaseSort = { by: 'errors', measure: null, reverse: false };
const WRONG: CaseFilter = { show: 'wrong' };

/** The cases with the most errors, each a link that opens it within the list of them all. */
export function WorstCases() {
  const { state, table, run } = useReport();
  if (table.kind === 'loading') return null;
  if (table.kind === 'fault')
    return (
      <p class="notice fault" role="alert">
        {table.message}
      </p>
    );
  const rows = filterRows(table.value, sortRows(table.value, WORST, run), WRONG, run);
  return (
    <section>
      <h2>Worst cases</h2>
      {rows.length === 0 ? (
        <p class="hint">No case has an error.</p>
      ) : (
        <>
          <ul class="worst" role="list">
            {[...rows.subarray(0, SHOWN)].map((row) => (
              <WorstCase key={row} row={row} table={table.value} />
            ))}
          </ul>
          <p>
            <a href={linkTo(state, { view: 'cases', filter: WRONG, sort: WORST })}>
              {rows.length === 1 ? 'The one wrong case' : `All ${count(rows.length)} wrong cases`}
            </a>
            <span class="hint">
              {' '}
              of <a href={linkToCases(state, { show: 'all' })}>{count(table.value.ids.length)}</a>
            </span>
          </p>
        </>
      )}
    </section>
  );
}

function WorstCase(props: { readonly row: number; readonly table: CaseTable }) {
  const { state, run } = useReport();
  const { row, table } = props;
  const own = table.runs[run];
  const id = table.ids[row];
  if (own === undefined || id === undefined) return null;
  const counts = {
    hit: own.hit[row] ?? 0,
    missed: own.missed[row] ?? 0,
    spurious: own.spurious[row] ?? 0,
    excused: own.excused[row] ?? 0,
  };
  return (
    <li>
      <a href={linkTo(state, { view: 'cases', filter: WRONG, sort: WORST, ...caseState(id, row) })}>
        <ShortText text={id} />
      </a>
      <VerdictBar counts={counts} />
      <span class="hint count">
        {own.state[row] === 1
          ? 'failed'
          : `${count(errorsOf(own, row))} wrong: ${count(counts.missed)} missed, ${count(counts.spurious)} spurious`}
      </span>
    </li>
  );
}
