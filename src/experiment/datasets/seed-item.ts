import type { Fields } from '../../data/item.ts';
import { InputError, UsageError } from '../../data/problems.ts';
import { describe, isRecord } from '../../data/record-fields.ts';
import type { DatasetItemInit } from '../../store/records.ts';
import type { FetchedTrace } from '../backend.ts';
import type { SchemaFault } from './compile-schema.ts';
import { idFault, idFromTrace } from './names.ts';
import { type ItemSchemas, makeItemValidator } from './validate-item.ts';

/** Whether this is what a graph pipeline puts out: relationships whose ends refer to entities. */
function isGraphExtraction(output: unknown): boolean {
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

export interface SeedOptions {
  readonly dataset: string;
  /** Of the dataset that is there, or of the one that is to be made. */
  readonly schemas: ItemSchemas;
  /** The corrected output and where it comes from; without it the trace's own output counts as validated. */
  readonly validated?: { readonly output: unknown; readonly file: string } | undefined;
  /** Which output of the trace is expected where none is given: the corrected one if there is one, unless told. */
  readonly output?: 'original' | 'corrected' | undefined;
  readonly id?: string | undefined;
  readonly metadata?: Readonly<Record<string, unknown>> | undefined;
}

export interface Seed {
  readonly item: DatasetItemInit & { readonly id: string };
  readonly expectedFrom: 'trace' | 'corrected' | 'validated';
  /** Whether references in it were replaced by names. */
  readonly resolved: boolean;
}

/** An item made of a trace's input and validated output, with the link back. What does not fit is refused with all that is wrong. */
export function seedItem(trace: FetchedTrace, options: SeedOptions): Seed {
  const { dataset, schemas, validated } = options;
  const { observationId } = trace;
  const id = options.id ?? idFromTrace(dataset, observationId === null ? trace.id : `${trace.id}/${observationId}`);
  const fault = idFault(id);
  if (fault !== null) throw new UsageError(`${describe(id)} cannot be an id: ${fault}`);
  const place = observationId === null ? `trace ${trace.id}` : `observation ${observationId} of trace ${trace.id}`;
  if (trace.input === null || trace.input === undefined)
    throw new UsageError(`${place} has no input`, 'an item needs one: choose a trace that recorded it');
  if (options.output === 'corrected' && trace.corrected === null)
    throw new UsageError(`${place} has no corrected output`, 'correct it in Langfuse, or give --validated FILE.json');
  const corrected = options.output === 'original' ? null : trace.corrected;
  const { output } = validated ?? corrected ?? trace;
  if (output === null || output === undefined)
    throw new UsageError(`${validated?.file ?? place} has no output`, 'give the right one with --validated FILE.json');
  const resolved = isRecord(output) && isGraphExtraction(output);
  const { expected: expectedOutput, faults: unresolved } = resolved
    ? expectedGraph(output)
    : { expected: output, faults: [] };
  const faults =
    unresolved.length > 0 ? unresolved : makeItemValidator(schemas)({ input: trace.input, expectedOutput });
  if (faults.length > 0)
    throw new InputError(
      faults.map(({ path, message }) => ({
        file: validated !== undefined && path.startsWith('expected_output') ? validated.file : place,
        line: null,
        field: path,
        message,
      })),
    );
  const expectedFrom = validated !== undefined ? 'validated' : corrected !== null ? 'corrected' : 'trace';
  return {
    item: {
      id,
      input: trace.input,
      expectedOutput,
      metadata: {
        ...options.metadata,
        source_trace_id: trace.id,
        ...(observationId === null ? {} : { source_observation_id: observationId }),
        expected_from: expectedFrom,
      },
      sourceTraceId: trace.id,
      ...(observationId === null ? {} : { sourceObservationId: observationId }),
      status: 'ACTIVE',
    },
    expectedFrom,
    resolved,
  };
}
