import { count } from '../../../../src/text/figures.ts';
import { kindName } from '../../../../src/report/kind-name.ts';
import { calibrationFigure } from '../../../../src/report/svg/calibration-figure.ts';
import { precisionRecallFigure } from '../../../../src/report/svg/precision-recall-figure.ts';
import type { Calibration, CalibrationBin } from '../../../../src/figures/run-figures.ts';
import { ShortText } from '../short-text.tsx';
import { SvgFigure } from '../svg-figure.tsx';
import { type CurvePoint, pickedPoints } from './curve-rows.ts';
import { type DataColumn, DataTable } from './data-table.tsx';
import { Fold } from './fold.tsx';
import { rangeText, valueText } from './number-words.ts';

const MOST_POINTS = 25;

/** How far the system's own confidence can be believed, and what keeping less would give. */
export function ConfidenceSection(props: { readonly calibration: Calibration }) {
  const { calibration } = props;
  const things = kindName(calibration.kind);
  if (calibration.n === 0)
    return (
      <p>
        No prediction of {things} that is a hit or spurious has a confidence between 0 and 1 in the field{' '}
        <ShortText text={calibration.field} /> (n = 0).
      </p>
    );
  return (
    <div class="two-figures">
      <div>
        <SvgFigure draw={(width) => calibrationFigure(calibration, width)} label={`Calibration of ${things}`} />
        <Fold title="As a table: calibration">
          <DataTable
            label={`Calibration of ${things}`}
            columns={BIN_COLUMNS}
            rows={calibration.bins}
            keyOf={({ from }) => from}
          />
        </Fold>
      </div>
      <div>
        <SvgFigure
          draw={(width) => precisionRecallFigure(calibration, width)}
          label={`Precision and recall of ${things}`}
        />
        <Fold title="As a table: precision and recall by confidence">
          <DataTable
            label={`Precision and recall of ${things} by confidence`}
            columns={CURVE_COLUMNS}
            rows={pickedPoints(calibration.curve, MOST_POINTS)}
          />
          {calibration.curve.length > MOST_POINTS ? (
            <p class="hint">
              {MOST_POINTS} or so of {count(calibration.curve.length)} points.
            </p>
          ) : null}
        </Fold>
      </div>
    </div>
  );
}

const number = true;
const BIN_COLUMNS: readonly DataColumn<CalibrationBin>[] = [
  { title: 'Confidence', cell: ({ from, to }) => `${valueText(from)} to ${valueText(to)}` },
  { title: 'n', number, cell: ({ n }) => count(n) },
  { title: 'Mean confidence', number, cell: ({ confidence }) => valueText(confidence) },
  { title: 'Precision', number, cell: ({ precision }) => valueText(precision) },
  { title: '95 % interval', number, cell: ({ interval }) => rangeText(interval) },
];

const CURVE_COLUMNS: readonly DataColumn<CurvePoint>[] = [
  { title: 'Confidence from', number, cell: ({ confidence }) => valueText(confidence) },
  { title: 'Kept', number, cell: ({ kept }) => count(kept) },
  { title: 'Precision', number, cell: ({ precision }) => valueText(precision) },
  { title: 'Recall', number, cell: ({ recall }) => valueText(recall) },
  { title: 'F1', number, cell: ({ f1 }) => valueText(f1) },
];
