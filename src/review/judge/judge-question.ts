import type { JsonSchema } from '../../experiment/json-schema.ts';
import type { Described, ReviewField } from '../../recipe/review-section.ts';
import { partsOf } from '../questions.ts';

/** A question of the form, as a model is asked it. */
interface JudgeQuestion {
  /** The question, what its answers mean, and the form of the answer. */
  readonly text: string;
  readonly schema: JsonSchema;
}

/** If a question has no parts, its one answer is called this. */
export const WHOLE = 'answer';
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
  const names = partsOf(field).map((part) => part ?? WHOLE);
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
