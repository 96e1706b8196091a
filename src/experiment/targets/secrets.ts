import { isRecord } from '../../data/record-fields.ts';
import type { Environment } from '../models/access.ts';
import { withoutKey } from '../models/secret.ts';

const SECRET_NAME = /(?:KEY|SECRET|TOKEN|PASSWORD|PASSWD|CREDENTIALS?)$/i;

/**
 * What the environment holds under names that secrets have, longest first, since one may begin another. The user's own
 * code gets them, and may print them.
 */
export function secretsIn(environment: Environment): string[] {
  const values = Object.entries(environment).flatMap(([name, value]) =>
    value !== undefined && SECRET_NAME.test(name) ? [value.trim()] : [],
  );
  return longestFirst(values);
}

/** Each once, since one may begin another. */
export function longestFirst(secrets: readonly string[]): string[] {
  return [...new Set(secrets)].sort((a, b) => b.length - a.length);
}

export function withoutSecrets(text: string, secrets: readonly string[]): string {
  return secrets.reduce((rest, secret) => withoutKey(rest, secret), text);
}

/** Parsed JSON without them, in every text and every name of a field; a number that shows one becomes a text. */
export function valueWithoutSecrets(value: unknown, secrets: readonly string[]): unknown {
  if (typeof value === 'string') return withoutSecrets(value, secrets);
  if (typeof value === 'number') {
    const text = String(value);
    const clean = withoutSecrets(text, secrets);
    return clean === text ? value : clean;
  }
  if (Array.isArray(value)) return value.map((inner: unknown) => valueWithoutSecrets(inner, secrets));
  return isRecord(value) ? fieldsWithoutSecrets(value, secrets) : value;
}

export function fieldsWithoutSecrets(
  fields: Readonly<Record<string, unknown>>,
  secrets: readonly string[],
): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    Object.entries(fields).map(([name, inner]) => [withoutSecrets(name, secrets), valueWithoutSecrets(inner, secrets)]),
  );
}
