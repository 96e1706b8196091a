import { suggestion, UsageError } from '../plugin.ts';
import { type FolderOptions, type Plan, SCORE_EXPORTERS } from '../index.ts';
import { evaluationSummary } from '../review.ts';
import { streamMetrics } from '../stream.ts';
import * as flag from './flags.ts';

/** Those that are written into the folder of a run, and those that others write. */
const ALL = [...SCORE_EXPORTERS, evaluationSummary, streamMetrics];

export const EXPORT_FLAGS = {
  export: flag.texts('<name>', 'further files to write, as other tools expect them'),
  legacyFiles: flag.toggle('journal: the same as --export journal-scores'),
};

type ExportFlags = flag.FlagValues<typeof EXPORT_FLAGS> & { readonly out?: string };

/** Name and contents of each, for help. */
export function exporterList(): [string, string][] {
  return ALL.map(({ name, about, task }) => [name, task === null ? about : `${task}: ${about}`]);
}

/** What a run folder gets beside its own files, and whether the page of an evaluation is asked for. */
export function exportsOf(
  plan: Plan,
  flags: ExportFlags,
): { readonly options: Pick<FolderOptions, 'files' | 'caseRecords'>; readonly evaluation: boolean } {
  const asked = flags.export.map((name) => ({ name, written: `--export ${name}` }));
  if (flags.legacyFiles) asked.push({ name: 'journal-scores', written: '--legacy-files' });
  for (const { name, written } of asked) {
    const names = ALL.map((one) => one.name);
    if (!names.includes(name))
      throw new UsageError(`there is no exporter called ${name}`, suggestion(name, names, 'exporters'));
    const task = ALL.find((one) => one.name === name)?.task ?? plan.task;
    if (task !== plan.task) throw new UsageError(`${written} is for ${task} recipes, not for ${plan.task}`);
    if (flags.out === undefined)
      throw new UsageError(`${written}: the files are written to the run folder`, 'add --out FOLDER');
  }
  const names = new Set(asked.map(({ name }) => name));
  const own = SCORE_EXPORTERS.filter(({ name }) => names.has(name));
  return {
    options: {
      files: Object.fromEntries(own.flatMap(({ files }) => Object.entries(files))),
      caseRecords: Object.fromEntries(own.flatMap(({ caseRecords }) => Object.entries(caseRecords))),
    },
    evaluation: names.has(evaluationSummary.name),
  };
}
