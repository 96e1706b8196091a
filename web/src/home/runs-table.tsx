import type { RefObject } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';

import type { LiveRun } from '../../../src/server/runs/live-data.ts';
import { listen } from '../listen.ts';
import { type RowWindow, rowWindow } from '../report/list/row-window.ts';
import { isAlike } from './alike.ts';
import type { HomeState, RunSort } from './home-state.ts';
import { RunRow } from './run-row.tsx';
import './runs.css';
import type { Go } from './use-home-state.ts';
import { useNow } from '../use-now.ts';

/** Runs as rows of equal height, of which only those in view are in the page: there may be thousands. */
export function RunsTable(props: {
  readonly runs: readonly LiveRun[];
  readonly state: HomeState;
  readonly go: Go;
  readonly baseline: LiveRun | null;
  /** What the column of figures is ordered by where it is asked for. */
  readonly figure: string | null;
}) {
  const { runs, state, go, baseline } = props;
  const body = useRef<HTMLDivElement>(null);
  const now = useNow();
  const { from, to, top, height, rowHeight } = usePageWindow(body, runs.length);
  const toggle = (path: string): void => {
    const { selected } = state;
    go({ selected: selected.includes(path) ? selected.filter((one) => one !== path) : [...selected, path] });
  };
  const head = { sort: state.sort, go };
  return (
    <div class="runs-table frame" role="table" aria-label="Runs" aria-rowcount={runs.length + 1}>
      <div role="rowgroup">
        <div class="run-line heads" role="row" aria-rowindex={1}>
          <span role="columnheader">
            <span class="unseen">Compare</span>
          </span>
          <Head {...head} name="Run" sortedBy={{ by: 'name', figure: null }} />
          <span role="columnheader" class="number">
            Cases
          </span>
          <Head
            {...head}
            name="Figures"
            sortedBy={{ by: 'figure', figure: state.sort.by === 'figure' ? state.sort.figure : props.figure }}
          />
          <span role="columnheader">Audit</span>
          <Head {...head} name="When" sortedBy={{ by: 'time', figure: null }} />
        </div>
      </div>
      <div ref={body} role="rowgroup" class="run-rows" style={{ height: `${height}px` }}>
        <div style={{ transform: `translateY(${top}px)` }} role="presentation">
          {runs.slice(from, to).map((run, place) => (
            <RunRow
              key={run.path}
              run={run}
              now={now}
              height={rowHeight}
              index={from + place + 2}
              chosen={state.selected.indexOf(run.path)}
              unlike={baseline !== null && run.about !== null && !isAlike(baseline, run)}
              toggle={toggle}
            />
          ))}
        </div>
      </div>
    </div>
  );
}

function Head(props: {
  readonly name: string;
  readonly sort: RunSort;
  readonly sortedBy: Omit<RunSort, 'reverse'>;
  readonly go: Go;
}) {
  const { sort, sortedBy } = props;
  const own = sort.by === sortedBy.by && sort.figure === sortedBy.figure;
  // Names come naturally from A, times and figures from the largest.
  const falls = (sortedBy.by === 'name') === sort.reverse;
  if (sortedBy.by === 'figure' && sortedBy.figure === null) return <span role="columnheader">{props.name}</span>;
  return (
    <span role="columnheader" aria-sort={own ? (falls ? 'descending' : 'ascending') : undefined}>
      <button
        type="button"
        class="bare head"
        onClick={() => props.go({ sort: { ...sortedBy, reverse: own && !sort.reverse } })}
      >
        {props.name}
        {own ? <span aria-hidden="true">{falls ? ' ▼' : ' ▲'}</span> : null}
      </button>
    </span>
  );
}

/** What a row needs, in px, and where it becomes a card: runs.css lays out both. */
const WIDE_ROW = 62;
const NARROW_ROW = 164;
const NARROW = '(width < 60rem)';

interface PageWindow extends RowWindow {
  readonly rowHeight: number;
}

/** Which rows of a list are in view, where it is the page that scrolls. */
function usePageWindow(body: RefObject<HTMLElement | null>, rows: number): PageWindow {
  const [seen, setSeen] = useState({ above: 0, view: innerHeight, rowHeight: rowHeightNow() });
  useLayoutEffect(() => {
    const look = (): void => {
      const own = body.current;
      if (own === null) return;
      const rowHeight = rowHeightNow();
      // In steps of a row: within one the same rows are drawn.
      const above = Math.floor(-own.getBoundingClientRect().top / rowHeight) * rowHeight;
      setSeen((held) =>
        held.above === above && held.view === innerHeight && held.rowHeight === rowHeight
          ? held
          : { above, view: innerHeight, rowHeight },
      );
    };
    look();
    return listen(window, { scroll: look, resize: look }, { passive: true });
  }, [body, rows]);
  const { above, view, rowHeight } = seen;
  return { ...rowWindow(rows, rowHeight, above, view), rowHeight };
}

function rowHeightNow(): number {
  return matchMedia(NARROW).matches ? NARROW_ROW : WIDE_ROW;
}
