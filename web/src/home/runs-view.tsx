import { useMemo, useRef, useState } from 'preact/hooks';

import type { Live } from '../../../src/server/runs/live-data.ts';
import { compareAddress } from '../../../src/server/runs/run-address.ts';
import { count } from '../../../src/text/figures.ts';
import { Dialog } from '../dialog.tsx';
import { PlainText } from '../plain-text.tsx';
import { readableText } from '../readable-pieces.ts';
import { useKeys } from '../use-keys.ts';
import { FEWEST, MOST, type Selection, selectionOf } from './alike.ts';
import { NoRuns } from './empty.tsx';
import { formatSort, type HomeState, parseSort } from './home-state.ts';
import { choicesOf, shownRuns } from './order-runs.ts';
import { RunsTable } from './runs-table.tsx';
import './selection.css';
import type { Go } from './use-home-state.ts';

export function RunsView(props: { readonly live: Live; readonly state: HomeState; readonly go: Go }) {
  const { live, state, go } = props;
  const field = useRef<HTMLInputElement>(null);
  useKeys([{ keys: ['/'], does: 'search', run: () => field.current?.focus() }]);
  const { tasks, figures } = useMemo(() => choicesOf(live.runs), [live.runs]);
  const { search, task, sort, selected } = state;
  const shown = useMemo(() => shownRuns(live.runs, state), [live.runs, search, task, sort]);
  const selection = useMemo(() => selectionOf(live.runs, selected), [live.runs, selected]);
  if (live.runs.length === 0) return <NoRuns live={live} />;
  return (
    <section class="part stack" aria-label="Runs">
      <div class="choices" role="search">
        <label class="grow">
          <span>Search</span>
          <input
            ref={field}
            type="search"
            placeholder="name, recipe or task"
            value={search}
            onInput={(event) => go({ search: event.currentTarget.value })}
          />
        </label>
        {tasks.length < 2 ? null : (
          <label>
            <span>Task</span>
            <select
              value={task ?? ''}
              onChange={(event) => go({ task: event.currentTarget.value === '' ? null : event.currentTarget.value })}
            >
              <option value="">all</option>
              {tasks.map((name) => (
                <option key={name} value={name}>
                  {name}
                </option>
              ))}
            </select>
          </label>
        )}
        <label>
          <span>Order</span>
          <select
            value={formatSort(sort)}
            onChange={(event) => go({ sort: parseSort(event.currentTarget.value, false) })}
          >
            <option value="time">newest first</option>
            <option value="name">by name</option>
            {figures.map((name) => (
              <option key={name} value={`figure.${name}`}>
                best {name} first
              </option>
            ))}
          </select>
        </label>
        <p class="hint count" role="status">
          {shown.length === live.runs.length
            ? `${count(shown.length)} ${shown.length === 1 ? 'run' : 'runs'}`
            : `${count(shown.length)} of ${count(live.runs.length)} runs`}
        </p>
      </div>
      {shown.length === 0 ? (
        <p class="nothing">
          No run is like that.{' '}
          <button type="button" class="small" onClick={() => go({ search: '', task: null })}>
            Show all
          </button>
        </p>
      ) : (
        <RunsTable
          runs={shown}
          state={state}
          go={go}
          baseline={selection.runs[0] ?? null}
          figure={figures[0] ?? null}
        />
      )}
      <SelectionBar selection={selection} go={go} />
    </section>
  );
}

function SelectionBar(props: { readonly selection: Selection; readonly go: Go }) {
  const { selection, go } = props;
  const { runs, unlike } = selection;
  const [asking, setAsking] = useState(false);
  const paths = runs.map(({ path }) => path);
  const fits = runs.length >= FEWEST && runs.length <= MOST;
  const compare = (): void => {
    if (!fits) return;
    if (unlike.length > 0) setAsking(true);
    else location.assign(compareAddress(paths));
  };
  useKeys([{ keys: ['c'], does: 'compare what is selected', run: compare, when: () => fits }]);
  if (runs.length === 0) return null;
  return (
    <>
      <aside class="selection flow" aria-label="Selected runs">
        <ul role="list">
          {runs.map((run, place) => (
            <li key={run.path} class={unlike.includes(run) ? 'chip apart' : 'chip'}>
              <button
                type="button"
                class="bare chip-name cut"
                disabled={place === 0}
                title={place === 0 ? 'The baseline: the others are compared with it' : 'Make it the baseline'}
                onClick={() => go({ selected: [run.path, ...paths.filter((path) => path !== run.path)] })}
              >
                <PlainText text={run.about?.name ?? run.path} />
                {place === 0 ? <span class="hint"> baseline</span> : null}
                {unlike.includes(run) ? <span class="apart-word unsure"> not scored alike</span> : null}
              </button>
              <button
                type="button"
                class="bare chip-drop"
                aria-label={`Leave out ${readableText(run.path)}`}
                onClick={() => go({ selected: paths.filter((path) => path !== run.path) })}
              >
                <span aria-hidden="true">✕</span>
              </button>
            </li>
          ))}
        </ul>
        <div class="selection-acts">
          <span class="hint">{hintOf(runs.length)}</span>
          <button type="button" class="quiet" onClick={() => go({ selected: [] })}>
            Clear
          </button>
          {fits && unlike.length === 0 ? (
            <a class="button primary" href={compareAddress(paths)}>
              Compare selected
            </a>
          ) : (
            <button type="button" class="primary" disabled={!fits} onClick={compare}>
              Compare selected{fits ? '…' : ''}
            </button>
          )}
        </div>
      </aside>
      {asking ? <NotAlikeDialog selection={selection} onClose={() => setAsking(false)} /> : null}
    </>
  );
}

function hintOf(selected: number): string {
  if (selected < FEWEST) return 'select one more';
  return selected > MOST ? `${MOST} at most` : '';
}

/** Numbers that were not made in the same way: they stand side by side only if somebody insists. */
function NotAlikeDialog(props: { readonly selection: Selection; readonly onClose: () => void }) {
  const { runs, unlike } = props.selection;
  const [baseline] = runs;
  return (
    <Dialog title="These runs were not scored alike" onClose={props.onClose}>
      <p>
        Not scored as <PlainText text={baseline?.about?.name ?? baseline?.path ?? ''} /> was:
      </p>
      <ul class="unlike-list" role="list">
        {unlike.map(({ path, about }) => (
          <li key={path}>
            <PlainText text={about?.name ?? path} />
            <span class="hint">
              {' '}
              <PlainText text={`${about?.task ?? ''} · ${about?.recipe ?? ''}`} />
            </span>
          </li>
        ))}
      </ul>
      <p>
        The recipe, its settings, the gold answers or the cases differ. A difference between the numbers may then come
        from the way they were scored and not from the systems. The safest fix is to score both in the same way. If you
        compare them anyway, the page lists what differs.
      </p>
      <div class="dialog-buttons flow">
        <button type="button" onClick={props.onClose}>
          Leave it
        </button>
        <a
          class="button primary"
          href={compareAddress(
            runs.map(({ path }) => path),
            true,
          )}
        >
          Compare anyway
        </a>
      </div>
    </Dialog>
  );
}
