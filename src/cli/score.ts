import {
  entryAt,
  definitionList,
  renderTerminal,
  safeJson,
  suggestion,
  taskTitle,
  terminalStyle,
  UsageError,
} from '../plugin.ts';
import { type FolderOptions, type Plan, type RunNaming, type SystemFiles, type ValueLimit } from '../index.ts';
import {
  exportsNamed,
  formatOf,
  LEDGER_FORMATS,
  openSystems,
  OTHER_EXPORTERS,
  parseShard,
  presetNamed,
  SCORE_EXPORTERS,
  scoreRun,
  scoreShard,
} from '../pipeline.ts';
import { runDocument } from '../report.ts';
import { BASELINE_FLAGS, type BaselineFlags, printBaseline, refuseBaseline } from './baseline.ts';
import { command, type Terminal } from './command.ts';
import { dataSettings } from './data-flags.ts';
import { FAIL_UNDER, judgeRun, refuseLimits } from './fail-under.ts';
import { clearOnInterrupt } from './interrupt.ts';
import { refuseWithShard, shardDocument } from './merge.ts';
import {
  planOf,
  refuseNoFiles,
  scoredFiles,
  sourceFlags,
  type SourceFlags,
  sourcesOfSystems,
  withProgress,
} from './scored-sources.ts';
import { NAMING_FLAGS, namingOfFlags, refuseUnkept } from './naming-flags.ts';
import { TEXTS_FLAGS, textsOf } from './texts-flags.ts';
import * as flag from './flags.ts';

/** Those that are written into the folder of a run, and those that others write. */
const EVALUATION = 'evaluation-summary';
const ALL = [
  ...SCORE_EXPORTERS,
  ...Object.entries(OTHER_EXPORTERS).map(([name, { about, task }]) => ({ name, about, task })),
];

const EXPORT_FLAGS = {
  export: flag.strings('<name>', 'further files to write, as other tools expect them'),
  legacyFiles: flag.toggle('journal: the same as --export journal-scores'),
};

type ExportFlags = flag.FlagValues<typeof EXPORT_FLAGS> & { readonly out?: string };

/** Name and contents of each, for help. */
function exporterList(): [string, string][] {
  return ALL.map(({ name, about, task }) => [name, task === null ? about : `${taskTitle(task)}: ${about}`]);
}

/** The exporters that are asked for, and what a run folder gets of them. */
function exportsOf(
  plan: Plan,
  flags: ExportFlags,
): { readonly names: string[]; readonly options: Pick<FolderOptions, 'files' | 'caseRecords'> } {
  const asked = flags.export.map((name) => ({ name, written: `--export ${name}` }));
  if (flags.legacyFiles) asked.push({ name: 'journal-scores', written: '--legacy-files' });
  for (const { name, written } of asked) {
    const names = ALL.map((one) => one.name);
    if (!names.includes(name))
      throw new UsageError(`there is no exporter called ${name}`, suggestion(name, names, 'exporters'));
    const task = ALL.find((one) => one.name === name)?.task ?? plan.task;
    if (task !== plan.task)
      throw new UsageError(`${written} is for ${taskTitle(task)} recipes, not for ${taskTitle(plan.task)}`);
    if (flags.out === undefined)
      throw new UsageError(`${written}: the files are written to the run folder`, 'add --out FOLDER');
  }
  const names = asked.map(({ name }) => name);
  return { names, options: exportsNamed(names) };
}

const FLAGS = {
  ...sourceFlags('model output; also as NAME=FILE; with several, each system is compared with the first'),
  out: flag.string('<folder>', 'run folder to write: ledger, measures, report'),
  ledger: flag.choice(LEDGER_FORMATS, '<format>', 'how the ledger is written (default: jsonl)'),
  ...NAMING_FLAGS,
  ...TEXTS_FLAGS,
  ...BASELINE_FLAGS,
  ...EXPORT_FLAGS,
  shard: flag.parsed('<n/shards>', 'part of the cases to score, such as 3/16; assay merge joins all parts', parseShard),
  workers: flag.integer('<n>', 'threads to use (default: by file size and cores); the result is the same', { from: 1 }),
  sheets: flag.string(
    '<folder>',
    'folder for the sheets that reviewers fill in, of --review or of a new review named after --out',
  ),
  failUnder: FAIL_UNDER,
  audit: flag.toggle('look for what makes the result misleading, also without --out'),
  json: flag.JSON,
  verbose: flag.VERBOSE,
  quiet: flag.QUIET,
};

