import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';

import { Command, Option } from 'commander';

import { UsageError } from '../../data/problems.ts';
import { numberOf } from '../../review/agreement/rating-value.ts';
import { count, counted } from '../../text/figures.ts';
import { terminalLines } from '../../report/render-terminal.ts';
import { safeText } from '../../report/safe-text.ts';
import { shellWord } from '../../report/shell-word.ts';
import { type Style } from '../../report/style.ts';
import { terminalStyle } from '../../report/terminal-style.ts';
import type { Join } from '../../tasks/stream/canonical-text.ts';
import { configuredExtractor, namesStoplists } from '../../tasks/stream/concepts/configured.ts';
import { countConcepts } from '../../tasks/stream/concepts/count-concepts.ts';
import { settingsFromFile, settingsFromSpec } from '../../tasks/stream/concepts/extractor-from-spec.ts';
import { type StopReport, stopped } from '../../tasks/stream/concepts/stoplist.ts';
import { STOP_CONCEPTS_FILE, STOP_SURFACES_FILE } from '../../tasks/stream/concepts/stoplist-files.ts';
import { METADATA_FILE } from '../../tasks/stream/concepts/stoplist-files.ts';
import { REPORT_FILE, stoplistFiles } from '../../tasks/stream/concepts/stoplist-outputs.ts';
import { Progress } from '../progress.ts';
import { writeWhole } from '../write-whole.ts';

export interface StoplistFlags {
  readonly traces: string;
  readonly out: string;
  readonly concepts?: string;
  readonly config?: string;
  readonly threshold?: string;
  readonly join?: Join;
  readonly verbose?: boolean;
  readonly json?: boolean;
  readonly quiet?: boolean;
}

const USUAL_THRESHOLD = 0.9;

export function stoplistCommand(): Command {
  return new Command('stoplist')
    .description('concepts and surface forms that nearly every trace has, to be left out of measures')
    .requiredOption('--traces <folder>', 'frozen traces, as .jsonl.gz or .jsonl')
    .requiredOption('--output, --out <folder>', 'writes the two lists, the audit CSV and the metadata')
    .option('--concepts <what>', 'what finds concepts, as for stream measure (default: vocabulary)')
    .option('--config <file>', 'extractor.yaml, in place of --concepts')
    .option('--threshold <share>', `share of traces (default: df_threshold of the config, or ${USUAL_THRESHOLD})`)
    .addOption(new Option('--join <how>', 'how deltas become text').choices(['concat', 'space']).default('concat'))
    .option('--verbose', 'print each trace as it is counted')
    .option('--json', 'print the metadata on standard output, everything else on standard error')
    .option('--quiet', 'print nothing but errors')
    .addHelpText('after', HELP)
    .action(stoplist);
}

const HELP = `
Counted over the frozen traces and nothing else, with the settings that measures
are made with and with stoplists off, so that no list is based on itself. On the
list is what at least ceil(threshold × traces) of them have.

Writes stop_cuis.txt and stop_entities.txt; stoplist_df_report.csv, with those
in most traces first and then by code point; stoplists_metadata.json, with the
hashes of everything. In the CSV a cell that a spreadsheet would take for a
formula has an apostrophe before it. The same call gives the same bytes.

Examples:
  $ assay stream stoplist --traces traces --out stoplists
  $ assay stream stoplist --traces traces --out stoplists \\
      --config extractor.yaml --threshold 0.8
  $ assay stream measure --traces traces --runs runs --out measures \\
      --stoplists stoplists`;

async function stoplist(flags: StoplistFlags): Promise<void> {
  const { report, files, notices } = await stoplisted(flags);
  if (flags.json === true) process.stdout.write(files[METADATA_FILE] ?? '');
  if (flags.quiet === true) return;
  const stream = flags.json === true ? process.stderr : process.stdout;
  stream.write(stoplistText(report, notices, flags.out, terminalStyle(stream)));
}

