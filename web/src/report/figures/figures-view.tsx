import './parts.css';
import './figures.css';

import type { ComponentChildren } from 'preact';
import { useId } from 'preact/hooks';

import type { ReportHead, RunView } from '../../../../src/report/html/report-data.ts';
import type { CaseFilter } from '../state.ts';
import { AttributeSection } from './attribute-section.tsx';
import { CeilingSection } from './ceiling-section.tsx';
import { ConfidenceSection } from './confidence-section.tsx';
import { confusionTables } from './confusion-rows.ts';
import { ConfusionSection } from './confusion-section.tsx';
import { RunPanels } from './run-panels.tsx';
import { TaxonomyBeside } from './taxonomy-beside.tsx';
import { TaxonomySection } from './taxonomy-section.tsx';
import { WaterfallSection } from './waterfall-section.tsx';

/** What stands behind the numbers of a run, drawn and as tables. */
export function FiguresView(props: { readonly head: ReportHead; readonly onCases: (filter: CaseFilter) => void }) {
  const { runs } = props.head;
  return (
    <div class="figures-view">
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
      <nav class="jumps" aria-label="Figures">
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
        <section key={title} class="figure-section" aria-labelledby={`${id}-${at}`}>
          <h2 id={`${id}-${at}`} tabIndex={-1}>
            {title}
          </h2>
          {parts.length === 0 ? <p class="nothing">{none}</p> : parts}
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
