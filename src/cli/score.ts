import { Command, Option } from 'commander';

import type { SystemFiles } from '../formats/case-format.ts';
import { caseReader, formatOf } from '../formats/case-formats.ts';
import { type Plan, planRecipe } from '../recipe/plan.ts';
import { presetAbout, presetNames } from '../recipe/presets.ts';
import { definitionList } from '../report/definition-list.ts';
import { reportFiles } from '../report/html/watch-report.ts';
import { renderTerminal } from '../report/render-terminal.ts';
import { runDocument } from '../report/run.ts';
import { safeJson } from '../report/safe-json.ts';
import { terminalStyle } from '../report/terminal-style.ts';
import { AuditWatch } from '../audit/audit-watch.ts';
import type { Audit } from '../audit/finding.ts';
import { CeilingWatch } from '../figures/ceiling-counts.ts';
import { joinSinks } from '../score/score.ts';
import type { Run } from '../score/run.ts';
import { type FolderOptions, scoreToFolder, scoreToRun } from '../score/score-to-folder.ts';
import { dataFlags } from './data-flags.ts';
import { clearOnInterrupt } from './interrupt.ts';
import { exporterList, exportsOf } from './named-exporters.ts';
import { Progress } from './progress.ts';
import { baselineOptions, refuseBaseline } from './score-baseline.ts';
import { type Exported, outputOf, sayBaseline, type ScoreFlags } from './score-output.ts';
import { gathered, scoredFiles, sourceOptions, sourcesOfSystems, totalBytes } from './scored-sources.ts';
import { textsOf, textsOptions } from './texts-flags.ts';

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
    .option('--verbose', 'signature and notes on the measures too')
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
  const plan =
    flags.run === undefined
      ? await planRecipe(recipe, set)
      : await (await import('../experiment/run/scorer.ts')).planFor(recipe, set);
  const files = await scoredFiles(plan, flags);
  await refuseBaseline(
    flags,
    files.systems.map(({ system }) => system),
  );
  const { options, evaluation } = exportsOf(plan, flags);
  const isReviewed = flags.reviews !== undefined || flags.review !== undefined;
  if (files.systems.length > 1 || isReviewed || evaluation || formatOf(plan).answered !== undefined)
    // What people say of several systems is most of the program, and most calls score one.
    return (await import('./score-systems.ts')).scoreSystemsWithProgress(plan, files, set, flags, options);
  const { run, audit } = await scoreWithProgress(plan, files, set, flags, options);
  if (flags.json === true) process.stdout.write(safeJson(run.measures));
  const { style, say } = outputOf(flags);
  say(renderTerminal(runDocument(run, { audit, verbose: flags.verbose === true }), style));
  if (flags.out === undefined)
    say('Nothing was written: --out FOLDER keeps the ledger, the measures and the report.\n');
  await sayBaseline(run, null, flags);
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
