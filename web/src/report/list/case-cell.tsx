import { ERROR_TYPES } from '../../../../src/judge/error-type.ts';
import { count, figure } from '../../../../src/text/figures.ts';
import { readableText } from '../../readable-pieces.ts';
import { LONGEST_NAME } from '../short-name.ts';
import { ShortText } from '../short-text.tsx';
import { VerdictBar } from '../verdict-bar.tsx';
import { type CaseTable, STATES, valueOf } from './case-table.ts';
import { changeMeasure, changeOf, improvementOf } from './change.ts';
import type { ListColumn } from './columns.ts';
import { foundPieces, wordFinder } from './search-words.ts';

export function CaseCell(props: {
  readonly table: CaseTable;
  readonly column: ListColumn;
  readonly row: number;
  /** What is searched for. */
  readonly words?: readonly string[];
  /** The link that opens the case; null if it cannot open, as on paper. */
  readonly href: string | null;
}) {
  const { table, column, row } = props;
  const own = table.runs[column.run];
  if (own === undefined) return null;
  switch (column.kind) {
    case 'id':
      return (
        <>
          {props.href === null ? (
            <ShortText text={table.ids[row] ?? ''} />
          ) : (
            <a href={props.href} tabIndex={-1} class="open-case">
              <FoundText text={table.ids[row] ?? ''} words={props.words ?? []} />
            </a>
          )}
          {own.state[row] === 0 ? null : <State name={STATES[own.state[row] ?? 0] ?? ''} />}
        </>
      );
    case 'hit':
    case 'missed':
    case 'spurious':
    case 'excused': {
      const n = own[column.kind][row] ?? 0;
      return <span class={n === 0 ? 'zero muted' : column.kind}>{count(n)}</span>;
    }
    case 'bar':
      return (
        <VerdictBar
          counts={{
            hit: own.hit[row] ?? 0,
            missed: own.missed[row] ?? 0,
            spurious: own.spurious[row] ?? 0,
            excused: own.excused[row] ?? 0,
          }}
        />
      );
    case 'measure': {
      const value = column.measure === null ? NaN : valueOf(own, column.measure, row);
      return Number.isNaN(value) ? (
        <span class="zero muted">–</span>
      ) : (
        <>{figure(value, table.aims.get(column.measure ?? ''))}</>
      );
    }
    case 'change':
      return <Change table={table} run={column.run} row={row} />;
    case 'what':
      return <What table={table} run={column.run} row={row} />;
  }
}

/** A name with the words in it that are searched for. */
function FoundText(props: { readonly text: string; readonly words: readonly string[] }) {
  const { text, words } = props;
  const pieces = text.length > LONGEST_NAME ? [] : foundPieces(text, wordFinder(words));
  if (pieces.every(({ found }) => !found)) return <ShortText text={text} />;
  return (
    <bdi class="plain-text">
      {pieces.map(({ text: piece, found }, at) =>
        found ? <mark key={at}>{readableText(piece)}</mark> : readableText(piece),
      )}
    </bdi>
  );
}

/** In full for the pointer, where there is no room for it. */
function State(props: { readonly name: string }) {
  return (
    <span class="state" title={props.name}>
      {props.name}
    </span>
  );
}

function Change(props: { readonly table: CaseTable; readonly run: number; readonly row: number }) {
  const measure = changeMeasure(props.table);
  const change = changeOf(props.table, measure, props.run, props.row);
  if (Number.isNaN(change)) return <span class="zero muted">–</span>;
  if (change === 0) return <span class="zero muted">=</span>;
  const way = improvementOf(props.table, measure, props.run, props.row);
  const size = measure === null ? count(Math.abs(change)) : figure(Math.abs(change), props.table.aims.get(measure));
  return (
    <span class={way > 0 ? 'better' : way < 0 ? 'worse' : undefined}>
      {change > 0 ? '+' : '-'}
      {size}
      <span class="unseen">{way > 0 ? ' better' : way < 0 ? ' worse' : ''}</span>
    </span>
  );
}

const LABELS_SHOWN = 4;

function What(props: { readonly table: CaseTable; readonly run: number; readonly row: number }) {
  const own = props.table.runs[props.run];
  const bits = own?.errors[props.row] ?? 0;
  const types = ERROR_TYPES.filter((_, place) => (bits & (1 << place)) !== 0);
  const labels = (own?.wrongLabels[props.row] ?? []).map((place) => props.table.labels[place] ?? '');
  const shown = labels.slice(0, LABELS_SHOWN);
  return (
    <>
      {types.join(', ')}
      {shown.length === 0 ? null : (
        <span class="of-labels">
          {types.length > 0 ? ' · ' : ''}
          <ShortText text={shown.join(', ')} />
          {labels.length > shown.length ? ', …' : ''}
        </span>
      )}
    </>
  );
}
