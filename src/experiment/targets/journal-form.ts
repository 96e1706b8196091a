import { UsageError } from '../../data/problems.ts';
import type { Plan } from '../../recipe/plan.ts';
import type { JsonSchema } from './answer-schema.ts';

/** A field of an item beside its domain and its quote. */
export interface JournalField {
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
export interface JournalForm {
  readonly domains: readonly string[];
  readonly fields: readonly JournalField[];
}

/** Names that the extractor itself gives a meaning. */
const RESERVED = new Set(['label', 'domain', 'evidence_span', 'start', 'end', 'unsupported', '__proto__']);

/**
 * The form that a recipe describes: `data.labels` are the domains; each attribute is a field of the domains in its
 * `labels`, with the values that `data.values` lists for it. A listed field that no attribute judges belongs to every
 * domain and may be left out.
 */
export function journalForm({
  name: recipe,
  data,
  attributes,
}: Pick<Plan, 'name' | 'data' | 'attributes'>): JournalForm {
  const domains = data.labels;
  if (domains.length === 0)
    throw new UsageError(
      `the recipe ${recipe} names no domains, and the journal-extractor takes its domains from the recipe`,
      'list them in the recipe: data: { labels: [symptom, food] }',
    );
  const fields = new Map<string, JournalField>();
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

export function fieldsOfDomain({ fields }: JournalForm, domain: string): readonly JournalField[] {
  return fields.filter(({ domains }) => domains.includes(domain));
}

/** What the model is held to: domains that have the same fields are one kind of item. */
export function journalSchema(form: JournalForm): JsonSchema {
  const kinds = new Map<string, { readonly domains: string[]; readonly fields: readonly JournalField[] }>();
  for (const domain of form.domains) {
    const fields = fieldsOfDomain(form, domain);
    const key = JSON.stringify(fields.map(({ name }) => name));
    const kind = kinds.get(key);
    if (kind === undefined) kinds.set(key, { domains: [domain], fields });
    else kind.domains.push(domain);
  }
  return {
    type: 'object',
    properties: {
      items: {
        type: 'array',
        items: { anyOf: [...kinds.values()].map(({ domains, fields }) => itemSchema(domains, fields)) },
      },
    },
    required: ['items'],
    additionalProperties: false,
  };
}

function itemSchema(domains: readonly string[], fields: readonly JournalField[]): JsonSchema {
  const properties = {
    domain: { type: 'string', enum: domains },
    evidence_span: { type: 'string', description: 'copied from the entry, character for character' },
    ...Object.fromEntries(fields.map((field) => [field.name, valueSchema(field)])),
  };
  return { type: 'object', properties, required: Object.keys(properties), additionalProperties: false };
}

/** Null where the entry does not say, and no value means that. */
function valueSchema({ values, missing, required }: JournalField): JsonSchema {
  if (required || (missing !== null && values.includes(missing))) return { type: 'string', enum: values };
  return { type: ['string', 'null'], ...(values.length === 0 ? {} : { enum: [...values, null] }) };
}
