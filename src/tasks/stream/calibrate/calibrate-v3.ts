import { basename } from 'node:path';

import { UsageError } from '../../../data/problems.ts';
import { datasetHash } from '../dataset-hash.ts';
import type { GatePolicy } from '../replay/token-gate.ts';
import type { Variant } from '../replay/variant.ts';
import { type CaseList, firstCases } from './case-list.ts';
import type { FlushSizes } from './flush-sizes.ts';
import { readLoggedSizes, readReplayedSizes } from './read-flush-sizes.ts';
import { type V3Chunk, v3Chunk } from './v3-chunk.ts';

/** The first cases of an ordered list that a calibration rests on. */
export interface UsedList {
  /** File name without its folder. */
  readonly name: string;
  readonly sha256: string;
  readonly first: number;
  readonly missing: readonly string[];
}

/** V3's chunk with all that it was made from. */
export interface V3Calibration extends V3Chunk {
  readonly variant: string;
  /** The gate that was passed anew; null where the flushes come from run logs. */
  readonly gate: GatePolicy | null;
  readonly list: UsedList | null;
  /** `sha256:…` of cases and hashes of what was read. */
  readonly inputsHash: string;
}

export interface SubsetOfList {
  readonly list: CaseList;
  /** Null: all of it. */
  readonly first: number | null;
}

/** From run logs: a folder of them, or one that holds a folder called after the variant. */
export async function calibrateFromLogs(
  place: string,
  variant: string,
  subset: SubsetOfList | null = null,
): Promise<V3Calibration> {
  return calibrationOf(await readLoggedSizes(place, variant), variant, null, subset);
}

/** From traces: the variant's gate is passed anew, which needs no model. */
export async function calibrateFromTraces(
  place: string,
  { id, trigger }: Pick<Variant, 'id' | 'trigger'>,
  subset: SubsetOfList | null = null,
  allowStubs = false,
): Promise<V3Calibration> {
  if (trigger.kind !== 'gate')
    throw new UsageError(
      `${id} has no gate, so that it has no flushes`,
      'name one that has with --variant, such as V0',
    );
  return calibrationOf(await readReplayedSizes(place, trigger.gate, allowStubs), id, trigger.gate, subset);
}

function calibrationOf(
  all: readonly FlushSizes[],
  variant: string,
  gate: GatePolicy | null,
  subset: SubsetOfList | null,
): V3Calibration {
  const { chosen, list } = listedCases(all, subset);
  const traces = chosen.map(({ caseId, sha256 }) => [caseId, sha256] as const);
  return {
    ...v3Chunk(chosen),
    variant,
    gate,
    list,
    inputsHash: datasetHash({ masRunId: null, caseListHash: list?.sha256 ?? null, traces }),
  };
}

/** The cases of a list, or all of them; by case either way, so that nothing hangs on an order. */
export function listedCases<T extends { readonly caseId: string }>(
  all: readonly T[],
  subset: SubsetOfList | null,
): { readonly chosen: readonly T[]; readonly list: UsedList | null } {
  if (subset === null) return { chosen: all, list: null };
  const { list, first } = subset;
  const { chosen, missing } = firstCases(all, list, first);
  const wanted = new Set(chosen);
  return {
    chosen: all.filter((one) => wanted.has(one)),
    list: { name: basename(list.file), sha256: list.sha256, first: first ?? list.cases.length, missing },
  };
}
