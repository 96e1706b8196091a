import type { ComponentChildren } from 'preact';
import { useId } from 'preact/hooks';

import type { AttributeTable } from '../../../../src/figures/run-figures.ts';
import type { ReportHead, RunView } from '../../../../src/report/html/report-data.ts';
import type { ErrorType } from '../../../../src/judge/error-type.ts';
import { kindName } from '../../../../src/report/kind-name.ts';
import { confusionFigure } from '../../../../src/report/svg/confusion-figure.ts';
import { count, percent } from '../../../../src/text/figures.ts';
import { errorWords } from '../case/verdict-words.ts';
import { ShortText } from '../short-text.tsx';
import type { CaseFilter } from '../state.ts';
import { SvgFigure } from '../svg-figure.tsx';
import { asConfusion, type AttributeCell, wrongValues } from './attribute-rows.ts';
import { type BesideTable, besideTables } from './beside-rows.ts';
import { CeilingSection } from './ceiling-section.tsx';
import { ConfidenceSection } from './confidence-section.tsx';
import { confusionTables } from './confusion-rows.ts';
import { ConfusionSection } from './confusion-section.tsx';
import { type DataColumn, DataTable } from './data-table.tsx';
import './figures.css';
import { Fold } from './fold.tsx';
import { valueText } from './number-words.ts';
import './parts.css';
import { RunPanels } from './run-panels.tsx';
import { TaxonomySection } from './taxonomy-section.tsx';
import { WaterfallSection } from './waterfall-section.tsx';

export function FiguresView(props: { readonly head: ReportHead; readonly onCases: (filter: CaseFilter) => void }) {
  const { runs } = props.head;
  return (
    <div class="figures-view stack loose">
      {runs.length > 1 ? <TaxonomyBeside runs={runs} /> : null}
      <RunPanels view="figures">{(run) => <RunFigureList run={run} onCases={props.onCases} />}</RunPanels>
    </div>
  );
}

const NO_FIGURES =
  'The run folder has no figures.json, as runs of older versions have none: score it again to have this.';

function RunFigureList(props: { readonly run: RunView; readonly onCases: (filter: CaseFilter) => void }) {
  const { run, onCases } = props;
  const { figures } = run;
  const confusions = confusionTables(run.measures.confusion);
  const without = (why: string): string => (figures === null ? NO_FIGURES : why);
  const sections: readonly Section[] = [
    {
      title: 'What keeps F1 from 1',
      short: 'Errors',
      none: without('The run has no items that are paired with gold, so no error has a type.'),
      parts: figures?.taxonomy.map((one, at) => <TaxonomySection key={at} taxonomy={one} onCases={onCases} />) ?? [],
    },
    {
      title: 'From strict matching to the score',
      short: 'Waterfall',
      none: without(`There is no waterfall: ${figures?.noWaterfall ?? 'no reason is given'}.`),
      parts: figures?.waterfall == null ? [] : [<WaterfallSection key="waterfall" waterfall={figures.waterfall} />],
    },
    {
      title: 'Which label was taken for which',
      short: 'Labels',
      none: 'The run has nothing on both sides that could be taken for one another.',
      parts: confusions.map((table) => <ConfusionSection key={table.title} table={table} onCases={onCases} />),
    },
    {
      title: 'Attributes',
      short: 'Attributes',
      none: without('The recipe judges no attributes of items.'),
      parts: figures?.attributes.map((table, at) => <AttributeSection key={at} table={table} />) ?? [],
    },
    {
      title: 'Confidence',
      short: 'Confidence',
      none: without('No prediction has a confidence between 0 and 1, so there is nothing to calibrate.'),
      parts: figures?.calibration.map((one, at) => <ConfidenceSection key={at} calibration={one} />) ?? [],
    },
    {
      title: 'The system among people',
      short: 'People',
      none: without('The gold is not by several people, so there is no human ceiling to compare with.'),
      parts: figures?.ceiling.map((one, at) => <CeilingSection key={at} ceiling={one} />) ?? [],
    },
  ];
  return <Sections sections={sections} />;
}

interface Section {
  readonly title: string;
  readonly short: string;
  /** The text shown if the section is empty. */
  readonly none: string;
  readonly parts: readonly ComponentChildren[];
}

