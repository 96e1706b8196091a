import type { Fields } from '../../data/item.ts';
import { describe, isRecord } from '../../data/record-fields.ts';
import type { SchemaFault } from './schema-fault.ts';

/** Whether this is what a graph pipeline puts out: relationships whose ends refer to entities. */
export function isGraphExtraction(output: unknown): boolean {
  if (!isRecord(output) || !Array.isArray(output['entities']) || !Array.isArray(output['relationships'])) return false;
  const relationships: readonly unknown[] = output['relationships'];
  return relationships.some((one) => isRecord(one) && ('source_ref' in one || 'target_ref' in one));
}

/**
 * What a graph pipeline put out, as an expected output: ends by name instead of by temp_id, types under
 * relationship_type. A reference that leads to no entity is a fault: an answer with it would be no answer.
 */
export function expectedGraph(output: Fields): { readonly expected: Fields; readonly faults: readonly SchemaFault[] } {
  const entities = records(output['entities']);
  const names = new Map(entities.map((entity) => [entity['name'], entity['name']]));
  for (const { temp_id: id, name } of entities) if (id !== undefined) names.set(id, name);
  const faults: SchemaFault[] = [];
  const relationships = records(output['relationships']).map((relationship, at) => {
    const { source_ref: source, target_ref: target, type, ...rest } = relationship;
    const end = (field: string, reference: unknown): Fields => {
      if (reference === undefined) return {};
      if (!names.has(reference))
        faults.push({
          path: `expected_output.relationships[${at}].${field}_ref`,
          message: `expected the temp_id or name of an entity, found ${describe(reference)}`,
        });
      return { [`${field}_name`]: names.get(reference) };
    };
    return {
      ...end('source', source),
      ...end('target', target),
      ...(type === undefined ? {} : { relationship_type: type }),
      ...rest,
    };
  });
  return {
    expected: { ...output, entities: entities.map(({ temp_id: _, ...entity }) => entity), relationships },
    faults,
  };
}

function records(value: unknown): Fields[] {
  const list: readonly unknown[] = Array.isArray(value) ? value : [];
  return list.filter(isRecord);
}
