import { statSync } from 'node:fs';
import { basename, resolve } from 'node:path';

import { NO_FIELD_MAP } from '../../experiment/datasets/field-map.ts';
import type { Backend } from '../../experiment/backend.ts';
import { importItems } from '../../experiment/datasets/import-items.ts';
import type { LoadedExperiment } from '../../experiment/run/load-experiment.ts';
import { sourceOf } from '../../data/source.ts';

/** A file of items may stand where a dataset's name does: it is imported under the file's name first. */
export async function withDatasetOfFile(loaded: LoadedExperiment, backend: Backend): Promise<LoadedExperiment> {
  const { experiment, folder } = loaded;
  const path = resolve(folder, experiment.dataset);
  if (statSync(path, { throwIfNoEntry: false })?.isFile() !== true) return loaded;
  if ((await backend.dataset(experiment.dataset)) !== null) return loaded;
  const name = basename(path).replace(/(?:\.(?:jsonl|json|csv|gz))+$/i, '');
  await importItems({
    backend,
    dataset: name,
    files: { sources: [sourceOf(path)], gold: null, map: NO_FIELD_MAP, task: null },
  });
  return { ...loaded, experiment: { ...experiment, dataset: name } };
}
