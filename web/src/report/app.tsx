import { render } from 'preact';
import { useEffect, useLayoutEffect, useMemo, useRef } from 'preact/hooks';

import type { RunView } from '../../../src/report/html/report-data.ts';
import { count } from '../../../src/text/figures.ts';
import { CopiedLines } from '../copied-lines.tsx';
import { faultText } from '../fault-text.ts';
import { listen } from '../listen.ts';
import { PlainText } from '../plain-text.tsx';
import { useKeyHelp } from '../use-key-help.tsx';
import { useLoaded } from '../use-loaded.ts';
import { useAddress } from './address.ts';
import { type DataColumn, DataTable } from './figures/data-table.tsx';
import { Header, viewsOf } from './header.tsx';
import { CaseCell } from './list/case-cell.tsx';
import type { ListMemory } from './list/case-grid.tsx';
import { caseTable } from './list/case-table.ts';
import { CasesView } from './list/cases-view.tsx';
import { columnsFor } from './list/columns.ts';
import { filterRows } from './list/filter-rows.ts';
import { sortRows } from './list/sort-rows.ts';
import { LiveUpdate } from './live-update.tsx';
import { AuditView, ComparisonView, FiguresView } from './other-views.tsx';
import { linkTo, type Report, ReportProvider, runOf, useReport } from './report-context.ts';
import { RunSwitch } from './run-switch.tsx';
import { shortName } from './short-name.ts';
import { ShortText } from './short-text.tsx';
import { type ReportSource, swappedSource } from './source.ts';
import { type CaseFilter, FILE_ORDER, isList, START, type View, type ViewState } from './state.ts';
import { SummaryView } from './summary/summary-view.tsx';

export function App(props: { readonly source: ReportSource }) {
  const address = useAddress(viewsOf(props.source.head)[0] ?? 'summary');
  const isSwapped = address.state.swap && props.source.head.runs.length === 2;
  const source = useMemo(() => (isSwapped ? swappedSource(props.source) : props.source), [props.source, isSwapped]);
  const { head } = source;
  const { state: table } = useLoaded(source, async () => caseTable(await source.index(), head), null);
  const { showKeys, keyHelp } = useKeyHelp();

  const { state } = address;
  const report: Report = { ...address, source, head, table, run: runOf(head, state) };
  const lastList = useRef<ViewState>({ ...START, view: 'cases' });
  if (isList(state.view)) lastList.current = state;
  const memory = useRef<ListMemory>({ scrollTop: 0, list: '' });
  usePrinting(report, lastList.current);
  useViewScroll(state.view);
  useEffect(() => {
    const names = head.runs.map(({ name }) => shortName(name)).join(' vs ');
    document.title = `${state.case === null ? '' : `${shortName(state.case)} · `}${names} · Assay`;
  }, [head, state.case]);

  return (
    <ReportProvider value={report}>
      <div class={isList(state.view) ? 'report filled' : 'report'}>
        <Header lastList={lastList.current} showKeys={showKeys} />
        <main key={state.view}>
          <Shown memory={memory.current} />
        </main>
      </div>
      <LiveUpdate several={head.runs.length > 1} />
      {keyHelp}
    </ReportProvider>
  );
}

function Shown(props: { readonly memory: ListMemory }) {
  const { head, state, table, go } = useReport();
  const onCases = (filter: CaseFilter): void =>
    go({ view: 'cases', filter, sort: FILE_ORDER, case: null, row: null, item: null });
  const view = viewsOf(head).includes(state.view) ? state.view : 'summary';
  switch (view) {
    case 'summary':
      return <SummaryView />;
    case 'figures':
      return (
        <div class="page stack loose">
          <FiguresView head={head} onCases={onCases} />
        </div>
      );
    case 'audit':
      return (
        <div class="page stack loose">
          <AuditView head={head} onCases={onCases} />
        </div>
      );
    case 'compare':
      return (
        <div class="page stack loose">
          <ComparisonView head={head} onCases={onCases} />
        </div>
      );
    case 'recipe':
      return <RecipeView />;
    case 'cases':
    case 'systems':
      switch (table.kind) {
        case 'loading':
          return <p class="hint lone stack">Reading the list of cases…</p>;
        case 'fault':
          return (
            <div class="page stack loose">
              <p class="notice fault" role="alert">
                {faultText(table.fault)}
              </p>
            </div>
          );
        case 'ready':
          return <CasesView key={view} table={table.value} memory={props.memory} />;
      }
  }
}

