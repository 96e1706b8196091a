import { createRequire } from 'node:module';
import type * as Yaml from 'yaml';

const load = createRequire(import.meta.url);

/** The package yaml, loaded when it is first needed: presets are prepared, and most commands read nothing else. */
export function yamlPackage(): typeof Yaml {
  // oxlint-disable-next-line typescript/no-unsafe-return -- what a require gives has no type
  return load('yaml');
}
