import { count } from '../../../../src/text/figures.ts';
import type { Move, Moves } from '../../../../src/compare/waterfall/waterfall.ts';
import { ShortText } from '../short-text.tsx';
import { CaseLink } from './case-link.tsx';
import { type DataColumn, DataTable } from './data-table.tsx';
import { moveWords } from './waterfall-rows.ts';

/** Which items a rule moved, each with its case. */
export function MoveList(props: { readonly moves: Moves; readonly of: string }) {
  const { moves } = props;
  return (
    <>
      <ul class="plain-list" role="list">
        {moveWords(moves).map((words) => (
          <li key={words}>{words}</li>
        ))}
      </ul>
      {moves.shown.length < moves.total ? (
        <p class="hint">
          The first {count(moves.shown.length)} of {count(moves.total)}:
        </p>
      ) : null}
      <DataTable label={`Items that ${props.of} moved`} columns={COLUMNS} rows={moves.shown} keyOf={(_, at) => at} />
    </>
  );
}

const COLUMNS: readonly DataColumn<Move>[] = [
  { title: 'Case', cell: (move) => <CaseLink id={move.case} item={`${move.side}.${move.kind}.${move.index}`} /> },
  { title: 'Item', cell: ({ side, kind }) => `${side === 'gold' ? 'gold' : 'predicted'} ${kind}` },
  { title: 'Label', cell: ({ label }) => <ShortText text={label} /> },
  { title: 'Text', prose: true, cell: ({ text }) => <ShortText text={text} most={400} /> },
  { title: 'Verdict', cell: ({ from, to }) => `${from ?? 'not there'} → ${to ?? 'no more there'}` },
  { title: 'Rule now', cell: ({ rule }) => (rule === null ? '–' : <ShortText text={rule} />) },
];
