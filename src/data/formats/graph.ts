import type { JsonFormat, ReadContext } from '../format.ts';
import { type Fields, type Item, makeItem } from '../item.ts';
import { idOf, isRecord, textOf, without, wrong } from '../record-fields.ts';

const IDS = ['id', 'item_id', 'dataset_item_id'];
const READ = new Set([...IDS, 'expected_output', 'expectedOutput', 'output', 'entities', 'relationships', 'error']);

/** Dataset items with expected entities and relationships, and what a pipeline extracted for them. */
export const graph: JsonFormat = {
  kind: 'json',
  name: 'graph',
  about: 'dataset items with expected entities and relationships; extractions as {id, output}',
  example:
    '{"id":"i1","output":{"entities":[{"temp_id":"e1","name":"Ann","type":"Person"}],"relationships":[{"source_ref":"e1","target_ref":"e2","type":"knows"}]}}',
  detects: (record) =>
    'expected_output' in record ||
    'expectedOutput' in record ||
    'output' in record ||
    ('entities' in record && 'relationships' in record),
  read(record, line, context) {
    const id = idOf(record, IDS, line, context);
    if (id === null) return null;
    const input = isRecord(record['input']) ? record['input'] : {};
    const expected =
      record['expected_output'] ??
      record['expectedOutput'] ??
      (context.role === 'gold' && 'entities' in record ? record : undefined);
    const output = record['output'] ?? (context.role === 'predictions' && 'entities' in record ? record : undefined);
    const failed = typeof record['error'] === 'string' ? record['error'] : null;
    const gold = context.role === 'predictions' ? null : extraction(expected, 'expected_output', line, context);
    const predicted =
      context.role === 'gold' || (output === undefined && failed !== null)
        ? null
        : extraction(output, 'output', line, context);
    if (context.role === 'predictions' && predicted === null && failed === null)
      wrong(context, line, 'output', 'an object with entities and relationships', output);
    if (context.role === 'gold' && gold === null)
      wrong(context, line, 'expected_output', 'an object with entities and relationships', expected);
    return {
      id,
      line,
      text: textOf(input['document_text'], 'input.document_text', line, context),
      fields: without(record, READ),
      gold,
      predicted,
      failed,
    };
  },
};

function extraction(value: unknown, where: string, line: number, context: ReadContext): Item[] | null {
  if (value === undefined || value === null) return null;
  if (!isRecord(value)) return wrong(context, line, where, 'an object with entities and relationships', value);
  const items: Item[] = [];
  records(value['entities'], `${where}.entities`, line, context).forEach(({ raw, index, at }) => {
    const name = raw['name'];
    if (typeof name !== 'string') wrong(context, line, `${at}.name`, 'a name', name);
    else items.push(makeItem({ kind: 'entity', index, label: asText(raw['type']), text: name, line, fields: raw }));
  });
  records(value['relationships'], `${where}.relationships`, line, context).forEach(({ raw, index, at }) => {
    const type = raw['relationship_type'] ?? raw['type'];
    const source = raw['source_name'] ?? raw['source_ref'];
    const target = raw['target_name'] ?? raw['target_ref'];
    if (typeof type !== 'string') wrong(context, line, `${at}.type`, 'a relationship type', type);
    else if (typeof source !== 'string') wrong(context, line, `${at}.source_name`, 'a name or reference', source);
    else if (typeof target !== 'string') wrong(context, line, `${at}.target_name`, 'a name or reference', target);
    else
      items.push(
        makeItem({
          kind: 'relationship',
          index,
          label: type,
          text: `${source} --${type}--> ${target}`,
          line,
          fields: raw,
          source,
          target,
        }),
      );
  });
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
    if (isRecord(raw)) out.push({ raw, index, at });
    else wrong(context, line, at, 'an object', raw);
  });
  return out;
}

function asText(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
