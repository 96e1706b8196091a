import { statSync } from 'node:fs';
import { dirname } from 'node:path';

import { isRecord, UsageError } from '../../plugin.ts';
import {
  experimentOutline,
  type ExperimentSource,
  lastRunOver,
  type LoadedExperiment,
  reasonToBeNamed,
} from '../../experiment.ts';
import { isLangfuse } from '../backend-of.ts';
import { datasetNameOf } from './dataset-file.ts';
import { PIPELINE_FILES, type RunFlags } from './overrides.ts';
import { asksModel } from './systems-of-flags.ts';

/** Where the settings of a run come from that its flags leave open. */
export interface Pipeline {
  /** Null if the flags define the run. */
  readonly source: ExperimentSource | null;
  /** The folder where paths of the source start; null without a source. */
  readonly folder: string | null;
  /** A sentence on what is used although the call does not name it; null if there is nothing to report. */
  describe(loaded: LoadedExperiment): string | null;
}

/**
 * The experiment file of the call; else, unless flags name the whole target, that of the current folder; else, if flags
 * name no model, what the last run over the dataset was made with.
 */
export function pipelineOf(file: string | null, flags: RunFlags): Pipeline {
  if (file !== null) return { source: file, folder: dirname(file), describe: () => null };
  const none: Pipeline = { source: null, folder: null, describe: () => null };
  const { task, target, answers, model, dataset, name } = flags;
  if (task !== undefined || target.length > 0 || answers.length > 0) return none;
  const configured = PIPELINE_FILES.find((path) => isFile(path) && experimentOutline(path).uses.length > 0);
  if (configured !== undefined) {
    const outline = experimentOutline(configured);
    if (model.length > 0 && !outline.uses.every(asksModel))
      return { ...none, describe: () => `${configured} is not used: its target asks no model.` };
    const isOther = dataset !== undefined && outline.dataset !== null && outline.dataset !== dataset;
    const instead = isOther ? `, over ${dataset} instead of ${outline.dataset}` : '';
    return {
      source: configured,
      folder: '.',
      describe: ({ experiment }) => `Using ${configured}: ${targetText(experiment)}${instead}.`,
    };
  }
  if (model.length > 0 || dataset === undefined || name === undefined) return none;
  const last = lastRunOver([dataset, datasetNameOf(dataset)], isLangfuse(flags) ? 'langfuse' : 'local');
  if (last === null) return none;
  return {
    source: last,
    folder: last.folder,
    describe: ({ experiment }) =>
      `Using the settings of the last run over ${dataset}, ${dirname(last.file)}: ${targetText(experiment)}.`,
  };
}

function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() === true;
}

/** The settings by which a target is recognised. */
function targetText({ target, recipe }: LoadedExperiment['experiment']): string {
  const { use, model, baseUrl, url, answers, prompt, temperature }: Readonly<Record<string, unknown>> = target;
  const { name, file, label, version } = isRecord(prompt) ? prompt : {};
  const parts: readonly [string, unknown][] = [
    ['', use],
    ['', model],
    ['at ', baseUrl ?? url],
    ['', answers],
    ['prompt ', name ?? file],
    ['label ', label],
    ['version ', version],
    ['temperature ', temperature],
    ['recipe ', recipe],
  ];
  const isShown = (value: unknown): value is string | number => typeof value === 'string' || typeof value === 'number';
  return parts.flatMap(([word, value]) => (isShown(value) ? [`${word}${value}`] : [])).join(', ');
}

/** Refuses code, and addresses, of an earlier run: a run folder is data, which may come from elsewhere. */
export function refuseRepeatedCode(
  { source }: Pipeline,
  all: readonly LoadedExperiment[],
  recipe: string | undefined,
): void {
  if (source === null || typeof source === 'string') return;
  for (const loaded of all) {
    const reason = reasonToBeNamed(loaded, recipe);
    if (reason !== null)
      throw new UsageError(
        `${loaded.file} ${reason}, and is not repeated without an experiment file`,
        'write the target into experiment.yaml, or name a file: assay run EXPERIMENT.yaml, with the same flags',
      );
  }
}
