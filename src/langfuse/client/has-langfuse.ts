import { UsageError } from '../../data/problems.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

const PUBLIC_KEY = 'LANGFUSE_PUBLIC_KEY';
const SECRET_KEY = 'LANGFUSE_SECRET_KEY';

/**
 * Whether work goes to Langfuse: both keys are set. One without the other is an oversight, and throws: results would
 * end up elsewhere than was meant.
 */
export function hasLangfuse(environment: Environment): boolean {
  const missing = [PUBLIC_KEY, SECRET_KEY].filter((one) => (environment[one]?.trim() ?? '') === '');
  if (missing.length === 1) {
    const [name] = missing;
    const given = name === PUBLIC_KEY ? SECRET_KEY : PUBLIC_KEY;
    throw new UsageError(
      `${given} is set, but ${name!} is not`,
      'set both to work with Langfuse, or neither to work with the local store',
    );
  }
  return missing.length === 0;
}
