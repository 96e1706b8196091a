import { programName, safeJson, shellWord, UsageError } from '../plugin.ts';
import { compareRuns } from '../pipeline.ts';
import { MOST_RESAMPLES } from '../stats.ts';
import { comparisonDocument } from '../report.ts';
import { command } from './command.ts';
import { comparedMeasures, MEASURE } from './comparison-flags.ts';
import * as flag from './flags.ts';
import { writeHtmlReport } from './html-report.ts';

const HELP = `
Verdicts:
  ▲ better, ▼ worse      p after Holm's correction is below 1 - level, and the
                         interval of the difference leaves out 0
  ? too little data      with how many cases it would take
  · no difference shown  which does not mean equal
The exit code is 0 whatever the verdict: to pass or fail, use assay gate.

Examples:
  $ assay score spans/strict --gold gold.jsonl --predictions old.jsonl \\
      --out runs/old
  $ assay score spans/strict --gold gold.jsonl --predictions new.jsonl \\
      --out runs/new
  $ assay compare runs/old runs/new
  $ assay compare runs/old runs/new --measure f1 --slices
  $ assay compare runs/a runs/b runs/c --markdown comparison.md
  $ assay compare runs/old runs/new --html comparison.html
  $ assay compare runs/old runs/new --json > comparison.json`;

const FLAGS = {
  measure: MEASURE,
  slices: flag.toggle('also compare each label and each value of the columns that the recipe slices by'),
  force: flag.toggle('compare even if the runs were scored differently'),
  level: flag.fraction('<share>', 'confidence level of intervals and tests (default: that of the baseline)'),
  resamples: flag.integer('<n>', 'number of resamples (default: that of the baseline)', {
    from: 1,
    to: MOST_RESAMPLES,
  }),
  seed: flag.integer('<n>', 'seed of the random numbers (default: that of the baseline)', { from: 0, to: 0xffffffff }),
  moved: flag.integer('<n>', 'number of cases to list, those that changed most first (default: 10)', { from: 0 }),
  json: flag.JSON,
  out: flag.outputFile('file to write the JSON to'),
  markdown: flag.outputFile('Markdown file to write, with all tests, effect sizes, settings and signatures'),
  html: flag.outputFile('HTML page to write: the statistics, and every case side by side; - is standard output'),
  texts: flag.choice(
    ['full', 'redacted', 'none'],
    '<how>',
    'how much of the texts the page includes (default: as much as the reports of the runs)',
  ),
  cases: flag.inputFile('new location of the texts, if they have moved since they were scored'),
  recipe: flag.inputFile('recipe of the runs, if it has custom measures or formats'),
  quiet: flag.QUIET,
};

export default command({
  name: 'compare',
  arguments: {
    baseline: flag.argument('run folder of the baseline, written by assay score --out'),
    others: flag.restArguments('run folders to compare with it, one or more'),
  },
  flags: FLAGS,
  help: HELP,
  async run(flags, terminal) {
    const {
      measure,
      force,
      slices,
      level,
      resamples,
      seed,
      moved,
      html,
      texts = null,
      cases = null,
      quiet,
      recipe,
    } = flags;
    const folders = [flags.baseline, ...flags.others];
    refuseOne(folders);
    refuseWithoutPage(flags);
    const comparison = await compareRuns(folders, {
      force,
      slices,
      ...flag.defined({ level, resamples, seed, moved, recipe }),
      ...comparedMeasures(measure),
      breathe: (share) => terminal.progress.at(share),
    });
    if (html !== undefined)
      await writeHtmlReport({
        file: html,
        flag: '--html',
        folders,
        comparison,
        texts,
        cases,
        quiet,
        ...flag.defined({ recipe }),
      });
    return { document: () => comparisonDocument(comparison), json: () => safeJson(comparison) };
  },
});

function refuseWithoutPage({ html, json, texts, cases }: Partial<flag.FlagValues<typeof FLAGS>>): void {
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
