import type { RefObject } from 'preact';
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';

import { count } from '../../../../src/text/figures.ts';
import { useKeys } from '../../use-keys.ts';
import { useWide } from '../../use-wide.ts';
import { faultText } from '../../fault-text.ts';
import { useLoaded } from '../../use-loaded.ts';
import { CaseView } from '../other-views.tsx';
import { useReport } from '../report-context.ts';
import { ShortText } from '../short-text.tsx';
import { caseState, formatState, type ViewState } from '../state.ts';
import { CaseGrid, type ListMemory } from './case-grid.tsx';
import type { CaseTable } from './case-table.ts';
import { columnsFor, systemColumns } from './columns.ts';
import { FilterBar } from './filter-bar.tsx';
import { filterRows, showCounts } from './filter-rows.ts';
import './list.css';
import { sortRows } from './sort-rows.ts';
import { useTextSearch } from './use-case-texts.ts';
import { useFoundMarks } from './use-found-marks.ts';

/** The list of cases, and beside it (or in its place, where there is no room) the one that is open. */
export function CasesView(props: { readonly table: CaseTable; readonly memory: ListMemory }) {
  const { table, memory } = props;
  const { source, head, state, run, go } = useReport();
  const { filter, sort } = state;
  const found = useTextSearch(source, filter.search);
  const wide = useWide();
  const grid = useRef<HTMLDivElement>(null);
  const search = useRef<HTMLInputElement>(null);
  const [cursor, setCursor] = useState<number | null>(null);

  const order = useMemo(() => sortRows(table, sort, run), [table, sort.by, sort.measure, sort.reverse, run]);
  const shape = JSON.stringify(filter);
  // In a table of all systems a case is let through for any of them.
  const bySystem = state.view === 'systems';
  const ofRun = bySystem ? null : run;
  const rows = useMemo(() => filterRows(table, order, filter, ofRun, found.rows), [table, order, shape, ofRun, found]);
  const counts = useMemo(() => showCounts(table, ofRun), [table, ofRun]);
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
      words={found.words}
    />
  ) : null;
  if (!wide && pane !== null) return <div class="cases one">{pane}</div>;
  return (
    <div class={pane === null ? 'cases one' : 'cases two'}>
      <section class="case-list" aria-label="List of cases">
        <FilterBar
          {...{ table, counts, search, found }}
          shown={rows.length}
          onDown={() => {
            grid.current?.focus({ preventScroll: true });
            if (at < 0 && rows[0] !== undefined) setCursor(rows[0]);
          }}
        />
        {rows.length === 0 && found.share === 1 ? <p class="hint none">No case is like this.</p> : null}
        <CaseGrid
          {...{ grid, table, source, rows, run, sort, at, memory }}
          words={found.words}
          opened={isOpen ? opened : null}
          list={`${state.view} ${shape} ${JSON.stringify(sort)} ${run}`}
          linkToRow={(row) => linkToRow(row) ?? ''}
          columnsAt={(width) =>
            bySystem ? systemColumns(table, head, state.cells) : columnsFor(table, head, run, width)
          }
          linkToSort={(next, of) => link(of === run ? { sort: next } : { sort: next, run: of })}
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

const PAGE = 20;

/** Keys of the list: j and k move, Enter opens, Escape goes back. Arrows move too while the list has the focus. */
function useListKeys(given: {
  readonly grid: RefObject<HTMLElement | null>;
  readonly search: RefObject<HTMLInputElement | null>;
  /** Index of the current case in the list; -1 without one. */
  readonly at: number;
  readonly of: number;
  readonly isOpen: boolean;
  /** Makes the case at a place the current one; opens it where one is open, or where told. */
  readonly move: (to: number, open: boolean) => void;
  /** Closes the innermost thing that is open: an item of the case, else the case. */
  readonly close: () => void;
}): void {
  const { at, of, isOpen, move } = given;
  const inList = (): boolean => given.grid.current?.contains(document.activeElement) ?? false;
  const step = (by: number, open: boolean): void => {
    if (of > 0) move(Math.min(of - 1, Math.max(0, at < 0 && by > 0 ? 0 : at + by)), open || isOpen);
  };
  useKeys([
    { keys: ['j'], does: 'next case', run: () => step(1, false) },
    { keys: ['k'], does: 'previous case', run: () => step(-1, false) },
    { keys: ['ArrowDown'], does: 'next case', unlisted: true, when: inList, run: () => step(1, false) },
    { keys: ['ArrowUp'], does: 'previous case', unlisted: true, when: inList, run: () => step(-1, false) },
    { keys: ['n'], does: 'open the next case', run: () => step(1, true) },
    { keys: ['p'], does: 'open the previous case', run: () => step(-1, true) },
    // On a link or a button it is theirs: `Keys` leaves it to them.
    { keys: ['Enter'], does: 'open the marked case', when: () => !isOpen, run: () => at >= 0 && move(at, true) },
    { keys: ['PageDown'], does: 'a page down', unlisted: true, when: inList, run: () => step(PAGE, false) },
    { keys: ['PageUp'], does: 'a page up', unlisted: true, when: inList, run: () => step(-PAGE, false) },
    { keys: ['Home'], does: 'first case', unlisted: true, when: inList, run: () => step(-of, false) },
    { keys: ['End'], does: 'last case', unlisted: true, when: inList, run: () => step(of, false) },
    { keys: ['/'], does: 'search', run: () => given.search.current?.select() },
    {
      keys: ['Escape'],
      does: isOpen ? 'close the case' : 'leave the search',
      run: () => {
        if (document.activeElement === given.search.current) given.grid.current?.focus({ preventScroll: true });
        else if (isOpen) given.close();
      },
    },
  ]);
}

function CasePane(props: {
  readonly id: string;
  /** null where the report has no such case. */
  readonly row: number | null;
  /** Place in the list as filtered, and how many are in it; -1 where it is not. */
  readonly at: number;
  readonly of: number;
  readonly previous: string | null;
  readonly next: string | null;
  readonly back: string;
  /** Whether the list is beside it. */
  readonly beside: boolean;
  /** What is searched for. */
  readonly words: readonly string[];
}) {
  const heading = useRef<HTMLHeadingElement>(null);
  const pane = useRef<HTMLElement>(null);
  useFoundMarks(pane, props.words);
  // If the case fills the screen, reading begins with it.
  useEffect(() => {
    if (!props.beside) heading.current?.focus({ preventScroll: true });
  }, [props.beside]);
  useEffect(() => pane.current?.scrollTo(0, 0), [props.id]);
  return (
    <section class="case-pane" aria-labelledby="case-title" ref={pane}>
      <header class="pane-head">
        <a class="back" href={props.back} title={props.beside ? 'Close' : 'Back to the list'}>
          <span aria-hidden="true">{props.beside ? '✕' : '←'}</span>
          <span class={props.beside ? 'unseen' : undefined}>{props.beside ? 'Close' : 'List'}</span>
        </a>
        <h2 id="case-title" class="cut" tabIndex={-1} ref={heading}>
          <ShortText text={props.id} />
        </h2>
        <p class="hint count position">
          {props.at < 0 ? 'not in the list as filtered' : `${count(props.at + 1)} of ${count(props.of)}`}
        </p>
        <nav class="steps" aria-label="Cases of the list">
          <Step href={props.previous} sign="↑" words="Previous case" />
          <Step href={props.next} sign="↓" words="Next case" />
        </nav>
      </header>
      {props.row === null ? (
        <p class="notice warn">This report has no case {props.id === '' ? 'at this place' : 'of this name'}.</p>
      ) : (
        <CaseContent row={props.row} id={props.id} />
      )}
    </section>
  );
}

function Step(props: { readonly href: string | null; readonly sign: string; readonly words: string }) {
  if (props.href === null)
    return (
      <span class="step off" aria-hidden="true">
        {props.sign}
      </span>
    );
  return (
    <a class="step" href={props.href} title={props.words} aria-label={props.words}>
      <span aria-hidden="true">{props.sign}</span>
    </a>
  );
}

function CaseContent(props: { readonly row: number; readonly id: string }) {
  const { source, head, state, go } = useReport();
  const detail = useLoaded(props.row, async () => await source.detail(props.row), null).state;
  switch (detail.kind) {
    case 'loading':
      return <p class="hint loading">Opening the case…</p>;
    case 'fault':
      return (
        <p class="notice fault" role="alert">
          {faultText(detail.fault)}
        </p>
      );
    case 'ready':
      if (detail.value === null) return <NoDetail id={props.id} until={head.detailsUntil} />;
      return (
        <div class="case-content">
          <CaseView
            key={props.id}
            head={head}
            detail={detail.value}
            selected={state.item}
            onSelect={(item) => go({ item }, 'replace')}
          />
        </div>
      );
  }
}

function NoDetail(props: { readonly id: string; readonly until: number | null }) {
  return (
    <div class="notice">
      <p>
        This file holds the first {props.until === null ? '' : `${count(props.until)} `}cases in full and only the
        counts of the others: with all of them it would be too large to open. The run folder has every verdict.
      </p>
      <p>
        In a terminal: <code>assay explain RUN --case</code> <ShortText in="code" text={JSON.stringify(props.id)} />
      </p>
    </div>
  );
}
