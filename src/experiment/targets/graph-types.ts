import { isRecord } from '../../data/record-fields.ts';

/** A type that an item wants to be found. */
export interface DeclaredType {
  readonly name: string;
  readonly description: string | null;
  readonly properties: readonly string[];
}

/**
 * The types that a dataset item declares: `{Person: {description, properties}}`, `[{name: 'Person', …}]` or
 * `['Person']`. Where `allowed` names some, those and no others.
 */
export function declaredTypes(schemas: unknown, allowed: unknown): DeclaredType[] {
  const declared = Array.isArray(schemas)
    ? schemas.flatMap((one: unknown) => (typeof one === 'string' ? [typeOf(one, null)] : namedType(one)))
    : isRecord(schemas)
      ? Object.entries(schemas).map(([name, schema]) => typeOf(name, schema))
      : [];
  const names = Array.isArray(allowed) ? allowed.filter((one) => typeof one === 'string') : [];
  if (names.length === 0) return unique(declared);
  return unique(names.map((name) => declared.find((one) => one.name === name) ?? typeOf(name, null)));
}

/** One line for each type; `any` where every type is welcome. */
export function typeLines(types: readonly DeclaredType[], any: string): string {
  if (types.length === 0) return `(${any})`;
  return types
    .map(({ name, description, properties }) => {
      const about = description === null ? '' : `: ${description}`;
      return `- ${name}${about}${properties.length === 0 ? '' : ` (properties: ${properties.join(', ')})`}`;
    })
    .join('\n');
}

function namedType(value: unknown): DeclaredType[] {
  if (!isRecord(value)) return [];
  const name = value['name'] ?? value['type'] ?? value['title'];
  return typeof name === 'string' && name !== '' ? [typeOf(name, value)] : [];
}

function typeOf(name: string, schema: unknown): DeclaredType {
  const fields: Readonly<Record<string, unknown>> = isRecord(schema) ? schema : {};
  const { description, properties } = fields;
  return {
    name,
    description: typeof description === 'string' && description !== '' ? description : null,
    properties: isRecord(properties) ? Object.keys(properties) : [],
  };
}

function unique(types: readonly DeclaredType[]): DeclaredType[] {
  return [...new Map(types.map((one) => [one.name, one])).values()];
}
