import { join } from 'node:path';

import { Command, Option } from 'commander';

import { terminalStyle } from '../../report/terminal-style.ts';
import { renderTerminal } from '../../report/render-terminal.ts';
import { streamDocument } from '../../report/stream-measures.ts';
import { replayDocument } from '../../report/stream-replay.ts';
import { namedFiles } from '../../tasks/stream/config/config-folder.ts';
import type { GivenModel } from './summarizer-model.ts';
import { drawn } from './figures.ts';
import { configNotices, measured, metricsConfigOf, noticesText } from './measure.ts';
import { AuditNotices } from '../audit-notices.ts';
import { isUnanswered, replayed } from './replay.ts';
import { stoplisted } from './stoplist.ts';
import { validated } from './validate.ts';

interface RunFlags extends GivenModel {
  readonly traces: string;
  readonly retryFailed?: boolean;
  readonly force?: boolean;
  readonly out: string;
  readonly variants?: string;
  readonly config?: string;
  readonly concepts?: string;
  readonly stoplist?: string;
  readonly set?: readonly string[];
  readonly asPublished?: boolean;
  readonly bootstrapSamples?: string;
  readonly verbose?: boolean;
  readonly quiet?: boolean;
}

export function runCommand(end: (code: number) => void): Command {
  return new Command('run')
    .description('all phases in one go: validate, stoplist if asked for, replay, measure, figures')
    .requiredOption('--traces <folder>', 'frozen traces')
    .option('--model <who>', 'recorded:DIR, heuristic, or PROVIDER/NAME')
    .requiredOption('--output, --out <folder>', 'writes runs, measures, figures and, if asked for, stoplists below it')
    .option('--variants <list>', 'for example V0,V2 (default: all)')
    .option('--config <folder>', 'variants, summarizer.yaml and metrics.yaml, as for stream replay and measure')
    .option('--concepts <what>', 'what finds concepts, as for stream measure', 'vocabulary')
    .option('--stoplist <share>', 'leave out concepts that at least this share of the traces has, for example 0.9')
    .addOption(
      new Option('--set <path=value>', 'change a line of the variants').argParser(
        (value, all: readonly string[] | undefined) => [...(all ?? []), value],
      ),
    )
    .option('--temperature <t>', 'for PROVIDER/NAME, as for stream replay')
    .option('--base-url <url>', 'for PROVIDER/NAME')
    .option('--timeout <seconds>', 'for PROVIDER/NAME')
    .option('--retry-failed', 'replay also the finished cases in which a call failed')
    .option('--force', 'replay traces that differ from their manifest; write over logs of other runs')
    .option('--as-published', 'with the faults of the program behind the published logs')
    .option('--bootstrap-samples <n>', 'as for stream measure')
    .option('--verbose', 'print each file and case as it is done')
    .option('--quiet', 'print nothing but errors')
    .addHelpText(
      'after',
      `
The same call goes on where it was when it was cut off, and gives the same bytes
on any day.

Examples:
  $ assay stream run --traces traces --model heuristic --out stream
  $ assay stream run --traces traces --model recorded:runs --out stream \\
      --variants V0,V2 --concepts index:umls.idx --stoplist 0.9`,
    )
    .action((flags: RunFlags) => runPhases(flags, end));
}

async function runPhases(flags: RunFlags, end: (code: number) => void): Promise<void> {
  const { traces, out } = flags;
  const [quiet, verbose] = [flags.quiet === true, flags.verbose === true];
  const style = terminalStyle(process.stdout);
  const say = (text: string): void => {
    if (!quiet) process.stdout.write(text);
  };
  // What is wrong with a trace would be wrong in every figure made from it.
  if (!(await validated({ traces, quiet, verbose }, end))) return;

  const stoplists = join(out, 'stoplists');
  if (flags.stoplist !== undefined)
    await stoplisted({
      traces,
      out: stoplists,
      threshold: flags.stoplist,
      ...(flags.concepts === undefined ? {} : { concepts: flags.concepts }),
      ...(flags.asPublished === true ? { join: 'space' } : {}),
      quiet,
      verbose,
    });

  const runs = join(out, 'runs');
  const { totals, model, notices } = await replayed(
    { ...flags, out: runs, ...(flags.stoplist === undefined ? {} : { stoplists }) },
    'stream run',
    flags.config === undefined ? [] : namedFiles(flags.config, flags),
  );
  say(`\n${renderTerminal(replayDocument({ totals, model: model.model, notices, next: null }), style)}`);

  if (isUnanswered(totals)) return end(2);
  const measures = join(out, 'measures');
  const audits = new AuditNotices();
  const config = metricsConfigOf(flags);
  const variants = await measured(
    {
      traces,
      runs,
      out: measures,
      variants: totals.map(({ variant }) => variant).join(','),
      recipe: 'stream/exaid',
      ...(flags.concepts === undefined ? {} : { concepts: flags.concepts }),
      ...(flags.stoplist === undefined ? {} : { stoplists }),
      ...(flags.asPublished === true ? { asPublished: true } : {}),
      ...(flags.bootstrapSamples === undefined ? {} : { bootstrapSamples: flags.bootstrapSamples }),
      quiet,
      verbose,
    },
    audits,
    config,
  );
  say(`\n${renderTerminal(streamDocument(variants, measures), style)}${audits.text(style)}`);
  say(noticesText(await configNotices({ ...flags, recipe: 'stream/exaid' }, config, variants, 'stream run'), style));

  const files = await drawn({
    measures,
    out: join(out, 'figures'),
    traces,
    runs,
    variants: totals.map(({ variant }) => variant).join(','),
  });
  say(`\nFigures: ${files.join(', ')}\n`);
}
