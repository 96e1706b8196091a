import { join } from 'node:path';

import { Command, Option } from 'commander';

import { UsageError } from '../../data/problems.ts';
import { terminalLines } from '../../report/render-terminal.ts';
import { safeJson } from '../../report/safe-json.ts';
import { safeText } from '../../report/safe-text.ts';
import { type Style } from '../../report/style.ts';
import { terminalStyle } from '../../report/terminal-style.ts';
import { coverageData, coverageFigure } from '../../report/svg/coverage-figure.ts';
import { faithfulnessData, faithfulnessFigure } from '../../report/svg/faithfulness-figure.ts';
import { conceptNotes, exclusionNotes, runNotes } from '../../report/svg/run-notes.ts';
import { timelineData } from '../../report/svg/timeline-data.ts';
import { timelineFigure } from '../../report/svg/timeline-figure.ts';
import { writeWhole } from '../write-whole.ts';
import { timelineCases } from './figures-cases.ts';
import { type MeasuredRun, readMeasuredRuns } from './figures-runs.ts';

export interface FiguresFlags {
  readonly out: string;
  readonly traces?: string;
  readonly runs?: string;
  readonly case?: readonly string[];
  readonly variants?: string;
  readonly force?: boolean;
  readonly json?: boolean;
  readonly quiet?: boolean;
}

export function figuresCommand(): Command {
  return new Command('figures')
    .description('draw coverage, faithfulness and timelines of measured variants as SVG, with intervals')
    .argument('<measured>', 'folder that assay stream measure --out made')
    .requiredOption('--out <folder>', 'writes coverage.svg, faithfulness.svg and timeline-<case>.svg')
    .option('--traces <folder>', 'the traces, for timelines')
    .option('--runs <folder>', 'the run logs, a folder for each variant, for timelines')
    .addOption(
      new Option('--case <id...>', 'cases whose timeline is drawn (default: the first)').argParser(
        (value, all: readonly string[] | undefined) => [...(all ?? []), value],
      ),
    )
    .option('--variants <list>', 'for example V0,V2 (default: all)')
    .option('--force', 'draw variants side by side although they were not measured alike')
    .option('--json', 'print what was written as JSON on standard output')
    .option('--quiet', 'print nothing but errors')
    .addHelpText('after', HELP)
    .action(figures);
}

const HELP = `
Figures are readable 80 mm wide, in grey and without colour vision: variants
differ in shape and dashes too. Bars are the intervals that stream measure
found. Of unsupported shares, lower is better. No clinical outcome is claimed.

Examples:
  $ assay stream figures measures --out figures
  $ assay stream figures measures --out figures --variants V0,V2
  $ assay stream figures measures --out figures \\
      --traces traces --runs runs --case case-1 case-2`;

async function figures(measured: string, flags: FiguresFlags): Promise<void> {
  const made = await drawFigures(measured, flags);
  if (flags.json === true) process.stdout.write(safeJson(made));
  if (flags.quiet === true) return;
  const stream = flags.json === true ? process.stderr : process.stdout;
  stream.write(figuresText(made, terminalStyle(stream)));
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

/** The work of the command, for `stream run` too: the files that it wrote. */
export async function drawn(flags: FiguresFlags & { readonly measures: string }): Promise<string[]> {
  return (await drawFigures(flags.measures, flags)).figures.map(({ file }) => file);
}

/** Nothing is written before everything is drawn. */
async function drawFigures(measured: string, flags: FiguresFlags): Promise<DrawnFigures> {
  const wanted = variantList(flags.variants);
  const { runs, apart } = await readMeasuredRuns(measured, wanted, flags.force === true);
  const drawings = [...overall(runs, apart, flags.out), ...(await timelines(flags, wanted))];
  for (const { figure, svg } of drawings) writeWhole(figure.file, svg, '--out');
  return { figures: drawings.map(({ figure }) => figure), notes: [...runNotes(runs), ...apart] };
}

interface Drawing {
  readonly figure: DrawnFigure;
  readonly svg: string;
}

function overall(runs: readonly MeasuredRun[], apart: readonly string[], out: string): Drawing[] {
  const values = runs.map(({ name, run, cases }) => ({ name, cases, measures: run.measures.measures }));
  const notes = [...conceptNotes(runs), ...runNotes(runs), ...apart];
  const variants = runs.map(({ name }) => name);
  const drawing = (kind: 'coverage' | 'faithfulness', svg: string): Drawing => ({
    figure: { kind, file: join(out, `${kind}.svg`), variants },
    svg,
  });
  return [
    drawing('coverage', coverageFigure(coverageData(values, notes))),
    drawing('faithfulness', faithfulnessFigure(faithfulnessData(values, [...exclusionNotes(runs), ...notes]))),
  ];
}

async function timelines(flags: FiguresFlags, wanted: readonly string[] | null): Promise<Drawing[]> {
  const { traces, runs, case: ids } = flags;
  if (traces === undefined && runs === undefined && ids === undefined) return [];
  if (traces === undefined || runs === undefined)
    throw new UsageError(
      `a timeline needs traces and run logs; ${traces === undefined ? '--traces' : '--runs'} is missing`,
      'give --traces DIR and --runs DIR, or neither and no --case',
    );
  const made: Drawing[] = [];
  for (const { id, trace, logs } of await timelineCases(traces, runs, ids ?? null, wanted))
    made.push({
      figure: {
        kind: 'timeline',
        file: join(flags.out, `timeline-${id}.svg`),
        variants: logs.map(({ name }) => name),
        case: id,
      },
      svg: timelineFigure(timelineData(trace, logs)),
    });
  return made;
}

function variantList(given: string | undefined): readonly string[] | null {
  if (given === undefined) return null;
  const names = [...new Set(given.split(',').map((name) => name.trim()))].filter((name) => name !== '');
  if (names.length === 0) throw new UsageError('--variants names no variant', 'for example --variants V0,V2');
  return names;
}

function figuresText({ figures: all, notes }: DrawnFigures, style: Style): string {
  return `${[
    ...all.map(
      ({ file, variants }) =>
        `${style.paint(safeText(file), 'strong')}  ${style.paint(safeText(variants.join(', ')), 'quiet')}`,
    ),
    ...terminalLines([{ list: notes, mark: 'warning' }], style),
  ].join('\n')}\n`;
}
