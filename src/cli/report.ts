import { join } from 'node:path';

import { Command, Option } from 'commander';

import { UsageError } from '../data/problems.ts';
import type { Texts } from '../report/html/report-data.ts';
import { readAudit, readFigures } from '../report/html/run-parts.ts';
import { renderMarkdown } from '../report/render-markdown.ts';
import { renderTerminal } from '../report/render-terminal.ts';
import { runDocument } from '../report/run.ts';
import { safeText } from '../report/safe-text.ts';
import { makeStyle } from '../report/style.ts';
import { terminalStyle } from '../report/terminal-style.ts';
import { compareRuns } from '../compare/compare-runs.ts';
import { readRun, unlistedNotices } from '../score/run-file.ts';
import { runFolder } from '../score/run-folder.ts';
import { writeHtmlReport } from './html-report.ts';
import { refusePlaces, writeWhole } from './write-whole.ts';

type Format = 'terminal' | 'markdown' | 'html';

interface ReportFlags {
  readonly format?: Format;
  readonly out?: string;
  readonly baseline?: string;
  readonly texts?: Texts;
  readonly cases?: string;
  readonly force?: boolean;
  readonly verbose?: boolean;
  readonly quiet?: boolean;
}

export function reportCommand(): Command {
  return new Command('report')
    .argument('<run>', 'folder that assay score --out made')
    .addOption(
      new Option('--format <format>', 'default: terminal, or what the name of the file says').choices([
        'terminal',
        'markdown',
        'html',
      ]),
    )
    .option('--out <file>', 'write to a file instead of standard output')
    .option('--baseline <run>', 'html: another run beside it; the page then shows what differs')
    .addOption(
      new Option(
        '--texts <how>',
        'html: what the page holds of the texts (default: what the run’s own report holds)',
      ).choices(['full', 'redacted', 'none']),
    )
    .option('--cases <file>', 'html: where the texts are now, if not where they were scored')
    .option('--force', 'html: set beside the baseline although the runs were not scored alike')
    .option('--verbose', 'terminal: signature and notes on the measures too')
    .option('--quiet', 'print nothing but errors')
    .addHelpText(
      'after',
      `
Examples:
  $ assay report runs/first
  $ assay report runs/first --format markdown | less
  $ assay report runs/first --out summary.md
  $ assay report runs/first --out to-send.html --texts redacted
  $ assay report runs/new --baseline runs/old --out new.html
  $ assay report runs/first --format html      writes runs/first/report.html anew`,
    )
    .action(report);
}

async function report(folder: string, flags: ReportFlags): Promise<void> {
  const format = formatOf(flags);
  if (format === 'html') return htmlReport(folder, flags);
  refuseHtmlFlags(flags);
  const run = await readRun(folder);
  for (const notice of unlistedNotices([run])) process.stderr.write(`${safeText(notice)}\n`);
  const style = flags.out === undefined ? terminalStyle(process.stdout) : makeStyle();
  const document = runDocument(run, {
    audit: await readAudit(run),
    figures: await readFigures(run),
    verbose: flags.verbose === true,
  });
  const text = format === 'markdown' ? renderMarkdown(document) : renderTerminal(document, style);
  if (flags.out === undefined) process.stdout.write(text);
  else writeWhole(flags.out, text, '--out');
}

function formatOf({ format, out = '' }: ReportFlags): Format {
  if (format !== undefined) return format;
  return /\.(?:md|markdown)$/i.test(out) ? 'markdown' : /\.html?$/i.test(out) ? 'html' : 'terminal';
}

function refuseHtmlFlags({ baseline, texts, cases, force }: ReportFlags): void {
  const given = Object.entries({ baseline, texts, cases, force }).find(([, value]) => value !== undefined);
  if (given === undefined) return;
  throw new UsageError(`--${given[0]} is for a page in a browser`, 'add --out FILE.html');
}

async function htmlReport(folder: string, flags: ReportFlags): Promise<void> {
  const out = flags.out ?? join(runFolder(folder), 'report.html');
  refusePlaces([['--out', out]]);
  const folders = flags.baseline === undefined ? [folder] : [flags.baseline, folder];
  const comparison =
    folders.length === 1 ? null : await compareRuns(folders, { force: flags.force === true, slices: true });
  const { texts = null, cases = null, quiet = false } = flags;
  await writeHtmlReport({ file: out, flag: '--out', folders, comparison, texts, cases, quiet });
}
