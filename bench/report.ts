/**
 * What all that looks on while cases are scored costs: waterfall, figures and audit, and report.html, against scoring to a
 * folder without them. In processor time of all threads, since pages are packed beside the scoring. The ways take turns in
 * one process for each corpus, and the best of several rounds counts; a number makes the corpora that large.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import type { CaseSources } from '../src/data/read-cases.ts';
import { fileSource } from '../src/data/source.ts';
import { planRecipe } from '../src/recipe/plan.ts';
import { readViewer } from '../src/report/html/report-file.ts';
import { reportFiles } from '../src/report/html/watch-report.ts';
import { scoreToFolder } from '../src/score/score-to-folder.ts';
import { writeCorpus } from './corpus.ts';
import { writeJournals } from './journal-corpus.ts';

interface Corpus {
  readonly recipe: string;
  readonly what: string;
  readonly write: (folder: string, cases: number) => CaseSources;
  /** The mark: how many times as much as scoring to a folder alone it may take. */
  readonly most: number;
}

const CORPORA: Readonly<Record<string, Corpus>> = {
  journal: {
    recipe: 'journal/ashwam',
    what: 'diary entries of 60 words',
    write: (folder, cases) => {
      const files = writeJournals(folder, cases);
      return {
        cases: fileSource(files.cases),
        gold: fileSource(files.gold),
        predictions: fileSource(files.predictions),
      };
    },
    most: 2.5,
  },
  // Spans are scored so fast that looking at their texts weighs more.
  pii: {
    recipe: 'pii/piranha',
    what: 'documents of 4.4 KB',
    write: (folder, cases) => {
      const file = join(folder, 'corpus.jsonl');
      writeCorpus(file, cases);
      return { cases: fileSource(file) };
    },
    most: 4,
  },
};
const ROUNDS = 3;

const [name = '10000', count = ''] = process.argv.slice(2);
const corpus = CORPORA[name];
if (corpus === undefined) {
  console.log(`${name} cases, with intervals, processor time, Node ${process.version}\n`);
  for (const each of Object.keys(CORPORA)) {
    try {
      execFileSync(process.execPath, [...process.execArgv, import.meta.filename, each, name], { stdio: 'inherit' });
    } catch {
      process.exitCode = 1;
    }
  }
} else await compare(corpus, Number(count));

async function compare({ recipe, what, write, most }: Corpus, cases: number): Promise<void> {
  if (readViewer() === null) throw new Error('the viewer of reports has not been built: npm run build');
  const temporary = mkdtempSync(join(existsSync('/dev/shm') ? '/dev/shm' : tmpdir(), 'assay-bench-'));
  try {
    const sources = write(temporary, cases);
    const out = join(temporary, 'run');
    const plan = await planRecipe(recipe);
    const ways: readonly (readonly [string, () => Promise<unknown>])[] = [
      [`score ${recipe}, run folder written`, () => scoreToFolder(plan, sources, { out })],
      [
        'with waterfall, figures and audit',
        () => scoreToFolder(plan, sources, { out, watch: reportFiles({ texts: 'off' }) }),
      ],
      ['with these and report.html', () => scoreToFolder(plan, sources, { out, watch: reportFiles() })],
    ];
    const best = ways.map(() => Infinity);
    for (let round = 0; round < ROUNDS; round += 1)
      for (const [at, [, work]] of ways.entries()) best[at] = Math.min(best[at]!, await processorMilliseconds(work));
    for (const [at, [way]] of ways.entries()) {
      const times = (best[at]! / best[0]!).toFixed(2);
      console.log(`${way.padEnd(44)}${best[at]!.toFixed(0).padStart(8)} ms ${times.padStart(8)}`);
    }
    const ratio = best.at(-1)! / best[0]!;
    const size = (statSync(join(out, 'report.html')).size / 1e6).toFixed(1);
    console.log(
      `${what}, report.html ${size} MB; at most ${most} times as much: ${ratio <= most ? 'kept' : 'MISSED'}\n`,
    );
    if (ratio > most) process.exitCode = 1;
  } finally {
    rmSync(temporary, { recursive: true, force: true });
  }
}

async function processorMilliseconds(work: () => Promise<unknown>): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}
