import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { parse } from 'csv-parse/sync';
import { expect } from 'vitest';

import { assayHere } from './assay-here.ts';
import { type Finished, temporaryFolder } from './run-assay.ts';

/** The program in a folder of its own with two small consultations of two systems, all invented. */
export function consultations() {
  const folder = temporaryFolder();
  const env = { LANGFUSE_PUBLIC_KEY: '', LANGFUSE_SECRET_KEY: '', ASSAY_DATA: join(folder, '.assay') };
  const file = (name: string, content: string): string => {
    writeFileSync(join(folder, name), content);
    return name;
  };
  file(
    'cases.csv',
    'id,scenario,ground_truth_prakriti\n1,"My hands are cold and I sleep badly.",Vata\n2,"I am hot and impatient.",Pitta\n',
  );
  const answers = (first: string, second: string): string =>
    [first, second]
      .map((response, at) =>
        JSON.stringify({
          case_id: String(at + 1),
          response,
          predicted_prakriti: 'Vata',
          retrieved_context: ['Warm oil calms the wind of the body.', 'Cold water soothes heat.'],
        }),
      )
      .join('\n');
  file('results_rag.jsonl', answers('Use warm oil. Sleep before ten.', 'Drink cold water. Avoid chillies.'));
  file('vanilla.jsonl', answers('Perhaps rest more.', 'Please consult somebody.'));
  /** Words of the first argument are arguments. */
  const run = (line: string, ...more: string[]): Promise<Finished> =>
    assayHere(['review', ...line.split(' '), ...more], { cwd: folder, env });
  return { folder, env, file, run };
}

const RAG = 'create pilot --recipe consult/ayurmind --cases cases.csv --predictions results_rag.jsonl';
const EXPERTS = '--reviewer Asha:expert --reviewer Ravi:expert --reviewer Meera:expert';
const OTHERS = '--reviewer Lata:annotator --reviewer Dev:annotator --adjudicator Jo --owner Kim --seed 7';
/** Without anybody. */
export const FILES = `${RAG} --predictions plain=vanilla.jsonl`;
export const CREATE = `${FILES} ${EXPERTS} ${OTHERS}`;

export const RATINGS = 'outputs_for_human_review.csv';
export const CLAIMS = 'outputs_for_hallucination_check.csv';

/** The same with the review of CREATE, and its sheets in the folder `s`. */
export async function exported(...more: string[]) {
  const review = consultations();
  ok(await review.run(CREATE, ...more));
  ok(await review.run('export pilot --out s'));
  const sheet = (name: string, kind: string): string => join(review.folder, 's', name, kind);
  return { ...review, sheet };
}

export function ok(done: Finished): string {
  expect(done).toMatchObject({ code: 0 });
  return done.stdout;
}

export function refused(done: Finished): string {
  expect(done.code).toBe(2);
  expect(done.stderr).not.toMatch(/\n\s+at |undefined|\[object|a bug of ours/);
  return done.stderr;
}

type Cells = Record<string, string>;

/** Fills in a sheet as a person in front of a spreadsheet would: cells by column, the rest as it was. */
export function fill(path: string, answers: (row: Cells) => Cells): void {
  const rows: Cells[] = parse(readFileSync(path, 'utf8'), { columns: true, bom: true });
  const columns = Object.keys(rows[0] ?? {});
  const line = (cells: readonly string[]): string => cells.map((cell) => `"${cell.replaceAll('"', '""')}"`).join(',');
  const filled = rows.map((row) => ({ ...row, ...answers(row) }));
  writeFileSync(
    path,
    `${[columns, ...filled.map((row) => columns.map((column) => row[column] ?? ''))].map(line).join('\r\n')}\r\n`,
  );
}
