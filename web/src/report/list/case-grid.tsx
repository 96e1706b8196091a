import type { RefObject } from 'preact';
import { useLayoutEffect, useState } from 'preact/hooks';

import { readableText } from '../../readable-pieces.ts';
import type { ReportSource } from '../source.ts';
import type { CaseSort } from '../state.ts';
import { CaseCell } from './case-cell.tsx';
import type { PreviewPiece } from './case-preview.ts';
import type { CaseTable } from './case-table.ts';
import { type ListColumn, nextSort } from './columns.ts';
import { ROWS_BEYOND, rowWindow, scrollToRow } from './row-window.ts';
import { directionOf } from './sort-rows.ts';
import { usePreviews } from './use-case-texts.ts';
import { useSize } from './use-size.ts';

/** Of a row, and of the line of text that it has where the report has texts. */
const ROW_HEIGHT = 34;
const PREVIEW_HEIGHT = 22;
const HEAD_HEIGHT = 38;

const NO_ROWS = new Int32Array();

type LinkToSort = (sort: CaseSort, run: number) => string;

/** The position of the list, so that it can be restored. */
export interface ListMemory {
  scrollTop: number;
  /** What was shown: another list begins at its top. */
  list: string;
}

/**
 * The cases as rows of equal height, of which only those in view are in the page. A screen reader announces how many
 * there are and which one is current; keys move it, and focus stays on the grid itself.
 */
export function CaseGrid(props: {
  readonly grid: RefObject<HTMLDivElement | null>;
  readonly table: CaseTable;
  readonly source: ReportSource;
  readonly rows: Int32Array;
  readonly run: number;
  /** The columns that there is room for. */
  readonly columnsAt: (width: number) => readonly ListColumn[];
  /** What is searched for. */
  readonly words: readonly string[];
  readonly sort: CaseSort;
  /** Index in `rows` of the current one; -1 if none is. */
  readonly at: number;
  /** The row whose case is open. */
  readonly opened: number | null;
  readonly memory: ListMemory;
  readonly list: string;
  readonly linkToRow: (row: number) => string;
  readonly linkToSort: LinkToSort;
}) {
  const { grid, rows, table, at, memory, words, source } = props;
  const hasPreviews = source.head.texts !== 'none';
  const rowHeight = hasPreviews ? ROW_HEIGHT + PREVIEW_HEIGHT : ROW_HEIGHT;
  const size = useSize(grid);
  const [scrollTop, setScrollTop] = useState(memory.list === props.list ? memory.scrollTop : 0);
  const viewHeight = Math.max(0, size.height - HEAD_HEIGHT);
  const view = rowWindow(rows.length, rowHeight, scrollTop, viewHeight);
  const columns = props.columnsAt(size.width);

  useLayoutEffect(() => {
    const own = grid.current;
    if (own === null || viewHeight === 0) return;
    const from = memory.list === props.list ? memory.scrollTop : 0;
    const top = at < 0 ? from : scrollToRow(at, { rows: rows.length, rowHeight, scrollTop: from, viewHeight });
    memory.list = props.list;
    memory.scrollTop = top;
    if (own.scrollTop !== top) own.scrollTop = top;
    setScrollTop(top);
  }, [at, props.list, viewHeight]);

  const shown = rows.subarray(view.from, view.to);
  const previewOf = usePreviews(source, hasPreviews ? shown : NO_ROWS, props.run, words);
  // Rows that leave the view lend their elements to those that come: nothing is made or thrown away while scrolling.
  const places = Math.max(1, Math.ceil(viewHeight / rowHeight) + 2 * ROWS_BEYOND + 1);
  return (
    <div
      ref={grid}
      class={columns.some(({ kind }) => kind === 'system') ? 'case-grid of-systems' : 'case-grid'}
      role="grid"
      aria-label="Cases"
      aria-rowcount={rows.length + 1}
      aria-activedescendant={at >= view.from && at < view.to ? `case-row-${at}` : undefined}
      tabIndex={0}
      style={{ '--columns': columns.map(({ width }) => width).join(' '), '--least': leastWidth(columns) }}
      onScroll={(event) => {
        memory.scrollTop = event.currentTarget.scrollTop;
        setScrollTop(event.currentTarget.scrollTop);
      }}
    >
      <div class="case-line case-heads" role="row" aria-rowindex={1}>
        {columns.map((column) => (
          <Heading
            key={column.key}
            {...{ column, table }}
            run={props.run}
            sort={props.sort}
            linkToSort={props.linkToSort}
          />
        ))}
        {hasPreviews ? (
          <div role="columnheader" class="unseen">
            text
          </div>
        ) : null}
      </div>
      <div role="rowgroup" class="case-rows" style={{ height: `${view.height}px` }}>
        {[...shown].map((row, place) => {
          const position = view.from + place;
          return (
            <div
              key={position % places}
              id={`case-row-${position}`}
              class={lineClass(position === at, row === props.opened)}
              role="row"
              aria-rowindex={position + 2}
              aria-selected={row === props.opened}
              style={{ transform: `translateY(${view.top + place * rowHeight}px)`, height: `${rowHeight}px` }}
              onClick={() => grid.current?.focus({ preventScroll: true })}
            >
              {columns.map((column) => (
                <div key={column.key} role="gridcell" class={cellClass(column)}>
                  <CaseCell
                    {...{ table, column, row, words }}
                    href={column.kind === 'id' ? props.linkToRow(row) : null}
                  />
                </div>
              ))}
              {hasPreviews ? (
                <div role="gridcell" class="cell cut preview">
                  <PreviewText pieces={previewOf(row) ?? []} />
                </div>
              ) : null}
            </div>
          );
        })}
      </div>
    </div>
  );
}

