/** Whole `assay score` commands over documents with spans, against a plain reading loop over the same file. */
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import type { BenchSetting } from './bench.ts';
import { writeCorpus } from './corpus.ts';
import { runNode } from './fresh-process.ts';
import { atLeast, atMost, type Command, type Findings, type Mark, measureInTurns } from './in-turns.ts';

const PLAIN_LOOP = join(import.meta.dirname, 'scripts/plain-loop.mjs');

/** What a start costs, against an empty script. */
export function measureStarts({ bin, folder, rounds }: BenchSetting): Findings {
  const empty = join(folder, 'empty.mjs');
  writeFileSync(empty, '');
  const measured = measureInTurns(
    [
      { name: 'an empty script', run: () => runNode([empty]) },
      { name: 'assay --version', run: () => runNode([bin, '--version']) },
      { name: 'assay --help', run: () => runNode([bin, '--help']) },
    ],
    rounds,
  );
  const times = (name: string): number => measured.get(name)!.cpu / measured.get('an empty script')!.cpu;
  return {
    measured: [...measured.values()],
    marks: ['assay --version', 'assay --help'].map((name) => atMost(`${name}: CPU / empty script`, times(name), 3)),
  };
}

/** Numbers alone, and with ledger, audit, figures and report.html. */
export function measureScores(setting: BenchSetting): Findings {
  const { folder, documents, rounds, python } = setting;
  const [cases, one] = [join(folder, 'cases.jsonl'), join(folder, 'one.jsonl')];
  writeCorpus(cases, documents);
  writeCorpus(one, 1);
  const strict = score(setting, 'pii/strict');
  const semeval = score(setting, 'pii/semeval');
  const out = join(folder, 'semeval');
  const names = {
    plain: 'plain loop: read, split, JSON.parse',
    one: 'pii/strict, one document',
    counts: 'pii/strict --set interval=off',
    numbers: 'pii/strict',
    folder: 'pii/strict --out FOLDER --no-report',
    everything: 'pii/strict --out FOLDER',
    semevalCounts: 'pii/semeval --set interval=off',
    semevalNumbers: 'pii/semeval',
    semevalFolder: 'pii/semeval --out FOLDER --no-report',
    semeval: 'pii/semeval --out FOLDER',
    nervaluate: 'nervaluate, four schemes, no output',
    seqeval: 'seqeval, report over tags, no output',
  };
  const commands: Command[] = [
    { name: names.plain, run: () => runNode([PLAIN_LOOP, cases]) },
    { name: names.one, run: () => strict(one) },
    { name: names.counts, run: () => strict(cases, '--set', 'interval=off') },
    { name: names.numbers, run: () => strict(cases) },
    { name: names.folder, run: () => strict(cases, '--out', emptied(join(folder, 'strict')), '--no-report') },
    { name: names.everything, run: () => strict(cases, '--out', emptied(join(folder, 'strict'))) },
    { name: names.semevalCounts, run: () => semeval(cases, '--set', 'interval=off') },
    { name: names.semevalNumbers, run: () => semeval(cases) },
    { name: names.semevalFolder, run: () => semeval(cases, '--out', emptied(out), '--no-report') },
    { name: names.semeval, run: () => semeval(cases, '--out', emptied(out)) },
  ];
  const absent: string[] = [];
  for (const [name, module, script] of [
    [names.nervaluate, 'nervaluate', 'nervaluate_schemes.py'],
    [names.seqeval, 'seqeval', 'seqeval_report.py'],
  ] as const)
    if (python?.has(module) === true) commands.push({ name, run: () => python.run(script, cases) });
    else absent.push(name);
  const measured = measureInTurns(commands, rounds);
  const of = (name: keyof typeof names) => measured.get(names[name])!;
  const plain = of('plain');
  const nervaluate = measured.get(names.nervaluate);
  const marks = [
    atMost('numbers with intervals: CPU / plain loop', of('numbers').cpu / plain.cpu, 3),
    atMost('everything: CPU / plain loop', of('everything').cpu / plain.cpu, 7),
    atMost('everything: wall time / plain loop', of('everything').wall / plain.wall, 3.5),
    atMost('pii/semeval, everything: CPU / plain loop', of('semeval').cpu / plain.cpu, 10),
    nervaluate === undefined
      ? notInstalled('nervaluate: CPU / pii/semeval, everything', 4, 'nervaluate')
      : atLeast('nervaluate: CPU / pii/semeval, everything', nervaluate.cpu / of('semeval').cpu, 4),
    nervaluate === undefined
      ? notInstalled('nervaluate: CPU / pii/semeval, numbers alone', 4, 'nervaluate')
      : atLeast('nervaluate: CPU / pii/semeval, numbers alone', nervaluate.cpu / of('semevalNumbers').cpu, 4),
    atMost('pii/semeval, folder without report.html: bytes / input', folderSize(out) / statSync(cases).size, 2.5),
  ];
  const less = (more: keyof typeof names, fewer: keyof typeof names): number => of(more).cpu - of(fewer).cpu;
  const parts: Findings['parts'] = [
    ['start, recipe and one document', of('one').cpu],
    ['pii/strict: reading, pairing, counting', less('counts', 'one')],
    ['pii/strict: intervals', less('numbers', 'counts')],
    ['pii/strict: ledger, audit, figures, waterfall', less('folder', 'numbers')],
    ['pii/strict: report.html', less('everything', 'folder')],
    ['pii/semeval: reading, pairing, counting', less('semevalCounts', 'one')],
    ['pii/semeval: intervals', less('semevalNumbers', 'semevalCounts')],
    ['pii/semeval: ledger, audit, figures, waterfall', less('semevalFolder', 'semevalNumbers')],
    ['pii/semeval: report.html', less('semeval', 'semevalFolder')],
  ];
  return { measured: [...measured.values()], marks, absent, parts };
}

