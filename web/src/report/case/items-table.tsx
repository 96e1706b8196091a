import { useEffect, useMemo, useRef, useState } from 'preact/hooks';

import { shorten } from '../../../../src/data/visible.ts';
import { count, figure } from '../../../../src/text/figures.ts';
import { offsetsText } from '../../../../src/text/pieces.ts';
import { readableText } from '../../readable-pieces.ts';
import type { CaseItem, CaseItems, CaseLine, Chosen } from './case-items.ts';
import {
  filteredRows,
  type ItemRow,
  itemRows,
  ROW_FILTERS,
  type RowFilter,
  type RowOrder,
  sortedRows,
} from './item-rows.ts';
import { itemWords } from './item-words.ts';
import { runLetter } from './run-letter.ts';
import { stepOf } from './step-of.ts';
import { VerdictChip, Words } from './words.tsx';

const PAGE = 40;
const FILTER_NAMES: Readonly<Record<RowFilter, string>> = {
  all: 'All',
  wrong: 'Wrong',
  placeless: 'Not in the text',
  aside: 'Set aside',
};

export function ItemsTable(props: {
  readonly items: CaseItems;
  readonly chosen: Chosen | null;
  readonly several: boolean;
  readonly hasText: boolean;
  readonly onSelect: (key: string | null) => void;
}) {
  const { items, chosen, several, onSelect } = props;
  const [filter, setFilter] = useState<RowFilter>('all');
  const [wish, setOrder] = useState<{ readonly by: RowOrder; readonly reverse: boolean } | null>(null);
  const [most, setMost] = useState(PAGE);
  const body = useRef<HTMLTableSectionElement>(null);
  const all = useMemo(() => itemRows(items), [items]);
  const placed = useMemo(() => all.some(({ start }) => start !== null), [all]);
  const order = useMemo(
    () => wish ?? { by: placed ? ('place' as const) : ('verdict' as const), reverse: false },
    [wish, placed],
  );
  const counts = useMemo(() => new Map(ROW_FILTERS.map((one) => [one, filteredRows(all, one).length] as const)), [all]);
  const rows = useMemo(() => sortedRows(filteredRows(all, filter), order.by, order.reverse), [all, filter, order]);
  const kinds = useMemo(() => new Set(all.map(({ line }) => line.record.kind)).size, [all]);
  const at = rows.findIndex(({ line }) => chosen !== null && isChosen(line, chosen));
  const shown = rows.slice(0, Math.max(most, at + 1));

  useEffect(() => {
    const row = body.current?.rows[at];
    if (at >= 0 && body.current?.contains(document.activeElement) === true) row?.querySelector('button')?.focus();
  }, [at]);

  const walk = (event: KeyboardEvent): void => {
    const to = event.key === 'ArrowLeft' || event.key === 'ArrowRight' ? null : stepOf(event, at, rows.length);
    if (to === null) return;
    event.preventDefault();
    onSelect(rows[to]?.key ?? null);
  };
  const header = (by: RowOrder, name: string) => (
    <th scope="col" aria-sort={order.by === by ? (order.reverse ? 'descending' : 'ascending') : 'none'}>
      <button
        type="button"
        class="bare sort"
        onClick={() => setOrder({ by, reverse: order.by === by && !order.reverse })}
      >
        {name}
        <span aria-hidden="true">{order.by === by ? (order.reverse ? ' ↓' : ' ↑') : ''}</span>
      </button>
    </th>
  );
  return (
    <section class="case-section stack items">
      <h3>Items</h3>
      <div class="segmented flow" role="group" aria-label="Which items">
        {ROW_FILTERS.filter(
          (one) => one === 'all' || ((one !== 'placeless' || props.hasText) && (counts.get(one) ?? 0) > 0),
        ).map((one) => (
          <button key={one} type="button" class="small" aria-pressed={filter === one} onClick={() => setFilter(one)}>
            {FILTER_NAMES[one]} <span class="count">{count(counts.get(one) ?? 0)}</span>
          </button>
        ))}
      </div>
      {rows.length === 0 ? (
        <p class="hint">Nothing was expected and nothing was predicted.</p>
      ) : (
        <div class="table-frame frame">
          <table class="items-table">
            <thead>
              <tr>
                {header('verdict', 'Verdict')}
                {several ? header('run', 'Run') : null}
                {kinds > 1 ? header('kind', 'Kind') : null}
                {header('label', 'Label')}
                <th scope="col">Gold</th>
                <th scope="col">Predicted</th>
                {placed ? header('place', 'Place') : null}
                <th scope="col">Rule</th>
              </tr>
            </thead>
            <tbody ref={body} onKeyDown={walk}>
              {shown.map((row, place) => (
                <Row
                  key={row.key}
                  row={row}
                  several={several}
                  withKind={kinds > 1}
                  withPlace={placed}
                  selected={place === at}
                  stop={place === Math.max(0, at)}
                  onSelect={onSelect}
                />
              ))}
            </tbody>
          </table>
        </div>
      )}
      {shown.length < rows.length ? (
        <button type="button" class="small" onClick={() => setMost(shown.length + 500)}>
          Show more: {count(rows.length - shown.length)} are left
        </button>
      ) : null}
    </section>
  );
}

