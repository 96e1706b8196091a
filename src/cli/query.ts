import { displayWidth, numberColumns, safeJson, terminalLines, textColumns, UsageError } from '../plugin.ts';
import { queryRun } from '../pipeline.ts';
import { renderCsv } from '../report.ts';
import { command } from './command.ts';
import * as flag from './flags.ts';

export default command({
  name: 'query',
  arguments: {
    run: flag.argument('run folder, written by assay score --out'),
    sql: flag.argument('query over the tables ledger, cases and measures'),
  },
  flags: {
    csv: flag.toggle('print CSV, also on a terminal'),
    json: flag.JSON_ALONE,
  },
  help: `
Needs DuckDB: npm install @duckdb/node-api in your project, or the program duckdb.

Tables:
  ledger    a row for each verdict: case, scheme (null: the recipe’s own pairing),
            kind, verdict, rule, label, similarity, credit, weight, gold_text,
            gold_start, predicted_text, because, rejected_why …
  cases     a row for each case: case, hit, missed, spurious, excused, failed, and
            each measure by its name
  measures  a row for each measure: name, scheme, label, slice, value, n, low, high …
DESCRIBE ledger lists all columns. The tables are loaded into memory: a query can
neither change the run nor read or write any other file.

Examples:
  $ assay query runs/a "select label, verdict, count(*) n from ledger
      where scheme is null group by all order by all"
  $ assay query runs/a "select \\"case\\", f1 from cases order by f1 limit 10"
  $ assay query runs/a "select gold_text, count(*) n from ledger
      where verdict = 'missed' group by all order by n desc" > missed.csv
  $ assay query runs/a "select name, value, low, high from measures
      where label is null" --json`,
  async run({ run, sql, csv, json }, { style, note }) {
    if (csv && json) throw new UsageError('--csv and --json are two formats', 'choose one');
    const { columns, rows } = await queryRun(run, sql);
    if (json) {
      const objects = rows.map((row) => Object.fromEntries(columns.map((name, at) => [name, row[at]])));
      return { json: () => safeJson(objects) };
    }
    if (csv || !process.stdout.isTTY) {
      const named = columns.map((name, at) => [name, (row: readonly unknown[]) => cellText(row[at])] as const);
      process.stdout.write(renderCsv(named, rows));
      return undefined;
    }
    const cells = rows.slice(0, MOST_SHOWN).map((row) => row.map((cell) => String(cellText(cell) ?? '')));
    const isNumber = columns.map((_, at) => rows.every((row) => row[at] === null || typeof row[at] === 'number'));
    const titles = columns.flatMap((name, at) => (isNumber[at] ? numberColumns(name) : textColumns(name)));
    const widths = columns.map((name, at) => Math.max(...[name, ...cells.map((row) => row[at]!)].map(displayWidth)));
    const room = widths.reduce((sum, width, at) => sum + 2 + (isNumber[at] ? width : Math.min(width, READABLE)), -2);
    // What would be too wide is one row below another, name by name.
    const blocks =
      room <= style.width
        ? [{ columns: titles, rows: cells }]
        : cells.map((row) => ({
            columns: [{ title: '' }, { title: '', wraps: true as const }],
            rows: columns.flatMap((name, at) => (row[at] === '' ? [] : [[name, row[at]!]])),
          }));
    process.stdout.write(blocks.map((block) => `${terminalLines([block], style).join('\n')}\n`).join('\n'));
    if (rows.length > cells.length) note(`${cells.length} of ${rows.length} rows: --csv or --json prints all`);
    return undefined;
  },
});

/** On a terminal; a pipe gets everything. */
const MOST_SHOWN = 200;
/** A column of text is cut at this width before a table is too wide. */
const READABLE = 24;

/** Lists and structures as JSON. */
function cellText(cell: unknown): string | number | boolean | null {
  if (typeof cell === 'string' || typeof cell === 'number' || typeof cell === 'boolean') return cell;
  return cell === null || cell === undefined ? null : JSON.stringify(cell);
}
