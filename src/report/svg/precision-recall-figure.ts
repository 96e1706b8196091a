import type { Calibration } from '../../figures/run-figures.ts';
import { count, figure, significant } from '../../text/figures.ts';
import { kindName } from '../kind-name.ts';
import { calibrationNotes } from './calibration-figure.ts';
import { AXIS, COLOURS, INK } from './look.ts';
import type { Mark, PointMark, Sign } from './marks.ts';
import { emptyPlot, plot, SHARES } from './plot.ts';

interface CurvePoint {
  readonly confidence: number;
  readonly kept: number;
  readonly precision: number;
  readonly recall: number;
  readonly f1: number;
}

/** What keeping only predictions of a confidence would give: precision against recall, from the surest down. */
export function precisionRecallFigure(calibration: Calibration, width?: number): string {
  const { kind, field, n } = calibration;
  const [id, title] = [`precision-recall-${kind}`, `Precision and recall of ${kindName(kind)} by ${field}`];
  const points = calibration.curve.flatMap((one): CurvePoint[] =>
    one.recall === null || one.f1 === null ? [] : [{ ...one, recall: one.recall, f1: one.f1 }],
  );
  const [first] = points;
  if (first === undefined) {
    const notes = [`n = ${count(n)}.`, ...calibrationNotes(calibration)];
    return emptyPlot({ width, id, title, why: 'there is no gold to recall', notes });
  }
  const best = points.reduce((most, one) => (one.f1 > most.f1 ? one : most), first);
  const last = points.at(-1) ?? first;
  const sentences = [
    `Highest F1 ${figure(best.f1)} with ${field} from ${significant(best.confidence)}: precision ${figure(best.precision)}, recall ${figure(best.recall)}, ${count(best.kept)} kept.`,
    `All ${count(last.kept)} kept: precision ${figure(last.precision)}, recall ${figure(last.recall)}, F1 ${figure(last.f1)}.`,
  ];
  const name = `F1 ${figure(best.f1)} from ${significant(best.confidence)}`;
  return plot({
    width,
    id,
    title,
    about: sentences.join(' '),
    parts: [
      {
        height: 210,
        x: { ...SHARES, title: 'recall' },
        y: { ...SHARES, title: 'precision', grid: true },
        names: 'beside',
        marks: [
          ...[0.2, 0.4, 0.6, 0.8].flatMap(equalF1),
          {
            mark: 'line',
            points: points.map(({ recall, precision }) => [recall, precision]),
            colour: COLOURS.blue,
            class: 'curve',
          },
          pointOf(last, 'all', { shape: 'square', size: 3.4, colour: INK, hollow: true }),
          { ...pointOf(best, 'best', { shape: 'circle', size: 4, colour: COLOURS.vermilion }), name },
        ],
      },
    ],
    notes: [
      ...sentences,
      'Dashed lines: equal F1. A threshold chosen here fits these very cases, and will do less well on others.',
      ...calibrationNotes(calibration),
    ],
  });
}

function pointOf({ confidence, precision, recall, f1, kept }: CurvePoint, what: string, sign: Sign): PointMark {
  const title = `${what}: confidence from ${significant(confidence)}, precision ${figure(precision)}, recall ${figure(recall)}, F1 ${figure(f1)}, ${count(kept)} kept`;
  return { mark: 'point', x: recall, y: precision, title, ...sign };
}

/** precision = f1 · recall / (2 recall − f1), with its name at the right. */
function equalF1(f1: number): Mark[] {
  const least = f1 / (2 - f1);
  const recalls = Array.from({ length: 25 }, (_, at) => least + ((1 - least) * at) / 24);
  const points = recalls.map((recall) => [recall, (f1 * recall) / (2 * recall - f1)] as const);
  return [
    { mark: 'line', points, colour: AXIS, width: 0.6, dashes: '2 3', class: 'axis' },
    { mark: 'label', x: 1, y: least, dx: -2, dy: -8, text: `F1 ${f1}`, anchor: 'end', halo: true },
  ];
}
