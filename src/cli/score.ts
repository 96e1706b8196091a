import { Command } from 'commander';

import { UsageError } from '../data/problems.ts';
import type { CaseSources } from '../data/read-cases.ts';
import { planFor } from '../experiment/run/scorer.ts';
import { type Plan, planRecipe } from '../recipe/plan.ts';
import { presetAbout, presetNames } from '../recipe/presets.ts';
import { baselineText } from '../report/baseline-text.ts';
import { definitionList } from '../report/definition-list.ts';
import { reportFiles } from '../report/html/watch-report.ts';
import { safeJson } from '../report/safe-json.ts';
import { terminalStyle } from '../report/style.ts';
import { summaryText } from '../report/summary.ts';
import { AuditWatch } from '../audit/audit-watch.ts';
import type { Audit } from '../audit/finding.ts';
import { caseReader } from '../formats/case-formats.ts';
import { CeilingWatch } from '../figures/ceiling-watch.ts';
import { joinSinks } from '../score/score.ts';
import type { Run } from '../score/run.ts';
import { type FolderOptions, scoreToFolder } from '../score/score-to-folder.ts';
import { scoreToRun } from '../score/score-to-folder.ts';
import { perJournalScore, scoreSummary } from '../tasks/journal/legacy-files.ts';
import { dataFlags } from './data-flags.ts';
import { clearOnInterrupt } from './interrupt.ts';
import { Progress } from './progress.ts';
import { type BaselineFlags, baselineOptions, refuseBaseline, setBesideBaseline } from './score-baseline.ts';
import { scoredSources, type SourceFlags, sourceOptions, totalBytes } from './scored-sources.ts';
import { textsOf, textsOptions } from './texts-flags.ts';

interface ScoreFlags extends SourceFlags, BaselineFlags {
  readonly legacyFiles?: boolean;
  readonly json?: boolean;
}

export function scoreCommand(): Command {
  const command = new Command('score')
    .description('score predictions against gold by a recipe: a preset or a YAML file')
    .argument('<recipe>', 'preset (see below) or recipe file');
  sourceOptions(command, 'what the system said; consult: may be given again, also as NAME=FILE').option(
    '--out <folder>',
    'write the run folder (ledger, measures, report) here',
  );
  return baselineOptions(textsOptions(command))
    .option('--legacy-files', 'journal: also write score_summary.json and per_journal_scores.jsonl')
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
  $ assay score consult/ayurmind --cases cases.csv --predictions vanilla.jsonl \\
      --predictions ayurmind.jsonl --reviews reviews.csv --out runs/consult`;
}

async function score(recipe: string, flags: ScoreFlags): Promise<void> {
  const set = [...(flags.set ?? []), ...dataFlags(flags)];
  if (flags.legacyFiles === true && flags.out === undefined)
    throw new UsageError('--legacy-files are written to the run folder', 'add --out FOLDER');
  const plan = flags.run === undefined ? await planRecipe(recipe, set) : await planFor(recipe, set);
  if (plan.task === 'consult') {
    refuseForConsult(flags);
    const { scoreConsultations } = await import('./score-consult.ts');
    return scoreConsultations(plan, set, flags);
  }
  const sources = scoredSources(plan, flags);
  await refuseBaseline(flags);
  const { run, audit } = await scoreWithProgress(plan, sources, set, flags);
  if (flags.json === true) process.stdout.write(safeJson(run.measures));
  const stream = flags.json === true ? process.stderr : process.stdout;
  const style = terminalStyle(stream);
  const say = (text: string): void => void (flags.quiet === true || stream.write(text));
  say(summaryText(run, style, audit));
  if (flags.out === undefined)
    say('Nothing was written: --out FOLDER keeps the ledger, the measures and the report.\n');
  if (flags.baseline === undefined) return;
  const comparison = await setBesideBaseline(run.folder, flags.baseline, flags);
  say(baselineText(comparison, style, flags.force === true));
}

function refuseForConsult({ baseline, force }: BaselineFlags): void {
  if (baseline === undefined && force === undefined) return;
  throw new UsageError(
    `--${baseline === undefined ? 'force' : 'baseline'} is not for consultations, where every system is a run of its own`,
    'score first, then: assay compare RUN RUN --html FILE',
  );
}

async function scoreWithProgress(
  plan: Plan,
  sources: CaseSources,
  set: readonly string[],
  flags: ScoreFlags,
): Promise<{ readonly run: Run; readonly audit: Audit | null }> {
  const progress = new Progress(process.stderr, totalBytes(sources), flags.quiet === true);
  const counted = progress.counting(sources);
  const sink = { intervals: (share: number) => progress.part('intervals', share) };
  try {
    if (flags.out === undefined) {
      const watch = new AuditWatch(plan);
      const people = new CeilingWatch(plan);
      const run = await scoreToRun(plan, caseReader(counted, plan), {
        set,
        sink: joinSinks([sink, watch.sink, people.sink]),
      });
      return { run, audit: await watch.finish(run, people.list()) };
    }
    let audit: Audit | null = null;
    const options: FolderOptions = {
      out: flags.out,
      set,
      sink,
      watch: reportFiles({ texts: textsOf(flags), onAudit: (found) => (audit = found) }),
      onOpen: clearOnInterrupt,
    };
    const run = await scoreToFolder(
      plan,
      counted,
      flags.legacyFiles === true ? { ...options, ...legacyOptions(plan) } : options,
    );
    return { run, audit };
  } finally {
    progress.end();
  }
}

function legacyOptions(plan: Plan): Pick<FolderOptions, 'files' | 'caseRecords'> {
  if (plan.task !== 'journal') throw new UsageError(`--legacy-files is for journal recipes, not for ${plan.task}`);
  return {
    files: { 'score_summary.json': (run) => scoreSummary(run.measures) },
    caseRecords: { 'per_journal_scores.jsonl': perJournalScore },
  };
}
