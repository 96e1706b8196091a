import { UsageError } from '../data/problems.ts';
import { suggestion } from '../prepare/setting-error.ts';
import type { Plan } from '../recipe/plan.ts';
import { evaluationSummary } from '../report/evaluation-files.ts';
import type { FolderOptions } from '../score/score-to-folder.ts';
import { journalScores } from '../tasks/journal/legacy-files.ts';
import { streamMetrics } from '../tasks/stream/measures/legacy-aggregate.ts';

/** Those that are written into the folder of a run, and those that others write. */
const RUN_EXPORTERS = [journalScores];
const ALL = [...RUN_EXPORTERS, evaluationSummary, streamMetrics];

export interface ExportFlags {
  readonly export?: readonly string[];
  readonly legacyFiles?: boolean;
  readonly out?: string;
}

/** Name and contents of each, for help. */
export function exporterList(): [string, string][] {
  return ALL.map(({ name, about, task }) => [name, task === null ? about : `${task}: ${about}`]);
}

/** What a run folder gets beside its own files, and whether the page of an evaluation is asked for. */
export function exportsOf(
  plan: Plan,
  flags: ExportFlags,
): { readonly options: Pick<FolderOptions, 'files' | 'caseRecords'>; readonly evaluation: boolean } {
  const asked = (flags.export ?? []).map((name) => ({ name, flag: `--export ${name}` }));
  if (flags.legacyFiles === true) asked.push({ name: journalScores.name, flag: '--legacy-files' });
  for (const { name, flag } of asked) {
    const names = ALL.map((one) => one.name);
    if (!names.includes(name))
      throw new UsageError(`there is no exporter called ${name}`, suggestion(name, names, 'exporters'));
    const task = ALL.find((one) => one.name === name)?.task ?? plan.task;
    if (task !== plan.task) throw new UsageError(`${flag} is for ${task} recipes, not for ${plan.task}`);
    if (flags.out === undefined)
      throw new UsageError(`${flag}: the files are written to the run folder`, 'add --out FOLDER');
  }
  const names = new Set(asked.map(({ name }) => name));
  const own = RUN_EXPORTERS.filter(({ name }) => names.has(name));
  return {
    options: {
      files: Object.fromEntries(own.flatMap(({ files }) => Object.entries(files))),
      caseRecords: Object.fromEntries(own.flatMap(({ caseRecords }) => Object.entries(caseRecords))),
    },
    evaluation: names.has(evaluationSummary.name),
  };
}
