import type { Live, LiveRun, RunHistory } from '../../../src/server/runs/live-data.ts';
import { runAddress } from '../../../src/server/runs/run-address.ts';
import { historyFigure } from '../../../src/report/svg/history-figure.ts';
import { count, plural } from '../../../src/text/figures.ts';
import { PlainText } from '../plain-text.tsx';
import { readableText } from '../readable-pieces.ts';
import { type DataColumn, DataTable } from '../report/figures/data-table.tsx';
import { intervalText, valueText } from '../report/summary/measure-words.ts';
import { SvgFigure } from '../report/svg-figure.tsx';
import { usePolled } from '../use-polled.ts';
import { seriesGroups } from './alike.ts';
import { Empty } from './empty.tsx';
import type { HomeState } from './home-state.ts';
import { askHistory } from './live-api.ts';
import { timeText } from './time-text.ts';
import type { Go } from './use-home-state.ts';

/** The score of a dataset over time: a measure of all runs of one recipe over the same cases. */
export function HistoryView(props: { readonly live: Live; readonly state: HomeState; readonly go: Go }) {
  const { live, state, go } = props;
  const groups = seriesGroups(live.runs);
  const group = groups.find((runs) => runs.some(({ path }) => path === state.series)) ?? groups[0];
  if (group === undefined)
    return (
      <Empty
        title="No scores over time yet"
        commands={['assay score RECIPE --cases FILE --gold FILE --predictions NEW-FILE --out runs/another']}
      >
        As soon as two runs are scored by the same recipe over the same cases and gold annotations, their scores are
        drawn here over the dates on which they were made:
      </Empty>
    );
  return (
    <section class="part stack" aria-label="Over time">
      <div class="choices">
        <label class="grow">
          <span>Recipe and data</span>
          <select
            value={String(groups.indexOf(group))}
            onChange={({ currentTarget }) =>
              go({ series: groups[Number(currentTarget.value)]?.[0].path ?? null, measure: null })
            }
          >
            {groups.map((runs, at) => (
              <option key={runs[0].path} value={String(at)}>
                {seriesName(runs)}
              </option>
            ))}
          </select>
        </label>
        <Series
          key={groups.indexOf(group)}
          run={group[0].path}
          measure={state.measure ?? group[0].about?.figures[0]?.name ?? null}
          go={go}
        />
      </div>
    </section>
  );
}

/** By its recipe, how many cases it has, and the newest run. */
function seriesName(runs: readonly [LiveRun, ...LiveRun[]]): string {
  const [{ path, about }] = runs;
  const facts = [about?.recipe ?? '', plural(about?.cases ?? 0, 'case'), plural(runs.length, 'run')];
  return readableText(`${facts.join(' · ')}, the newest ${path}`);
}

const EVERY_MS = 10_000;

function Series(props: { readonly run: string; readonly measure: string | null; readonly go: Go }) {
  const { value, trouble } = usePolled(() => askHistory(props.run), EVERY_MS);
  if (value === null) return <p class="hint">{trouble ?? 'Gathering the runs…'}</p>;
  const names = [...new Set(value.runs.flatMap(({ figures }) => figures.map(({ name }) => name)))];
  const measure = names.find((name) => name === props.measure) ?? names[0];
  if (measure === undefined) return <p class="hint">These runs have no measures.</p>;
  return (
    <>
      <label>
        <span>Measure</span>
        <select value={measure} onChange={({ currentTarget }) => props.go({ measure: currentTarget.value })}>
          {names.map((name) => (
            <option key={name} value={name}>
              {readableText(name)}
            </option>
          ))}
        </select>
      </label>
      <History history={value} measure={measure} />
    </>
  );
}

type Scored = RunHistory['runs'][number] & { readonly figure: RunHistory['runs'][number]['figures'][number] };

function History(props: { readonly history: RunHistory; readonly measure: string }) {
  const { runs } = props.history;
  const scored = runs.flatMap((run): Scored[] => {
    const figure = run.figures.find(({ name }) => name === props.measure);
    return figure === undefined ? [] : [{ ...run, figure }];
  });
  const [first] = scored;
  if (first === undefined) return null;
  const isMixed = new Set(scored.map(({ assay }) => assay)).size > 1;
  const columns: readonly DataColumn<Scored>[] = [
    {
      title: 'Run',
      sortBy: ({ path }) => path,
      cell: ({ path }) => (
        <a href={runAddress(path)}>
          <PlainText text={path} />
        </a>
      ),
    },
    { title: 'Date', sortBy: ({ date }) => date, cell: ({ date }) => <span class="nowrap">{timeText(date)}</span> },
    {
      title: props.measure,
      number: true,
      sortBy: ({ figure }) => figure.value,
      cell: ({ figure }) => (figure.value === null ? 'undefined' : valueText(figure)),
    },
    {
      title: 'Interval',
      number: true,
      cell: ({ figure }) => <span class="nowrap">{intervalText(figure) ?? 'none'}</span>,
    },
    { title: 'n', number: true, sortBy: ({ figure }) => figure.n, cell: ({ figure }) => count(figure.n) },
    ...(isMixed ? [{ title: 'Assay', sortBy: ({ assay }: Scored) => assay, cell: ({ assay }: Scored) => assay }] : []),
  ];
  return (
    <div class="history stack">
      {isMixed ? (
        <p class="notice warn">
          These runs were scored by different releases of Assay: a step between two of them may come from the scoring.
        </p>
      ) : null}
      <SvgFigure
        label={`${props.measure} over time`}
        draw={(width) =>
          historyFigure(
            first.figure,
            scored.map(({ path, date, figure }) => ({ name: path, date, estimate: figure })),
            width,
          )
        }
        onPick={({ run }) => {
          if (run !== undefined) location.assign(runAddress(run));
        }}
      />
      <DataTable
        label={`${props.measure} of ${count(scored.length)} runs`}
        columns={columns}
        rows={scored.toReversed()}
        keyOf={({ path }) => path}
      />
    </div>
  );
}
