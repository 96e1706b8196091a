import { render } from 'preact';
import { useEffect, useRef } from 'preact/hooks';

import { count } from '../../../src/text/figures.ts';
import { ShortText } from './short-text.tsx';
import { CaseCell } from './list/case-cell.tsx';
import { columnsFor } from './list/columns.ts';
import { filterRows } from './list/filter-rows.ts';
import { sortRows } from './list/sort-rows.ts';
import { AuditView, ComparisonView, FiguresView } from './other-views.tsx';
import { RecipeView } from './recipe-view.tsx';
import { type Report, ReportProvider, useReport } from './report-context.ts';
import type { ViewState } from './state.ts';
import { SummaryView } from './summary/summary-view.tsx';

const ROWS_PRINTED = 200;
/** As if there were room for all columns. */
const PAPER_WIDTH = 1000;

/**
 * Paper gets the whole report, whatever is on the screen: it is written when the browser is about to print. Only an open
 * case is printed as it stands.
 */
export function usePrinting(report: Report, list: ViewState): void {
  const latest = useRef({ report, list });
  latest.current = { report, list };
  useEffect(() => {
    const place = document.createElement('div');
    place.className = 'paper-pages';
    document.body.append(place);
    const write = (): void => {
      const { state } = latest.current.report;
      const caseOpen = state.view === 'cases' && (state.case !== null || state.row !== null);
      document.body.classList.toggle('prints-pages', !caseOpen);
      if (!caseOpen) render(<Pages {...latest.current} />, place);
    };
    const clear = (): void => {
      render(null, place);
      document.body.classList.remove('prints-pages');
    };
    const paper = matchMedia('print');
    const turn = (): void => (paper.matches ? write() : clear());
    addEventListener('beforeprint', write);
    addEventListener('afterprint', clear);
    paper.addEventListener('change', turn);
    return () => {
      removeEventListener('beforeprint', write);
      removeEventListener('afterprint', clear);
      paper.removeEventListener('change', turn);
      place.remove();
    };
  }, []);
}

function Pages(props: { readonly report: Report; readonly list: ViewState }) {
  const { head } = props.report;
  const nowhere = (): void => {};
  return (
    <ReportProvider value={props.report}>
      <h1>
        <ShortText text={head.runs.map(({ name }) => name).join(' vs ')} />
      </h1>
      <SummaryView />
      {head.runs.length > 1 ? <ComparisonView head={head} onCases={nowhere} /> : null}
      <FiguresView head={head} onCases={nowhere} />
      <h2>Audit</h2>
      <AuditView head={head} onCases={nowhere} />
      <CasesOnPaper list={props.list} />
      <RecipeView />
    </ReportProvider>
  );
}

/** The beginning of the list as it was last filtered. */
function CasesOnPaper(props: { readonly list: ViewState }) {
  const { head, table, run } = useReport();
  if (table.kind !== 'ready') return null;
  const { filter, sort } = props.list;
  const rows = filterRows(table.value, sortRows(table.value, sort, run), filter, run);
  const columns = columnsFor(table.value, head, run, PAPER_WIDTH);
  return (
    <section class="cases-on-paper">
      <h2>Cases</h2>
      <p>
        {rows.length > ROWS_PRINTED
          ? `The first ${ROWS_PRINTED} of ${count(rows.length)} cases of the list; the report on a screen has them all.`
          : `${count(rows.length)} of ${count(table.value.ids.length)} cases.`}
      </p>
      <table class="sortable">
        <thead>
          <tr>
            {columns.map((column) => (
              <th key={column.key} scope="col" class={column.number ? 'number' : undefined}>
                <ShortText text={column.over === null ? column.title : `${column.over} ${column.title}`} />
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {[...rows.subarray(0, ROWS_PRINTED)].map((row) => (
            <tr key={row}>
              {columns.map((column) => (
                <td key={column.key} class={column.number ? 'number' : undefined}>
                  <CaseCell table={table.value} column={column} row={row} href={null} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
