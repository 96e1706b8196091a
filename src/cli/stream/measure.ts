import { join } from 'node:path';

import { Command, Option } from 'commander';

import { reportFiles } from '../../report/html/watch-report.ts';
import { safeJson } from '../../report/safe-json.ts';
import { safeText } from '../../report/safe-text.ts';
import { renderMarkdown } from '../../report/render-markdown.ts';
import { renderTerminal } from '../../report/render-terminal.ts';
import { streamDocument } from '../../report/stream-measures.ts';
import { terminalLines } from '../../report/render-terminal.ts';
import { type Style } from '../../report/style.ts';
import { terminalStyle } from '../../report/terminal-style.ts';
import { exportFiles } from '../../tasks/file-exporter.ts';
import { aggregateMetrics, streamMetrics } from '../../tasks/stream/measure/legacy-aggregate.ts';
import { measureStream, type MeasuredVariant } from '../../tasks/stream/measure/measure-stream.ts';
import { MOST_RESAMPLES } from '../../stats/resample-settings.ts';
import {
  type MetricsConfig,
  metricsNotices,
  metricsProvenance,
  readMetricsConfig,
} from '../../tasks/stream/config/metrics-config.ts';
import { namedFiles, unreadFiles } from '../../tasks/stream/config/config-folder.ts';
import { extractorFromSpec } from '../../tasks/stream/concepts/extractor-from-spec.ts';
import { AuditNotices } from '../audit-notices.ts';
import { addFlags } from '../command.ts';
import { clearOnInterrupt } from '../interrupt.ts';
import { Progress, shareBar } from '../progress.ts';
import { TEXTS_FLAGS, type TextsFlags, textsOf } from '../texts-flags.ts';
import { wholeNumber } from '../whole-number.ts';
import { writeWhole } from '../write-whole.ts';

export interface MeasureFlags extends TextsFlags {
  readonly traces: string;
  readonly runs: string;
  readonly out: string;
  readonly variants?: string;
  readonly concepts?: string;
  readonly stoplists?: string;
  readonly config?: string;
  readonly recipe: string;
  readonly set?: readonly string[];
  readonly asPublished?: boolean;
  readonly force?: boolean;
  readonly bootstrapSamples?: string;
  readonly verbose?: boolean;
  readonly json?: boolean;
  readonly quiet?: boolean;
}

export function measureCommand(): Command {
  const command = new Command('measure')
    .description('measure run logs against their traces: M1 to M10, with intervals')
    .requiredOption('--traces <folder>', 'the traces that were replayed')
    .requiredOption('--runs <folder>', 'the run logs, a folder for each variant')
    .requiredOption('--output, --out <folder>', 'writes a run folder for each variant, report.md and the metric files')
    .option('--variants <list>', 'for example V0,V2 (default: all)')
    .option('--concepts <what>', 'what finds concepts, see below', 'vocabulary')
    .option(
      '--stoplists <folder>',
      'stop_cuis.txt and stop_entities.txt, made by stream stoplist, or off (default: those FILE.yaml names)',
    )
    .option('--config <folder>', 'folder of metrics.yaml: budgets, thresholds, bootstrap (default: the recipe’s)')
    .option('--recipe <name>', 'preset or recipe file', 'stream/exaid')
    .addOption(
      new Option('--set <path=value>', 'change one line of the recipe; may be given again').argParser(
        (value, all: readonly string[] | undefined) => [...(all ?? []), value],
      ),
    )
    .option('--bootstrap-samples <n>', 'resamples of the intervals; --set interval.resamples=n (default: the recipe’s)')
    .option('--as-published', 'join deltas by a space, as the published figures did: words are shredded')
    .option('--force', 'measure logs although they say that they are of other traces');
  return addFlags(command, TEXTS_FLAGS)
    .option('--verbose', 'print each case as it is measured')
    .option('--json', 'print the aggregate as JSON on standard output')
    .option('--quiet', 'print nothing but errors')
    .addHelpText('after', HELP)
    .action(measure);
}

const HELP = `
Concepts are found by
  vocabulary        the small open vocabulary that ships (the usual)
  index:FILE        a knowledge base indexed by assay stream index
  kb:PATH           a knowledge base as it is (scispaCy JSONL, UMLS RRF folder)
  scispacy          Python with scispaCy and its UMLS linker, as a process
  http:URL          a server that answers {"text"} with {"concepts"}
  recorded:FILE     concept sets that were recorded
  FILE.yaml         extractor settings
Numbers made with different extractors are not compared.

metrics.yaml of --config: tau_list, budget_list, join, statistics.
{bootstrap_samples, confidence_level, seed}. --set goes before it; keys without
an effect, and values that are not the recipe's, are reported with their line.

Unsupported fractions: lower is better. No clinical outcome is claimed.

Examples:
  $ assay stream measure --traces traces --runs runs --out measures
  $ assay compare measures/V0 measures/V2
  $ assay stream measure --traces traces --runs runs --out measures \\
      --concepts index:umls.idx --stoplists stoplists --variants V0,V2`;

