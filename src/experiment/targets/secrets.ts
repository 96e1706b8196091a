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
  return [...new Set(values)].sort((a, b) => b.length - a.length);
}

export function withoutSecrets(text: string, secrets: readonly string[]): string {
  return secrets.reduce((rest, secret) => withoutKey(rest, secret), text);
}
