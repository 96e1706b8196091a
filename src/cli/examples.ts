import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export type ExampleTask = 'journal' | 'pii' | 'graph';

export interface Example {
  readonly task: ExampleTask;
  readonly preset: string;
  readonly about: string;
  /** Flag to file name. */
  readonly files: Readonly<Record<string, string>>;
}

/** The examples that ship with Assay, all of our own making. */
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

/** Two folders up from here, in a checkout and in the published package alike. */
export function exampleFolder(task: ExampleTask): string {
  return join(fileURLToPath(new URL('../../examples/', import.meta.url)), task);
}
