import { join } from 'node:path';

import { type Document, UsageError, writeAside } from '../../plugin.ts';
import { readMeasuredRuns } from '../measure/read-measured.ts';
import { timelineCases } from '../measure/timeline-cases.ts';
import { coverageData, coverageFigure } from './coverage-figure.ts';
import { faithfulnessData, faithfulnessFigure } from './faithfulness-figure.ts';
import { conceptNotes, exclusionNotes, runNotes } from './run-notes.ts';
import { timelineData } from './timeline-data.ts';
import { timelineFigure } from './timeline-figure.ts';

export interface FigureOptions {
  readonly out: string;
  /** Null: all that were measured. */
  readonly variants: readonly string[] | null;
  /** Draws variants side by side even if they were measured differently. */
  readonly force?: boolean;
  /** Both for timelines: of these cases, or of the first. */
  readonly traces?: string;
  readonly runs?: string;
  readonly cases?: readonly string[];
}

interface DrawnFigure {
  readonly kind: 'coverage' | 'faithfulness' | 'timeline';
  readonly file: string;
  readonly variants: readonly string[];
  readonly case?: string;
}

interface DrawnFigures {
  readonly figures: readonly DrawnFigure[];
  readonly notes: readonly string[];
}

/** Figures of measured variants as SVG files. Nothing is written before everything is drawn. */
export async function drawFigures(measured: string, options: FigureOptions): Promise<DrawnFigures> {
  const { out, variants, force = false } = options;
  const { runs, apart } = await readMeasuredRuns(measured, variants, force);
  const values = runs.map(({ name, run, cases }) => ({ name, cases, measures: run.measures.measures }));
  const names = runs.map(({ name }) => name);
  const notes = [...runNotes(runs), ...apart];
  const figureNotes = [...conceptNotes(runs), ...notes];
  const drawings: (readonly [figure: DrawnFigure, svg: string])[] = [
    [
      { kind: 'coverage', file: join(out, 'coverage.svg'), variants: names },
      coverageFigure(coverageData(values, figureNotes)),
    ],
    [
      { kind: 'faithfulness', file: join(out, 'faithfulness.svg'), variants: names },
      faithfulnessFigure(faithfulnessData(values, [...exclusionNotes(runs), ...figureNotes])),
    ],
    ...(await timelines(options)),
  ];
  for (const [{ file }, svg] of drawings) writeAside(file, svg, { next: 'choose another place with --out' });
  return { figures: drawings.map(([figure]) => figure), notes };
}

async function timelines({
  traces,
  runs,
  cases: ids,
  variants,
  out,
}: FigureOptions): Promise<(readonly [figure: DrawnFigure, svg: string])[]> {
  if (traces === undefined && runs === undefined && ids === undefined) return [];
  if (traces === undefined || runs === undefined)
    throw new UsageError(
      `a timeline needs traces and run logs; ${traces === undefined ? '--traces' : '--runs'} is missing`,
      'give --traces DIR and --runs DIR, or neither and no --case',
    );
  const cases = await timelineCases(traces, runs, ids ?? null, variants);
  return cases.map(({ id, trace, logs }) => [
    { kind: 'timeline', file: join(out, `timeline-${id}.svg`), variants: logs.map(({ name }) => name), case: id },
    timelineFigure(timelineData(trace, logs)),
  ]);
}

export function figuresDocument({ figures, notes }: DrawnFigures): Document {
  return {
    title: 'Figures',
    sections: [
      {
        blocks: [
          {
            columns: [{ title: '' }, { title: '' }],
            rows: figures.map(({ file, variants }) => [
              { text: file, tone: 'strong' },
              { text: variants.join(', '), tone: 'quiet' },
            ]),
          },
          { list: notes, mark: 'warning' },
        ],
      },
    ],
  };
}
