import { Command } from 'commander';

import { indexCommand } from './stream/build-index.ts';
import { calibrateCommand } from './stream/calibrate.ts';
import { conceptsCommand } from './stream/concepts.ts';
import { figuresCommand } from './stream/figures.ts';
import { freezeCommand } from './stream/freeze.ts';
import { generateCommand } from './stream/generate.ts';
import { measureCommand } from './stream/measure.ts';
import { recordCommand } from './stream/record.ts';
import { replayCommand } from './stream/replay.ts';
import { runCommand } from './stream/run.ts';
import { stoplistCommand } from './stream/stoplist.ts';
import { validateCommand } from './stream/validate.ts';

/** Everything about summaries of a running conversation; `end` takes a code that says more than done. */
export function streamCommand(end: (code: number) => void): Command {
  const group = new Command('stream').addHelpText(
    'after',
    `
The way of the data:
  generate    cases discussed by agents of any chat model, to traces
  record      events of a running multi-agent system to a trace
  freeze      a manifest with the hashes of a folder of traces
  validate    traces, run logs and manifests, each and against each other
  stoplist    concepts that nearly every trace has
  index       a knowledge base (UMLS, scispaCy) as one file to link by
  concepts    which concepts a text has, and why
  replay      traces through variants of the middleware, to run logs
  measure     run logs against their traces, to figures with intervals
  figures     the figures as SVG
  calibrate   the size of V3's chunks; the gate's settings by a sweep
  run         validate, replay, measure and figures in one go

Examples:
  $ assay stream run --traces traces --model heuristic --out stream
  $ assay stream replay --traces traces --model recorded:runs --out again
  $ assay stream measure --traces traces --runs again --out measures
  $ assay compare measures/V0 measures/V2

No clinical outcome is claimed by any of these figures.`,
  );
  for (const command of [
    generateCommand(end),
    recordCommand(end),
    freezeCommand(),
    validateCommand(end),
    stoplistCommand(),
    indexCommand(),
    conceptsCommand(),
    replayCommand(end),
    measureCommand(),
    figuresCommand(),
    calibrateCommand(end),
    runCommand(end),
  ])
    group.addCommand(command.showSuggestionAfterError(false).exitOverride());
  return group;
}
