import { dirname } from 'node:path';

import { InputError, type Problem } from '../../../data/problems.ts';
import { readText } from '../../../data/read-file.ts';
import { describe, isRecord } from '../../../data/record-fields.ts';
import { schemaProblems } from '../../../prepare/schema-problems.ts';
import { checkPlain } from '../../../recipe/check-plain.ts';
import { parseYaml } from '../../../recipe/yaml-document.ts';
import { extractorFile, type ExtractorSettings, type StoplistGeneration } from './extractor-settings.ts';
import { settingMisfits } from './setting-misfits.ts';

export interface ExtractorFile {
  readonly settings: ExtractorSettings;
  readonly stoplistGeneration: StoplistGeneration | null;
  /** Where relative paths start from. */
  readonly folder: string;
}

const MOST_BYTES = 1 << 20;
const EXAMPLE = 'for example concept_extractor: { extractor: vocabulary, cui_score_threshold: 0.7 }';

/** Reads an extractor.yaml. All that is wrong with it is said at once, with its line. */
export async function readExtractorSettings(file: string): Promise<ExtractorFile> {
  const { text } = await readText(file, MOST_BYTES);
  return parseExtractorSettings(text, file);
}

/** The settings may stand under concept_extractor, as the original has them, or by themselves. */
export function parseExtractorSettings(text: string, file: string): ExtractorFile {
  const { value, lineOf } = parseYaml(text, file, 'a file of extractor settings');
  checkPlain(value);
  if (!isRecord(value))
    throw new InputError([
      { file, line: null, message: `expected extractor settings, found ${describe(value)}`, next: EXAMPLE },
    ]);
  const isWrapped = 'concept_extractor' in value;
  const { stoplist_generation: generation, ...own } = value;
  const whole = isWrapped
    ? value
    : { concept_extractor: own, ...(generation === undefined ? {} : { stoplist_generation: generation }) };
  const problemAt = (path: readonly string[], message: string, next: string | null): Problem => {
    const written = isWrapped || path[0] !== 'concept_extractor' ? path : path.slice(1);
    return {
      file,
      line: lineOf(written)?.line ?? null,
      field: written.join('.'),
      message,
      ...(next === null ? {} : { next }),
    };
  };
  const parsed = extractorFile.safeParse(whole);
  if (!parsed.success)
    throw new InputError(
      schemaProblems(extractorFile, whole, parsed.error, [])
        .map(({ path, message, next }) => problemAt(path, message, next))
        .sort((a, b) => (a.line ?? 0) - (b.line ?? 0)),
    );
  const { concept_extractor: settings, stoplist_generation: stoplistGeneration = null } = parsed.data;
  const misfits = settingMisfits(settings);
  if (misfits.length > 0)
    throw new InputError(misfits.map(({ key, message, next }) => problemAt(['concept_extractor', key], message, next)));
  return { settings, stoplistGeneration, folder: dirname(file) };
}
