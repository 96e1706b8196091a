import { useMemo, useRef } from 'preact/hooks';

import type { Live } from '../../../src/server/runs/live-data.ts';
import { count } from '../../../src/text/figures.ts';
import { useKeys } from '../use-keys.ts';
import { selectionOf } from './alike.ts';
import { NoRuns } from './empty.tsx';
import { formatSort, type HomeState, parseSort } from './home-state.ts';
import { choicesOf, shownRuns } from './order-runs.ts';
import { RunsTable } from './runs-table.tsx';
import { SelectionBar } from './selection-bar.tsx';
import type { Go } from './use-home-state.ts';

/** The runs of the folder: to find, to open, to put side by side. */
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
    <section class="part" aria-label="Runs">
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
