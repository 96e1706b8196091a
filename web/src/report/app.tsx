import { useEffect, useRef, useState } from 'preact/hooks';

import { KeyHelp } from '../key-help.tsx';
import type { Shortcut } from '../keys.ts';
import { pageKeys, RANK, useKeys } from '../use-keys.ts';
import { useAddress } from './address.ts';
import { Header, viewsOf } from './header.tsx';
import { LiveUpdate } from './live-update.tsx';
import type { ListMemory } from './list/case-grid.tsx';
import { caseTable } from './list/case-table.ts';
import { CasesView } from './list/cases-view.tsx';
import { useLoaded } from './loaded.ts';
import { AuditView, ComparisonView, FiguresView } from './other-views.tsx';
import { usePrinting } from './print.tsx';
import { RecipeView } from './recipe-view.tsx';
import { type Report, ReportProvider, runOf, useReport } from './report-context.ts';
import { shortName } from './short-name.ts';
import type { ReportSource } from './source.ts';
import { useViewScroll } from './use-view-scroll.ts';
import { type CaseFilter, FILE_ORDER, START, type ViewState } from './state.ts';
import { SummaryView } from './summary/summary-view.tsx';

/** The report: the address decides which part is on the screen. */
export function App(props: { readonly source: ReportSource }) {
  const { source } = props;
  const { head } = source;
  const address = useAddress();
  const table = useLoaded(source, async () => caseTable(await source.index(), head));
  const [help, setHelp] = useState<readonly Shortcut[] | null>(null);
  const showKeys = (): void => setHelp(pageKeys.active(0));
  useKeys([{ keys: ['?'], does: 'this list', run: showKeys }], RANK.page);

  const { state } = address;
  const report: Report = { ...address, source, head, table, run: runOf(head, state) };
  const lastList = useRef<ViewState>({ ...START, view: 'cases' });
  if (state.view === 'cases') lastList.current = state;
  const memory = useRef<ListMemory>({ scrollTop: 0, list: '' });
  usePrinting(report, lastList.current);
  useViewScroll(state.view);
  useEffect(() => {
    const names = head.runs.map(({ name }) => shortName(name)).join(' vs ');
    document.title = `${state.case === null ? '' : `${shortName(state.case)} · `}${names} · Assay`;
  }, [head, state.case]);

  return (
    <ReportProvider value={report}>
      <div class={state.view === 'cases' ? 'report filled' : 'report'}>
        <Header lastList={lastList.current} showKeys={showKeys} />
        <main key={state.view}>
          <Shown memory={memory.current} />
        </main>
      </div>
      <LiveUpdate several={head.runs.length > 1} />
      {help === null ? null : <KeyHelp shortcuts={help} onClose={() => setHelp(null)} />}
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
        <div class="page">
          <FiguresView head={head} onCases={onCases} />
        </div>
      );
    case 'audit':
      return (
        <div class="page">
          <AuditView head={head} onCases={onCases} />
        </div>
      );
    case 'compare':
      return (
        <div class="page">
          <ComparisonView head={head} onCases={onCases} />
        </div>
      );
    case 'recipe':
      return <RecipeView />;
    case 'cases':
      switch (table.kind) {
        case 'loading':
          return <p class="hint lone">Reading the list of cases…</p>;
        case 'fault':
          return (
            <div class="page">
              <p class="notice fault" role="alert">
                {table.message}
              </p>
            </div>
          );
        case 'ready':
          return <CasesView table={table.value} memory={props.memory} />;
      }
  }
}
