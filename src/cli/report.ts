import { join } from 'node:path';

import { makeStyle, renderMarkdown, renderTerminal, UsageError } from '../plugin.ts';
import { readRun } from '../index.ts';
import { compareRuns, runFolder, unlistedNotices } from '../pipeline.ts';
import { readAudit, readFigures, runDocument } from '../report.ts';
import { command } from './command.ts';
import { comparedMeasures, MEASURE } from './comparison-flags.ts';
import * as flag from './flags.ts';
import { writeHtmlReport } from './html-report.ts';
import { refusePlaces, writeWhole } from './write-whole.ts';

const FLAGS = {
  format: flag.choice(['terminal', 'markdown', 'html'], '<format>', 'default: terminal, or by the extension of --out'),
  out: flag.outputFile('file to write instead of standard output'),
  baseline: flag.string('<run>', 'html: another run folder; the page then shows the differences'),
  texts: flag.choice(
    ['full', 'redacted', 'none'],
    '<how>',
    'html: how much of the texts the page includes (default: as much as the report of the run)',
  ),
  cases: flag.inputFile('html: new location of the texts, if they have moved since they were scored'),
  measure: { ...MEASURE, about: `html, with --baseline: ${MEASURE.about}` },
  recipe: flag.inputFile('html: recipe of the runs, if it has custom measures or formats'),
  force: flag.toggle('html: compare with the baseline even if the runs were scored differently'),
  verbose: flag.VERBOSE,
  quiet: flag.QUIET,
};

type ReportFlags = flag.FlagValues<typeof FLAGS>;

export default command({
  name: 'report',
  arguments: { run: flag.argument('run folder, written by assay score --out') },
  flags: FLAGS,
  help: `
Examples:
  $ assay report runs/first
  $ assay report runs/first --format markdown | less
  $ assay report runs/first --out summary.md
  $ assay report runs/first --out to-send.html --texts redacted
  $ assay report runs/new --baseline runs/old --out new.html
  $ assay report runs/first --format html      writes runs/first/report.html again`,
  async run({ run: folder, ...flags }, { note, style }) {
    const format = formatOf(flags);
    if (format === 'html') return htmlReport(folder, flags);
    refuseHtmlFlags(flags);
    const run = await readRun(folder);
    for (const notice of unlistedNotices([run])) note(notice);
    const document = runDocument(run, {
      audit: await readAudit(run),
      figures: await readFigures(run),
      verbose: flags.verbose,
    });
    const report =
      format === 'markdown'
        ? renderMarkdown(document)
        : renderTerminal(document, flags.out === undefined ? style : makeStyle());
    if (flags.out === undefined) process.stdout.write(report);
    else writeWhole(flags.out, report, '--out');
  },
});

function formatOf({ format, out = '' }: ReportFlags): NonNullable<ReportFlags['format']> {
  if (format !== undefined) return format;
  return /\.(?:md|markdown)$/i.test(out) ? 'markdown' : /\.html?$/i.test(out) ? 'html' : 'terminal';
}

function refuseHtmlFlags({ baseline, texts, cases, recipe, force, measure }: ReportFlags): void {
  const html = Object.entries({ baseline, texts, cases, recipe, force: force || undefined, measure: measure[0] });
  const written = html.find(([, value]) => value !== undefined);
  if (written !== undefined) throw new UsageError(`--${written[0]} is for a page in a browser`, 'add --out FILE.html');
}

async function htmlReport(folder: string, flags: ReportFlags): Promise<void> {
  const { baseline, force, measure, recipe, texts = null, cases = null, quiet } = flags;
  if (baseline === undefined && measure.length > 0)
    throw new UsageError('--measure is for a comparison', 'add --baseline RUN');
  const out = flags.out ?? join(runFolder(folder), 'report.html');
  refusePlaces([['--out', out]]);
  const code = flag.defined({ recipe });
  const folders = baseline === undefined ? [folder] : [baseline, folder];
  const comparison =
    baseline === undefined
      ? null
      : await compareRuns(folders, { force, slices: true, ...code, ...comparedMeasures(measure) });
  await writeHtmlReport({ file: out, flag: '--out', folders, comparison, texts, cases, quiet, ...code });
}
