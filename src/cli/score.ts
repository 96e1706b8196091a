import { Command, Option } from 'commander';

import type { SystemFiles } from '../formats/case-format.ts';
import { caseReader, formatOf, openSystems } from '../formats/case-formats.ts';
import { planFor } from '../experiment/run/scorer.ts';
import { type Plan, planRecipe } from '../recipe/plan.ts';
import { presetAbout, presetNames } from '../recipe/presets.ts';
import { baselineText } from '../report/baseline-text.ts';
import { writeEvaluation } from '../report/evaluation-files.ts';
import { evaluationText } from '../report/evaluation-text.ts';
import { definitionList } from '../report/definition-list.ts';
import { reportFiles } from '../report/html/watch-report.ts';
import { safeJson } from '../report/safe-json.ts';
import { type Style } from '../report/style.ts';
import { terminalStyle } from '../report/terminal-style.ts';
import { summaryText } from '../report/summary.ts';
import { AuditWatch } from '../audit/audit-watch.ts';
import type { Audit } from '../audit/finding.ts';
import { CeilingWatch } from '../figures/ceiling-counts.ts';
import { joinSinks } from '../score/score.ts';
import type { Run } from '../score/run.ts';
import { type FolderOptions, scoreToFolder } from '../score/score-to-folder.ts';
import { scoreToRun } from '../score/score-to-folder.ts';
import { evaluate, type Evaluation } from '../review/evaluation.ts';
import { AuditNotices } from './audit-notices.ts';
import { dataFlags } from './data-flags.ts';
import { clearOnInterrupt } from './interrupt.ts';
import { type ExportFlags, exporterList, exportsOf } from './named-exporters.ts';
import { Progress } from './progress.ts';
import { type BaselineFlags, baselineOptions, refuseBaseline, setBesideBaseline } from './score-baseline.ts';
import { reviewsOf } from './reviews-of.ts';
import {
  gathered,
  scoredFiles,
  type SourceFlags,
  sourceOptions,
  sourcesOfSystems,
  totalBytes,
} from './scored-sources.ts';
import { textsOf, textsOptions } from './texts-flags.ts';

interface ScoreFlags extends SourceFlags, BaselineFlags, ExportFlags {
  readonly out?: string;
  readonly json?: boolean;
}

type Exported = ReturnType<typeof exportsOf>['options'];

export function scoreCommand(): Command {
  const command = new Command('score').argument('<recipe>', 'preset (see below) or recipe file');
  sourceOptions(
    command,
    'what a system said; given again, also as NAME=FILE, each system is scored and compared with the first',
  ).option('--out <folder>', 'write the run folder (ledger, measures, report) here');
  return baselineOptions(textsOptions(command))
    .addOption(
      new Option('--export <name>', 'also write files as other tools expect them; may be given again').argParser(
        gathered,
      ),
    )
    .option('--legacy-files', 'journal: the same as --export journal-scores')
    .option('--json', 'print measures.json on standard output, everything else on standard error')
    .option('--quiet', 'print nothing but errors')
    .addHelpText('after', () => helpText())
    .action(score);
}

function helpText(): string {
  const presets = presetNames().map((name): [string, string] => [name, presetAbout(name)]);
  return `
Presets:
${definitionList(presets, terminalStyle(process.stdout).width).join('\n')}

Exporters (--export):
${definitionList(exporterList(), terminalStyle(process.stdout).width).join('\n')}

Examples:
  $ assay score journal/ashwam --cases journals.jsonl --gold gold.jsonl \\
      --predictions p.jsonl --out runs/a
  $ assay score pii/piranha --cases docs.json --out runs/b
  $ assay score graph/openspec --gold items.jsonl --predictions out.jsonl \\
      --set pair.assign=optimal
  $ assay score pii/strict --gold gold.csv --predictions pred.csv \\
      --columns id=document,start=from,end=to,label=category
  $ assay score pii/piranha --cases docs.json --set judge.loc-in-org=off
  $ assay score pii/piranha --cases docs-v2.json --out runs/c --baseline runs/b
  $ assay score graph/as-coded --run runs/baseline-v1
  $ assay score pii/strict --gold gold.jsonl --predictions old=a.jsonl \\
      --predictions new=b.jsonl --out runs/both
  $ assay score consult/ayurmind --cases cases.csv --predictions vanilla.jsonl \\
      --predictions ayurmind.jsonl --reviews reviews.csv --out runs/consult`;
}

