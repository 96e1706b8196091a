import { UsageError } from '../../data/problems.ts';
import type { Plan } from '../../recipe/plan.ts';
import type { PromptBody } from '../../store/records.ts';
import type { JsonSchema } from '../json-schema.ts';
import BUILT_IN from './built-in-targets.json' with { type: 'json' };

const { quotes: TARGET } = BUILT_IN;

/** A field of an item beside its domain and its quote. */
export interface QuoteField {
  readonly name: string;
  /** Allowed values; none means any. */
  readonly values: readonly string[];
  /** Domains whose items have it. */
  readonly domains: readonly string[];
  /** What stands for a missing value. */
  readonly missing: string | null;
  /** An item without it cannot be used. */
  readonly required: boolean;
}

/** What the extractor looks for, as the recipe has it. */
export interface QuoteForm {
  readonly domains: readonly string[];
  readonly fields: readonly QuoteField[];
}

/** Names that the extractor itself gives a meaning. */
const RESERVED = new Set(['label', 'domain', 'evidence_span', 'start', 'end', 'unsupported', '__proto__']);

/**
 * The form that a recipe describes: `data.labels` are the domains; each attribute is a field of the domains in its
 * `labels`, with the values that `data.values` lists for it. A listed field that no attribute judges belongs to every
 * domain and may be left out.
 */
export function quoteForm({ name: recipe, data, attributes }: Pick<Plan, 'name' | 'data' | 'attributes'>): QuoteForm {
  const domains = data.labels;
  if (domains.length === 0)
    throw new UsageError(
      `the recipe ${recipe} names no domains, and the ${TARGET.use} takes its domains from the recipe`,
      'list them in the recipe: data: { labels: [symptom, food] }',
    );
  const fields = new Map<string, QuoteField>();
  for (const { field, labels, kind, missing } of attributes) {
    const own = labels.length === 0 ? domains : domains.filter((domain) => labels.includes(domain));
    if (RESERVED.has(field) || own.length === 0 || (kind !== null && kind !== 'object')) continue;
    const values = data.values[field] ?? [];
    const before = fields.get(field);
    fields.set(field, {
      name: field,
      values,
      domains: domains.filter((domain) => own.includes(domain) || before?.domains.includes(domain) === true),
      missing: before?.missing ?? missing,
      required: values.length > 0 && (before?.missing ?? missing) === null,
    });
  }
  for (const [name, values] of Object.entries(data.values))
    if (!fields.has(name) && !RESERVED.has(name))
      fields.set(name, { name, values, domains, missing: null, required: false });
  return { domains, fields: [...fields.values()] };
}

export function fieldsOfDomain({ fields }: QuoteForm, domain: string): readonly QuoteField[] {
  return fields.filter(({ domains }) => domains.includes(domain));
}

/** What the model is held to: domains that have the same fields are one kind of item. */
export function quoteSchema(form: QuoteForm): JsonSchema {
  const kinds = Map.groupBy(form.domains, (domain) =>
    JSON.stringify(fieldsOfDomain(form, domain).map(({ name }) => name)),
  );
  const items = [...kinds.values()].map((domains) => itemSchema(domains, fieldsOfDomain(form, domains[0]!)));
  return {
    type: 'object',
    properties: { items: { type: 'array', items: { anyOf: items } } },
    required: ['items'],
    additionalProperties: false,
  };
}

function itemSchema(domains: readonly string[], fields: readonly QuoteField[]): JsonSchema {
  const properties = {
    domain: { type: 'string', enum: domains },
    evidence_span: { type: 'string', description: 'copied from the entry, character for character' },
    ...Object.fromEntries(fields.map((field) => [field.name, valueSchema(field)])),
  };
  return { type: 'object', properties, required: Object.keys(properties), additionalProperties: false };
}

/** Null where the entry does not say, and no value means that. */
function valueSchema({ values, missing, required }: QuoteField): JsonSchema {
  if (required || (missing !== null && values.includes(missing))) return { type: 'string', enum: values };
  return { type: ['string', 'null'], ...(values.length === 0 ? {} : { enum: [...values, null] }) };
}

type Named<Value> = Readonly<Record<string, Value>>;

/** What known domains are about, others being called what the recipe calls them, and when known values apply. */
const DOMAINS: Named<{ readonly topic: string; readonly means: string }> = TARGET.domains;
const VALUES: Named<string> = TARGET.values;

/** The prompt for what a recipe wants to be found. A recipe may hold braces, which are no variables of the prompt. */
export function quotePrompt(form: QuoteForm): PromptBody {
  const parts: Named<string> = {
    topics: inWords(form.domains.map((domain) => known(DOMAINS, domain)?.topic ?? domain)),
    domains: domainLine(form),
    fields: fieldLines(form)
      .map((line) => `\n- ${line}`)
      .join(''),
  };
  const fill = (text: string): string =>
    text.replaceAll(/\[(\w+)\]/g, (_, name: string) => (parts[name] ?? '').replaceAll('{{', '\\{{'));
  return { type: 'chat', prompt: TARGET.prompt.map(({ role, content }) => ({ role, content: fill(content) })) };
}

/** The domains as a prompt lists them. */
export function domainLine({ domains }: QuoteForm): string {
  return domains
    .map((domain) => {
      const means = known(DOMAINS, domain)?.means;
      return `${JSON.stringify(domain)}${means === undefined ? '' : ` (${means})`}`;
    })
    .join(', ');
}

/** A line for each field; fields of different domains that take the same values share one. */
export function fieldLines({ domains, fields }: QuoteForm): string[] {
  const lines: string[] = [];
  for (let at = 0; at < fields.length; at += 1) {
    const field = fields[at]!;
    if (field.domains.length === domains.length) {
      lines.push(`${field.name}: ${valuesText(field)}`);
      continue;
    }
    const alike = [field];
    while (at + 1 < fields.length && isCounterpart(fields[at + 1]!, alike)) alike.push(fields[(at += 1)]!);
    const whose = alike.map(
      ({ name, domains: own }, place) => `for ${inWords(own)}${place === 0 ? '' : ' instead'}: ${name}`,
    );
    lines.push(`${whose.join(', ')}. ${alike.length > 1 ? 'Each' : 'It is'} ${valuesText(field)}`);
  }
  return lines;
}

/** Whether a field is to its domains what the others are to theirs. */
export function isCounterpart(field: QuoteField, others: readonly QuoteField[]): boolean {
  return others.every(
    ({ domains, values, missing }) =>
      missing === field.missing &&
      JSON.stringify(values) === JSON.stringify(field.values) &&
      domains.every((domain) => !field.domains.includes(domain)),
  );
}

function valuesText({ values, missing, required }: QuoteField): string {
  const rest = values.filter((value) => value !== missing);
  const listed = rest.map((value) => `${JSON.stringify(value)}${known(VALUES, value) ?? ''}`);
  const isPlain = rest.every((value) => known(VALUES, value) === undefined);
  if (required) return `${isPlain ? 'one of ' : ''}${listed.join(', ')}`;
  const otherwise = missing !== null && values.includes(missing) ? JSON.stringify(missing) : 'null';
  return `${[...(values.length === 0 ? ['text'] : listed), `or ${otherwise}`].join(', ')} where the entry does not say`;
}

function known<Value>(table: Named<Value>, name: string): Value | undefined {
  return Object.hasOwn(table, name) ? table[name] : undefined;
}

function inWords(names: readonly string[]): string {
  return names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} and ${names.at(-1)!}`;
}
