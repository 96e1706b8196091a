import type { ComponentChildren } from 'preact';
import { useMemo, useState } from 'preact/hooks';

import { compareNatural } from '../../../../src/text/compare.ts';
import { shortName } from '../short-name.ts';

export interface SortableColumn<Row> {
  readonly key: string;
  readonly title: ComponentChildren;
  /** In words, where the title is not. */
  readonly about?: string;
  readonly number?: boolean;
  /** What it is sorted by; null comes last either way. Without it the column cannot be sorted by. */
  readonly sortBy?: (row: Row) => number | string | null;
  readonly cell: (row: Row) => ComponentChildren;
}

interface Sorting {
  readonly key: string;
  readonly ascending: boolean;
}

const SHOWN = 40;

/** A table whose columns sort by click and by key; the first column names the row. Long ones show their beginning. */
export function SortableTable<Row>(props: {
  readonly label: string;
  readonly columns: readonly SortableColumn<Row>[];
  readonly rows: readonly Row[];
  readonly keyOf: (row: Row) => string;
}) {
  const [sorting, setSorting] = useState<Sorting | null>(null);
  const [whole, setWhole] = useState(false);
  const sorted = useMemo(() => sortedRows(props.rows, props.columns, sorting), [props.rows, props.columns, sorting]);
  const shown = whole ? sorted : sorted.slice(0, SHOWN);
  return (
    <>
      <div class="table-scroll" role="region" aria-label={shortName(props.label)} tabIndex={0}>
        <table class="sortable">
          <thead>
            <tr>
              {props.columns.map((column) => (
                <Heading key={column.key} {...{ column, sorting, setSorting }} />
              ))}
            </tr>
          </thead>
          <tbody>
            {shown.map((row) => (
              <tr key={props.keyOf(row)}>
                {props.columns.map((column, place) =>
                  place === 0 ? (
                    <th key={column.key} scope="row">
                      {column.cell(row)}
                    </th>
                  ) : (
                    <td key={column.key} class={column.number === true ? 'number' : undefined}>
                      {column.cell(row)}
                    </td>
                  ),
                )}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {sorted.length > shown.length ? (
        <button type="button" class="small show-all" onClick={() => setWhole(true)}>
          Show all {sorted.length}
        </button>
      ) : null}
    </>
  );
}

function Heading<Row>(props: {
  readonly column: SortableColumn<Row>;
  readonly sorting: Sorting | null;
  readonly setSorting: (sorting: Sorting | null) => void;
}) {
  const { column, sorting } = props;
  const number = column.number === true;
  if (column.sortBy === undefined)
    return (
      <th scope="col" class={number ? 'number' : undefined} title={column.about}>
        {column.title}
      </th>
    );
  const own = sorting?.key === column.key ? sorting : null;
  // Numbers begin with the largest, names with the first; a third click gives the order back that it came in.
  const begin = !number;
  const next = (): Sorting | null => {
    if (own === null) return { key: column.key, ascending: begin };
    return own.ascending === begin ? { key: column.key, ascending: !begin } : null;
  };
  return (
    <th
      scope="col"
      class={number ? 'number' : undefined}
      aria-sort={own === null ? undefined : own.ascending ? 'ascending' : 'descending'}
    >
      <button type="button" class="sort" title={column.about} onClick={() => props.setSorting(next())}>
        {column.title}
        <span class="sort-sign" aria-hidden="true">
          {own === null ? '' : own.ascending ? '▲' : '▼'}
        </span>
      </button>
    </th>
  );
}

function sortedRows<Row>(
  rows: readonly Row[],
  columns: readonly SortableColumn<Row>[],
  sorting: Sorting | null,
): readonly Row[] {
  const sortBy = columns.find(({ key }) => key === sorting?.key)?.sortBy;
  if (sorting === null || sortBy === undefined) return rows;
  const sign = sorting.ascending ? 1 : -1;
  return rows.toSorted((a, b) => {
    const [x, y] = [sortBy(a), sortBy(b)];
    if (x === null || y === null) return Number(x === null) - Number(y === null);
    if (typeof x === 'number' && typeof y === 'number') return sign * (x - y);
    return sign * compareNatural(String(x), String(y));
  });
}
