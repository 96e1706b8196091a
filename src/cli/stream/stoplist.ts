import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';

import { plural, safeText, UsageError } from '../../plugin.ts';
import * as stream from '../../stream.ts';
import { command } from '../command.ts';
import * as flag from '../flags.ts';
import type { Progress } from '../progress.ts';
import { writeWhole } from '../write-whole.ts';
import { outFolder, EACH_CASE } from './stream-flags.ts';

const DEFAULT_THRESHOLD = 0.9;

export const STOPLIST_FLAGS = {
  traces: flag.required(flag.string('<folder>', 'frozen traces, as .jsonl.gz or .jsonl')),
  out: outFolder('folder to write the two lists, the audit CSV and the metadata to'),
  concepts: flag.string('<extractor>', 'concept extractor, as for stream measure (default: vocabulary)'),
  config: flag.string('<path>', 'extractor.yaml or the folder that holds it, in place of --concepts'),
  threshold: flag.amount('<share>', `share of traces (default: df_threshold of the config, or ${DEFAULT_THRESHOLD})`, {
    above: 0,
    to: 1,
  }),
  join: flag.choice(['concat', 'space'], '<how>', 'how deltas become text', 'concat'),
  verbose: EACH_CASE,
  json: flag.JSON,
  quiet: flag.QUIET,
};

type StoplistFlags = flag.FlagValues<typeof STOPLIST_FLAGS>;

export default command({
  name: 'stoplist',
  flags: STOPLIST_FLAGS,
  help: `
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
  $ assay stream replay --traces traces --model heuristic --out runs \\
      --stoplists stoplists                   # stream measure uses them too`,
  async run(flags, { progress }) {
    const { report, files, notices } = await writeStoplists(flags, progress);
    return {
      document: () => stream.stoplistDocument(report, notices, flags.out),
      json: () => files[stream.METADATA_FILE] ?? '',
    };
  },
});

export async function writeStoplists(
  { traces, out, concepts, config, threshold, join: joined, verbose }: Omit<StoplistFlags, 'json' | 'quiet'>,
  progress: Progress,
) {
  if (concepts !== undefined && config !== undefined)
    throw new UsageError('--concepts and --config both name the concept extractor', 'keep one of them');
  if (existsSync(out) && !statSync(out).isDirectory())
    throw new UsageError(`--out ${out}: this is a file`, 'name a folder');
  const { settings, folder, dfThreshold } = await stream.chooseConcepts({ concepts, config });
  const extractor = await stream.configuredExtractor(settings, folder, { stoplists: 'off' });
  try {
    const { report, sources } = await stream.countConcepts(traces, {
      extractor,
      join: joined,
      threshold: threshold ?? dfThreshold ?? DEFAULT_THRESHOLD,
      onTrace(done, total, { file, caseId, concepts: found }) {
        if (verbose) progress.keep(safeText(`${done} of ${total}: ${file}: ${caseId}, ${plural(found, 'concept')}`));
        return progress.at(done / total);
      },
    });
    progress.end();
    const files = stream.stoplistFiles(report, sources);
    for (const [name, text] of Object.entries(files)) writeWhole(join(out, name), text, '--out');
    return { report, files, notices: noticesOf(report, stream.namesStoplists(settings)) };
  } finally {
    await extractor.close?.();
  }
}

/** With fewer traces than this, a concept in all of them may well carry information. */
const FEW_TRACES = 10;

function noticesOf({ cases, cutoff }: stream.StopReport, hadStoplists: boolean): string[] {
  return [
    ...(hadStoplists ? ['The settings name stoplists; they were off here, so that no list is based on itself.'] : []),
    ...(cases < FEW_TRACES
      ? [`There are few traces: what ${cutoff} of ${cases} have in common may still be what they are about.`]
      : []),
  ];
}
