import type { ComponentChildren } from 'preact';

import { shortName } from '../short-name.ts';

export interface DataColumn<Row> {
  readonly title: string;
  readonly cell: (row: Row) => ComponentChildren;
  /** Numbers stand at the right, so that their digits stand below each other. */
  readonly number?: boolean;
  /** What the title means, where it is short. */
  readonly about?: string;
  /** May be as wide as a sentence needs. */
  readonly prose?: boolean;
}

/** A table that scrolls by itself where the window is narrow; the first column names the row and stays. */
export function DataTable<Row>(props: {
  readonly label: string;
  readonly columns: readonly DataColumn<Row>[];
  readonly rows: readonly Row[];
  readonly keyOf: (row: Row, at: number) => string | number;
  readonly rowClass?: (row: Row) => string | undefined;
}) {
  return (
    <div class="data-table" role="region" aria-label={shortName(props.label)} tabIndex={0}>
      <table>
        <thead>
          <tr>
            {props.columns.map((column) => (
              <th key={column.title} scope="col" class={classOf(column)} title={column.about}>
                {shortName(column.title)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {props.rows.map((row, at) => (
            <tr key={props.keyOf(row, at)} class={props.rowClass?.(row)}>
              {props.columns.map((column, place) =>
                place === 0 ? (
                  <th key={column.title} scope="row" class={classOf(column)}>
                    {column.cell(row)}
                  </th>
                ) : (
                  <td key={column.title} class={classOf(column)}>
                    {column.cell(row)}
                  </td>
                ),
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function classOf({ number, prose }: Pick<DataColumn<never>, 'number' | 'prose'>): string | undefined {
  if (number === true) return 'number';
  return prose === true ? 'prose' : undefined;
}
