import { useMemo } from 'preact/hooks';

import type { Live, LiveExperiment, LiveRun, ShownFigure } from '../../../src/server/runs/live-data.ts';
import { runAddress } from '../../../src/server/runs/run-address.ts';
import { count, figure, significant } from '../../../src/text/figures.ts';
import { PlainText } from '../plain-text.tsx';
import { type DataColumn, DataTable } from '../report/figures/data-table.tsx';
import { intervalText, valueText } from '../report/summary/measure-words.ts';
import { ShareBar } from '../share-bar.tsx';
import { Empty } from './empty.tsx';
import type { HomeState } from './home-state.ts';
import './tables.css';
import { timeText } from './time-text.ts';
import type { Go } from './use-home-state.ts';

const STATES: Readonly<Record<LiveExperiment['state'], { readonly word: string; readonly about?: string }>> = {
  running: { word: 'running' },
  stopped: { word: 'stopped', about: 'the same assay run command resumes it' },
  finished: { word: 'finished' },
  stored: { word: 'in the store', about: 'it has no folder here' },
};
const ORDER: readonly LiveExperiment['state'][] = ['running', 'stopped', 'finished', 'stored'];

/** An experiment with its first scored run; null before there is one. */
interface Row extends LiveExperiment {
  readonly scored: LiveRun['about'];
}

export function ExperimentsView(props: { readonly live: Live; readonly state: HomeState; readonly go: Go }) {
  const { live, state, go } = props;
  const shown = useMemo(() => rowsOf(live, state.search), [live, state.search]);
  if (live.experiments.length === 0)
    return (
      <Empty title="No experiments yet" commands={['assay run EXPERIMENT.yaml']}>
        An experiment asks a model or a program for answers to a dataset and scores them. While one goes, this is where
        to watch it:
      </Empty>
    );
  return (
    <section class="part stack" aria-label="Experiments">
      <div class="choices" role="search">
        <label class="grow">
          <span>Search</span>
          <input
            type="search"
            placeholder="name, dataset or recipe"
            value={state.search}
            onInput={(event) => go({ search: event.currentTarget.value })}
          />
        </label>
        <p class="hint count" role="status">
          {shown.length === live.experiments.length
            ? `${count(shown.length)} in all`
            : `${count(shown.length)} of ${count(live.experiments.length)}`}
        </p>
      </div>
      {shown.length === 0 ? (
        <p class="nothing">No experiment is like that.</p>
      ) : (
        <DataTable
          label="Experiments"
          columns={COLUMNS}
          rows={shown}
          keyOf={({ path, name }) => `${path ?? ''} ${name}`}
        />
      )}
    </section>
  );
}

function rowsOf({ experiments, runs }: Live, search: string): readonly Row[] {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  const byPath = new Map(runs.map(({ path, about }) => [path, about]));
  return experiments
    .map((one): Row => ({ ...one, scored: byPath.get(one.runs[0] ?? '') ?? null }))
    .filter(({ name, dataset, scored }) => {
      const text = `${name} ${dataset ?? ''} ${scored?.recipe ?? ''}`.toLowerCase();
      return words.every((word) => text.includes(word));
    })
    .toSorted((a, b) => ORDER.indexOf(a.state) - ORDER.indexOf(b.state) || (b.changed ?? 0) - (a.changed ?? 0));
}

