import { existsSync, readdirSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';

import { closestNames, UsageError } from '../../plugin.ts';

/** Who reads which file of a configuration folder; a file under `variants` is a variant. */
const READERS: Readonly<Record<string, readonly string[]>> = {
  'summarizer.yaml': ['stream replay', 'stream run'],
  'metrics.yaml': ['stream measure', 'stream run'],
  'dataset.yaml': ['stream generate'],
  'mas_generation.yaml': ['stream generate'],
  'mac_model_config.json': ['stream generate'],
  variants: ['stream calibrate', 'stream run', 'stream replay'],
  // Their hashes are in the logs.
  'extractor.yaml': ['stream run', 'stream stoplist', 'stream replay', 'stream measure', '--concepts'],
  'stop_cuis.txt': ['stream run', 'stream replay', 'stream measure', '--stoplists'],
  'stop_entities.txt': ['stream run', 'stream replay', 'stream measure', '--stoplists'],
  'stoplist_df_report.csv': ['stream run', 'stream replay', 'stream measure', '--stoplists'],
  'stoplists_metadata.json': ['stream run', 'stream replay', 'stream measure', '--stoplists'],
  'calibration_sweep.yaml': ['stream calibrate --grid'],
};

/** Whether a YAML file of a folder is one of these, and so no variant. */
export function isConfigFile(name: string): boolean {
  return Object.hasOwn(READERS, name);
}

/**
 * What a command does not read of the folder that it was given, so that nothing passes for read that was not. `used`: what
 * it reads by other flags.
 */
export function unreadFiles(folder: string, command: string, used: readonly string[] = []): string[] {
  if (!existsSync(folder)) throw new UsageError(`--config ${folder}: there is no such folder`);
  const names = readdirSync(folder).filter((name) => !name.startsWith('.') && !used.includes(name));
  const others = names.filter((name) => isConfigFile(name) && READERS[name]?.includes(command) === false);
  const nobody = names.filter((name) => !isConfigFile(name));
  const within = names.includes('variants') ? readdirSync(join(folder, 'variants')) : [];
  const strange = within.filter((name) => !name.startsWith('.') && !name.endsWith('.yaml'));
  return [
    ...(others.length === 0
      ? []
      : [
          `${folder}: ${command} does not read ${others
            .map((name) => `${name} (for ${READERS[name]?.findLast((one) => one !== 'stream run') ?? ''})`)
            .join(', ')}`,
        ]),
    ...nobody.map((name) => `${join(folder, name)}: no command reads a file of that name${nearName(name)}`),
    ...strange.map((name) => `${join(folder, 'variants', name)}: not read, the name of a variant ends in .yaml`),
  ];
}

/** The file of the folder that a call names by --concepts. */
export function namedFiles(folder: string, { concepts }: { readonly concepts?: string }): string[] {
  return concepts !== undefined && resolve(dirname(concepts)) === resolve(folder) ? [basename(concepts)] : [];
}

function nearName(name: string): string {
  const near = closestNames(name, Object.keys(READERS), 1);
  return near.length === 0 ? '' : ` (did you mean ${near.join('')}?)`;
}
