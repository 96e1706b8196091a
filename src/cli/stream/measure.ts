import { join } from 'node:path';

import { exportFiles } from '../../pipeline.ts';
import { type Document, renderMarkdown, safeJson, safeText } from '../../plugin.ts';
import { reportFiles } from '../../report.ts';
import { MOST_RESAMPLES } from '../../stats.ts';
import * as stream from '../../stream.ts';
import { AuditNotices } from '../audit-notices.ts';
import { command } from '../command.ts';
import * as flag from '../flags.ts';
import { clearOnInterrupt } from '../interrupt.ts';
import { type Progress, shareBar } from '../progress.ts';
import { NAMING_FLAGS, namingOfFlags } from '../naming-flags.ts';
import { TEXTS_FLAGS, textsOf } from '../texts-flags.ts';
import { writeWhole } from '../write-whole.ts';
import { chosenVariants, outFolder, VARIANTS, EACH_CASE } from './stream-flags.ts';

export const MEASURE_FLAGS = {
  traces: flag.required(flag.string('<folder>', 'traces that were replayed')),
  runs: flag.required(flag.string('<folder>', 'run logs, a folder for each variant')),
  out: outFolder('folder to write a run folder for each variant, report.md and the metric files to'),
  variants: VARIANTS,
  concepts: flag.string('<extractor>', 'concept extractor, see below (default: as replayed)'),
  stoplists: flag.string('<folder>', 'stop_cuis.txt and stop_entities.txt, or off (default: as replayed)'),
  config: flag.string('<folder>', 'folder of metrics.yaml and extractor.yaml (default: recipe, and as replayed)'),
  recipe: flag.string('<name>', 'preset or recipe file', 'stream/exaid'),
  set: flag.strings('<path=value>', 'setting of the recipe to change'),
  bootstrapSamples: flag.integer(
    '<n>',
    'resamples of the intervals, short for --set interval.resamples=n (default: as in the recipe)',
    { from: 1, to: MOST_RESAMPLES },
  ),
  asPublished: flag.toggle('join deltas by a space, as the published figures did: words are shredded'),
  force: flag.toggle('measure logs of other traces, or by other concepts than they state'),
  ...NAMING_FLAGS,
  ...TEXTS_FLAGS,
  verbose: EACH_CASE,
  json: flag.JSON,
  quiet: flag.QUIET,
};

type MeasureFlags = flag.FlagValues<typeof MEASURE_FLAGS>;

export default command({
  name: 'measure',
  flags: MEASURE_FLAGS,
  help: `
Concepts are found by the extractor that the logs state, with the stoplists that
stream replay kept in RUNS/stoplists. Another extractor, other stoplists or
edited ones are refused; --force measures with them, and output, report and
signature state it. --concepts is one of
  vocabulary        the small open vocabulary that ships
  index:FILE        a knowledge base indexed by assay stream index
  kb:PATH           a knowledge base as it is (scispaCy JSONL, UMLS RRF folder)
  scispacy          Python with scispaCy and its UMLS linker, as a process
  http:URL          a server that answers {"text"} with {"concepts"}
  recorded:FILE     concept sets that were recorded
  FILE.yaml         extractor settings
Numbers made with different extractors are not compared.

metrics.yaml of --config: tau_list, budget_list, join, statistics.
{bootstrap_samples, confidence_level, seed}. --set overrides it; keys without
an effect, and values that are not the recipe's, are reported with their line.

Unsupported fractions: lower is better. No clinical outcome is claimed.

Examples:
  $ assay stream measure --traces traces --runs runs --out measures
  $ assay compare measures/V0 measures/V2
  $ assay stream measure --traces traces --runs runs --out measures \\
      --concepts index:umls.idx --variants V0,V2`,
  async run(flags, { progress }) {
    const { config, out } = flags;
    const unread =
      config === undefined ? [] : stream.unreadFiles(config, 'stream measure', stream.namedFiles(config, flags));
    const measurement = await measureRuns(flags, progress);
    const notices = [...unread, ...measurement.notices];
    // The document has its own section for it.
    const forced = stream.forcedNotice(measurement.concepts);
    return {
      document: () => measurementDocument({ ...measurement, notices }, out),
      json: () =>
        safeJson({
          ...stream.aggregateMetrics(measurement.variants, measurement.provenance),
          notices: [...forced, ...notices],
        }),
    };
  },
});

type Measurement = Awaited<ReturnType<typeof measureRuns>>;

/** Without progress nothing is shown. */
export async function measureRuns(
  flags: Pick<MeasureFlags, 'traces' | 'runs' | 'out' | 'variants'> & Partial<MeasureFlags>,
  progress: Progress | null = null,
) {
  const { config, recipe = 'stream/exaid', runs, out, verbose = false, force = false } = flags;
  const metrics = config === undefined ? null : stream.readMetricsConfig(config);
  const provenance = metrics === null ? null : stream.metricsProvenance(metrics);
  const audits = new AuditNotices();
  const chosen = chosenVariants(flags.variants);
  const folders = stream.variantFolders(runs, chosen);
  const { concepts, stoplists } = flags;
  const { extractor, replayed } = await stream.measuredConcepts({ runs, folders, force, concepts, stoplists, config });
  try {
    const variants = await stream.measureStream({
      traces: flags.traces,
      runs,
      variants: chosen,
      extractor,
      replayed,
      out,
      recipe,
      ...namingOfFlags({ tag: [], ...flags }),
      force,
      set: [...(metrics?.set ?? []), ...settingsOf(flags)],
      watch: reportFiles({ texts: textsOf(flags), onAudit: audits.onAudit }),
      progress(done, total, variant, caseId) {
        if (verbose) progress?.keep(safeText(`${done} of ${total}: ${variant} ${caseId}`));
        progress?.show(() => `${shareBar(done / total)}  ${done} of ${total} cases (${variant})`);
      },
      onOpen: (writer) => clearOnInterrupt(writer, 'finished variants are kept, the current one is not.'),
    });
    progress?.end();
    exportFiles(stream.streamMetrics, { variants, config: provenance }, out);
    writeWhole(join(out, 'report.md'), renderMarkdown(stream.streamDocument(variants, out)), '--out');
    const resolved = variants[0]?.run.manifest.recipe.resolved ?? {};
    const notices = metrics === null ? [] : await stream.metricsNotices(metrics, recipe, resolved);
    return { variants, audits, provenance, notices, concepts: { ...extractor.identity, replayed } };
  } finally {
    await extractor.close?.();
  }
}

/** The variants side by side, with what the audits found and what of the configuration changed a number. */
export function measurementDocument(
  { variants, audits, notices }: Pick<Measurement, 'variants' | 'audits' | 'notices'>,
  out: string,
): Document {
  const document = stream.streamDocument(variants, out);
  return {
    ...document,
    sections: [...document.sections, { blocks: audits.blocks() }, { blocks: [{ list: notices, mark: 'warning' }] }],
  };
}

function settingsOf({ asPublished, bootstrapSamples, set = [] }: Partial<MeasureFlags>): string[] {
  return [
    ...(asPublished === true ? ['stream.join=space'] : []),
    ...(bootstrapSamples === undefined ? [] : [`interval.resamples=${bootstrapSamples}`]),
    // `join` is set often enough to have a short name.
    ...set.map((line) => (line.startsWith('join=') ? `stream.${line}` : line)),
  ];
}