const number = true;
const COLUMNS: readonly DataColumn<Row>[] = [
  {
    title: 'Experiment',
    sortBy: ({ name }) => name,
    cell: ({ name, runs: [run, ...others] }) =>
      run === undefined || others.length > 0 ? (
        <PlainText text={name} />
      ) : (
        <a href={runAddress(run)}>
          <PlainText text={name} />
        </a>
      ),
  },
  {
    title: 'State',
    sortBy: ({ state }) => ORDER.indexOf(state),
    cell: ({ state }) => (
      <span class={state === 'running' ? 'busy nowrap' : 'nowrap'} title={STATES[state].about}>
        {STATES[state].word}
      </span>
    ),
  },
  {
    title: 'Items',
    sortBy: ({ done, total }) => (total === null || total === 0 ? null : done / total),
    cell: ({ done, failed, total }) => (
      <span class="far stack tight">
        {total === null ? null : <ShareBar parts={[done - failed, failed]} whole={total} names={['done', 'failed']} />}
        <span class="count nowrap">{total === null ? `${count(done)} done` : `${count(done)} of ${count(total)}`}</span>
      </span>
    ),
  },
  {
    title: 'Failed',
    number,
    sortBy: ({ failed }) => failed,
    cell: ({ failed }) => <span class={failed === 0 ? 'muted' : 'unsure'}>{count(failed)}</span>,
  },
  { title: 'Dataset', sortBy: ({ dataset }) => dataset, cell: ({ dataset }) => <PlainText text={dataset ?? '–'} /> },
  {
    title: 'Recipe',
    sortBy: ({ scored }) => scored?.recipe ?? null,
    cell: ({ scored }) => <PlainText text={scored?.recipe ?? '–'} />,
  },
  {
    title: 'Score',
    about: 'The first measure of the first scored run, with its interval',
    sortBy: ({ scored, scores }) => scored?.figures[0]?.value ?? scores[0]?.mean ?? null,
    cell: ({ scored, scores }) => <Score figure={scored?.figures[0]} mean={scores[0]} />,
  },
  {
    title: 'Tokens',
    number,
    about: 'Of all calls, in and out',
    sortBy: ({ spent }) => spent?.tokens ?? null,
    cell: ({ spent }) => (spent === null ? '–' : <Amount text={count(spent.tokens)} {...spent} of="tokens" />),
  },
  {
    title: 'Cost',
    number,
    about: 'In the currency of the prices',
    sortBy: ({ spent }) => spent?.cost ?? null,
    cell: ({ spent }) => (spent === null ? '–' : <Amount text={significant(spent.cost, 3)} {...spent} of="cost" />),
  },
  {
    title: 'Began',
    sortBy: ({ started, changed }) => started ?? changed,
    cell: ({ started, changed }) => {
      const time = started ?? changed;
      return <span class="nowrap">{time === null ? '–' : timeText(time)}</span>;
    },
  },
  {
    title: 'Results',
    cell: ({ runs, state }) =>
      runs.length === 0 ? (
        <span class="hint">{state === 'running' ? 'not scored yet' : 'no scored run'}</span>
      ) : (
        <span class="flow">
          {runs.map((run) => (
            <a key={run} href={runAddress(run)}>
              {runs.length === 1 ? 'Report' : <PlainText text={run.split('/').at(-1) ?? run} />}
            </a>
          ))}
        </span>
      ),
  },
];

function Score(props: {
  readonly figure: ShownFigure | undefined;
  readonly mean: LiveExperiment['scores'][number] | undefined;
}) {
  const { figure: own, mean } = props;
  if (own !== undefined)
    return (
      <span class="nowrap">
        <PlainText text={own.name} /> <b class="count">{valueText(own)}</b>{' '}
        <span class="hint">{intervalText(own) ?? 'no interval'}</span>
      </span>
    );
  if (mean === undefined) return <span class="hint">–</span>;
  return (
    <span class="nowrap">
      <PlainText text={mean.name} /> <b class="count">{mean.mean === null ? 'undefined' : figure(mean.mean)}</b>{' '}
      <span class="hint">mean of {count(mean.n)}</span>
    </span>
  );
}

/** What is not known is not 0. */
function Amount(props: {
  readonly text: string;
  readonly of: 'tokens' | 'cost';
  readonly tokens: number;
  readonly cost: number;
  readonly withoutTokens: number;
  readonly withoutCost: number;
}) {
  const [known, unknown] =
    props.of === 'tokens' ? [props.tokens, props.withoutTokens] : [props.cost, props.withoutCost];
  if (unknown === 0) return <>{props.text}</>;
  const about = `${count(unknown)} calls do not report it`;
  return <span title={about}>{known === 0 ? 'unknown' : `at least ${props.text}`}</span>;
}
