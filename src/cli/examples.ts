import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export type ScoredTask = 'journal' | 'pii' | 'graph';
export type ExampleTask = ScoredTask | 'stream' | 'consult';
/** Folders of examples/ that the program itself reads. */
export type ExampleFolder = ExampleTask | 'experiment';

export interface Example {
  readonly task: ScoredTask;
  readonly preset: string;
  readonly about: string;
  /** Flag to file name. */
  readonly files: Readonly<Record<string, string>>;
}

/** The examples that ship with Assay and are scored against gold, all written by us. */
export const EXAMPLES: readonly Example[] = [
  {
    task: 'journal',
    preset: 'journal/ashwam',
    about: 'objects with quotes from eight diary entries',
    files: { cases: 'journals.jsonl', gold: 'gold.jsonl', predictions: 'predictions.jsonl' },
  },
  { task: 'pii', preset: 'pii/piranha', about: 'personal data found in five letters', files: { cases: 'docs.json' } },
  {
    task: 'graph',
    preset: 'graph/openspec',
    about: 'entities and relationships of six short texts',
    files: { gold: 'items.jsonl', predictions: 'outputs.jsonl' },
  },
];

/** Every task that has an example; those of stream and consult are not scored against a file of gold. */
export const EXAMPLE_TASKS: readonly ExampleTask[] = [...EXAMPLES.map(({ task }) => task), 'stream', 'consult'];

/** Two folders up from here, in a checkout and in the published package alike. */
export function exampleFolder(name: ExampleFolder): string {
  return join(fileURLToPath(new URL('../../examples/', import.meta.url)), name);
}