function Sections(props: { readonly sections: readonly Section[] }) {
  const id = useId();
  return (
    <>
      <nav class="jumps flow" aria-label="Figures">
        {props.sections.map(({ short, parts }, at) => (
          <button
            key={short}
            type="button"
            class={parts.length === 0 ? 'quiet small absent' : 'quiet small'}
            onClick={() => goTo(`${id}-${at}`)}
          >
            {short}
            {parts.length === 0 ? <span class="unseen"> (nothing to show)</span> : null}
          </button>
        ))}
      </nav>
      {props.sections.map(({ title, none, parts }, at) => (
        <section key={title} class="figure-section stack" aria-labelledby={`${id}-${at}`}>
          <h2 id={`${id}-${at}`} tabIndex={-1}>
            {title}
          </h2>
          {parts.length === 0 ? <p class="nothing muted">{none}</p> : parts}
        </section>
      ))}
    </>
  );
}

/** The address carries the state of the report: a jump within the page leaves it alone. */
function goTo(id: string): void {
  const heading = document.querySelector(`#${CSS.escape(id)}`);
  if (!(heading instanceof HTMLElement)) return;
  heading.scrollIntoView({ block: 'start' });
  heading.focus({ preventScroll: true });
}

const MOST_ROWS = 60;

function AttributeSection(props: { readonly table: AttributeTable }) {
  const { table } = props;
  const title = `${table.attribute} of ${kindName(table.kind)}: gold against predicted`;
  if (table.n === 0)
    return (
      <p>
        <ShortText text={table.attribute} />: no hit of {kindName(table.kind)} has it in gold, so there is nothing to
        compare (n = 0).
      </p>
    );
  const wrong = wrongValues(table);
  return (
    <div class="figure-and-table">
      <SvgFigure draw={(width) => confusionFigure(asConfusion(table), title, width)} label={title} />
      <div class="stack">
        <p>
          <ShortText in="strong" text={table.attribute} /> is right in {count(table.right)} of the {count(table.n)} hits
          to which it applies ({percent(table.right, table.n)}).
        </p>
        {wrong.length === 0 ? null : (
          <Fold title="As a table: what is off" open={wrong.length <= 12}>
            <DataTable label={title} columns={COLUMNS} rows={wrong.slice(0, MOST_ROWS)} />
            {wrong.length > MOST_ROWS ? (
              <p class="hint">
                The {MOST_ROWS} most frequent of {count(wrong.length)}.
              </p>
            ) : null}
          </Fold>
        )}
      </div>
    </div>
  );
}

const COLUMNS: readonly DataColumn<AttributeCell>[] = [
  { title: 'Gold', cell: ({ gold }) => <ShortText text={gold} /> },
  { title: 'Predicted', cell: ({ predicted }) => <ShortText text={predicted} /> },
  { title: 'n', number: true, cell: ({ n }) => count(n) },
];

function TaxonomyBeside(props: { readonly runs: readonly RunView[] }) {
  const tables = besideTables(props.runs);
  if (tables.length === 0) return null;
  return (
    <section class="figure-section stack">
      <h2>Run beside run: what keeps F1 from 1</h2>
      {tables.map((table) => (
        <Beside key={table.kind} table={table} />
      ))}
    </section>
  );
}

function Beside(props: { readonly table: BesideTable }) {
  const { kind, runs, types } = props.table;
  type Row = { readonly type: ErrorType | null; readonly gaps: readonly (number | null)[] };
  const all: Row = { type: null, gaps: runs.map(({ f1 }) => (f1 === null ? null : 1 - f1)) };
  const columns: readonly DataColumn<Row>[] = [
    {
      title: 'Type',
      class: 'prose',
      cell: ({ type }) =>
        type === null ? (
          <strong>all: 1 − F1</strong>
        ) : (
          <>
            {type} <span class="hint">{errorWords(type)}</span>
          </>
        ),
    },
    ...runs.map(({ name }, at) => ({
      title: <ShortText text={name} />,
      number: true,
      cell: ({ gaps, type }: Row) => (type === null ? <strong>{valueText(gaps[at])}</strong> : valueText(gaps[at])),
    })),
  ];
  const title = `Parts of the gap between F1 of ${kindName(kind)} and 1, by run`;
  return (
    <>
      <p class="hint">{title}</p>
      <DataTable label={title} columns={columns} rows={[...types, all]} />
    </>
  );
}
