/** Whole `assay score` commands over cases with very many items, and over graphs. */
import { cpSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';

import { openRun } from '../src/score/run-queries.ts';
import type { BenchSetting } from './bench.ts';
import { writeNames, writeWideDocument } from './corpus.ts';
import { runNode, type Usage } from './fresh-process.ts';
import { atLeast, atMost, type Command, type Findings, measureInTurns } from './in-turns.ts';
import { writeRecorded } from './recorded-items.ts';
import { emptied, score } from './score-commands.ts';

const ALL_PAIRS = join(import.meta.dirname, 'scripts/all-pairs.mjs');
const PAIR_NAMES = join(import.meta.dirname, 'scripts/pair-names.mjs');

/** One document with very many spans, each of which overlaps the next. */
export function measureWideDocument(setting: BenchSetting): Findings {
  const { folder, rounds } = setting;
  const cases = join(folder, 'wide.jsonl');
  writeWideDocument(cases, 20_000);
  const names = ['pii/strict', 'pii/semeval', 'pii/iou --set pair.assign=optimal'];
  const commands = names.map((name): Command => {
    const [recipe = '', ...flags] = name.split(' ');
    return { name, run: () => score(setting, recipe)(cases, ...flags) };
  });
  const everything = {
    name: 'pii/strict --out FOLDER',
    run: () => score(setting, 'pii/strict')(cases, '--out', emptied(join(folder, 'wide'))),
  };
  const measured = measureInTurns([...commands, everything], rounds);
  return {
    measured: [...measured.values()],
    marks: [
      atMost('20,000 gold and 20,000 predicted spans, pii/strict: wall time', measured.get('pii/strict')!.wall, 1, 's'),
    ],
  };
}

/** 5,000 names against 5,000 at a similarity of 0.85, by a script with the library and by a whole command, against a script that compares all with all. */
export async function measureNames(setting: BenchSetting): Promise<Findings> {
  const { bin, rounds, python } = setting;
  const folder = join(setting.folder, 'names');
  const single = join(setting.folder, 'name');
  mkdirSync(folder);
  mkdirSync(single);
  writeNames(folder, 5000);
  writeNames(single, 1);
  const listsIn = (own: string): string[] => [join(own, 'gold.txt'), join(own, 'predicted.txt')];
  const lists = listsIn(folder);
  const out = join(folder, 'run');
  const library = join(setting.install, 'pair-names.mjs');
  cpSync(PAIR_NAMES, library);
  const files = ['--gold', 'items.jsonl', '--predictions', 'answers.jsonl'];
  let pairs: unknown = [];
  const names = {
    all: 'script: all pairs with fastest-levenshtein',
    pair: "script: pair() of 'assay/pipeline'",
    pairOne: "script: pair() of 'assay/pipeline', one name",
    one: 'graph/openspec, one name',
    numbers: 'graph/openspec',
    folder: 'graph/openspec --out FOLDER --no-report',
    rapidfuzz: 'rapidfuzz, all pairs, no output',
  };
  const commands: Command[] = [
    {
      name: names.all,
      run: () => {
        const usage = runNode([ALL_PAIRS, ...lists]);
        pairs = JSON.parse(usage.stdout);
        return usage;
      },
    },
    { name: names.pair, run: () => runNode([library, ...lists]) },
    { name: names.pairOne, run: () => runNode([library, ...listsIn(single)]) },
    { name: names.one, run: () => runNode([bin, 'score', 'graph/openspec', ...files], single) },
    { name: names.numbers, run: () => runNode([bin, 'score', 'graph/openspec', ...files], folder) },
    {
      name: names.folder,
      run: () => runNode([bin, 'score', 'graph/openspec', ...files, '--out', emptied(out), '--no-report'], folder),
    },
  ];
  const hasRapidfuzz = python?.has('rapidfuzz') === true;
  if (hasRapidfuzz) commands.push({ name: names.rapidfuzz, run: () => python.run('rapidfuzz_names.py', ...lists) });
  const measured = measureInTurns(commands, rounds);
  // Without what loading the library for a single name costs.
  const added = measured.get(names.pair)!.cpu - measured.get(names.pairOne)!.cpu;
  const speed = measured.get(names.all)!.cpu / added;
  const differing = differences(
    new Set(Array.isArray(pairs) ? pairs.map((pair) => JSON.stringify(pair)) : []),
    await hitsOf(out),
  );
  return {
    measured: [...measured.values()],
    absent: hasRapidfuzz ? [] : [names.rapidfuzz],
    marks: [
      atLeast('5,000 against 5,000 names: CPU of all pairs / what they add to pair()', speed, 20),
      atMost('5,000 against 5,000 names: pairs that differ', differing, 0, 'pairs'),
    ],
  };
}

/** Graphs of eleven items a side; an item is an entity or a relationship, gold or predicted. */
export function measureGraphs(setting: BenchSetting): Findings {
  const { bin, documents, rounds } = setting;
  const folder = join(setting.folder, 'graphs');
  mkdirSync(folder);
  const items = writeRecorded(folder, documents);
  const run = (...flags: readonly string[]): Usage =>
    runNode(
      [bin, 'score', 'graph/openspec', '--gold', 'items.jsonl', '--predictions', 'answers.jsonl', ...flags],
      folder,
    );
  const measured = measureInTurns(
    [
      { name: 'graph/openspec', run: () => run() },
      { name: 'graph/openspec --out FOLDER', run: () => run('--out', emptied(join(folder, 'run'))) },
    ],
    rounds,
  );
  const { cpu } = measured.get('graph/openspec')!;
  const cases = `graph/openspec, ${documents.toLocaleString('en')} cases`;
  return {
    measured: [...measured.values()],
    marks: [
      {
        ...atLeast(`${cases} with ${items.toLocaleString('en')} items: items / CPU`, items / cpu, 20_000, 'a second'),
        note: `${Math.round(documents / cpu).toLocaleString('en')} cases`,
      },
    ],
  };
}

async function hitsOf(folder: string): Promise<Set<string>> {
  const hits = new Set<string>();
  const run = await openRun(folder);
  for await (const { gold, predicted, similarity } of run.verdicts({ verdict: 'hit', scheme: null }))
    hits.add(JSON.stringify([gold?.text, predicted?.text, similarity]));
  return hits;
}

function differences(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  return a.symmetricDifference(b).size;
}
