import type { Problems } from '../../../../data/problems.ts';
import { describe, isRecord } from '../../../../data/record-fields.ts';
import type { JsonRecord } from '../../../../data/records.ts';
import { isConceptId } from '../concept-ids.ts';
import { type KbConcept, MOST_NAME } from './kb-concept.ts';

/**
 * Concepts from scispaCy's knowledge-base files: {concept_id, canonical_name, aliases, types, definition}, one a line or
 * in one array. `aliases` and `types` may be missing. As in scispaCy, only a definition that is null or missing is none.
 */
export async function* readKbJson(
  records: AsyncIterable<readonly JsonRecord[]>,
  file: string,
  problems: Problems,
): AsyncGenerator<KbConcept> {
  for await (const batch of records) {
    for (const { value, line } of batch) {
      const concept = conceptOf(value, line, file, problems);
      if (concept !== null) yield concept;
    }
  }
}

function conceptOf(value: unknown, line: number, file: string, problems: Problems): KbConcept | null {
  const before = problems.count;
  const wrong = (field: string | null, expected: string, found: unknown): void =>
    problems.add({
      file,
      line,
      ...(field === null ? {} : { field }),
      message: `expected ${expected}, found ${describe(found)}`,
    });
  if (!isRecord(value)) {
    wrong(null, 'a concept as a JSON object', value);
    return null;
  }
  const text = (field: string): string => {
    const found = value[field];
    if (isName(found) && found.trim() !== '') return found;
    wrong(field, `text that is not empty, of at most ${MOST_NAME} characters`, found);
    return '';
  };
  const texts = (field: string): string[] => {
    const found = value[field] ?? [];
    if (!Array.isArray(found)) {
      wrong(field, 'a list of texts', found);
      return [];
    }
    const good = found.filter(isName);
    if (good.length < found.length)
      wrong(
        field,
        `texts of at most ${MOST_NAME} characters`,
        found.find((one) => !isName(one)),
      );
    return good;
  };
  const idOf = (): string => {
    const id = text('concept_id');
    if (id !== '' && !isConceptId(id)) wrong('concept_id', 'an id without control or invisible characters', id);
    return id;
  };
  const definition = value['definition'] ?? null;
  if (definition !== null && typeof definition !== 'string') wrong('definition', 'text or null', definition);
  const concept: KbConcept = {
    id: idOf(),
    name: text('canonical_name'),
    aliases: texts('aliases'),
    types: texts('types'),
    hasDefinition: definition !== null,
  };
  return problems.count === before ? concept : null;
}

function isName(value: unknown): value is string {
  return typeof value === 'string' && value.length <= MOST_NAME;
}
