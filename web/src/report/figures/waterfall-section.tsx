import { useId, useState } from 'preact/hooks';

import type { Move, Moves, Waterfall, WaterfallStep } from '../../../../src/compare/waterfall/waterfall.ts';
import { betterWord } from '../../../../src/report/arrows.ts';
import { kindName } from '../../../../src/report/kind-name.ts';
import { waterfallFigure } from '../../../../src/report/svg/waterfall-figure.ts';
import {
  casesOfWaterfall,
  creditNotes,
  movesNote,
  shownValue,
  stepName,
  valuesOf,
} from '../../../../src/report/waterfall-words.ts';
import { columnDigits, count, plural, shownChange } from '../../../../src/text/figures.ts';
import { PlainText } from '../../plain-text.tsx';
import { ShortText } from '../short-text.tsx';
import { SvgFigure } from '../svg-figure.tsx';
import { CaseLink } from './case-link.tsx';
import { type DataColumn, DataTable } from './data-table.tsx';
import { Fold, openFold } from './fold.tsx';
import { kindsOf, kindValues, moveWords, stepRows, type WaterfallRow, withoutRows } from './waterfall-rows.ts';

export function WaterfallSection(props: { readonly waterfall: Waterfall }) {
  const { waterfall } = props;
  const kinds = kindsOf(waterfall);
  const [chosen, setChosen] = useState(kinds[0] ?? '');
  const kind = kinds.includes(chosen) ? chosen : (kinds[0] ?? '');
  const id = useId();
  const steps = stepRows(waterfall, kind);
  const without = withoutRows(waterfall, kind);
  const [first, last] = [steps[0], steps.at(-1)];
  if (first === undefined || last === undefined) return <p>The waterfall has no steps.</p>;
  const values = valuesOf(waterfall.steps, waterfall.shown);
  const digits = columnDigits(values);
  const [from, to] = [values[0] ?? null, values.at(-1) ?? null];
  const note = movesNote(waterfall.steps);
  const aimed = waterfall.measures.find(({ name }) => name === waterfall.shown);
  return (
    <>
      <div class="figure-and-table">
        <SvgFigure
          draw={(width) => waterfallFigure(waterfall, undefined, width)}
          label={`Waterfall of ${waterfall.shown}`}
          onPick={({ step }) => openFold(`${id}-${step ?? ''}`)}
        />
        <div class="stack">
          {steps.length === 1 ? (
            <p>The recipe is strict matching: it has no rule to add or to take away.</p>
          ) : (
            <p>
              {waterfall.shown} is {shownValue(from, digits)} by strict matching and {shownValue(to, digits)} by the
              whole recipe ({shownChange(from, to, digits)}
              {aimed === undefined ? '' : `; ${betterWord(aimed)} is better`}), over {casesOfWaterfall(waterfall)}. Each
              row adds one rule to the row above; the last is the score.
            </p>
          )}
          {creditNotes(waterfall).map((text) => (
            <PlainText key={text} in="p" text={text} />
          ))}
          {note === null ? null : <p class="hint">{note}</p>}
          <MovedItems rows={steps} verb="moved" id={id} />
          {kinds.length > 1 ? <KindChoice kinds={kinds} chosen={kind} onChoose={setChosen} /> : null}
        </div>
      </div>
      <Fold title={`As a table: ${plural(steps.length, 'row')} of ${kindName(kind)}`} open>
        <DataTable
          label={`Waterfall, rule by rule, ${kindName(kind)}`}
          columns={stepColumns(waterfall, waterfall.steps, kind, 'to the row above')}
          rows={steps}
        />
      </Fold>
      {without.length === 0 ? null : (
        <>
          <h3>Each rule taken away</h3>
          <p>The whole recipe less one rule: what a step above did depends on the steps before it, this does not.</p>
          <DataTable
            label={`Each rule taken away, ${kindName(kind)}`}
            columns={stepColumns(
              waterfall,
              [...waterfall.steps.slice(-1), ...waterfall.without],
              kind,
              'to the whole recipe',
            )}
            rows={without}
          />
          <MovedItems rows={without} verb="taken away moves" id={`${id}-without`} />
        </>
      )}
    </>
  );
}

function KindChoice(props: {
  readonly kinds: readonly string[];
  readonly chosen: string;
  readonly onChoose: (kind: string) => void;
}) {
  return (
    <label class="choice fine flow">
      <span>Items plural in the tables</span>
      <select value={props.chosen} onChange={(event) => props.onChoose(event.currentTarget.value)}>
        {props.kinds.map((kind) => (
          <option key={kind} value={kind}>
            {kindName(kind)}
          </option>
        ))}
      </select>
    </label>
  );
}

