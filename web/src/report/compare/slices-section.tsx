import { useState } from 'preact/hooks';

import type { Comparison, MeasureComparison } from '../../../../src/compare/comparison.ts';
import { rowSentences } from '../../../../src/report/comparison-sentences.ts';
import { systemName } from '../../../../src/report/comparison-words.ts';
import { count } from '../../../../src/text/figures.ts';
import { useShown } from '../../use-shown.tsx';
import { linkTo, useReport } from '../report-context.ts';
import type { CaseFilter } from '../state.ts';
import { inOrder, type MeasureOrder } from './measure-order.ts';
import { MeasuresTable } from './measures-table.tsx';
import { Sentences } from './sentences.tsx';

/** Slices can be thousands. */
const SHOWN_AT_ONCE = 30;

/** The measures slice by slice, where the comparison goes into them. */
export function SlicesSection(props: {
  readonly comparison: Comparison;
  readonly system: number;
  readonly rows: readonly MeasureComparison[];
  readonly shares: ReadonlySet<string>;
  readonly order: MeasureOrder;
}) {
  const { comparison, system, shares, order } = props;
  const { state } = useReport();
  const names = [...new Set(props.rows.map(({ name }) => name))];
  const [chosen, setChosen] = useState('');
  const wanted = chosen === '' ? props.rows : props.rows.filter(({ name }) => name === chosen);
  const rows = inOrder(wanted, order);
  const [shown, more] = useShown(rows, SHOWN_AT_ONCE);
  return (
    <div class="slices stack">
      <h3>Slices</h3>
      {names.length > 1 ? (
        <label class="choice fine flow">
          <span>Measure</span>
          <select value={chosen} onChange={(event) => setChosen(event.currentTarget.value)}>
            <option value="">all</option>
            {names.map((name) => (
              <option key={name} value={name}>
                {name}
              </option>
            ))}
          </select>
        </label>
      ) : null}
      <MeasuresTable
        comparison={comparison}
        system={system}
        rows={shown}
        shares={shares}
        label={`Slices of ${systemName(comparison, system)}`}
        casesOf={(row) => linkTo(state, { view: 'cases', filter: sliceFilter(row), run: system })}
      />
      {more === null ? null : (
        <p>
          {more} <span class="hint">{count(shown.length)} are shown.</span>
        </p>
      )}
      <Sentences sentences={rowSentences(comparison, rows)} />
    </div>
  );
}

/** A label is of items, anything else a column of the cases. */
function sliceFilter({ slice }: MeasureComparison): CaseFilter {
  const first = Object.entries(slice).find(([field]) => field !== 'label');
  const label = slice['label'];
  return {
    show: 'all',
    ...(label === undefined ? {} : { label }),
    ...(first === undefined ? {} : { slice: first }),
  };
}
