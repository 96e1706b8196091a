import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { assayHere } from '../assay-here.ts';
import { type Finished, temporaryFolder } from '../run-assay.ts';

export const PEOPLE = { entities: [{ name: 'Ann', type: 'Person' }], relationships: [] };

export interface RecordedAnswer {
  readonly id: string;
  readonly output?: unknown;
  readonly error?: string;
}

export const right = (id: string): RecordedAnswer => ({ id, output: PEOPLE });

/** A folder with an experiment of recorded answers: all of `ids` are asked, `answers` are there. */
export function experiment(ids: readonly string[], answers: readonly RecordedAnswer[], extra = ''): string {
  const folder = temporaryFolder();
  const items = ids.map((id) => ({ id, input: { document_text: `Ann ${id}` }, expected_output: PEOPLE }));
  writeLines(join(folder, 'items.jsonl'), items);
  writeLines(join(folder, 'answers.jsonl'), answers);
  writeFileSync(
    join(folder, 'e.yaml'),
    `name: one\ndataset: items.jsonl\ntarget: { use: recorded, answers: answers.jsonl }\nrecipe: graph/openspec\n${extra}`,
  );
  return folder;
}

export function writeLines(file: string, records: readonly unknown[]): void {
  writeFileSync(file, records.map((record) => `${JSON.stringify(record)}\n`).join(''));
}

/** `assay run` in that folder, with the local store. */
export function run(folder: string, ...args: readonly string[]): Promise<Finished> {
  return assayHere(['run', ...args], { cwd: folder, env: { LANGFUSE_PUBLIC_KEY: '', LANGFUSE_SECRET_KEY: '' } });
}
