import './case-view.css';
import './details.css';
import './stream.css';
import './tables.css';

import { useEffect, useMemo } from 'preact/hooks';

import type { CaseDetail, ReportHead } from '../../../../src/report/html/report-data.ts';
import { AttributesTable } from './attributes-table.tsx';
import { CaseHead } from './case-head.tsx';
import { caseItems, type CaseLine, chosenItem } from './case-items.ts';
import { ConsultView } from './consult-view.tsx';
import { DetailsPanel } from './details-panel.tsx';
import { differences } from './differences.ts';
import { DifferencesList } from './differences-list.tsx';
import { GraphSection } from './graph-section.tsx';
import { ItemsTable } from './items-table.tsx';
import { runLetter } from './run-letter.ts';
import { StreamView } from './stream-view.tsx';
import { TextSection } from './text-section.tsx';
import { useItemKeys } from './use-item-keys.ts';
import { Words } from './words.tsx';

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

/** One case with everything that runs made of it, and why. */
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
    document.addEventListener('keydown', leave);
    return () => document.removeEventListener('keydown', leave);
  }, [selected, onSelect]);

  const picking = { selected, stressed, isSelected, onSelect };
  return (
    <article class="case-view">
      <div class="case-columns">
        <div class="case-main">
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
    <section class="case-section">
      {title === null ? null : <h3>{title}</h3>}
      <div class={several ? 'run-columns' : ''}>
        {parts.map((part, run) => (
          <div key={run} class="run-column">
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