export default command({
  name: 'score',
  arguments: { recipe: flag.restArguments('preset (assay presets lists them) or recipe file') },
  flags: FLAGS,
  help: helpText,
  async run({ recipe: words, ...flags }, terminal) {
    const [recipe = ''] = words;
    if (words.length !== 1 || presetNamed(recipe) === null)
      await (await import('./proposed-recipe.ts')).refuseData(words, flags);
    if (entryAt(recipe) !== undefined) refuseNoFiles(flags);
    const set = dataSettings(flags);
    const plan = await planOf(recipe, set, flags.run);
    const code = plan.definitions.length > 0 ? { recipe } : {};
    const files = await scoredFiles(plan, flags, terminal.note);
    await refuseBaseline(
      flags,
      files.systems.map(({ system }) => system),
      plan,
    );
    if (flags.ledger !== undefined && flags.out === undefined)
      throw new UsageError('--ledger: the ledger is written to the run folder', 'add --out FOLDER');
    const naming = namingOfFlags(flags);
    refuseUnkept(naming, flags.out);
    const { names, options } = exportsOf(plan, flags);
    const sheets = flags.sheets === undefined ? null : await sheetsOf(plan, set, flags.sheets, flags);
    const isReviewed = flags.reviews.length > 0 || flags.review !== undefined || sheets !== null;
    const isSeveral = files.systems.length > 1 || isReviewed || formatOf(plan).answered !== undefined;
    await refuseLimits(flags.failUnder, isSeveral ? null : plan);
    if (flags.shard !== undefined) refuseWithShard(flags, isSeveral);
    if (isSeveral || names.includes(EVALUATION))
      return scoreSystems(plan, files, set, { ...flags, ...code, ...options, naming, writeSheets: sheets }, terminal);
    const { progress, print, style } = terminal;
    const { sources } = sourcesOfSystems(withProgress(files, progress))[0]!;
    if (flags.shard !== undefined && flags.out !== undefined) {
      const { out, shard } = flags;
      const asked = { ...naming, out, set, exports: names, texts: textsOf(flags), onOpen: clearOnInterrupt };
      const record = await scoreShard(plan, sources, shard, asked);
      return { document: () => shardDocument(record, out), json: () => safeJson(record) };
    }
    const { run, audit } = await scoreRun(plan, sources, {
      ...options,
      ...naming,
      out: flags.out ?? null,
      set,
      ...flag.defined({ ledger: flags.ledger }),
      sink: { intervals: (share) => void progress.at(share, 'intervals') },
      texts: textsOf(flags),
      ...(flags.audit ? { audit: true } : {}),
      ...flag.defined({ workers: flags.workers }),
      onOpen: clearOnInterrupt,
    });
    progress.end();
    if (flags.json) process.stdout.write(safeJson(run.measures));
    print(renderTerminal(runDocument(run, { audit, verbose: flags.verbose }), style));
    if (flags.out === undefined)
      print(
        `Nothing was written: --out FOLDER keeps the ledger, the measures${audit === null ? ', the audit' : ''} and the report.\n`,
      );
    await printBaseline(run, null, { ...flags, ...code }, terminal);
    return judgeRun(run, null, flags, terminal);
  },
});

