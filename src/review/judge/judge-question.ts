import { describe, isRecord } from '../../data/record-fields.ts';
import { shorten, visible } from '../../data/visible.ts';
import type { JsonSchema } from '../../experiment/json-schema.ts';
import type { Described, ReviewField, ReviewSection } from '../../recipe/review-section.ts';
import type { CellValue, ItemAnswer } from '../../store/review-records.ts';
import type { ProposedItem } from '../content.ts';
import { cellFault, partsOf } from '../questions.ts';

interface JudgeQuestion {
  readonly text: string;
  readonly schema: JsonSchema;
}

/** If a question has no parts, its one answer is called this. */
export const WHOLE_ANSWER = 'answer';
const MOST_POINTS = 100;

/** Null for questions that a model is not asked: a comment is no judgement that could be compared. */
export function judgeQuestion(field: ReviewField): JudgeQuestion | null {
  const asked = `Question: ${field.title}${field.help === '' ? '' : `\n${field.help}`}`;
  switch (field.type) {
    case 'scale': {
      const anchors = Object.entries(field.anchors).map(([point, meaning]) => `- ${point}: ${meaning}`);
      const means = anchors.length === 0 ? [] : ['What the points mean:', ...anchors];
      const about = described('Rate each of these:', field.dimensions);
      const scale = `Scale: whole numbers from ${field.from} to ${field.to}.`;
      return inParts(field, [asked, scale, ...means, ...about], points(field.from, field.to));
    }
    case 'choice':
      return inParts(field, [asked, ...described('Answers:', field.options)], oneOf(Object.keys(field.options)));
    case 'checklist': {
      const free = field.notApplicable;
      const rule = `Say yes or no for each${free.length === 0 ? '' : `, or na where it does not apply (${free.join(', ')} only)`}.`;
      return inParts(field, [asked, rule, ...described('Items:', field.items)], oneOf(['yes', 'no', 'na']));
    }
    case 'items':
      return labels([asked, ...described('Labels:', field.labels)], Object.keys(field.labels));
    case 'text':
      return null;
  }
}

function inParts(field: ReviewField, lines: readonly string[], value: JsonSchema): JudgeQuestion {
  const names = partsOf(field).map((part) => part ?? WHOLE_ANSWER);
  const one = strict({ reason: { type: 'string' }, value });
  const shape = names.map((name) => `${JSON.stringify(name)}: {"reason": …, "value": …}`).join(', ');
  return {
    text: [...lines, `Answer: {${shape}}`].join('\n'),
    schema: strict(Object.fromEntries(names.map((name) => [name, one]))),
  };
}

function labels(lines: readonly string[], names: readonly string[]): JudgeQuestion {
  const one = strict({ id: { type: 'string' }, reason: { type: 'string' }, label: oneOf(names) });
  return {
    text: [...lines, 'Answer, each id once: {"things": [{"id": …, "reason": …, "label": …}, …]}'].join('\n'),
    schema: strict({ things: { type: 'array', items: one } }),
  };
}

function oneOf(names: readonly string[]): JsonSchema {
  return { type: 'string', enum: names };
}

/** Most servers know lists; bounds are for scales that nobody would write out. */
function points(from: number, to: number): JsonSchema {
  if (to - from >= MOST_POINTS) return { type: 'integer', minimum: from, maximum: to };
  return { type: 'integer', enum: Array.from({ length: Math.max(1, to - from + 1) }, (_, at) => from + at) };
}

/** Servers in strict mode want every field named. */
function strict(properties: Readonly<Record<string, JsonSchema>>): JsonSchema {
  return { type: 'object', properties, required: Object.keys(properties), additionalProperties: false };
}

function described(heading: string, things: Readonly<Record<string, Described>>): string[] {
  const lines = Object.entries(things).map(
    ([name, { title, help }]) => `- ${name}: ${title}${help === '' ? '' : ` (${help})`}`,
  );
  return lines.length === 0 ? [] : [heading, ...lines];
}

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
    const name = part ?? WHOLE_ANSWER;
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

/** What to do after calls that failed in this way; what was answered is kept in any case. */
export function nextAfter(kind: string): string {
  switch (kind) {
    case 'access':
      return 'check the key, the name of the model and --base-url; the same command goes on';
    case 'connection':
      return 'check --base-url, and that the server is running; the same command goes on';
    case 'server':
      return 'the fault is the server’s: run the same command again later';
    case 'rate':
      return 'run the same command again later, or with a lower --concurrency';
    case 'timeout':
      return 'give it more time with --timeout, or run the same command again later';
    default:
      return 'try another model or another prompt';
  }
}
