import { useMemo } from 'preact/hooks';

import { count, figure } from '../../../src/text/figures.ts';
import type { Live, LiveExperiment } from '../../../src/server/runs/live-data.ts';
import { runAddress } from '../../../src/server/runs/run-address.ts';
import { since } from '../owner/since.ts';
import { PlainText } from '../plain-text.tsx';
import { useShown } from '../use-shown.tsx';
import { Empty } from './empty.tsx';
import type { HomeState } from './home-state.ts';
import './rows.css';
import { ShareBar } from '../share-bar.tsx';
import type { Go } from './use-home-state.ts';
import { useNow } from '../use-now.ts';

const SHOWN = 100;
const STATES: Readonly<Record<LiveExperiment['state'], string>> = {
  running: 'running',
  stopped: 'stopped: the same assay run command resumes it',
  finished: 'finished',
  stored: 'in the store',
};
const ORDER: readonly LiveExperiment['state'][] = ['running', 'stopped', 'finished', 'stored'];

export function ExperimentsView(props: { readonly live: Live; readonly state: HomeState; readonly go: Go }) {
  const { live, state, go } = props;
  const now = useNow();
  const shown = useMemo(() => ordered(live.experiments, state.search), [live.experiments, state.search]);
  const [listed, more] = useShown(shown, SHOWN);
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
            placeholder="name or dataset"
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
      <ul class="rows frame" role="list">
        {listed.map((experiment) => (
          <Experiment key={`${experiment.path ?? ''} ${experiment.name}`} experiment={experiment} now={now} />
        ))}
      </ul>
      {shown.length === 0 ? <p class="nothing">No experiment is like that.</p> : null}
      {more}
    </section>
  );
}

function ordered(experiments: readonly LiveExperiment[], search: string): readonly LiveExperiment[] {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  return experiments
    .filter(({ name, dataset }) => words.every((word) => `${name} ${dataset ?? ''}`.toLowerCase().includes(word)))
    .toSorted((a, b) => ORDER.indexOf(a.state) - ORDER.indexOf(b.state) || (b.changed ?? 0) - (a.changed ?? 0));
}

function Experiment(props: { readonly experiment: LiveExperiment; readonly now: number }) {
  const { name, dataset, state, done, failed, total, runs, changed, scores } = props.experiment;
  return (
    <li class={`row ${state}`}>
      <div class="row-what">
        <PlainText in="h2" text={name} />
        <p class="hint">
          {dataset === null ? 'no dataset' : <PlainText text={dataset} />}
          {changed === null ? '' : ` · ${since(new Date(changed).toISOString(), props.now)}`}
        </p>
      </div>
      <div class="row-far fine stack tight">
        {total === null ? null : <ShareBar parts={[done - failed, failed]} whole={total} names={['done', 'failed']} />}
        <p class="count">
          {total === null ? `${count(done)} done` : `${count(done)} of ${count(total)} done`}
          {failed > 0 ? <span class="lost unsure fine">, {count(failed)} failed</span> : null}
        </p>
      </div>
      <div class="row-state fine">
        <p class={state === 'running' ? 'busy' : 'hint'}>{STATES[state]}</p>
        {scores.length === 0 ? null : (
          <p class="hint scores flow">
            {scores.slice(0, 3).map(({ name: score, mean, n }) => (
              <span key={score}>
                <PlainText text={score} /> {mean === null ? 'undefined' : figure(mean)}{' '}
                <span class="n">mean of {count(n)}</span>
              </span>
            ))}
          </p>
        )}
      </div>
      <div class="row-ways flow">
        {runs.map((run) => (
          <a key={run} href={runAddress(run)}>
            {runs.length === 1 ? 'Report' : <PlainText text={run.split('/').at(-1) ?? run} />}
          </a>
        ))}
        {runs.length === 0 ? (
          <span class="hint">{state === 'running' ? 'not scored yet' : 'no scored run'}</span>
        ) : null}
      </div>
    </li>
  );
}
