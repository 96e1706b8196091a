/**
 * What runs beside scoring costs, part by part: waterfall, figures, audit and report.html. Processor time of each alone,
 * over the cases of one corpus while they are scored, in a process that has done nothing else with that part; scoring
 * itself is not counted. A number makes the corpora that large; `--cases FILE RECIPE [PART]` takes a file instead.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import type { CaseSources } from '../src/data/read-cases.ts';
import { fileSource } from '../src/data/source.ts';
import { type Plan, planRecipe } from '../src/recipe/plan.ts';
import type { Run } from '../src/score/run.ts';
import type { ScoredCase } from '../src/score/score.ts';
import { scoreToRun } from '../src/score/score-to-folder.ts';
import { writeCorpus } from './corpus.ts';
import { writeJournals } from './journal-corpus.ts';

interface Part {
  add(scored: ScoredCase): void;
  finish(run: Run): unknown;
}

const PARTS: Readonly<Record<string, (plan: Plan) => Promise<Part>>> = {
  async audit(plan) {
    const { AuditWatch } = await import('../src/audit/audit-watch.ts');
    const watch = new AuditWatch(plan);
    return { add: (scored) => watch.sink.scored?.(scored), finish: (run) => watch.finish(run) };
  },
  async figures(plan) {
    const { FiguresWatch } = await import('../src/figures/figures-watch.ts');
    const watch = new FiguresWatch(plan);
    const none = { waterfall: null, noWaterfall: null };
    return { add: (scored) => watch.sink.scored?.(scored), finish: (run) => watch.finish(run, none) };
  },
  async waterfall(plan) {
    const { watchWaterfall } = await import('../src/compare/waterfall/make-waterfall.ts');
    const watch = watchWaterfall(plan);
    return { add: (scored) => watch.sink.scored?.(scored), finish: () => watch.result() };
  },
  async 'report.html'(plan) {
    const { readViewer } = await import('../src/report/html/report-file.ts');
    const { ReportWriter } = await import('../src/report/html/report-writer.ts');
    const viewer = readViewer();
    if (viewer === null) throw new Error('the viewer of reports has not been built: npm run build');
    const columns = [plan.measures.map(({ name }) => name)];
    const report = new ReportWriter({ viewer, title: plan.name, texts: 'full', columns, write: () => undefined });
    return {
      add({ variants }) {
        for (const { case: scored, verdicts, result } of variants)
          report.add({ case: result.case, text: scored.text, noText: null, runs: [{ result, verdicts }] });
      },
      finish: () => report.finish({ runs: [], comparison: null }),
    };
  },
};
/** Cases that are looked at in one go: reading the clock for each would be a part of what is measured. */
const BATCH = 200;

async function time(part: string, recipe: string, sources: CaseSources): Promise<void> {
  const plan = await planRecipe(recipe);
  const used = { loading: 0, cases: 0, finish: 0 };
  const timed = async <T>(what: keyof typeof used, work: () => T): Promise<Awaited<T>> => {
    const before = process.cpuUsage();
    const made = await work();
    const { user, system } = process.cpuUsage(before);
    used[what] += (user + system) / 1000;
    return made;
  };
  const own = await timed('loading', () => PARTS[part]!(plan));
  let waiting: ScoredCase[] = [];
  let items = 0;
  const look = async (): Promise<void> => {
    const cases = waiting;
    waiting = [];
    // Items and verdicts are made when somebody looks at them: once for all parts, and not at the cost of any.
    for (const { given, variants } of cases) items += given.gold.length + given.predicted.length + variants.length;
    await timed('cases', () => cases.forEach((scored) => own.add(scored)));
  };
  const run = await scoreToRun(plan, sources, {
    sink: { scored: (scored) => void waiting.push(scored), ready: () => (waiting.length < BATCH ? null : look()) },
  });
  await look();
  await timed('finish', () => own.finish(run));
  const parts = Object.entries(used).map(([what, taken]) => `${what} ${taken.toFixed(0)}`);
  const whole = used.loading + used.cases + used.finish;
  if (items === 0) throw new Error('there is nothing to look at');
  console.log(`${recipe.padEnd(18)}${part.padEnd(14)}${whole.toFixed(0).padStart(6)} ms  (${parts.join(', ')})`);
}

function timeAll(recipe: string, files: Readonly<Record<string, string>>, parts = Object.keys(PARTS)): void {
  for (const part of parts)
    execFileSync(
      process.execPath,
      [...process.execArgv, import.meta.filename, 'time', part, recipe, ...Object.entries(files).flat()],
      { stdio: 'inherit' },
    );
}

const [mode = '10000', first = '', recipe = '', ...rest] = process.argv.slice(2);
if (mode === 'time') {
  const sources = rest.flatMap((role, at) => (at % 2 === 0 ? [[role, fileSource(rest[at + 1]!)] as const] : []));
  await time(first, recipe, Object.fromEntries(sources));
} else if (mode === '--cases') timeAll(recipe, { cases: first }, rest.length === 0 ? undefined : rest);
else {
  console.log(`${mode} cases, processor time, Node ${process.version}\n`);
  const temporary = mkdtempSync(join(existsSync('/dev/shm') ? '/dev/shm' : tmpdir(), 'assay-bench-'));
  try {
    const file = join(temporary, 'corpus.jsonl');
    writeCorpus(file, Number(mode));
    for (const each of ['pii/strict', 'pii/semeval', 'pii/piranha']) timeAll(each, { cases: file });
    timeAll('journal/ashwam', { ...writeJournals(temporary, Number(mode)) });
  } finally {
    rmSync(temporary, { recursive: true, force: true });
  }
}
