import { join } from 'node:path';

import { UsageError } from '../../data/problems.ts';
import type { Document } from '../../report/document.ts';
import { safeJson } from '../../report/safe-json.ts';
import { coverageData, coverageFigure } from '../../report/svg/coverage-figure.ts';
import { faithfulnessData, faithfulnessFigure } from '../../report/svg/faithfulness-figure.ts';
import { conceptNotes, exclusionNotes, runNotes } from '../../report/svg/run-notes.ts';
import { timelineData } from '../../report/svg/timeline-data.ts';
import { timelineFigure } from '../../report/svg/timeline-figure.ts';
import { readMeasuredRuns } from '../../tasks/stream/measure/read-measured.ts';
import { timelineCases } from '../../tasks/stream/measure/timeline-cases.ts';
import { command } from '../command.ts';
import * as flag from '../flags.ts';
import { writeWhole } from '../write-whole.ts';
import { chosenVariants, VARIANTS } from './stream-flags.ts';

const FLAGS = {
  out: flag.required(
    flag.text('<folder>', 'folder to write coverage.svg, faithfulness.svg and timeline-<case>.svg to'),
  ),
  traces: flag.text('<folder>', 'traces, for timelines'),
  runs: flag.text('<folder>', 'run logs, a folder for each variant, for timelines'),
  case: flag.texts('<id...>', 'cases whose timeline is drawn (default: the first)'),
  variants: VARIANTS,
  force: flag.toggle('draw variants side by side even if they were measured differently'),
  json: flag.JSON,
  quiet: flag.QUIET,
};

type FiguresFlags = flag.FlagValues<typeof FLAGS>;

export const figuresCommand = command({
  name: 'figures',
  arguments: { measured: flag.argument('folder written by assay stream measure --out') },
  flags: FLAGS,
  help: `
Figures are readable 80 mm wide, in grey and without colour vision: variants
differ in shape and dashes too. Bars are the intervals of stream measure. Of
unsupported fractions, lower is better. No clinical outcome is claimed.

Examples:
  $ assay stream figures measures --out figures
  $ assay stream figures measures --out figures --variants V0,V2
  $ assay stream figures measures --out figures \\
      --traces traces --runs runs --case case-1 case-2`,
  async run(flags) {
    const drawn = await drawFigures(flags);
    return { document: () => figuresDocument(drawn), json: () => safeJson(drawn) };
  },
});

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

/** Nothing is written before everything is drawn. */
export async function drawFigures(
  options: { readonly measured: string } & Pick<FiguresFlags, 'out' | 'variants'> & Partial<FiguresFlags>,
): Promise<DrawnFigures> {
  const { measured, out, force = false } = options;
  const variants = chosenVariants(options.variants);
  const { runs, apart } = await readMeasuredRuns(measured, variants, force);
  const values = runs.map(({ name, run, cases }) => ({ name, cases, measures: run.measures.measures }));
  const notes = [...runNotes(runs), ...apart];
  const figureNotes = [...conceptNotes(runs), ...notes];
  const overall = {
    coverage: coverageFigure(coverageData(values, figureNotes)),
    faithfulness: faithfulnessFigure(faithfulnessData(values, [...exclusionNotes(runs), ...figureNotes])),
  };
  const names = runs.map(({ name }) => name);
  const drawings: (readonly [figure: DrawnFigure, svg: string])[] = [
    [{ kind: 'coverage', file: join(out, 'coverage.svg'), variants: names }, overall.coverage],
    [{ kind: 'faithfulness', file: join(out, 'faithfulness.svg'), variants: names }, overall.faithfulness],
    ...(await timelines(options, variants)),
  ];
  for (const [{ file }, svg] of drawings) writeWhole(file, svg, '--out');
  return { figures: drawings.map(([figure]) => figure), notes };
}

async function timelines(
  { traces, runs, case: ids = [], out }: Pick<FiguresFlags, 'out'> & Partial<FiguresFlags>,
  variants: readonly string[] | null,
): Promise<(readonly [figure: DrawnFigure, svg: string])[]> {
  if (traces === undefined && runs === undefined && ids.length === 0) return [];
  if (traces === undefined || runs === undefined)
    throw new UsageError(
      `a timeline needs traces and run logs; ${traces === undefined ? '--traces' : '--runs'} is missing`,
      'give --traces DIR and --runs DIR, or neither and no --case',
    );
  const cases = await timelineCases(traces, runs, ids.length === 0 ? null : ids, variants);
  return cases.map(({ id, trace, logs }) => [
    { kind: 'timeline', file: join(out, `timeline-${id}.svg`), variants: logs.map(({ name }) => name), case: id },
    timelineFigure(timelineData(trace, logs)),
  ]);
}

function figuresDocument({ figures, notes }: DrawnFigures): Document {
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
