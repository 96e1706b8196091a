import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { shellWord } from '../plugin.ts';

import CATALOGUE from './examples.json' with { type: 'json' };

/** How an example is shown by `assay demo`, and where its report is. */
type Demo = { readonly report: string } & (
  | { readonly preset: string; readonly files: Readonly<Record<string, string>> }
  | {
      readonly preset: string;
      readonly cases: string;
      readonly systems: Readonly<Record<string, string>>;
      readonly reviews: string;
      /** Measures, and questions of the form whose agreement is shown. */
      readonly shown: readonly string[];
      readonly agreement: readonly string[];
    }
  | { readonly traces: string; readonly runs: string; readonly variants: readonly string[] }
);

/** An example that ships with Assay, all of it written by us. */
export interface Example {
  readonly task: string;
  /** What is before the slash of the presets that its files are for. */
  readonly purposes: readonly string[];
  readonly demo?: Demo;
  /** What `assay init` copies, and the commands to give next; ./ is the new folder, `within` means from inside it. */
  readonly starter: {
    /** The preset that its recipe is, but for comments. */
    readonly preset?: string;
    readonly copy: readonly string[];
    readonly yours: string;
    readonly within?: boolean;
    readonly commands: readonly string[];
  };
}

/** The examples, and what to do after the demo. */
export const { examples: EXAMPLES, next: NEXT }: { examples: readonly Example[]; next: readonly string[][] } =
  CATALOGUE;

/** Two folders up from here, in a checkout and in the published package alike. */
export function exampleFile(task: string, name: string): string {
  return join(fileURLToPath(new URL('../../examples/', import.meta.url)), task, name);
}

/** A command of the catalogue with its paths in a folder. */
export function commandIn(folder: string, command: string): string {
  return command.replaceAll(
    /(^|[ :])\.\/(\S*)/g,
    (_, before: string, path: string) => before + shellWord(join(folder, path)),
  );
}
