import { Command, Option } from 'commander';

import { UsageError } from '../data/problems.ts';
import { comparisonJson } from '../report/comparison-json.ts';
import { comparisonDocument } from '../report/comparison.ts';
import { renderMarkdown } from '../report/render-markdown.ts';
import { renderTerminal } from '../report/render-terminal.ts';
import type { Texts } from '../report/html/report-data.ts';
import { programName } from '../report/program-name.ts';
import { shellWord } from '../report/shell-word.ts';
import { terminalStyle } from '../report/terminal-style.ts';
import { compareRuns } from '../compare/compare-runs.ts';
import type { Comparison } from '../compare/comparison.ts';
import { MOST_RESAMPLES } from '../stats/resample-settings.ts';
import { writeHtmlReport } from './html-report.ts';
import { ShareProgress } from './share-progress.ts';
import { wholeNumber } from './whole-number.ts';
import { refusePlaces, writeWhole } from './write-whole.ts';

interface CompareFlags {
  readonly measure?: readonly string[];
  readonly slices?: boolean;
  readonly force?: boolean;
  readonly level?: string;
  readonly resamples?: string;
  readonly seed?: string;
  readonly moved?: string;
  readonly json?: boolean;
  readonly out?: string;
  readonly markdown?: string;
  readonly html?: string;
  readonly texts?: Texts;
  readonly cases?: string;
  readonly quiet?: boolean;
}

export function compareCommand(): Command {
  return new Command('compare')
    .argument('<baseline>', 'folder of the run to compare with, made by assay score --out')
    .argument('[others...]', 'folders of the runs to compare with it, one or more')
    .option(
      '--measure <list>',
      'only these measures, for example f1,recall: fewer tests, less to correct for',
      (value: string, all: readonly string[] | undefined) => [...(all ?? []), ...namesOf(value)],
    )
    .option('--slices', 'also each label and each value of the columns the recipe slices by')
    .option('--force', 'compare although the runs were not scored alike')
    .option('--level <share>', 'level of intervals and tests (default: that of the baseline, usually 0.95)')
    .option('--resamples <n>', 'how many resamples (default: as the baseline, usually 10000)')
    .option('--seed <n>', 'seed of the random numbers (default: as the baseline, usually 42)')
    .option('--moved <n>', 'how many of the cases that moved most to list (default: 10)')
    .option('--json', 'print the comparison as JSON on standard output, everything else on standard error')
    .option('--out <file>', 'write the JSON to a file')
    .option('--markdown <file>', 'write a page with all tests, effect sizes, settings and signatures')
    .option('--html <file>', 'write a page to look at: the statistics, and every case side by side')
    .addOption(
      new Option(
        '--texts <how>',
        'what the page holds of the texts (default: what the reports of the runs hold)',
      ).choices(['full', 'redacted', 'none']),
    )
    .option('--cases <file>', 'where the texts are now, if not where they were scored')
    .option('--quiet', 'print nothing but errors')
    .addHelpText('after', HELP)
    .action(compare);
}

const HELP = `
Verdicts:
  ▲ better, ▼ worse      p after Holm's correction is below 1 - level, and the
                         interval of the difference leaves out 0
  ? too little data      with how many cases it would take
  · no difference shown  which does not mean equal
The exit code is 0 whatever the verdict: to pass or fail, use assay gate.

Examples:
  $ assay score pii/strict --gold gold.jsonl --predictions old.jsonl \\
      --out runs/old
  $ assay score pii/strict --gold gold.jsonl --predictions new.jsonl \\
      --out runs/new
  $ assay compare runs/old runs/new
  $ assay compare runs/old runs/new --measure f1 --slices
  $ assay compare runs/a runs/b runs/c --markdown comparison.md
  $ assay compare runs/old runs/new --html comparison.html
  $ assay compare runs/old runs/new --json > comparison.json`;

async function compare(baseline: string, others: readonly string[], flags: CompareFlags): Promise<void> {
  const folders = [baseline, ...others];
  refuseOne(folders);
  refuseWithoutPage(flags);
  const options = {
    force: flags.force === true,
    slices: flags.slices === true,
    ...(flags.measure === undefined ? {} : { measures: [...new Set(flags.measure)] }),
    ...numbersOf(flags),
  };
  refusePlaces([
    ['--out', flags.out],
    ['--markdown', flags.markdown],
    ['--html', flags.html],
  ]);
  const progress = new ShareProgress(process.stderr, flags.quiet === true);
  const comparison = await compareRuns(folders, { ...options, breathe: (share) => progress.at(share) }).finally(() =>
    progress.end(),
  );
  if (flags.html !== undefined)
    await writeHtmlReport({
      file: flags.html,
      flag: '--html',
      folders,
      comparison,
      texts: flags.texts ?? null,
      cases: flags.cases ?? null,
      quiet: flags.quiet === true,
    });
  report(comparison, flags);
}

function report(comparison: Comparison, flags: CompareFlags): void {
  // All of it is made before anything is written: a fault leaves nothing behind.
  const json = comparisonJson(comparison);
  const document = comparisonDocument(comparison);
  const page = renderMarkdown(document);
  if (flags.out !== undefined) writeWhole(flags.out, json, '--out');
  if (flags.markdown !== undefined) writeWhole(flags.markdown, page, '--markdown');
  if (flags.json === true) process.stdout.write(json);
  if (flags.quiet === true) return;
  const stream = flags.json === true || flags.html === '-' ? process.stderr : process.stdout;
  stream.write(renderTerminal(document, terminalStyle(stream)));
}

/** Names between commas; none at all is a slip. */
function namesOf(list: string): string[] {
  const names = list.split(',').map((name) => name.trim());
  if (names.some((name) => name === ''))
    throw new UsageError(`--measure ${list}: expected names between commas`, 'for example --measure f1,recall');
  return names;
}

interface Numbers {
  readonly level?: number;
  readonly resamples?: number;
  readonly seed?: number;
  readonly moved?: number;
}

function numbersOf(flags: CompareFlags): Numbers {
  return {
    ...(flags.level === undefined ? {} : { level: levelOf(flags.level) }),
    ...(flags.resamples === undefined
      ? {}
      : { resamples: wholeNumber('--resamples', flags.resamples, 1, MOST_RESAMPLES) }),
    ...(flags.seed === undefined ? {} : { seed: wholeNumber('--seed', flags.seed, 0, 0xffffffff) }),
    ...(flags.moved === undefined ? {} : { moved: wholeNumber('--moved', flags.moved, 0, Number.MAX_SAFE_INTEGER) }),
  };
}

function levelOf(given: string): number {
  const level = Number(given);
  if (given.trim() !== '' && level > 0 && level < 1) return level;
  const share = Number.parseFloat(given) / 100;
  throw new UsageError(
    `--level ${given}: expected a number between 0 and 1`,
    share > 0.5 && share < 1 ? `did you mean --level ${share}?` : 'such as 0.95',
  );
}

function refuseWithoutPage({ html, json, texts, cases }: CompareFlags): void {
  const given = Object.entries({ texts, cases }).find(([, value]) => value !== undefined);
  if (html === undefined && given !== undefined)
    throw new UsageError(`--${given[0]} is for a page in a browser`, 'add --html FILE');
  if (html === '-' && json === true)
    throw new UsageError('--json and --html - both write to standard output', 'name a file for one of them');
}

function refuseOne(folders: readonly string[]): void {
  if (folders.length >= 2) return;
  const only = shellWord(folders[0] ?? 'BASELINE');
  throw new UsageError(
    `one run only (${only}): there is nothing to compare it with`,
    `name another run after it: ${programName()} compare ${only} OTHER`,
  );
}
