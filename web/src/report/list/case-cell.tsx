import { ERROR_TYPES } from '../../../../src/judge/error-type.ts';
import { VERDICTS } from '../../../../src/judge/verdict.ts';
import { changeText, COMPARISON_LOOKS } from '../../../../src/report/comparison-words.ts';
import { count, figure } from '../../../../src/text/figures.ts';
import { readableText } from '../../readable-pieces.ts';
import { VERDICT_SIGNS } from '../case/verdict-words.ts';
import { LONGEST_NAME } from '../short-name.ts';
import { ShortText } from '../short-text.tsx';
import { VerdictBar } from '../verdict-bar.tsx';
import { type CaseTable, STATES, valueOf } from './case-table.ts';
import { changeOf, spreadOf } from './change.ts';
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
  if (column.kind === 'id') {
    const state = STATES[own?.state[row] ?? 0] ?? '';
    return (
      <>
        {props.href === null ? (
          <ShortText text={table.ids[row] ?? ''} />
        ) : (
          <a href={props.href} tabIndex={-1} class="open-case">
            <FoundText text={table.ids[row] ?? ''} words={props.words ?? []} />
          </a>
        )}
        {state === '' ? null : <State name={state} />}
      </>
    );
  }
  if (own === undefined) return null;
  switch (column.kind) {
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
      return <Change {...{ table, row }} run={column.run} />;
    case 'system':
      return <System {...{ table, row }} run={column.run} measure={column.measure} />;
    case 'spread':
      return table.runs.length === 2 ? <Change {...{ table, row }} run={1} /> : <Spread {...{ table, row }} />;
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

interface OfRow {
  readonly table: CaseTable;
  readonly row: number;
}

/** The verdicts of a run, or its value, and whether that is better than the baseline's. */
function System(props: OfRow & { readonly run: number; readonly measure: string | null }) {
  const { table, run, row, measure } = props;
  const own = table.runs[run];
  if (own === undefined) return null;
  const state = STATES[own.state[row] ?? 0] ?? '';
  if (own.state[row] === 1 || own.state[row] === 3) return <State name={state} />;
  const change = run === 0 ? null : (changeOf(table, run, row)?.change ?? null);
  const way = change === 'better' || change === 'worse' ? change : null;
  const value = measure === null ? 0 : valueOf(own, measure, row);
  const kinds = VERDICTS.filter((kind) => kind !== 'excused' || (own.excused[row] ?? 0) > 0);
  return (
    <span class={way === null ? 'verdicts' : `verdicts ${way}`}>
      {way === null ? null : <span aria-hidden="true">{COMPARISON_LOOKS[way].symbol}</span>}
      {measure !== null
        ? Number.isNaN(value)
          ? '–'
          : figure(value, table.aims.get(measure))
        : kinds.map((kind) => (
            <span key={kind} class={own[kind][row] === 0 ? 'zero muted' : kind} title={kind}>
              <span aria-hidden="true">{VERDICT_SIGNS[kind]}</span>
              <span class="unseen">{kind} </span>
              {count(own[kind][row] ?? 0)}
            </span>
          ))}
      {state === '' ? null : <State name={state} />}
      <span class="unseen">{way === null ? '' : ` ${way}`}</span>
    </span>
  );
}

function Spread(props: OfRow) {
  const { table, row } = props;
  const spread = spreadOf(table, row);
  if (Number.isNaN(spread) || spread === 0) return <span class="zero muted">{spread === 0 ? '=' : '–'}</span>;
  return <>{table.change === null ? count(spread) : figure(spread, table.aims.get(table.change.name))}</>;
}

function Change(props: OfRow & { readonly run: number }) {
  const { table, run, row } = props;
  const { size, change } = changeOf(table, run, row) ?? { size: null, change: null };
  if (change === 'others') return <span class="muted">others</span>;
  if (size === null || (change !== 'better' && change !== 'worse'))
    return <span class="zero muted">{change === null ? '–' : '='}</span>;
  return (
    <span class={change}>
      <span aria-hidden="true">{COMPARISON_LOOKS[change].symbol}</span> {changeText(table.change?.name ?? null, size)}
      <span class="unseen"> {change}</span>
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