/** Changes are those of the numbers as they are shown, as in the figure: one number of decimals for all `steps`. */
function stepColumns(
  waterfall: Waterfall,
  steps: readonly WaterfallStep[],
  kind: string,
  against: string,
): DataColumn<WaterfallRow>[] {
  const ofKind = columnDigits(kindValues(steps, kind));
  const ofMeasure = columnDigits(valuesOf(steps, waterfall.shown));
  const value = (given: number | null | undefined): string => shownValue(given ?? null, ofKind);
  const measureIn = (step: WaterfallStep): number | null => valuesOf([step], waterfall.shown)[0] ?? null;
  const { shown } = waterfall;
  const number = true;
  // The F1 of the counts is what most recipes show: then it stands there once.
  const isOwn = [...waterfall.steps, ...waterfall.without].every(
    (step) => step.kinds.length === 1 && step.kinds[0]?.f1 === step.measures[shown],
  );
  return [
    {
      title: 'Rule',
      class: 'prose',
      cell: ({ step }) => (
        <>
          <PlainText text={stepName(step)} />
          <PlainText in="span" class="hint meaning" text={step.setting} />
        </>
      ),
    },
    { title: 'TP', about: 'Hits by their credit', number, cell: ({ counts }) => amount(counts?.hit) },
    { title: 'FP', about: 'Spurious predictions', number, cell: ({ counts }) => amount(counts?.spurious) },
    { title: 'FN', about: 'Missed gold items', number, cell: ({ counts }) => amount(counts?.missed) },
    { title: 'Excused', number, cell: ({ counts }) => amount(counts?.excused) },
    { title: 'P', about: 'Precision', number, cell: ({ counts }) => value(counts?.precision) },
    { title: 'R', about: 'Recall', number, cell: ({ counts }) => value(counts?.recall) },
    { title: 'F1', number, cell: ({ counts }) => value(counts?.f1) },
    {
      title: 'Change',
      about: `Of F1, ${against}`,
      number,
      cell: ({ counts, before }) =>
        before === null ? '' : shownChange(before.counts?.f1 ?? null, counts?.f1 ?? null, ofKind),
    },
    ...(isOwn
      ? []
      : [
          { title: shown, number, cell: ({ step }: WaterfallRow) => shownValue(measureIn(step), ofMeasure) },
          {
            title: `Change of ${shown}`,
            about: `Against ${against}`,
            number,
            cell: ({ step, before }: WaterfallRow) =>
              before === null ? '' : shownChange(measureIn(before.step), measureIn(step), ofMeasure),
          },
        ]),
    {
      title: 'Moved',
      about: 'Items whose verdict changed',
      number,
      cell: ({ step: { moves } }) => (moves === null ? '' : count(moves.total)),
    },
  ];
}

function MovedItems(props: { readonly rows: readonly WaterfallRow[]; readonly verb: string; readonly id: string }) {
  const moving = props.rows.flatMap(({ step }, at) =>
    step.moves === null || step.moves.total === 0 ? [] : [{ at, path: step.path, moves: step.moves }],
  );
  return (
    <div class="folds">
      {moving.map(({ at, path, moves }) => (
        <Fold
          key={at}
          id={`${props.id}-${at}`}
          title={
            <>
              <PlainText text={path} /> {props.verb} {plural(moves.total, 'item')}
            </>
          }
        >
          <MoveList moves={moves} of={path} />
        </Fold>
      ))}
    </div>
  );
}

function amount(value: number | undefined): string {
  return value === undefined ? '–' : count(value);
}

function MoveList(props: { readonly moves: Moves; readonly of: string }) {
  const { moves } = props;
  return (
    <>
      <ul class="plain-list stack tight" role="list">
        {moveWords(moves).map((words) => (
          <li key={words}>{words}</li>
        ))}
      </ul>
      {moves.shown.length < moves.total ? (
        <p class="hint">
          The first {count(moves.shown.length)} of {count(moves.total)}:
        </p>
      ) : null}
      <DataTable label={`Items that ${props.of} moved`} columns={COLUMNS} rows={moves.shown} />
    </>
  );
}

const COLUMNS: readonly DataColumn<Move>[] = [
  { title: 'Case', cell: (move) => <CaseLink id={move.case} item={`${move.side}.${move.kind}.${move.index}`} /> },
  { title: 'Item', cell: ({ side, kind }) => `${side === 'gold' ? 'gold' : 'predicted'} ${kind}` },
  { title: 'Label', cell: ({ label }) => <ShortText text={label} /> },
  { title: 'Text', class: 'prose', cell: ({ text }) => <ShortText text={text} most={400} /> },
  { title: 'Verdict', cell: ({ from, to }) => `${from ?? 'not there'} → ${to ?? 'no more there'}` },
  { title: 'Rule now', cell: ({ rule }) => (rule === null ? '–' : <ShortText text={rule} />) },
];
