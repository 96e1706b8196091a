import type { ExtractorKind, ExtractorSettings } from './extractor-settings.ts';

export interface Misfit {
  readonly key: keyof ExtractorSettings;
  readonly message: string;
  readonly next: string | null;
}

/** The keys that mean something to one extractor only. */
const BELONGS_TO: Readonly<Partial<Record<keyof ExtractorSettings, ExtractorKind>>> = {
  index: 'linker',
  kb: 'linker',
  command: 'scispacy',
  url: 'scispacy',
  extractor_hash: 'scispacy',
  start_seconds: 'scispacy',
  file: 'recorded',
};

/** Which extractor is meant: the one that is named, else scispaCy where its model is, else the vocabulary. */
export function extractorKind(settings: ExtractorSettings): ExtractorKind {
  return settings.extractor ?? (settings.scispacy_model === undefined ? 'vocabulary' : 'scispacy');
}

/** Settings that are right by themselves and do not go together. */
export function settingMisfits(settings: ExtractorSettings): Misfit[] {
  const kind = extractorKind(settings);
  const found: Misfit[] = [];
  for (const [key, owner] of entriesOf(BELONGS_TO))
    if (settings[key] !== undefined && owner !== kind)
      found.push({
        key,
        message: `it belongs to extractor: ${owner}, and this is ${kind}`,
        next: `write extractor: ${owner}`,
      });
  const needsOne = (keys: readonly (keyof ExtractorSettings)[]): void => {
    const given = keys.filter((key) => settings[key] !== undefined);
    if (given.length === 0)
      found.push({ key: 'extractor', message: `extractor: ${kind} needs ${keys.join(' or ')}`, next: null });
    if (given.length > 1)
      found.push({ key: given[1]!, message: `${given.join(' and ')} are given`, next: 'keep one of them' });
  };
  if (kind === 'linker') needsOne(['index', 'kb']);
  if (kind === 'recorded') needsOne(['file']);
  if (kind === 'scispacy' && settings.command !== undefined && settings.url !== undefined)
    found.push({ key: 'url', message: 'command and url are given', next: 'keep one of them' });
  if (settings.extractor_hash !== undefined && settings.url !== undefined)
    found.push({
      key: 'extractor_hash',
      message: 'a server does not show its program',
      next: 'take the line out, or run scispaCy as a process',
    });
  if (settings.stoplists !== undefined && (settings.stop_cuis_file ?? settings.stop_entities_file) != null)
    found.push({ key: 'stoplists', message: 'a folder and single files are given', next: 'keep one of the two ways' });
  return found;
}

function entriesOf<Key extends string, Value>(record: Readonly<Partial<Record<Key, Value>>>): [Key, Value][] {
  const keys: Key[] = [];
  for (const key in record) keys.push(key);
  return keys.flatMap((key): [Key, Value][] => {
    const value = record[key];
    return value === undefined ? [] : [[key, value]];
  });
}
