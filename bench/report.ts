/**
 * What all that looks on while cases are scored costs: the waterfall, the figures, the audit and report.html, against
 * scoring to a folder without them. In processor time, since reports are packed beside the scoring. The two take turns in
 * one process, and the best of several rounds counts for each; a number makes the corpus that large.
 */
import { existsSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { fileSource } from '../src/data/source.ts';
import { planRecipe } from '../src/recipe/plan.ts';
import { readViewer } from '../src/report/html/report-file.ts';
import { reportFiles } from '../src/report/html/watch-report.ts';
import { scoreToFolder } from '../src/runs/score-to-folder.ts';
import { writeCorpus } from './corpus.ts';

const RECIPE = 'pii/piranha';
const ROUNDS = 3;
/** The mark: how many times as much as scoring to a folder alone it may take. */
const MOST = 2.5;

const documents = Math.min(10_000, Number(process.argv[2] ?? 10_000));
const temporary = mkdtempSync(join(existsSync('/dev/shm') ? '/dev/shm' : tmpdir(), 'assay-bench-'));
try {
  if (readViewer() === null) throw new Error('the viewer of reports has not been built: npm run build');
  const cases = fileSource(join(temporary, 'corpus.jsonl'));
  const out = join(temporary, 'run');
  writeCorpus(cases.name, documents);
  const plan = await planRecipe(RECIPE);
  const ways: readonly (readonly [string, () => Promise<unknown>])[] = [
    ['score to a folder', () => scoreToFolder(plan, { cases }, { out })],
    ['the same, audit, figures, report.md', () => scoreToFolder(plan, { cases }, { out, watch: reportFiles({ texts: 'off' }) })],
    ['the same, report.html', () => scoreToFolder(plan, { cases }, { out, watch: reportFiles() })],
  ];
  const best = ways.map(() => Infinity);
  for (let round = 0; round < ROUNDS; round += 1)
    for (const [at, [, work]] of ways.entries()) best[at] = Math.min(best[at]!, await processorMilliseconds(work));
  const plain = best[0]!;
  console.log(`${documents} documents, ${(statSync(cases.name).size / 1e6).toFixed(1)} MB, ${RECIPE}, Node ${process.version}; processor time\n`);
  for (const [at, [name]] of ways.entries())
    console.log(`${name.padEnd(46)}${best[at]!.toFixed(0).padStart(6)} ms  ${(best[at]! / plain).toFixed(2).padStart(7)}`);
  const ratio = best.at(-1)! / plain;
  console.log(`\nreport.html ${(statSync(join(out, 'report.html')).size / 1e6).toFixed(1)} MB`);
  console.log(`\nat most ${MOST} times as much: ${ratio <= MOST ? 'kept' : 'MISSED'}`);
  if (ratio > MOST) process.exitCode = 1;
} finally {
  rmSync(temporary, { recursive: true, force: true });
}

async function processorMilliseconds(work: () => Promise<unknown>): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}