/** Each view is found again where it was left. */
function useViewScroll(view: View): void {
  const places = useRef(new Map<View, number>());
  const shown = useRef(view);
  useEffect(() => {
    const note = () => void places.current.set(shown.current, scrollY);
    return listen(window, { scroll: note }, { passive: true });
  }, []);
  useLayoutEffect(() => {
    if (shown.current === view) return;
    shown.current = view;
    scrollTo(0, places.current.get(view) ?? 0);
  }, [view]);
}

const ROWS_PRINTED = 200;
/** As if there were room for all columns. */
const PAPER_WIDTH = 1000;

/**
 * Paper gets the whole report, whatever is on the screen: it is written when the browser is about to print. Only an open
 * case is printed as it stands.
 */
function usePrinting(report: Report, list: ViewState): void {
  const latest = useRef({ report, list });
  latest.current = { report, list };
  useEffect(() => {
    const place = document.createElement('div');
    place.className = 'paper-pages';
    document.body.append(place);
    const write = (): void => {
      const { state } = latest.current.report;
      const caseOpen = isList(state.view) && (state.case !== null || state.row !== null);
      document.body.classList.toggle('prints-pages', !caseOpen);
      if (!caseOpen) render(<Pages {...latest.current} />, place);
    };
    const clear = (): void => {
      render(null, place);
      document.body.classList.remove('prints-pages');
    };
    const paper = matchMedia('print');
    const turn = (): void => (paper.matches ? write() : clear());
    const ends = [listen(window, { beforeprint: write, afterprint: clear }), listen(paper, { change: turn })];
    return () => {
      for (const end of ends) end();
      place.remove();
    };
  }, []);
}

function Pages(props: { readonly report: Report; readonly list: ViewState }) {
  const { head } = props.report;
  const nowhere = (): void => {};
  return (
    <ReportProvider value={props.report}>
      <ShortText in="h1" text={head.runs.map(({ name }) => name).join(' vs ')} />
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

function RecipeView() {
  const { head, run, state } = useReport();
  const view = head.runs[run];
  if (view === undefined) return null;
  const { manifest } = view;
  return (
    <div class="recipe page stack loose">
      <RunSwitch link={(place) => linkTo(state, { view: 'recipe', run: place })} />
      <section>
        <h2>Signature</h2>
        <p class="hint">
          Everything that affects a number, in one line. Runs whose signatures differ in more than their predictions are
          not to be compared.
        </p>
        <CopiedLines text={manifest.signature} label="the signature" />
      </section>
      <section>
        <h2>Inputs</h2>
        <DataTable label="Inputs" columns={INPUT_COLUMNS} rows={manifest.inputs} />
      </section>
      <section>
        <h2>
          Recipe <PlainText text={manifest.recipe.name} />
        </h2>
        <PlainText in="p" class="hint" text={manifest.recipe.about} />
        {manifest.recipe.set.length === 0 ? null : (
          <p>
            Set on the command line: <PlainText text={manifest.recipe.set.join(', ')} />
          </p>
        )}
        <CopiedLines text={view.recipe} label="the recipe" long />
        <p class="hint">
          Scored by assay <PlainText text={manifest.assay} />.
        </p>
      </section>
    </div>
  );
}

const number = true;
const INPUT_COLUMNS: readonly DataColumn<RunView['manifest']['inputs'][number]>[] = [
  { title: 'file', cell: ({ name }) => <PlainText text={name} /> },
  { title: 'holds', cell: ({ role }) => role },
  { title: 'format', cell: ({ format }) => <PlainText text={format} /> },
  { title: 'rows', number, cell: ({ rows }) => count(rows) },
  { title: 'bytes', number, cell: ({ bytes }) => count(bytes) },
  { title: 'sha256', cell: ({ sha256 }) => <code class="sha">{sha256}</code> },
];
