import { useEffect, useMemo, useState } from 'preact/hooks';

import type { CaseDetail, ReportHead } from '../../../../src/report/html/report-data.ts';
import { count, plural } from '../../../../src/text/figures.ts';
import { listen } from '../../listen.ts';
import { useKeys } from '../../use-keys.ts';
import { useShown } from '../../use-shown.tsx';
import { CallSection } from './call-section.tsx';
import { AttributesTable } from './attributes-table.tsx';
import { CaseHead } from './case-head.tsx';
import { caseItems, type CaseItems, type CaseLine, chosenItem } from './case-items.ts';
import './case-view.css';
import { ConsultView } from './consult-view.tsx';
import { DetailsPanel } from './details-panel.tsx';
import './details.css';
import { type Difference, differences } from './differences.ts';
import { graphOf } from './graph-model.ts';
import { GraphTable } from './graph-table.tsx';
import { GraphTools, PLAIN_SIZE, zoomed } from './graph-tools.tsx';
import { GraphView } from './graph-view.tsx';
import { itemStops, nextStop } from './item-stops.ts';
import { itemWords } from './item-words.ts';
import { ItemsTable } from './items-table.tsx';
import { runLetter } from './run-letter.ts';
import { StreamView } from './stream-view.tsx';
import './stream.css';
import './tables.css';
import { TextSection } from './text-section.tsx';
import { VerdictChip, Words } from './words.tsx';

const NOTHING: ReadonlySet<string> = new Set();
const GRAPH_KINDS: ReadonlySet<string> = new Set(['entity', 'relationship']);
const STREAM_KINDS: ReadonlySet<string> = new Set(['concept', 'summary', 'grounding', 'decision', 'flush', 'trace']);
const CONSULT_KINDS: ReadonlySet<string> = new Set([
  'class',
  'component',
  'answer',
  'rating',
  'tick',
  'claim',
  'readability',
]);

export function CaseView(props: {
  readonly head: ReportHead;
  readonly detail: CaseDetail;
  readonly selected: string | null;
  readonly onSelect: (item: string | null) => void;
}) {
  const { head, detail, selected, onSelect } = props;
  const items = useMemo(() => caseItems(detail, head.texts), [detail, head.texts]);
  const chosen = useMemo(() => chosenItem(items, selected), [items, selected]);
  const different = useMemo(() => differences(items, head.runs.length), [items, head.runs.length]);
  const stressed = { own: chosen?.own ?? NOTHING, partners: chosen?.partners ?? NOTHING };
  const isSelected = (key: string): boolean => stressed.own.has(key) || stressed.partners.has(key);
  const several = head.runs.length > 1;
  const names = useMemo(() => head.runs.map(({ name }) => name), [head.runs]);
  useItemKeys(items, names, selected, onSelect);

  useEffect(() => {
    if (selected === null) return undefined;
    const leave = (event: KeyboardEvent): void => {
      if (event.key !== 'Escape' || event.defaultPrevented || document.querySelector('dialog[open]') !== null) return;
      event.preventDefault();
      onSelect(null);
    };
    return listen(document, { keydown: leave });
  }, [selected, onSelect]);

  const picking = { selected, stressed, isSelected, onSelect };
  return (
    <article class="case-view">
      <div class="case-columns">
        <div class="case-main stack loose">
          <CaseHead head={head} detail={detail} />
          {several ? (
            <DifferencesList
              found={different}
              baseline={head.runs[0]?.name ?? ''}
              selected={isSelected}
              onSelect={onSelect}
            />
          ) : null}
          <TextSection head={head} detail={detail} items={items} {...picking} />
          <RunColumns head={head} lines={items.lines} kinds={GRAPH_KINDS} title="Entities and relationships">
            {(lines, name) => (
              <GraphSection
                lines={lines}
                name={name}
                isSelected={(keys) => keys.some(isSelected)}
                onSelect={onSelect}
              />
            )}
          </RunColumns>
          <RunColumns head={head} lines={items.lines} kinds={STREAM_KINDS} title={null}>
            {(lines) => <StreamView lines={lines} isSelected={isSelected} onSelect={onSelect} />}
          </RunColumns>
          <RunColumns head={head} lines={items.lines} kinds={CONSULT_KINDS} title={null}>
            {(lines) => <ConsultView lines={lines} marked={head.texts === 'full'} {...picking} />}
          </RunColumns>
          <CallSection detail={detail} />
          <AttributesTable head={head} items={items} selected={selected} onSelect={onSelect} />
          <ItemsTable
            items={items}
            chosen={chosen}
            several={several}
            hasText={detail.text !== null}
            onSelect={onSelect}
          />
        </div>
        <DetailsPanel
          head={head}
          detail={detail}
          items={items}
          chosen={chosen}
          unknown={chosen === null ? selected : null}
          onSelect={onSelect}
        />
      </div>
    </article>
  );
}

