import { z } from 'zod';

import { compareText, suggestion, UsageError } from '../../plugin.ts';
import { MersenneTwister } from '../../stats.ts';
import { type ConfigFile, type ConfigKind, readConfigFile } from '../config/config-file.ts';

const seedNumber = z.int().min(0).max(0xffffffff).nullish();
const size = z.int().min(1).nullish();
const name = z.string().min(1);

const datasetSchema = z.strictObject({
  cases: z
    .strictObject({
      file: name.optional(),
      id: name.optional(),
      text: name.optional(),
      stage: z.enum(['initial', 'follow_up']).optional(),
    })
    .exactOptional(),
  mac_selection: z
    .strictObject({
      mode: z.enum(['fixed_subset', 'all']).optional(),
      seed: seedNumber,
      n_cases: size,
      explicit_cases: z.array(name).nullish(),
      on_failure: z.enum(['log_stub', 'raise']).optional(),
    })
    .exactOptional(),
  sampling: z.strictObject({ enabled: z.boolean().optional(), seed: seedNumber, n_samples: size }).exactOptional(),
});
export type DatasetValues = z.infer<typeof datasetSchema>;

const datasetYaml: ConfigKind<DatasetValues> = {
  name: 'dataset.yaml',
  schema: datasetSchema,
  idle: {
    include_all_runs: 'runs are chosen by --variants of stream replay',
    selection_rule: 'mac_selection chooses the cases',
    filters: 'a case has one trace, and its agents are those of mas_generation.yaml',
  },
  fixed: {
    'mac_selection.include_all_in_subset': [true, 'every selected case is run; --limit takes the first ones'],
    'case_list.output_path': ['{dataset_id}.case_list.jsonl', 'the list is written next to the manifest'],
    'case_list.format': ['jsonl', 'the list is JSON lines'],
    'case_list.hash_method': ['sha256_file_bytes', 'the hash is that of the file’s bytes'],
  },
};

export function readDatasetConfig(folder: string): ConfigFile<DatasetValues> | null {
  return readConfigFile(folder, datasetYaml);
}

/** Defaults of the seed document. */
const DEFAULT_SEED = 42;
const DEFAULT_CASES = 40;

/**
 * The cases of a dataset that are run, in text order: all, those that are named, or n_cases of them, drawn as
 * Python draws them. Without mac_selection, all.
 */
export function selectCases(
  ids: readonly string[],
  file: Pick<ConfigFile<DatasetValues>, 'values' | 'placeOf'> | null,
): { readonly selected: readonly string[]; readonly notices: readonly string[] } {
  const { mac_selection: selection, sampling } = file?.values ?? {};
  const all = ids.toSorted(compareText);
  const notices: string[] = [];
  const drawn = (from: readonly string[], most: number, own: number | null | undefined, key: string): string[] => {
    if (most > from.length)
      notices.push(`${file?.placeOf(key) ?? ''}: ${key} ${most}: there are ${from.length} cases, and all are taken`);
    return pythonSample(from, Math.min(most, from.length), own ?? DEFAULT_SEED).toSorted(compareText);
  };
  let selected: readonly string[] = all;
  const named = selection?.explicit_cases ?? [];
  if (named.length > 0 && selection?.mode !== 'all') {
    for (const id of named)
      if (!ids.includes(id))
        throw new UsageError(
          `${file?.placeOf('mac_selection.explicit_cases') ?? ''}: there is no case ${id}`,
          suggestion(id, all.slice(0, 20), 'cases'),
        );
    selected = [...new Set(named)].toSorted(compareText);
  } else if (selection !== undefined && selection.mode !== 'all')
    selected = drawn(all, selection.n_cases ?? DEFAULT_CASES, selection.seed, 'mac_selection.n_cases');
  if (sampling?.enabled === true)
    selected = drawn(selected, sampling.n_samples ?? selected.length, sampling.seed, 'sampling.n_samples');
  return { selected, notices };
}

/**
 * So many of a list without repeats, the very ones that Python's `random.Random(seed).sample(list, count)` draws (3.9 and
 * later), so that a seed of a configuration names the same cases here and there.
 *
 * @example pythonSample(['a', 'b', 'c', 'd', 'e'], 2, 42) // ['a', 'e']
 */
export function pythonSample<T>(list: readonly T[], count: number, seed: number): T[] {
  const random = new MersenneTwister([seed]);
  const below = (n: number): number => {
    const bits = 32 - Math.clz32(n);
    for (;;) {
      const drawn = random.uint32() >>> (32 - bits);
      if (drawn < n) return drawn;
    }
  };
  const n = list.length;
  if (count >= n && n === 0) return [];
  const few = 21 + (count > 5 ? 4 ** Math.ceil(Math.log(count * 3) / Math.log(4)) : 0);
  if (n > few) {
    const chosen = new Set<number>();
    while (chosen.size < count) chosen.add(below(n));
    return [...chosen].map((at) => list[at]!);
  }
  const pool = [...list];
  return Array.from({ length: Math.min(count, n) }, (_, drawn) => {
    const at = below(n - drawn);
    const picked = pool[at]!;
    pool[at] = pool[n - drawn - 1]!;
    return picked;
  });
}
