import './list.css';

import { useEffect, useMemo, useRef, useState } from 'preact/hooks';

import { useReport } from '../report-context.ts';
import { caseState, formatState, type ViewState } from '../state.ts';
import { useWide } from '../../use-wide.ts';
import { CaseGrid, type ListMemory } from './case-grid.tsx';
import { CasePane } from './case-pane.tsx';
import type { CaseTable } from './case-table.ts';
import { FilterBar } from './filter-bar.tsx';
import { filterRows, showCounts } from './filter-rows.ts';
import { sortRows } from './sort-rows.ts';
import { useListKeys } from './use-list-keys.ts';

/** The list of cases, and beside it (or in its place, where there is no room) the one that is open. */
export function CasesView(props: { readonly table: CaseTable; readonly memory: ListMemory }) {
  const { table, memory } = props;
  const { head, state, run, go } = useReport();
  const { filter, sort } = state;
  const wide = useWide();
  const grid = useRef<HTMLDivElement>(null);
  const search = useRef<HTMLInputElement>(null);
  const [cursor, setCursor] = useState<number | null>(null);

  const order = useMemo(() => sortRows(table, sort, run), [table, sort.by, sort.measure, sort.reverse, run]);
  const shape = JSON.stringify(filter);
  const rows = useMemo(() => filterRows(table, order, filter, run), [table, order, shape, run]);
  const counts = useMemo(() => showCounts(table, run), [table, run]);
  const isOpen = state.case !== null || state.row !== null;
  const opened = useMemo(() => openedRow(table, state), [table, state.case, state.row]);
  const current = isOpen ? opened : cursor;
  const at = useMemo(() => (current === null ? -1 : rows.indexOf(current)), [rows, current]);

  const link = (change: Partial<ViewState>): string => formatState({ ...state, ...change });
  const linkToRow = (row: number | undefined): string | null => {
    const id = row === undefined ? undefined : table.ids[row];
    return row === undefined || id === undefined ? null : link({ ...caseState(id, row), item: null });
  };
  const closed = useRef(false);
  const close = (): void => {
    if (state.item === null) go({ case: null, row: null });
    else go({ item: null }, 'replace');
  };
  // The way back leads to where one was: the list has the focus and the case that was open.
  useEffect(() => {
    if (isOpen && opened >= 0) setCursor(opened);
    if (closed.current && !isOpen) grid.current?.focus({ preventScroll: true });
    closed.current = isOpen;
  }, [isOpen, opened]);
  useListKeys({
    grid,
    search,
    at,
    of: rows.length,
    isOpen,
    close,
    move(to, open) {
      const row = rows[to];
      const id = row === undefined ? undefined : table.ids[row];
      if (row === undefined || id === undefined) return;
      setCursor(row);
      if (open) go({ ...caseState(id, row), item: null }, isOpen ? 'replace' : 'push');
    },
  });

  const pane = isOpen ? (
    <CasePane
      id={table.ids[opened] ?? state.case ?? ''}
      row={opened < 0 ? null : opened}
      at={at}
      of={rows.length}
      previous={at > 0 ? linkToRow(rows[at - 1]) : null}
      next={at >= 0 ? linkToRow(rows[at + 1]) : null}
      back={link({ case: null, row: null, item: null })}
      beside={wide}
    />
  ) : null;
  if (!wide && pane !== null) return <div class="cases one">{pane}</div>;
  return (
    <div class={pane === null ? 'cases one' : 'cases two'}>
      <section class="case-list" aria-label="List of cases">
        <FilterBar
          {...{ table, counts, search }}
          shown={rows.length}
          onDown={() => {
            grid.current?.focus({ preventScroll: true });
            if (at < 0 && rows[0] !== undefined) setCursor(rows[0]);
          }}
        />
        {rows.length === 0 ? <p class="hint none">No case is like this.</p> : null}
        <CaseGrid
          {...{ grid, table, head, rows, run, sort, at, memory }}
          opened={isOpen ? opened : null}
          list={`${shape} ${JSON.stringify(sort)} ${run}`}
          linkToRow={(row) => linkToRow(row) ?? ''}
          linkToSort={(next) => link({ sort: next })}
        />
      </section>
      {pane}
    </div>
  );
}

/** -1 where the report has no such case. */
function openedRow({ ids }: CaseTable, state: ViewState): number {
  if (state.case !== null) return ids.indexOf(state.case);
  return state.row !== null && state.row < ids.length ? state.row : -1;
}
