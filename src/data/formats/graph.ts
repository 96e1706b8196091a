import { unwrapped } from '../dataset-item.ts';
import type { JsonFormat, ReadContext } from '../format.ts';
import { type Fields, type Item, makeItem } from '../item.ts';
import { failureOf, idOf, isRecord, mayKeepAll, textOf, without, wrong } from '../record-fields.ts';

const IDS = ['id', 'item_id', 'dataset_item_id'];
const PARTS = ['entities', 'relationships'];
const READ = new Set([...IDS, 'text', 'expected_output', 'expectedOutput', 'output', ...PARTS, 'error']);

/** Dataset items with expected entities and relationships, and what a pipeline extracted for them. */
export const graph: JsonFormat = {
  kind: 'json',
  name: 'graph',
  about: 'dataset items with expected entities and relationships; extractions as {id, output}',
  example:
    '{"id":"i1","output":{"entities":[{"temp_id":"e1","name":"Ann","type":"Person"}],"relationships":[{"source_ref":"e1","target_ref":"e2","type":"knows"}]}}',
  detects: (record) =>
    ('expected_output' in record || 'expectedOutput' in record || 'output' in record || 'relationships' in record) &&
    // Dataset items may hold spans just as well.
    !('spans' in unwrapped(record, 'id')),
  read(record, line, context) {
    const id = idOf(record, IDS, line, context);
    if (id === null) return null;
    const { role } = context;
    const itself = PARTS.some((part) => part in record) ? record : undefined;
    const expected = record['expected_output'] ?? record['expectedOutput'] ?? (role === 'gold' ? itself : undefined);
    const output = record['output'] ?? (role === 'predictions' ? itself : undefined);
    const failed = failureOf(record);
    return {
      id,
      line,
      text: documentText(record['input'], line, context) ?? textOf(record['text'], 'text', line, context),
      fields: without(record, READ, line, context),
      gold:
        role === 'predictions'
          ? null
          : extraction(expected ?? record['expected_output'], 'expected_output', role === 'gold', line, context),
      predicted:
        role === 'gold'
          ? null
          : extraction(output ?? record['output'], 'output', role === 'predictions' && failed === null, line, context),
      failed,
    };
  },
};

/** The text of a dataset item's input: a field of it, or all of it. */
function documentText(input: unknown, line: number, context: ReadContext): string | null {
  if (input === undefined || input === null || typeof input === 'string') return input ?? null;
  if (!isRecord(input)) return wrong(context, line, 'input', 'an object with document_text', input);
  return textOf(input['document_text'], 'input.document_text', line, context);
}

function extraction(
  value: unknown,
  where: string,
  isNeeded: boolean,
  line: number,
  context: ReadContext,
): Item[] | null {
  if ((value === undefined || value === null) && !isNeeded) return null;
  if (!isRecord(value)) return wrong(context, line, where, 'an object with entities and relationships', value);
  const items: Item[] = [];
  for (const { raw, index, at } of records(value['entities'], `${where}.entities`, line, context)) {
    const name = raw['name'];
    const type = raw['type'] ?? '';
    if (typeof name !== 'string') wrong(context, line, `${at}.name`, 'a name', name);
    else if (typeof type !== 'string') wrong(context, line, `${at}.type`, 'a type (text)', type);
    else items.push(makeItem({ kind: 'entity', index, label: type, text: name, line, fields: raw }));
  }
  for (const { raw, index, at } of records(value['relationships'], `${where}.relationships`, line, context)) {
    const label = raw['relationship_type'] ?? raw['type'];
    const source = raw['source_name'] ?? raw['source_ref'];
    const target = raw['target_name'] ?? raw['target_ref'];
    if (typeof label !== 'string') wrong(context, line, `${at}.type`, 'a relationship type', label);
    else if (typeof source !== 'string') wrong(context, line, `${at}.source_name`, 'a name or reference', source);
    else if (typeof target !== 'string') wrong(context, line, `${at}.target_name`, 'a name or reference', target);
    else {
      const text = `${source} --${label}--> ${target}`;
      items.push(makeItem({ kind: 'relationship', index, label, text, line, fields: raw, source, target }));
    }
  }
  return items;
}

function records(
  value: unknown,
  where: string,
  line: number,
  context: ReadContext,
): { raw: Fields; index: number; at: string }[] {
  if (value === undefined || value === null) return [];
  if (!Array.isArray(value)) {
    wrong(context, line, where, 'a list', value);
    return [];
  }
  const out: { raw: Fields; index: number; at: string }[] = [];
  value.forEach((raw: unknown, index) => {
    const at = `${where}[${index}]`;
    if (!isRecord(raw)) wrong(context, line, at, 'an object', raw);
    else if (mayKeepAll(raw, at, line, context)) out.push({ raw, index, at });
  });
  return out;
}