function isChosen({ gold, predicted }: CaseLine, { item }: Chosen): boolean {
  return gold?.key === item.key || predicted?.key === item.key;
}

function Row(props: {
  readonly row: ItemRow;
  readonly several: boolean;
  readonly withKind: boolean;
  readonly withPlace: boolean;
  readonly selected: boolean;
  readonly stop: boolean;
  readonly onSelect: (key: string | null) => void;
}) {
  const { row, several, selected, onSelect } = props;
  const { record, run, gold, predicted } = row.line;
  return (
    <tr
      class={`${record.verdict}${selected ? ' selected' : ''}`}
      onClick={() => {
        if (getSelection()?.isCollapsed !== false) onSelect(row.key);
      }}
    >
      <td>
        <button
          type="button"
          class="bare row-button"
          tabIndex={props.stop ? 0 : -1}
          aria-pressed={selected}
          onClick={(event) => {
            event.stopPropagation();
            onSelect(row.key);
          }}
        >
          <VerdictChip verdict={record.verdict} />
        </button>
      </td>
      {several ? <td>{runLetter(run)}</td> : null}
      {props.withKind ? <Words in="td" text={record.kind} most={30} /> : null}
      <td>
        <Words text={record.label} most={32} />
        {record.setAside === true ? <span class="hint"> set aside</span> : null}
      </td>
      <SideCell side={gold} />
      <SideCell side={predicted} />
      {props.withPlace ? <td class="count">{placeText(gold ?? predicted)}</td> : null}
      <td class="rule">
        <Words text={record.rule} most={40} />
        {record.similarity === undefined ? null : <span class="hint"> {figure(record.similarity)}</span>}
      </td>
    </tr>
  );
}

function SideCell(props: { readonly side: CaseItem | null }) {
  const { side } = props;
  if (side === null) return <td class="absent muted">–</td>;
  const relation = relationOf(side);
  if (relation !== null) {
    return (
      <td class="words">
        <Words text={relation.source} most={80} />{' '}
        <span class="link">—{readableText(shorten(relation.type, 40))}→</span>{' '}
        <Words text={relation.target} most={80} />
      </td>
    );
  }
  const { words, id } =
    side.item.text === '' && side.item.start !== undefined ? { words: '', id: null } : itemWords(side.item);
  return (
    <td class="words">
      {words === '' ? <span class="hint">present</span> : <Words text={words} most={160} />}
      {id === null ? null : (
        <span class="hint">
          {' '}
          <Words text={id} most={80} />
        </span>
      )}
    </td>
  );
}

/** Both ends, an unresolved one by what it was called. */
function relationOf({ item, record }: CaseItem): {
  readonly source: string;
  readonly type: string;
  readonly target: string;
} | null {
  if (record.kind !== 'relationship') return null;
  const end = (name: string): string => {
    const value = Object.hasOwn(item, name) ? item[name] : null;
    return typeof value === 'string' ? value : '(unresolved)';
  };
  return { source: end('source'), type: item.label, target: end('target') };
}

function placeText(side: CaseItem | null): string {
  if (side === null) return '';
  const { place, item } = side;
  if (place?.by === 'words') return `first at ${place.start}`;
  const { start, end, fragments } = item;
  if (start === undefined || end === undefined) return '';
  return offsetsText(fragments === undefined ? { start, end } : { start, end, fragments });
}
