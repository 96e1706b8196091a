import { useMemo, useState } from 'preact/hooks';

import { VERDICTS } from '../../../../src/judge/verdict.ts';
import type { MeasureValue } from '../../../../src/measure/results.ts';
import { arrow, betterWord } from '../../../../src/report/arrows.ts';
import { CASE_MEAN, isCaseMean, poolsDiffer } from '../../../../src/report/pooling.ts';
import { count } from '../../../../src/text/figures.ts';
import { ShortText } from '../short-text.tsx';
import { longTitle } from '../short-name.ts';
import { linkToCases, useReport } from '../report-context.ts';
import { type CaseFilter, isAddressable } from '../state.ts';
import { VerdictBar, VerdictName } from '../verdict-bar.tsx';
import { intervalText, remarks, valueText } from './measure-words.ts';
import { type SliceRow, type SliceTable, undefinedReasons } from './slice-tables.ts';
import { type DataColumn, DataTable } from '../figures/data-table.tsx';

const MOST_MEASURES = 4;

export function SliceSection(props: { readonly table: SliceTable; readonly columns: ReadonlySet<string> }) {
  const { table } = props;
  const { state } = useReport();
  const [all, setAll] = useState(false);
  const shown = all ? table.measures : table.measures.slice(0, MOST_MEASURES);
  const columns = useMemo((): readonly DataColumn<SliceRow>[] => {
    const first: DataColumn<SliceRow>[] = table.keys.map((key, place) => ({
      title: <ShortText text={key} />,
      sortBy: ({ values }) => values[place] ?? '',
      cell: (row) => {
        const filter = place === 0 ? filterOf(table, row, props.columns) : null;
        const text = <ShortText text={row.values[place] ?? ''} />;
        return filter === null ? text : <a href={linkToCases(state, filter)}>{text}</a>;
      },
    }));
    const counts: DataColumn<SliceRow>[] = table.rows.some((row) => row.counts !== null)
      ? [
          {
            title: <span class="unseen">Verdicts</span>,
            cell: ({ counts: own }) => (own === null ? null : <VerdictBar counts={own} />),
          },
          ...VERDICTS.map((verdict) => ({
            title: <VerdictName verdict={verdict} />,
            number: true,
            sortBy: (row: SliceRow) => row.counts?.[verdict] ?? null,
            cell: (row: SliceRow) => <Tally n={row.counts?.[verdict] ?? null} />,
          })),
        ]
      : [];
    const differ = poolsDiffer(table.rows.flatMap((row) => [...row.measures.values()]));
    const measures = shown.map((name): DataColumn<SliceRow> => {
      const some = table.rows.map((row) => row.measures.get(name)).find((value) => value !== undefined);
      return {
        title: (
          <>
            <ShortText text={name} /> {some === undefined ? null : <span class="aim muted plain">{arrow(some)}</span>}
            {some !== undefined && differ && isCaseMean(some) ? (
              <span class="fine muted plain"> {CASE_MEAN}</span>
            ) : null}
          </>
        ),
        ...(some === undefined
          ? {}
          : { about: `${betterWord(some)} is better${isCaseMean(some) ? `; ${CASE_MEAN}` : ''}` }),
        number: true,
        sortBy: (row) => row.measures.get(name)?.value ?? null,
        cell: (row) => <MeasureCell measure={row.measures.get(name) ?? null} />,
      };
    });
    return [...first, ...counts, ...measures];
  }, [table, shown, state]);
  const reasons = undefinedReasons(table.rows, shown);
  return (
    <section class="slice stack">
      <h3>
        By <ShortText text={table.title} />
        {table.kind === null ? null : (
          <>
            : <ShortText text={table.kind} />
          </>
        )}
      </h3>
      <DataTable
        label={`By ${table.title}${table.kind === null ? '' : `: ${table.kind}`}`}
        columns={columns}
        rows={table.rows}
        keyOf={({ values }) => JSON.stringify(values)}
      />
      {reasons.length === 0 ? null : (
        <p class="hint">
          – undefined: <ShortText text={reasons.join('; ')} most={1000} />
        </p>
      )}
      {table.measures.length > MOST_MEASURES ? (
        <button type="button" class="small show-all" onClick={() => setAll(!all)}>
          {all ? 'Fewer measures' : `All ${table.measures.length} measures`}
        </button>
      ) : null}
    </section>
  );
}

function Tally(props: { readonly n: number | null }) {
  if (props.n === null) return null;
  return <span class={props.n === 0 ? 'zero muted' : undefined}>{count(props.n)}</span>;
}

/** A value never stands without its n. */
function MeasureCell(props: { readonly measure: MeasureValue | null }) {
  const { measure } = props;
  if (measure === null) return <span class="zero muted">–</span>;
  const said = remarks(measure).join('; ');
  const interval = intervalText(measure);
  return (
    <span class="measure-cell" title={said === '' ? undefined : longTitle(said)}>
      <span class={measure.value === null ? 'value zero muted' : 'value'}>{valueText(measure)}</span>
      <span class="under">
        {interval === null ? null : `${interval} · `}n {count(measure.n)}
        {measure.value === null ? <span class="unseen">, {longTitle(said)}</span> : null}
      </span>
    </span>
  );
}

/** The cases behind a row, where the list can be filtered by what the table goes by. */
function filterOf(table: SliceTable, row: SliceRow, columns: ReadonlySet<string>): CaseFilter | null {
  const [key, value] = [table.keys[0], row.values[0]];
  if (table.keys.length !== 1 || key === undefined || value === undefined) return null;
  if (!isAddressable(value)) return null;
  if (key === 'label') return { show: 'wrong', label: value };
  return columns.has(key) ? { show: 'all', slice: [key, value] } : null;
}
