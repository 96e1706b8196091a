import { Command, Option } from 'commander';

import { markdownReport } from '../report/markdown.ts';
import { makeStyle, terminalStyle } from '../report/style.ts';
import { summaryText } from '../report/summary.ts';
import { readRun } from '../runs/read-run.ts';
import { writeWhole } from './write-whole.ts';

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
  else writeWhole(flags.out, text, '--out');
}
