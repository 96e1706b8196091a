import { hash } from 'node:crypto';

import { UsageError } from '../../data/problems.ts';
import { describe } from '../../data/record-fields.ts';
import { sortedJson } from '../../data/sorted-json.ts';
import { UNSAFE } from '../../data/visible.ts';

/**
 * The id of an item that has none, made from its input, so that importing it again with another answer changes it. `time`
 * numbers equal inputs, from 1; ids are unique across datasets.
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

/** Names and ids become part of addresses, file names and messages on both sides of a copy. */
const LONGEST_NAME = 200;
const LONGEST_ID = 300;
/** What Langfuse takes as a label. */
const LABEL = /^[a-z0-9_.-]{1,36}$/;

/** Refusal of an id that another dataset of the place has. */
export function idOfOther(id: string, dataset: string) {
  return {
    field: 'id',
    message: `the id ${describe(id)} belongs to the dataset ${describe(dataset)}`,
    next: 'ids are unique across datasets: --prefix TEXT of assay dataset import puts something before each',
  };
}

export function checkName(what: 'dataset' | 'prompt', name: string): void {
  const fault = faultOf(name, LONGEST_NAME);
  if (fault !== null)
    throw new UsageError(`${describe(name)} cannot be the name of a ${what}: ${fault}`, 'choose another name');
}

export function idFault(id: string): string | null {
  return faultOf(id, LONGEST_ID);
}

/** Refuses what cannot be a label of a prompt; `latest` is put by itself. */
export function checkLabels(labels: readonly string[]): void {
  for (const label of labels) {
    if (label === 'latest')
      throw new UsageError('the label latest is always on the newest version and cannot be given', 'choose another');
    if (!LABEL.test(label))
      throw new UsageError(
        `${describe(label)} cannot be a label`,
        'labels have up to 36 small letters, digits, dots, hyphens and underscores',
      );
  }
}

function faultOf(text: string, longest: number): string | null {
  if (text.trim() === '') return 'it is empty';
  if (text !== text.trim()) return 'it begins or ends with a space';
  if (text.length > longest) return `it has ${text.length} characters, and ${longest} are the most`;
  if (text.search(UNSAFE) !== -1) return 'it has characters that cannot be seen';
  return stepFault(text);
}

/** Refuses steps that would lead elsewhere in a path or an address; null if there are none. */
export function stepFault(text: string): string | null {
  const isWrong = text.split('/').some((step) => step === '' || step === '.' || step === '..');
  return isWrong ? 'it has a step (between slashes) that is empty, . or ..' : null;
}
