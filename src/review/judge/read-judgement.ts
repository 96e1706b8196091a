import { describe, isRecord } from '../../data/record-fields.ts';
import { shorten, visible } from '../../data/visible.ts';
import type { ReviewField, ReviewSection } from '../../recipe/review-section.ts';
import type { CellValue, ItemAnswer } from '../../store/review-records.ts';
import type { ProposedItem } from '../content.ts';
import { cellFault, partsOf } from '../questions.ts';
import { WHOLE } from './judge-question.ts';

/** One answer of a model to one part of a question. */
export interface JudgedCell {
  readonly part: string | null;
  readonly value: CellValue;
  readonly reason: string | null;
}

type ReadJudgement =
  | { readonly cells: readonly JudgedCell[]; readonly fault?: undefined }
  | { readonly fault: string; readonly cells?: undefined };

interface Asked {
  readonly form: ReviewSection;
  readonly name: string;
  readonly field: ReviewField;
  readonly proposed: readonly ProposedItem[];
}

const LONGEST_REASON = 2000;

/**
 * What a model answered, as cells of the form, or what is wrong with it. All or nothing: an answer that lacks a part, names
 * a label that is not on the list or a thing that was not asked about is none, and nothing in it is guessed.
 */
export function readJudgement(asked: Asked, output: unknown): ReadJudgement {
  if (!isRecord(output)) return { fault: `expected an object, found ${describe(output)}` };
  const read = asked.field.type === 'items' ? readLabels(asked.proposed, output) : readParts(asked.field, output);
  if (read.fault !== undefined) return read;
  for (const { part, value } of read.cells) {
    const fault = value === null ? 'there is no answer' : cellFault(asked.form, { field: asked.name, part, value });
    if (fault !== null) return { fault: part === null ? fault : `${part}: ${fault}` };
  }
  return read;
}

function readParts(field: ReviewField, output: Readonly<Record<string, unknown>>): ReadJudgement {
  const cells: JudgedCell[] = [];
  for (const part of partsOf(field)) {
    const name = part ?? WHOLE;
    const given = Object.hasOwn(output, name) ? output[name] : undefined;
    if (!isRecord(given)) return { fault: `${name}: expected an object, found ${describe(given)}` };
    const value = valueOf(field, given['value']);
    if (value === null) return { fault: `${name}: expected one of the answers, found ${describe(given['value'])}` };
    cells.push({ part, value, reason: reasonOf(given['reason']) });
  }
  return { cells };
}

function valueOf({ type }: ReviewField, value: unknown): string | number | boolean | null {
  if (type === 'checklist') return value === 'yes' ? true : value === 'no' ? false : value === 'na' ? value : null;
  return typeof value === 'string' || typeof value === 'number' ? value : null;
}

function readLabels(proposed: readonly ProposedItem[], output: Readonly<Record<string, unknown>>): ReadJudgement {
  const given = output['things'];
  if (!Array.isArray(given)) return { fault: `things: expected a list, found ${describe(given)}` };
  const byId = new Map(proposed.map((one) => [one.id, one]));
  const said = new Map<string, { readonly label: string; readonly reason: string | null }>();
  for (const one of given) {
    if (!isRecord(one)) return { fault: `things: expected objects, found ${describe(one)}` };
    const { id, label, reason } = one;
    if (typeof id !== 'string' || !byId.has(id)) return { fault: `there is nothing with the id ${describe(id)}` };
    if (said.has(id)) return { fault: `${visible(id)} is labelled twice` };
    if (typeof label !== 'string') return { fault: `${visible(id)}: expected a label, found ${describe(label)}` };
    said.set(id, { label, reason: reasonOf(reason) });
  }
  const missing = proposed.filter(({ id }) => !said.has(id));
  if (missing.length > 0)
    return { fault: `${missing.length} of ${proposed.length} have no label, the first is ${visible(missing[0]!.id)}` };
  const value = proposed.map(({ id, start, end, text }): ItemAnswer => {
    const { label, reason } = said.get(id)!;
    return { id, start, end, text, label, from: [id], ...(reason === null ? {} : { note: reason }) };
  });
  return { cells: [{ part: null, value, reason: null }] };
}

function reasonOf(reason: unknown): string | null {
  return typeof reason === 'string' && reason.trim() !== '' ? shorten(reason.trim(), LONGEST_REASON) : null;
}
