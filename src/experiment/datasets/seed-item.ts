import type { Fields } from '../../data/item.ts';
import { InputError, Problems, UsageError } from '../../data/problems.ts';
import { describe, isRecord } from '../../data/record-fields.ts';
import type { DatasetItemRecord } from '../../store/records.ts';
import type { Backend, FetchedTrace } from '../backend.ts';
import { defined } from '../defined.ts';
import { refusalCheck } from './refusal-check.ts';
import { idFault, idFromTrace } from './names.ts';
import { fateOf, itemPrint } from './plan-import.ts';
import { type ItemSchemas, makeItemValidator, type SchemaFault } from './validate-item.ts';

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

/** `resolved`: whether references in it were replaced by names. */
export type Seed = ReturnType<typeof seedItem>;

/** An item made of a trace's input and validated output, with the link back. What does not fit is refused with all that is wrong. */
export function seedItem(trace: FetchedTrace, options: SeedOptions) {
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
  const relations = expectedRelations(output);
  const expectedOutput = relations?.expected ?? output;
  const unresolved = relations?.faults ?? [];
  const faults =
    unresolved.length > 0 ? unresolved : makeItemValidator(schemas)({ input: trace.input, expectedOutput });
  if (faults.length > 0)
    throw new InputError(
      faults.map(({ path, message }) => {
        const file = validated !== undefined && path.startsWith('expected_output') ? validated.file : place;
        return { file, line: null, field: path, message };
      }),
    );
  const expectedFrom = validated !== undefined ? 'validated' : corrected !== null ? 'corrected' : 'trace';
  const from = defined({ source_trace_id: trace.id, source_observation_id: observationId ?? undefined });
  const metadata = { ...options.metadata, ...from, expected_from: expectedFrom };
  const links = defined({ sourceTraceId: trace.id, sourceObservationId: observationId ?? undefined });
  const item = { id, input: trace.input, expectedOutput, metadata, ...links, status: 'ACTIVE' } as const;
  return { item, expectedFrom, resolved: relations !== null } as const;
}

/** Throws if the place of a dataset would not keep some of the items, before anything is saved. */
export async function refuseSeeds(
  backend: Backend,
  dataset: string,
  isNew: boolean,
  seeds: readonly Seed[],
): Promise<void> {
  const problems = new Problems();
  const check = refusalCheck(backend, dataset, isNew);
  for (const { item } of seeds) {
    const refusal = await check(item);
    if (refusal !== null) problems.add({ file: `${dataset}, item ${item.id}`, line: null, ...refusal });
  }
  problems.throwIfAny();
}

/** The fate of each seeded item. An item from elsewhere, or a validated one, is only replaced if forced. */
export async function seedFates(backend: Backend, dataset: string, seeds: readonly Seed[], force: boolean) {
  const wanted = new Set(seeds.map(({ item }) => item.id));
  const there = new Map<string, DatasetItemRecord>();
  for await (const item of backend.items(dataset, { archived: true }))
    if (wanted.has(item.id)) there.set(item.id, item);
  return seeds.map((seed) => {
    const before = there.get(seed.item.id);
    const fate = fateOf(seed.item, before && itemPrint(before));
    const reason = before === undefined || fate === 'same' || force ? null : reasonToKeep(before, seed);
    if (reason !== null)
      throw new UsageError(
        `the item ${describe(seed.item.id)} of ${dataset} ${reason}`,
        '--force replaces it; another --id, or none, makes another item',
      );
    return fate;
  });
}

function reasonToKeep(before: DatasetItemRecord, { item, expectedFrom }: Seed): string | null {
  const isOfThis =
    before.sourceTraceId === item.sourceTraceId &&
    (before.sourceObservationId ?? null) === (item.sourceObservationId ?? null);
  if (!isOfThis) return 'is there already, and was not made of this trace';
  const from = isRecord(before.metadata) ? before.metadata['expected_from'] : null;
  const wasLookedAt = from === 'validated' || from === 'corrected';
  return wasLookedAt && expectedFrom === 'trace' ? `has a ${from} output, and this one is the trace’s own` : null;
}

/**
 * What a pipeline extracted as an expected output: ends of relationships by name instead of by temp_id, types under
 * relationship_type. A reference that leads to no entity is a fault. Null for anything else.
 */
export function expectedRelations(output: unknown) {
  if (!isRecord(output) || !Array.isArray(output['entities']) || !Array.isArray(output['relationships'])) return null;
  const entities = output['entities'].filter(isRecord);
  const ends = output['relationships'].filter(isRecord);
  if (!ends.some((one) => 'source_ref' in one || 'target_ref' in one)) return null;
  const names = new Map(entities.map(({ name }) => [name, name]));
  for (const { temp_id: id, name } of entities) if (id !== undefined) names.set(id, name);
  const faults: SchemaFault[] = [];
  const relationships = ends.map(({ source_ref: source, target_ref: target, type, ...rest }, at) => {
    const end = (field: string, reference: unknown): Fields => {
      if (reference === undefined) return {};
      if (!names.has(reference))
        faults.push({
          path: `expected_output.relationships[${at}].${field}_ref`,
          message: `expected the temp_id or name of an entity, found ${describe(reference)}`,
        });
      return { [`${field}_name`]: names.get(reference) };
    };
    const called = type === undefined ? {} : { relationship_type: type };
    return { ...end('source', source), ...end('target', target), ...called, ...rest };
  });
  return {
    expected: { ...output, entities: entities.map(({ temp_id: _, ...entity }) => entity), relationships },
    faults,
  };
}
