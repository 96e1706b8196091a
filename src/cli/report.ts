import { renameSync, rmSync, writeFileSync } from 'node:fs';

import { Command, Option } from 'commander';

import { UsageError } from '../data/problems.ts';
import { errorCode } from '../data/source.ts';
import { markdownReport } from '../report/markdown.ts';
import { makeStyle, terminalStyle } from '../report/style.ts';
import { summaryText } from '../report/summary.ts';
import { readRun } from '../runs/read-run.ts';

interface ReportFlags {
  readonly format?: 'terminal' | 'markdown';
  readonly out?: string;
}

export function reportCommand(): Command {
  return new Command('report')
    .description('show a run again: its numbers, where they come from and what to mind')
    .argument('<run>', 'folder that assay score --out made')
    .addOption(
      new Option('--format <format>', 'default: terminal, or markdown for a FILE.md').choices(['terminal', 'markdown']),
    )
    .option('--out <file>', 'write to a file instead of standard output')
    .addHelpText(
      'after',
      `
Examples:
  $ assay report runs/first
  $ assay report runs/first --format markdown | less
  $ assay report runs/first --out summary.md`,
    )
    .action(report);
}

async function report(folder: string, flags: ReportFlags): Promise<void> {
  const run = await readRun(folder);
  const format = flags.format ?? (/\.(?:md|markdown)$/i.test(flags.out ?? '') ? 'markdown' : 'terminal');
  const style = flags.out === undefined ? terminalStyle(process.stdout) : makeStyle();
  const text = format === 'markdown' ? markdownReport(run) : summaryText(run, style);
  if (flags.out === undefined) process.stdout.write(text);
  else writeWhole(flags.out, text);
}

/** Written aside, then renamed: never half a file. */
function writeWhole(file: string, text: string): void {
  const aside = `${file}.partial-${process.pid}`;
  try {
    writeFileSync(aside, text);
    renameSync(aside, file);
  } catch (error) {
    rmSync(aside, { force: true });
    throw new UsageError(`cannot write ${file} (${errorCode(error)})`, 'choose another place with --out');
  }
}
