import { hash } from 'node:crypto';

import { sortedJson } from '../../data/sorted-json.ts';

/**
 * The id of an item that has none of its own, made from its input: importing again changes the item instead of making
 * another, also when its expected output was mended meanwhile. `time` tells equal inputs apart, from 1. The dataset is
 * part of it because ids are unique across datasets.
 */
export function idFromInput(dataset: string, input: unknown, time: number): string {
  return `item-${digest([dataset, input, time], 20)}`;
}

/** The id of an item made from a trace: seeding twice does not make two. */
export function idFromTrace(dataset: string, traceId: string): string {
  const start = traceId.replaceAll(/[^\w-]/g, '').slice(0, 8);
  return `trace-${start}-${digest([dataset, traceId], 12)}`;
}

function digest(parts: readonly unknown[], length: number): string {
  return hash('sha256', sortedJson(parts)).slice(0, length);
}