/** Four and sixteen times the documents: time in proportion, memory about the same. */
export function measureGrowth(setting: BenchSetting): Findings {
  const { folder, documents, rounds } = setting;
  const sizes = [4 * documents, 16 * documents] as const;
  const strict = score(setting, 'pii/strict');
  const commands = sizes.map((size): Command => {
    const cases = join(folder, `cases-${size}.jsonl`);
    writeCorpus(cases, size);
    const run = (): ReturnType<typeof strict> => strict(cases, '--out', emptied(join(folder, 'grown')));
    return { name: `pii/strict --out FOLDER, ${size.toLocaleString('en')} documents`, run };
  });
  const measured = measureInTurns(commands, rounds);
  const [small, large] = [measured.get(commands[0]!.name)!, measured.get(commands[1]!.name)!];
  const perDocument = large.cpu / sizes[1] / (small.cpu / sizes[0]);
  return {
    measured: [small, large],
    marks: [
      atMost('CPU a document, 16 times the documents / 4 times', perDocument, 1.1),
      atMost('peak memory, 16 times the documents', large.peakMiB, 400, 'MiB'),
      atMost('peak memory, 16 times the documents / 4 times', large.peakMiB / small.peakMiB, 1.15),
    ],
  };
}

/** The same bytes from 1, 2 and 4 workers, in every file but the one with times and paths. */
export function compareWorkers(setting: BenchSetting): Findings {
  const { folder, documents } = setting;
  const cases = join(folder, 'cases-workers.jsonl');
  writeCorpus(cases, documents);
  const name = 'different run folders from 1, 2 and 4 workers';
  const semeval = score(setting, 'pii/semeval');
  const hashes = [1, 2, 4].map((workers) => {
    const out = emptied(join(folder, 'workers'));
    semeval(cases, '--out', out, '--workers', String(workers));
    return folderHash(out);
  });
  return { measured: [], marks: [atMost(name, new Set(hashes).size, 1, 'folders')] };
}

export function score({ bin }: BenchSetting, recipe: string) {
  return (cases: string, ...flags: readonly string[]) => runNode([bin, 'score', recipe, '--cases', cases, ...flags]);
}

export function notInstalled(name: string, mark: number, what: string): Mark {
  return { name, value: null, unit: 'times', at: 'least', mark, met: null, note: `${what} not installed` };
}

export function emptied(folder: string): string {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder);
  return folder;
}

function folderSize(folder: string): number {
  return readdirSync(folder)
    .filter((name) => name !== 'report.html')
    .reduce((sum, name) => sum + statSync(join(folder, name)).size, 0);
}

function folderHash(folder: string): string {
  const hash = createHash('sha256');
  for (const name of readdirSync(folder).toSorted())
    if (name !== 'timing.json') hash.update(name).update(readFileSync(join(folder, name)));
  return hash.digest('hex');
}