async function measure(flags: MeasureFlags): Promise<void> {
  const audits = new AuditNotices();
  const config = metricsConfigOf(flags);
  const variants = await measured(flags, audits, config);
  const notices = await configNotices(flags, config, variants);
  if (flags.json === true) process.stdout.write(safeJson({ ...aggregateMetrics(variants, configOf(config)), notices }));
  if (flags.quiet === true) return;
  const stream = flags.json === true ? process.stderr : process.stdout;
  const style = terminalStyle(stream);
  stream.write(renderTerminal(streamDocument(variants, flags.out), style) + audits.text(style));
  stream.write(noticesText(notices, style));
}

/** What metrics.yaml says; null where there is none. */
export function metricsConfigOf({ config }: Pick<MeasureFlags, 'config'>): MetricsConfig | null {
  return config === undefined ? null : readMetricsConfig(config);
}

/** What of the configuration was not used, or changed a number. */
export async function configNotices(
  flags: Pick<MeasureFlags, 'config' | 'recipe' | 'concepts' | 'stoplists'>,
  config: MetricsConfig | null,
  variants: readonly MeasuredVariant[],
  command = 'stream measure',
): Promise<string[]> {
  const resolved = variants[0]?.run.manifest.recipe.resolved ?? {};
  return [
    ...(flags.config === undefined || command !== 'stream measure'
      ? []
      : unreadFiles(flags.config, command, namedFiles(flags.config, flags))),
    ...(config === null ? [] : await metricsNotices(config, flags.recipe, resolved)),
  ];
}

export function noticesText(notices: readonly string[], style: Style): string {
  return terminalLines([{ list: notices, mark: 'warning' }], style)
    .map((line) => `${line}\n`)
    .join('');
}

function configOf(config: MetricsConfig | null): Readonly<Record<string, unknown>> | null {
  return config === null ? null : metricsProvenance(config);
}

/** The work of the command, for `stream run` too. */
export async function measured(
  flags: MeasureFlags,
  audits: AuditNotices = new AuditNotices(),
  config: MetricsConfig | null = metricsConfigOf(flags),
): Promise<readonly MeasuredVariant[]> {
  const extractor = await extractorFromSpec(flags.concepts ?? 'vocabulary', { stoplists: flags.stoplists });
  const line = new Progress(process.stderr, flags.quiet === true);
  try {
    const variants = await measureStream({
      traces: flags.traces,
      runs: flags.runs,
      variants: flags.variants === undefined ? null : flags.variants.split(',').map((name) => name.trim()),
      extractor,
      out: flags.out,
      recipe: flags.recipe,
      force: flags.force === true,
      set: [...(config?.set ?? []), ...settingsOf(flags)],
      watch: reportFiles({ texts: textsOf(flags), onAudit: audits.onAudit }),
      progress(done, total, variant, caseId) {
        if (flags.verbose === true) line.keep(safeText(`${done} of ${total}: ${variant} ${caseId}`));
        line.show(() => `${shareBar(done / total)}  ${done} of ${total} cases (${variant})`);
      },
      onOpen: (writer) => clearOnInterrupt(writer, 'variants that were finished are kept, the one at hand is not.'),
    });
    exportFiles(streamMetrics, { variants, config: configOf(config) }, flags.out);
    writeWhole(join(flags.out, 'report.md'), renderMarkdown(streamDocument(variants, flags.out)), '--out');
    return variants;
  } finally {
    line.end();
    await extractor.close?.();
  }
}

function settingsOf({ asPublished, bootstrapSamples: samples, set = [] }: MeasureFlags): string[] {
  return [
    ...(asPublished === true ? ['stream.join=space'] : []),
    ...(samples === undefined
      ? []
      : [`interval.resamples=${wholeNumber('--bootstrap-samples', samples, 1, MOST_RESAMPLES)}`]),
    ...set.map(longName),
  ];
}

/** `join` is said often enough to be said alone. */
function longName(line: string): string {
  return line.startsWith('join=') ? `stream.${line}` : line;
}