/** What was searched for is marked, and so is the place of an error. */
function PreviewText(props: { readonly pieces: readonly PreviewPiece[] }) {
  return (
    <bdi class="plain-text">
      {props.pieces.map(({ text, is }, at) =>
        is === 'found' ? (
          <mark key={at}>{readableText(text)}</mark>
        ) : (
          <span key={at} class={is}>
            {readableText(text)}
          </span>
        ),
      )}
    </bdi>
  );
}

function Heading(props: {
  readonly column: ListColumn;
  readonly table: CaseTable;
  readonly run: number;
  readonly sort: CaseSort;
  readonly linkToSort: LinkToSort;
}) {
  const { column, sort } = props;
  // Of systems beside each other, the one that is sorted by is the one that is looked at.
  const ofRun = column.kind === 'system' ? column.run : props.run;
  const asked = column.sort;
  const about = readableText(column.about);
  const own = asked !== null && asked.by === sort.by && asked.measure === sort.measure && ofRun === props.run;
  const direction = own ? directionOf(props.table, sort) : undefined;
  const name = (
    <>
      {column.over === null ? null : <span class="over">{readableText(column.over)}</span>}
      <span class="name">
        {readableText(column.title)}
        {direction === undefined ? '' : direction === 'ascending' ? ' ▲' : ' ▼'}
      </span>
    </>
  );
  return (
    <div role="columnheader" class={cellClass(column)} aria-sort={direction} aria-label={about}>
      {asked === null ? (
        <span class="head-name" title={about}>
          {name}
        </span>
      ) : (
        <a
          class="head-name"
          href={props.linkToSort(own ? nextSort(sort, asked) : { ...asked, reverse: false }, ofRun)}
          title={`sort by ${about}`}
        >
          {name}
        </a>
      )}
    </div>
  );
}

/** So that columns beside each other are scrolled to and not squeezed. */
function leastWidth(columns: readonly ListColumn[]): string {
  const widths = columns.map(({ width }) => /[\d.]+rem/.exec(width)?.[0] ?? '0rem');
  return `calc(${[...widths, `${columns.length / 2 + 2}rem`].join(' + ')})`;
}

function lineClass(current: boolean, open: boolean): string {
  return ['case-line', ...(current ? ['current'] : []), ...(open ? ['open'] : [])].join(' ');
}

function cellClass({ kind, number }: ListColumn): string {
  return number ? `cell cut number ${kind}` : `cell cut ${kind}`;
}