function helpText(): string {
  return `
assay presets lists the presets and what they expect of your files. Without a
recipe, assay score FILE... names the preset that fits the files.

Exporters (--export):
${definitionList(exporterList(), terminalStyle(process.stdout).width).join('\n')}

Examples:
  $ assay score spans/strict --gold gold.jsonl --predictions p.jsonl \\
      --out runs/a
  $ assay score triples/fuzzy --gold items.jsonl --predictions out.jsonl
  $ assay score journal/ashwam --cases journals.jsonl --gold gold.jsonl \\
      --predictions p.jsonl
  $ assay score pii/piranha --cases docs.json --out runs/b \\
      --name "GLiNER small" --tag model=gliner --note "threshold 0.4"
  $ assay score spans/strict --gold gold.csv --predictions pred.csv \\
      --columns id=document,start=from,end=to,label=category
  $ curl -s https://example.com/docs.jsonl | assay score spans/strict \\
      --cases -
  $ assay score spans/strict --cases docs.jsonl --fail-under f1=0.8,recall=0.7
  $ assay score spans/strict --gold gold.jsonl --predictions old=a.jsonl \\
      --predictions new=b.jsonl --out runs/both
  $ assay score consult/ayurmind --cases cases.csv --predictions vanilla.jsonl \\
      --predictions ayurmind.jsonl --reviews reviews.csv --out runs/consult
  $ assay score consult/ayurmind --cases cases.csv --predictions results/ \\
      --out runs/consult --sheets sheets`;
}

async function sheetsOf(plan: Plan, set: readonly string[], sheets: string, flags: SourceFlags & { out?: string }) {
  const { sheetsBeside } = await import('./review/score-sheets.ts');
  return sheetsBeside(plan, set, { ...flags, sheets });
}

/** A run for each system with its reviews, the comparison, and the evaluation of them all. */
async function scoreSystems(
  plan: Plan,
  files: SystemFiles,
  set: readonly string[],
  flags: SourceFlags &
    BaselineFlags &
    Pick<FolderOptions, 'files' | 'caseRecords' | 'ledger'> & {
      readonly json: boolean;
      readonly verbose: boolean;
      readonly naming: RunNaming;
      readonly failUnder: readonly ValueLimit[];
      readonly quiet: boolean;
      readonly writeSheets: Awaited<ReturnType<typeof sheetsOf>> | null;
    },
  terminal: Terminal,
): Promise<number> {
  const { progress, print, style } = terminal;
  // Reviews and evaluations are most of the program, and most calls score one system.
  const { evaluate, evaluationText, writeEvaluation } = await import('../review.ts');
  const { reportFiles } = await import('../report.ts');
  const { AuditNotices } = await import('./audit-notices.ts');
  const { reviewsOf } = await import('./reviews-of.ts');
  const audits = new AuditNotices();
  const opened = await openSystems(withProgress(files, progress), plan);
  const evaluation = await evaluate(opened, await reviewsOf(flags, opened), {
    ...flags.naming,
    out: flags.out ?? null,
    set,
    watch: reportFiles({ texts: textsOf(flags), onAudit: audits.onAudit }),
    ...flag.defined({ files: flags.files, caseRecords: flags.caseRecords, ledger: flags.ledger }),
    onOpen: clearOnInterrupt,
    progress: (system, share) => void progress.at(share, `${system}: intervals`),
  });
  progress.end();
  const { systems } = evaluation;
  if (flags.out !== undefined) await writeEvaluation(flags.out, evaluation);
  if (flags.json) {
    const measures = systems.map(({ system, run }) => ({ system, ...run.measures }));
    process.stdout.write(safeJson(systems.length === 1 ? systems[0]!.run.measures : measures));
  }
  print(evaluationText(evaluation, style, flags.out ?? null, flags.verbose) + audits.text(style));
  if (flags.writeSheets !== null)
    print('\n' + renderTerminal({ title: 'Sheets for reviewers', sections: await flags.writeSheets() }, style));
  const named = systems.map(({ system, run }) => ({ run, system: systems.length === 1 ? null : system }));
  for (const { system, run } of named) await printBaseline(run, system, flags, terminal);
  const codes: number[] = [];
  for (const { system, run } of named) codes.push(await judgeRun(run, system, flags, terminal));
  return Math.max(...codes);
}