export interface Stoplisted {
  readonly report: StopReport;
  /** What was written, by name. */
  readonly files: Readonly<Record<string, string>>;
  readonly notices: readonly string[];
}

/** The work of the command, for `stream run` too. */
export async function stoplisted(flags: StoplistFlags): Promise<Stoplisted> {
  if (flags.concepts !== undefined && flags.config !== undefined)
    throw new UsageError('--concepts and --config both say what finds concepts', 'keep one of them');
  if (existsSync(flags.out) && !statSync(flags.out).isDirectory())
    throw new UsageError(`--out ${flags.out}: this is a file`, 'name a folder');
  const { settings, folder, dfThreshold } = await (flags.config === undefined
    ? settingsFromSpec(flags.concepts ?? 'vocabulary')
    : settingsFromFile(flags.config));
  const threshold = thresholdOf(flags.threshold) ?? dfThreshold ?? USUAL_THRESHOLD;
  const extractor = await configuredExtractor(settings, folder, { stoplists: 'off' });
  const progress = new Progress(process.stderr, flags.quiet === true);
  try {
    const { report, sources } = await countConcepts(flags.traces, {
      extractor,
      join: flags.join ?? 'concat',
      threshold,
      onTrace(done, total, { file, caseId, concepts }) {
        if (flags.verbose === true)
          progress.keep(safeText(`${done} of ${total}: ${file}: ${caseId}, ${counted(concepts, 'concept')}`));
        return progress.at(done / total);
      },
    });
    const files = stoplistFiles(report, sources);
    for (const [name, text] of Object.entries(files)) writeWhole(join(flags.out, name), text, '--out');
    return { report, files, notices: noticesOf(report, namesStoplists(settings)) };
  } finally {
    progress.end();
    await extractor.close?.();
  }
}

/** With fewer traces than this, one in all of them is no sign of a concept that says nothing. */
const FEW_TRACES = 10;

function noticesOf({ cases, cutoff }: StopReport, hadStoplists: boolean): string[] {
  const notices: string[] = [];
  if (hadStoplists)
    notices.push('The settings name stoplists; they were off here, so that no list is based on itself.');
  if (cases < FEW_TRACES)
    notices.push(`There are few traces: what ${cutoff} of ${cases} have in common may still be what they are about.`);
  return notices;
}

function thresholdOf(text: string | undefined): number | null {
  if (text === undefined) return null;
  const value = numberOf(text.trim());
  if (value === null || !(value > 0 && value <= 1))
    throw new UsageError(`--threshold ${text}: expected a number above 0, at most 1`, 'for example --threshold 0.9');
  return value;
}

function stoplistText(report: StopReport, notices: readonly string[], out: string, style: Style): string {
  const { cutoff, cases, rows, knowsSurfaces } = report;
  const of = (type: 'CUI' | 'SURFACE', one: string): string => {
    const all = rows.filter((row) => row.type === type).length;
    return `${counted(stopped(report, type).length, one)} of ${count(all)}`;
  };
  const surfaces = knowsSurfaces
    ? `${of('SURFACE', 'surface form')}: ${join(out, STOP_SURFACES_FILE)}`
    : 'Surface forms are not known: this extractor does not say which words it looked at.';
  const lines = [
    ...terminalLines([{ text: `In at least ${cutoff} of ${counted(cases, 'trace')}:`, tone: 'strong' }], style),
    style.paint(`  ${of('CUI', 'concept')}: ${join(out, STOP_CONCEPTS_FILE)}`),
    style.paint(`  ${surfaces}`),
    style.paint(`All by frequency: ${join(out, REPORT_FILE)}`),
    ...terminalLines([{ list: notices, tone: 'warn' }], style),
    style.paint(`Use them: --stoplists ${shellWord(out)}`, 'quiet'),
  ];
  return `${lines.join('\n')}\n`;
}