/** A part of the case for each run: beside each other where there is room. */
function RunColumns(props: {
  readonly head: ReportHead;
  readonly lines: readonly CaseLine[];
  readonly kinds: ReadonlySet<string>;
  readonly title: string | null;
  readonly children: (lines: readonly CaseLine[], name: string) => preact.JSX.Element;
}) {
  const { head, lines, kinds, title, children } = props;
  const parts = useMemo(() => {
    const own = lines.filter(({ record }) => kinds.has(record.kind));
    return own.length === 0 ? [] : head.runs.map((_, run) => own.filter((line) => line.run === run));
  }, [lines, kinds, head.runs]);
  if (parts.length === 0) return null;
  const several = parts.length > 1;
  return (
    <section class="case-section stack">
      {title === null ? null : <h3>{title}</h3>}
      <div class={several ? 'run-columns stack loose' : ''}>
        {parts.map((part, run) => (
          <div key={run} class="run-column stack loose">
            {several ? (
              <h3 class="run-name">
                <span class="tag-run">{runLetter(run)}</span> <Words text={head.runs[run]?.name ?? ''} most={80} />
              </h3>
            ) : null}
            {part.length === 0 ? (
              <p class="hint">Nothing in this run.</p>
            ) : (
              children(part, several ? `, run ${runLetter(run)}` : '')
            )}
          </div>
        ))}
      </div>
    </section>
  );
}

/** What arrow keys belong to: fields, and frames that they scroll. */
const THEIRS = 'input, [tabindex="0"]:not(button, [role="grid"])';

/** ← and → walk through the items wherever the focus is, unless what has it wants them for itself. */
function useItemKeys(
  items: CaseItems,
  names: readonly string[],
  selected: string | null,
  onSelect: (key: string | null) => void,
): void {
  const stops = useMemo(() => itemStops(items, names), [items, names]);
  const free = (): boolean => stops.length > 0 && document.activeElement?.matches(THEIRS) !== true;
  const walk = (by: 1 | -1): void => onSelect(nextStop(stops, selected, by));
  useKeys([
    { keys: ['ArrowRight'], does: 'next item of the case', when: free, run: () => walk(1) },
    { keys: ['ArrowLeft'], does: 'previous item of the case', when: free, run: () => walk(-1) },
  ]);
}

/** Beyond this a drawing is a knot; it is offered nevertheless, up to the second number. */
const DRAWN_AT_FIRST = 60;
const MOST_DRAWN = 200;

function GraphSection(props: {
  readonly lines: readonly CaseLine[];
  readonly name: string;
  readonly isSelected: (keys: readonly string[]) => boolean;
  readonly onSelect: (key: string) => void;
}) {
  const { lines, name } = props;
  const graph = useMemo(() => graphOf(lines), [lines]);
  const size = graph.nodes.length;
  const drawable = size <= MOST_DRAWN && graph.edges.length <= 2 * MOST_DRAWN;
  const [zoom, setZoom] = useState(PLAIN_SIZE);
  const [wish, setWish] = useState<'graph' | 'table' | null>(null);
  const shown = !drawable ? 'table' : (wish ?? (size <= DRAWN_AT_FIRST ? 'graph' : 'table'));
  const label = `${plural(size, 'entity', 'entities')}, ${plural(graph.edges.length, 'relationship')}`;
  return (
    <div class="graph-section">
      <div class="graph-head flow">
        <p class="hint">{label}</p>
        {shown === 'graph' ? <GraphTools zoom={zoom} onZoom={setZoom} /> : null}
        {drawable ? (
          <div class="segmented flow" role="group" aria-label={`Entities and relationships${name}`}>
            {(['graph', 'table'] as const).map((one) => (
              <button key={one} type="button" class="small" aria-pressed={shown === one} onClick={() => setWish(one)}>
                {one === 'graph' ? 'Graph' : 'Table'}
              </button>
            ))}
          </div>
        ) : (
          <p class="hint">Too many to be drawn.</p>
        )}
      </div>
      {shown === 'graph' ? (
        <GraphView
          graph={graph}
          label={`Graph: ${label}${name}`}
          zoom={zoom}
          onTurn={(by) => setZoom((now) => zoomed(now, by))}
          isSelected={props.isSelected}
          onSelect={props.onSelect}
        />
      ) : (
        <GraphTable lines={lines} isSelected={props.isSelected} onSelect={props.onSelect} />
      )}
    </div>
  );
}

const MOST = 6;

function DifferencesList(props: {
  readonly found: readonly Difference[];
  readonly baseline: string;
  readonly selected: (key: string) => boolean;
  readonly onSelect: (key: string) => void;
}) {
  const { found, baseline, onSelect } = props;
  const [shown, more] = useShown(found, MOST);
  return (
    <section class="case-section stack differences">
      <h3>
        Differs from <Words text={baseline} most={60} /> <span class="hint count">{count(found.length)}</span>
      </h3>
      {found.length === 0 ? <p class="hint">All runs have the same verdicts here.</p> : null}
      <ul role="list">
        {shown.map(({ key, line, verdicts, change }) => (
          <li key={key}>
            <button type="button" class="difference" aria-pressed={props.selected(key)} onClick={() => onSelect(key)}>
              <span class={`change ${change}`}>{change}</span>
              <span class="difference-words">
                <Words in="b" text={line.record.label} most={40} /> <Words text={wordsOf(line)} most={100} />
              </span>
              <span class="difference-runs">
                {verdicts.map((verdict, run) => (
                  <span key={run}>
                    {run === 0 ? null : <span aria-hidden="true"> → </span>}
                    <span class="tag-run">{runLetter(run)}</span>{' '}
                    {verdict === null ? <span class="hint">not given</span> : <VerdictChip verdict={verdict} />}
                  </span>
                ))}
              </span>
            </button>
          </li>
        ))}
      </ul>
      {more}
    </section>
  );
}

function wordsOf({ gold, predicted }: CaseLine): string {
  const item = (gold ?? predicted)?.item;
  return item === undefined ? '' : itemWords(item).words;
}
