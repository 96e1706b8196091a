import { writeFiles } from '../data/write-file.ts';
import type { MeasureValue } from '../measure/tally.ts';
import type { Run } from './run.ts';
import SCORE_FILES from './score-files.json' with { type: 'json' };
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

/** What a run folder gets of the exporters of these names. */
export function exportsNamed(names: readonly string[]): Required<Pick<FolderOptions, 'files' | 'caseRecords'>> {
  const own = SCORE_EXPORTERS.filter(({ name }) => names.includes(name));
  return {
    files: Object.fromEntries(own.flatMap(({ files }) => Object.entries(files))),
    caseRecords: Object.fromEntries(own.flatMap(({ caseRecords }) => Object.entries(caseRecords))),
  };
}

/** All of it is made before anything is written: a fault leaves nothing behind. */
export function exportFiles<Subject>({ files }: FileExporter<Subject>, subject: Subject, out: string): void {
  const made = Object.entries(files).map(([name, make]) => [name, make(subject)] as const);
  writeFiles(out, made, { next: 'choose another folder with --out' });
}

type MeasureLookup = (measure: string) => number | null;

/** A summary and a line for each case, in the fields that programs for a task expect; an undefined value is null. */
export const SCORE_EXPORTERS: readonly RunExporter[] = SCORE_FILES.map((layout) => {
  const fields = (valueOf: MeasureLookup): Record<string, number | null> =>
    Object.fromEntries(Object.entries(layout.fields).map(([field, measure]) => [field, valueOf(measure)]));
  const summary = ({ signature, cases, measures, rules }: Run['measures']): object => {
    const overall = (name: string): MeasureValue | undefined =>
      measures.find((measure) => measure.name === name && Object.keys(measure.slice).length === 0);
    const total = (verdict: string): number =>
      rules.reduce((sum, count) => (count.scheme === null && count.verdict === verdict ? sum + count.n : sum), 0);
    const counts = { [layout.total]: cases.total, tp: total('hit'), fp: total('spurious'), fn: total('missed') };
    return { ...counts, ...fields((measure) => overall(measure)?.value ?? null), signature };
  };
  return {
    name: layout.name,
    about: layout.about,
    task: layout.task,
    files: { [layout.summary]: ({ measures }) => `${JSON.stringify(summary(measures), null, 2)}\n` },
    caseRecords: {
      [layout.cases]({ counts: { hit, spurious, missed }, measures }, { id }) {
        return {
          [layout.id]: id,
          tp: hit,
          fp: spurious,
          fn: missed,
          ...fields((measure) => measures[measure] ?? null),
        };
      },
    },
  };
});
