import { useMemo } from 'preact/hooks';

import { VERDICTS } from '../../../../src/judge/verdict.ts';
import type { RunView } from '../../../../src/report/html/report-data.ts';
import { count, plural } from '../../../../src/text/figures.ts';
import { faultText } from '../../fault-text.ts';
import { casesText } from '../cases-text.ts';
import { type CaseTable, errorsOf } from '../list/case-table.ts';
import { filterRows } from '../list/filter-rows.ts';
import { sortRows } from '../list/sort-rows.ts';
import { linkTo, linkToCases, useReport } from '../report-context.ts';
import { RunSwitch } from '../run-switch.tsx';
import { ShortText } from '../short-text.tsx';
import { type CaseFilter, type CaseSort, caseState, isAddressable } from '../state.ts';
import { VerdictBar, VerdictName } from '../verdict-bar.tsx';
import { BeforeReading } from './before-reading.tsx';
import { MeasureTable } from './measure-table.tsx';
import { type RuleRow, ruleRows } from './rule-rows.ts';
import { SliceSection } from './slice-section.tsx';
import { sliceTables } from './slice-tables.ts';
import { type DataColumn, DataTable } from '../figures/data-table.tsx';
import './summary.css';

/** The run at a glance: what to mind, the measures, where it is good and where not. */
export function SummaryView() {
  const { head, run, state } = useReport();
  const view = head.runs[run];
  const tables = useMemo(() => (view === undefined ? [] : sliceTables(view.measures, view.primary)), [view]);
  if (view === undefined) return null;
  const { total, failed, unanswered } = view.measures.cases;
  const runs = <RunSwitch link={(place) => linkTo(state, { view: 'summary', run: place })} />;
  return (
    <div class="summary page stack loose">
      <BeforeReading />
      <section>
        <h2>Measures</h2>
        <p class="hint">
          <ShortText text={view.manifest.recipe.about} most={1000} />
          {view.manifest.recipe.about === '' ? '' : ' · '}
          {head.runs.length === 1 ? casesText(head) : plural(total, 'case')}
          {failed > 0 ? `, ${count(failed)} failed` : ''}
          {unanswered > 0 ? `, ${count(unanswered)} without a prediction` : ''}
        </p>
        <MeasureTable runs={head.runs} />
      </section>
      {tables.length === 0 ? null : (
        <section>
          <h2>By label and slice</h2>
          {runs}
          {tables.map((table) => (
            <SliceSection
              key={`${table.title} ${table.kind ?? ''}`}
              table={table}
              columns={sliceColumns(view.manifest.recipe.resolved)}
            />
          ))}
        </section>
      )}
      {tables.length === 0 ? runs : null}
      <div class="side-by-side">
        <RuleSection run={view} />
        <WorstCases />
      </div>
    </div>
  );
}

/** The columns that the recipe slices by, which the list can filter by too. */
function sliceColumns(resolved: Readonly<Record<string, unknown>>): ReadonlySet<string> {
  const { slice } = resolved;
  return new Set(Array.isArray(slice) ? slice.filter((name) => typeof name === 'string') : []);
}

function RuleSection(props: { readonly run: RunView }) {
  const { state } = useReport();
  const rows = useMemo(() => ruleRows(props.run.measures.rules), [props.run]);
  const kinds = new Set(rows.map(({ kind }) => kind)).size;
  const columns = useMemo(
    (): readonly DataColumn<RuleRow>[] => [
      {
        title: 'rule',
        sortBy: ({ rule }) => rule,
        cell: ({ rule }) =>
          isAddressable(rule) ? (
            <a href={linkToCases(state, { show: 'all', rule })}>
              <ShortText text={rule} />
            </a>
          ) : (
            <ShortText text={rule} />
          ),
      },
      ...(kinds > 1
        ? [
            {
              title: 'of',
              sortBy: ({ kind }: RuleRow) => kind,
              cell: ({ kind }: RuleRow) => <ShortText text={kind} />,
            },
          ]
        : []),
      { title: <span class="unseen">Verdicts</span>, cell: ({ counts }) => <VerdictBar counts={counts} /> },
      ...VERDICTS.map((verdict) => ({
        title: <VerdictName verdict={verdict} />,
        number: true,
        sortBy: ({ counts }: RuleRow) => counts[verdict],
        cell: ({ counts }: RuleRow) => (
          <span class={counts[verdict] === 0 ? 'zero muted' : undefined}>{count(counts[verdict])}</span>
        ),
      })),
    ],
    [kinds, state],
  );
  if (rows.length === 0) return null;
  return (
    <section>
      <h2>Verdicts by rule</h2>
      <p class="hint">Each rule with what it decided. A rule’s name leads to the cases where it did.</p>
      <DataTable
        label="Verdicts by rule"
        columns={columns}
        rows={rows}
        keyOf={({ rule, kind }) => JSON.stringify([kind, rule])}
      />
    </section>
  );
}

const SHOWN = 8;
const WORST: CaseSort = { by: 'errors', measure: null, reverse: false };
const WRONG: CaseFilter = { show: 'wrong' };

function WorstCases() {
  const { state, table, run } = useReport();
  if (table.kind === 'loading') return null;
  if (table.kind === 'fault')
    return (
      <p class="notice fault" role="alert">
        {faultText(table.fault)}
      </p>
    );
  const rows = filterRows(table.value, sortRows(table.value, WORST, run), WRONG, run);
  return (
    <section>
      <h2>Worst cases</h2>
      {rows.length === 0 ? (
        <p class="hint">No case has an error.</p>
      ) : (
        <>
          <ul class="worst" role="list">
            {[...rows.subarray(0, SHOWN)].map((row) => (
              <WorstCase key={row} row={row} table={table.value} />
            ))}
          </ul>
          <p>
            <a href={linkTo(state, { view: 'cases', filter: WRONG, sort: WORST })}>
              {rows.length === 1 ? 'The one wrong case' : `All ${count(rows.length)} wrong cases`}
            </a>
            <span class="hint">
              {' '}
              of <a href={linkToCases(state, { show: 'all' })}>{count(table.value.ids.length)}</a>
            </span>
          </p>
        </>
      )}
    </section>
  );
}

function WorstCase(props: { readonly row: number; readonly table: CaseTable }) {
  const { state, run } = useReport();
  const { row, table } = props;
  const own = table.runs[run];
  const id = table.ids[row];
  if (own === undefined || id === undefined) return null;
  const counts = {
    hit: own.hit[row] ?? 0,
    missed: own.missed[row] ?? 0,
    spurious: own.spurious[row] ?? 0,
    excused: own.excused[row] ?? 0,
  };
  return (
    <li>
      <a href={linkTo(state, { view: 'cases', filter: WRONG, sort: WORST, ...caseState(id, row) })}>
        <ShortText text={id} />
      </a>
      <VerdictBar counts={counts} />
      <span class="hint count">
        {own.state[row] === 1
          ? 'failed'
          : `${count(errorsOf(own, row))} wrong: ${count(counts.missed)} missed, ${count(counts.spurious)} spurious`}
      </span>
    </li>
  );
}
