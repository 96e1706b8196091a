import type { ComponentChildren } from 'preact';
import { useMemo, useState } from 'preact/hooks';

import { compareNatural } from '../../../../src/text/compare.ts';
import { useShown } from '../../use-shown.tsx';
import { shortName } from '../short-name.ts';
import './data-table.css';

export interface DataColumn<Row> {
  readonly title: ComponentChildren;
  readonly cell: (row: Row) => ComponentChildren;
  /** Numbers stand at the right, so that their digits stand below each other. */
  readonly number?: boolean;
  /** What the title means, where it is short. */
  readonly about?: string;
  /** `prose`: as wide as a sentence needs. */
  readonly class?: 'prose' | 'drawing';
  /** What it is sorted by; null comes last either way. Without it the column cannot be sorted by. */
  readonly sortBy?: (row: Row) => number | string | null;
}

interface Sorting {
  /** Place of the column. */
  readonly by: number;
  readonly ascending: boolean;
}

/** Of a table that can be sorted, which may be long. */
const SHOWN = 40;

/** A table that scrolls by itself where the window is narrow; the first column names the row and stays. */
export function DataTable<Row>(props: {
  readonly label: string;
  readonly columns: readonly DataColumn<Row>[];
  readonly rows: readonly Row[];
  readonly keyOf?: (row: Row) => string | number;
}) {
  const { columns } = props;
  const sortable = columns.some(({ sortBy }) => sortBy !== undefined);
  const [sorting, setSorting] = useState<Sorting | null>(null);
  const sorted = useMemo(() => sortedRows(props.rows, columns, sorting), [props.rows, columns, sorting]);
  const [shown, more] = useShown(sorted, sortable ? SHOWN : Infinity);
  return (
    <>
      <div
        class={sortable ? 'table-frame frame' : 'data-table table-frame frame'}
        role="region"
        aria-label={shortName(props.label)}
        tabIndex={0}
      >
        <table class={sortable ? 'sortable' : undefined}>
          <thead>
            <tr>
              {columns.map((column, by) => (
                <Heading key={by} {...{ column, by, sorting, setSorting }} />
              ))}
            </tr>
          </thead>
          <tbody>
            {shown.map((row, at) => (
              <tr key={props.keyOf?.(row) ?? at}>
                {columns.map((column, place) =>
                  place === 0 ? (
                    <th key={place} scope="row" class={classOf(column)}>
                      {column.cell(row)}
                    </th>
                  ) : (
                    <td key={place} class={classOf(column)}>
                      {column.cell(row)}
                    </td>
                  ),
                )}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {more}
    </>
  );
}

function classOf(column: Pick<DataColumn<never>, 'number' | 'class'>): string | undefined {
  return column.number === true ? 'number' : column.class;
}

function Heading<Row>(props: {
  readonly column: DataColumn<Row>;
  readonly by: number;
  readonly sorting: Sorting | null;
  readonly setSorting: (sorting: Sorting | null) => void;
}) {
  const { column, by, sorting } = props;
  const { title, about, sortBy } = column;
  const shown = typeof title === 'string' ? shortName(title) : title;
  if (sortBy === undefined)
    return (
      <th scope="col" class={classOf(column)} title={about}>
        {shown}
      </th>
    );
  const held = sorting?.by === by ? sorting : null;
  // Numbers begin with the largest, names with the first; a third click gives the order back that it came in.
  const begin = column.number !== true;
  const next = (): Sorting | null => {
    if (held === null) return { by, ascending: begin };
    return held.ascending === begin ? { by, ascending: !begin } : null;
  };
  const direction = held === null ? undefined : held.ascending ? 'ascending' : 'descending';
  return (
    <th scope="col" class={classOf(column)} aria-sort={direction}>
      <button type="button" class="bare sort" title={about} onClick={() => props.setSorting(next())}>
        {shown}
        <span class="sort-sign" aria-hidden="true">
          {held === null ? '' : held.ascending ? '▲' : '▼'}
        </span>
      </button>
    </th>
  );
}

function sortedRows<Row>(
  rows: readonly Row[],
  columns: readonly DataColumn<Row>[],
  sorting: Sorting | null,
): readonly Row[] {
  const sortBy = sorting === null ? undefined : columns[sorting.by]?.sortBy;
  if (sorting === null || sortBy === undefined) return rows;
  const sign = sorting.ascending ? 1 : -1;
  return rows.toSorted((a, b) => {
    const [x, y] = [sortBy(a), sortBy(b)];
    if (x === null || y === null) return Number(x === null) - Number(y === null);
    if (typeof x === 'number' && typeof y === 'number') return sign * (x - y);
    return sign * compareNatural(String(x), String(y));
  });
}
