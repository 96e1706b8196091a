import { writeFiles } from '../data/write-file.ts';
import type { Run } from './run.ts';
import type { FolderOptions } from './score-to-folder.ts';

/** Files as other tools expect them, by name: made of a run, of an evaluation, of measured variants. */
export interface FileExporter<Subject> {
  readonly name: string;
  readonly about: string;
  /** The task whose results it is for; null for any. */
  readonly task: string | null;
  readonly files: Readonly<Record<string, (subject: Subject) => string>>;
}

/** In the folder of a run, while it is written. */
export interface RunExporter extends FileExporter<Run> {
  readonly caseRecords: NonNullable<FolderOptions['caseRecords']>;
}

/** All of it is made before anything is written: a fault leaves nothing behind. */
export function exportFiles<Subject>({ files }: FileExporter<Subject>, subject: Subject, out: string): void {
  const made = Object.entries(files).map(([name, make]) => [name, make(subject)] as const);
  writeFiles(out, made, { next: 'choose another folder with --out' });
}
