import { renderTerminal, safeJson } from '../plugin.ts';
import { importLog, type ImportedRun } from '../index.ts';
import { compareRuns, LEDGER_FORMATS, LOG_FILES, LOG_FORMATS } from '../pipeline.ts';
import { comparisonDocument, importedDocument, runDocument } from '../report.ts';
import { AuditNotices } from './audit-notices.ts';
import { command, type Terminal } from './command.ts';
import * as flag from './flags.ts';
import { clearOnInterrupt } from './interrupt.ts';
import { NAMING_FLAGS, namingOfFlags } from './naming-flags.ts';
import { TEXTS_FLAGS, textsOf } from './texts-flags.ts';

const HELP = `
Each score of a log becomes a measure, each sample a case; compare, gate,
repeats, audit, report, explain and serve then work as on any run. Samples that
failed are counted and never averaged; a missing score is undefined, never 0.
If the log states its own means, they are compared with those of its samples.

Files that are read, also compressed with gzip or zstd:
${LOG_FILES.map(([title, about]) => wrapped(`${title}: ${about}`)).join('\n')}

Several logs, or several providers and prompts in one log, become several runs:
a folder below --out for each.

Examples:
  $ assay import logs/popularity.eval --out runs/popularity
  $ assay import results.json --out runs/prompts
  $ assay import .deepeval/.latest_test_run.json --out runs/today \\
      --lower Hallucination
  $ assay import out/samples_gsm8k_*.jsonl out/results_*.json \\
      --out runs/gsm8k --score exact_match/strict-match
  $ assay import scores.csv run-items.csv --format langfuse --out runs/v2
  $ assay compare runs/baseline runs/popularity`;

/** Within 80 columns, with what follows the first line set in. */
function wrapped(text: string): string {
  const lines: string[] = [];
  let line = ' ';
  for (const word of text.split(' ')) {
    if (line.length + 1 + word.length > 80) {
      lines.push(line);
      line = '     ';
    }
    line += ` ${word}`;
  }
  return [...lines, line].join('\n');
}

const FLAGS = {
  out: flag.required(flag.string('<folder>', 'run folder to write; of several runs, the folder above them')),
  format: flag.choice(LOG_FORMATS, '<tool>', 'tool that wrote the logs (default: recognised by their content)'),
  score: flag.strings('<name>', 'score to import (default: all that are one number per sample)'),
  lower: flag.strings('<name>', 'score of which less is better'),
  higher: flag.strings('<name>', 'score of which more is better, despite what the log states'),
  slice: flag.strings('<field>', 'field of the samples to slice by, such as category'),
  set: flag.strings('<path=value>', 'setting of the run to change, such as interval.resamples=2000'),
  ledger: flag.choice(LEDGER_FORMATS, '<format>', 'how the ledger is written (default: jsonl)'),
  ...NAMING_FLAGS,
  ...TEXTS_FLAGS,
  json: flag.JSON,
  verbose: flag.VERBOSE,
  quiet: flag.QUIET,
};

export default command({
  name: 'import',
  arguments: { logs: flag.restArguments('logs of other evaluation tools, one or more') },
  flags: FLAGS,
  help: HELP,
  async run({ logs, ...flags }, terminal) {
    const { progress, print, style } = terminal;
    const imported = await importLog(logs, {
      out: flags.out,
      scores: flags.score,
      lower: flags.lower,
      higher: flags.higher,
      slices: flags.slice,
      set: flags.set,
      ...namingOfFlags(flags),
      texts: textsOf(flags),
      ...flag.defined({ format: flags.format, ledger: flags.ledger }),
      onOpen: clearOnInterrupt,
      progress: (system, share) => void progress.at(share, `${system}: intervals`),
    });
    progress.end();
    if (flags.json) process.stdout.write(safeJson(imported.map(jsonOf)));
    // Of systems that are compared, the comparison has the values.
    const isCompared = areComparable(imported);
    const audits = new AuditNotices();
    for (const one of imported) {
      print(`${renderTerminal(importedDocument(one), style)}\n`);
      if (one.audit !== null) audits.onAudit(one.audit, one.run);
      if (!isCompared) print(renderTerminal(runDocument(one.run, { audit: one.audit, verbose: flags.verbose }), style));
    }
    if (isCompared) await printComparison(imported, audits, terminal);
  },
});

function jsonOf({ run, audit, ...imported }: ImportedRun) {
  return { ...imported, findings: audit?.findings ?? [], ...run.measures };
}

/** Whether there are several systems with the same scores of the same samples. */
function areComparable(imported: readonly ImportedRun[]): boolean {
  return imported.length > 1 && new Set(imported.map(({ run }) => run.manifest.comparable)).size === 1;
}

/** Each system against the first. */
async function printComparison(
  imported: readonly ImportedRun[],
  audits: AuditNotices,
  { print, style, progress }: Terminal,
): Promise<void> {
  const comparison = await compareRuns(
    imported.map(({ folder }) => folder),
    { breathe: (share) => progress.at(share) },
  );
  progress.end();
  print(renderTerminal(comparisonDocument(comparison), style) + audits.text(style));
}
