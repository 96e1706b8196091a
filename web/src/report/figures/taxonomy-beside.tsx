import type { RunView } from '../../../../src/report/html/report-data.ts';
import { kindName } from '../../../../src/report/kind-name.ts';
import { ShortText } from '../short-text.tsx';
import { errorWords } from '../case/verdict-words.ts';
import { besideTables, type BesideTable } from './beside-rows.ts';
import { valueText } from './number-words.ts';

/** The errors of several runs by type, side by side: which gap which run has. */
export function TaxonomyBeside(props: { readonly runs: readonly RunView[] }) {
  const tables = besideTables(props.runs);
  if (tables.length === 0) return null;
  return (
    <section class="figure-section">
      <h2>Run beside run: what keeps F1 from 1</h2>
      {tables.map((table) => (
        <Beside key={table.kind} table={table} />
      ))}
    </section>
  );
}

function Beside(props: { readonly table: BesideTable }) {
  const { table } = props;
  const title = `Parts of the gap between F1 of ${kindName(table.kind)} and 1, by run`;
  return (
    <div class="data-table" role="region" aria-label={title} tabIndex={0}>
      <table>
        <caption>{title}</caption>
        <thead>
          <tr>
            <th scope="col">Type</th>
            {table.runs.map(({ name }) => (
              <th key={name} scope="col" class="number">
                <ShortText text={name} />
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {table.types.map(({ type, gaps }) => (
            <tr key={type}>
              <th scope="row" class="prose">
                {type} <span class="hint">{errorWords(type)}</span>
              </th>
              {gaps.map((gap, at) => (
                <td key={at} class="number">
                  {valueText(gap)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
        <tfoot>
          <tr>
            <th scope="row">all: 1 − F1</th>
            {table.runs.map(({ name, f1 }) => (
              <td key={name} class="number">
                {f1 === null ? valueText(null) : valueText(1 - f1)}
              </td>
            ))}
          </tr>
        </tfoot>
      </table>
    </div>
  );
}
