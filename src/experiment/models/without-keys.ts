import { type Environment, NO_KEY } from './access.ts';
import { PROVIDERS } from './providers.ts';

/** For a look at what would be asked: nobody is called, so that no key has to be there. */
export function withoutNeedOfKeys(environment: Environment): Environment {
  const missing = PROVIDERS.filter(
    ({ keyNeeded, keyVariables }) =>
      keyNeeded && keyVariables.every((name) => (environment[name]?.trim() ?? '') === ''),
  );
  return { ...environment, ...Object.fromEntries(missing.map(({ keyVariables }) => [keyVariables[0]!, NO_KEY])) };
}