async function score(recipe: string, flags: ScoreFlags): Promise<void> {
  const set = [...(flags.set ?? []), ...dataFlags(flags)];
  const plan = flags.run === undefined ? await planRecipe(recipe, set) : await planFor(recipe, set);
  const files = scoredFiles(plan, flags);
  await refuseBaseline(
    flags,
    files.systems.map(({ system }) => system),
  );
  const { options, evaluation } = exportsOf(plan, flags);
  const isReviewed = flags.reviews !== undefined || flags.review !== undefined;
  if (files.systems.length > 1 || isReviewed || evaluation || formatOf(plan).answered !== undefined)
    return scoreSystemsWithProgress(plan, files, set, flags, options);
  const { run, audit } = await scoreWithProgress(plan, files, set, flags, options);
  if (flags.json === true) process.stdout.write(safeJson(run.measures));
  const { style, say } = outputOf(flags);
  say(summaryText(run, style, audit));
  if (flags.out === undefined)
    say('Nothing was written: --out FOLDER keeps the ledger, the measures and the report.\n');
  await sayBaseline(run, null, flags);
}

function outputOf({ json, quiet }: ScoreFlags): { readonly style: Style; readonly say: (text: string) => void } {
  const stream = json === true ? process.stderr : process.stdout;
  return { style: terminalStyle(stream), say: (text) => void (quiet === true || stream.write(text)) };
}

/** `system` is named where there are several. */
async function sayBaseline({ folder }: Run, system: string | null, flags: ScoreFlags): Promise<void> {
  if (flags.baseline === undefined) return;
  const { style, say } = outputOf(flags);
  const comparison = await setBesideBaseline(folder, flags.baseline, flags);
  say(baselineText(comparison, style, flags.force === true, system));
}

/** A run for each system with what people said of it, the comparison, and what it all comes to. */
async function scoreSystemsWithProgress(
  plan: Plan,
  files: SystemFiles,
  set: readonly string[],
  flags: ScoreFlags,
  exported: Exported,
): Promise<void> {
  const progress = new Progress(process.stderr, totalBytes(files), flags.quiet === true);
  const audits = new AuditNotices();
  let evaluation: Evaluation;
  try {
    const opened = await openSystems(progress.counting(files), plan);
    evaluation = await evaluate(opened, await reviewsOf(flags, opened), {
      out: flags.out ?? null,
      set,
      watch: reportFiles({ texts: textsOf(flags), onAudit: audits.onAudit }),
      ...exported,
      onOpen: clearOnInterrupt,
      progress: (system, share) => progress.part(`${system}: intervals`, share),
    });
  } finally {
    progress.end();
  }
  const { systems } = evaluation;
  if (flags.out !== undefined) await writeEvaluation(flags.out, evaluation);
  if (flags.json === true) {
    const measures = systems.map(({ system, run }) => ({ system, ...run.measures }));
    process.stdout.write(safeJson(systems.length === 1 ? systems[0]!.run.measures : measures));
  }
  const { style, say } = outputOf(flags);
  say(evaluationText(evaluation, style, flags.out ?? null) + audits.text(style));
  for (const { system, run } of systems) await sayBaseline(run, systems.length === 1 ? null : system, flags);
}

async function scoreWithProgress(
  plan: Plan,
  files: SystemFiles,
  set: readonly string[],
  flags: ScoreFlags,
  exported: Exported,
): Promise<{ readonly run: Run; readonly audit: Audit | null }> {
  const progress = new Progress(process.stderr, totalBytes(files), flags.quiet === true);
  const { sources } = sourcesOfSystems(progress.counting(files))[0]!;
  const sink = { intervals: (share: number) => progress.part('intervals', share) };
  try {
    if (flags.out === undefined) {
      const watch = new AuditWatch(plan);
      const people = new CeilingWatch(plan);
      const run = await scoreToRun(plan, caseReader(sources, plan), {
        set,
        sink: joinSinks([sink, watch.sink, people.sink]),
      });
      return { run, audit: await watch.finish(run, { ceiling: people.list() }) };
    }
    let audit: Audit | null = null;
    const options: FolderOptions = {
      out: flags.out,
      set,
      sink,
      watch: reportFiles({ texts: textsOf(flags), onAudit: (found) => (audit = found) }),
      ...exported,
      onOpen: clearOnInterrupt,
    };
    const run = await scoreToFolder(plan, sources, options);
    return { run, audit };
  } finally {
    progress.end();
  }
}
