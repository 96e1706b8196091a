import './summary.css';

import { useMemo } from 'preact/hooks';

import { count, counted } from '../../../../src/text/figures.ts';
import { ShortText } from '../short-text.tsx';
import { casesText } from '../cases-text.ts';
import { linkTo, useReport } from '../report-context.ts';
import { RunSwitch } from '../run-switch.tsx';
import { BeforeReading } from './before-reading.tsx';
import { MeasureTable } from './measure-table.tsx';
import { RuleSection } from './rule-section.tsx';
import { SliceSection } from './slice-section.tsx';
import { sliceTables } from './slice-tables.ts';
import { WorstCases } from './worst-cases.tsx';

/** The run at a glance: what to mind, the measures, where it is good and where not. */
export function SummaryView() {
  const { head, run, state } = useReport();
  const view = head.runs[run];
  const tables = useMemo(() => (view === undefined ? [] : sliceTables(view.measures, view.primary)), [view]);
  if (view === undefined) return null;
  const { total, failed, unanswered } = view.measures.cases;
  const runs = <RunSwitch link={(place) => linkTo(state, { view: 'summary', run: place })} />;
  return (
    <div class="summary page">
      <BeforeReading />
      <section>
        <h2>Measures</h2>
        <p class="hint">
          <ShortText text={view.manifest.recipe.about} most={1000} />
          {view.manifest.recipe.about === '' ? '' : ' · '}
          {head.runs.length === 1 ? casesText(head) : counted(total, 'case')}
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
