import type { SystemFiles } from '../formats/case-format.ts';
import { caseReader, formatOf } from '../formats/case-formats.ts';
import { type Plan, planRecipe } from '../recipe/plan.ts';
import { presetAbout, presetNames } from '../recipe/presets.ts';
import { definitionList } from '../report/definition-list.ts';
import { reportFiles } from '../report/html/watch-report.ts';
import { safeJson } from '../report/safe-json.ts';
import { terminalStyle } from '../report/terminal-style.ts';
import { renderTerminal } from '../report/render-terminal.ts';
import { runDocument } from '../report/run.ts';
import { AuditWatch } from '../audit/audit-watch.ts';
import type { Audit } from '../audit/finding.ts';
import { CeilingWatch } from '../figures/ceiling-counts.ts';
import { joinSinks } from '../score/score.ts';
import type { Run } from '../score/run.ts';
import { type FolderOptions, scoreToFolder, scoreToRun } from '../score/score-to-folder.ts';
import { command } from './command.ts';
import { dataSettings } from './data-flags.ts';
import * as flag from './flags.ts';
import { clearOnInterrupt } from './interrupt.ts';
import { EXPORT_FLAGS, exporterList, exportsOf } from './named-exporters.ts';
import type { Progress } from './progress.ts';
import { BASELINE_FLAGS, printBaseline, refuseBaseline } from './score-baseline.ts';
import { scoredFiles, sourceFlags, sourcesOfSystems, withProgress } from './scored-sources.ts';
import { TEXTS_FLAGS, textsOf } from './texts-flags.ts';

const FLAGS = {
  ...sourceFlags('model output; also as NAME=FILE; with several, each system is compared with the first'),
  out: flag.text('<folder>', 'run folder to write: ledger, measures, report'),
  ...TEXTS_FLAGS,
  ...BASELINE_FLAGS,
  ...EXPORT_FLAGS,
  json: flag.JSON,
  verbose: flag.VERBOSE,
  quiet: flag.QUIET,
};

type ScoreFlags = flag.FlagValues<typeof FLAGS>;

export const scoreCommand = command({
  name: 'score',
  arguments: { recipe: flag.argument('preset (see below) or recipe file') },
  flags: FLAGS,
  help: helpText,
  async run({ recipe, ...flags }, terminal) {
    const set = dataSettings(flags);
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
    const isReviewed = flags.reviews.length > 0 || flags.review !== undefined;
    if (files.systems.length > 1 || isReviewed || evaluation || formatOf(plan).answered !== undefined)
      // Reviews and evaluations are most of the program, and most calls score one system.
      return (await import('./score-systems.ts')).scoreSystems(plan, files, set, { ...flags, ...options }, terminal);
    const { progress, print, style } = terminal;
    const { run, audit } = await scoreSystem(
      plan,
      withProgress(files, progress),
      set,
      { ...flags, ...options },
      progress,
    );
    progress.end();
    if (flags.json) process.stdout.write(safeJson(run.measures));
    print(renderTerminal(runDocument(run, { audit, verbose: flags.verbose }), style));
    if (flags.out === undefined)
      print('Nothing was written: --out FOLDER keeps the ledger, the measures and the report.\n');
    await printBaseline(run, null, flags, terminal);
  },
});

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

async function scoreSystem(
  plan: Plan,
  files: SystemFiles,
  set: readonly string[],
  { out, files: exported, caseRecords, ...flags }: ScoreFlags & Pick<FolderOptions, 'files' | 'caseRecords'>,
  progress: Progress,
): Promise<{ readonly run: Run; readonly audit: Audit | null }> {
  const { sources } = sourcesOfSystems(files)[0]!;
  const sink = { intervals: (share: number) => void progress.at(share, 'intervals') };
  if (out === undefined) {
    const watch = new AuditWatch(plan);
    const people = new CeilingWatch(plan);
    const run = await scoreToRun(plan, caseReader(sources, plan), {
      set,
      sink: joinSinks([sink, watch.sink, people.sink]),
    });
    return { run, audit: await watch.finish(run, { ceiling: people.list() }) };
  }
  let audit: Audit | null = null;
  const run = await scoreToFolder(plan, sources, {
    out,
    set,
    sink,
    watch: reportFiles({ texts: textsOf(flags), onAudit: (result) => (audit = result) }),
    ...flag.defined({ files: exported, caseRecords }),
    onOpen: clearOnInterrupt,
  });
  return { run, audit };
}
