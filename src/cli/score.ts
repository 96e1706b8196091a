import { definitionList, renderTerminal, safeJson, terminalStyle } from '../plugin.ts';
import { formatOf, planRecipe, presetAbout, presetNames, scoreRun } from '../index.ts';
import { runDocument } from '../report.ts';
import { command } from './command.ts';
import { dataSettings } from './data-flags.ts';
import * as flag from './flags.ts';
import { clearOnInterrupt } from './interrupt.ts';
import { EXPORT_FLAGS, exporterList, exportsOf } from './named-exporters.ts';
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
        : await (await import('../experiment.ts')).planFor(recipe, set);
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
    const { sources } = sourcesOfSystems(withProgress(files, progress))[0]!;
    const { run, audit } = await scoreRun(plan, sources, {
      ...options,
      out: flags.out ?? null,
      set,
      sink: { intervals: (share) => void progress.at(share, 'intervals') },
      texts: textsOf(flags),
      onOpen: clearOnInterrupt,
    });
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
