import { existsSync } from 'node:fs';
import { join } from 'node:path';

import { readText } from '../../data/read-text.ts';

/** Files of a configuration that later measures stand on: their hashes are kept with the logs. */
const FILES: Readonly<Record<string, string>> = {
  extractor_config_hash: 'extractor.yaml',
  stop_cuis_hash: 'stop_cuis.txt',
  stop_entities_hash: 'stop_entities.txt',
  stoplist_df_report_hash: 'stoplist_df_report.csv',
};

/** Hashes of the stoplists and extractor settings that stand beside the variants; nothing where there are none. */
export async function configProvenance(config: string | null): Promise<Readonly<Record<string, unknown>>> {
  if (config === null) return {};
  const hashes: Record<string, string> = {};
  for (const [name, file] of Object.entries(FILES)) {
    const path = join(config, file);
    if (existsSync(path)) hashes[name] = `sha256:${(await readText(path)).storedSha256}`;
  }
  return Object.keys(hashes).length === 0 ? {} : { stoplists_provenance: hashes };
}
