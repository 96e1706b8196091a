/**
 * Simulates how often intervals hold the truth, and how often gates pass at a limit that is the truth itself; prints the
 * tables of docs/intervals.md and docs/gate.md. `--sets N` sets the number of data sets of a cell, 1,000 by default; the
 * seed is fixed, so the numbers are the same each time.
 */
import { parseArgs } from 'node:util';

import {
  CEILINGS,
  ceilingTallies,
  coverage,
  floorTallies,
  GATED,
  MACROS,
  macroTallies,
  marginTallies,
  scoredDocuments,
  type Tallies,
} from '../test/stats/interval-coverage.ts';
import type { Documents } from '../test/stats/made-up-labels.ts';

const { values } = parseArgs({ options: { sets: { type: 'string', default: '1000' }, only: { type: 'string' } } });
const sets = Number(values.sets);
/** With fewer intervals than this share of the data sets, a cell has no coverage. */
const FEWEST_SHOWN = 0.1;
const percent = (share: number): string => (100 * share).toFixed(1);

const rareLabels = (found: number): Documents['labels'] => ({
  A: { share: 0.485, found: 1 },
  B: { share: 0.485, found: 1 },
  RARE: { share: 0.03, found },
});
/** Twelve labels with these shares of the spans. */
const twelve = (shareOf: (at: number) => number): Documents['labels'] =>
  Object.fromEntries(Array.from({ length: 12 }, (_, at) => [`L${at}`, { share: shareOf(at), found: 1 }]));
const UNLIKE = [0.3, 0.2, 0.15, 0.1, 0.08, 0.05, 0.04, 0.03, 0.02, 0.01, 0.01, 0.01];

const MADE_UP: Readonly<Record<string, Pick<Documents, 'hits' | 'labels'>>> = {
  'Beta(8,2)': { hits: [8, 2], labels: rareLabels(1) },
  'Beta(2,1)': { hits: [2, 1], labels: rareLabels(1) },
  'Beta(19,1)': { hits: [19, 1], labels: rareLabels(1) },
  'Beta(8,2)*': { hits: [8, 2], labels: rareLabels(0.5) },
  'Beta(8,2)×12': { hits: [8, 2], labels: twelve(() => 1 / 12) },
  'Beta(8,2)×12†': { hits: [8, 2], labels: twelve((at) => UNLIKE[at]!) },
};

async function macroTable(): Promise<void> {
  const titles = MACROS.map((name) => `macro_${name}`).join('|');
  console.log(`|rate|cases|${titles}|\n|---|---:|---:|---:|---:|`);
  for (const [about, { hits, labels }] of Object.entries(MADE_UP))
    for (const cases of [10, 20, 30, 60, 120]) {
      const tallies = await macroTallies({ labels, hits, alarms: 1 }, cases, sets);
      const cells = MACROS.map((name) => {
        const [before, now] = [tallies.get(`macro_${name} resampled`)!, tallies.get(`macro_${name} combined`)!];
        const withheld = Math.round((100 * now.withheld) / now.sets);
        if (now.sets - now.withheld < FEWEST_SHOWN * now.sets) return `withheld(${withheld})`;
        return `${percent(coverage(before))}→${percent(coverage(now))}(${withheld})`;
      });
      console.log(`|${about}|${cases}|${cells.join('|')}|`);
    }
}

const CASES = [10, 20, 30, 50, 100, 300];
const HEAD = `${CASES.map((n) => `n ${n}`).join('|')}|`;

/** The largest share of wrong passes of all measures: percentile→studentised. */
function worstPasses(tallies: Tallies): string {
  const worst = (method: string): number =>
    Math.max(...GATED.map((name) => tallies.get(`${name} ${method}`)!).map(({ above, sets: all }) => above / all));
  return `${percent(worst('percentile'))}→${percent(worst('studentised'))}`;
}

async function floorTable(): Promise<void> {
  console.log(`|score|alike|${HEAD}\n|---:|---:|${'---:|'.repeat(CASES.length)}`);
  for (const alike of [2, 10])
    for (const score of [0.5, 0.8, 0.9, 0.95, 0.98]) {
      const cells: string[] = [];
      for (const n of CASES) cells.push(worstPasses(await floorTallies(scoredDocuments(score, alike), n, sets)));
      console.log(`|${score}|${alike}|${cells.join('|')}|`);
    }
}

async function marginTable(): Promise<void> {
  const lost = 0.02;
  console.log(`|score|redrawn|${HEAD}\n|---:|---:|${'---:|'.repeat(CASES.length)}`);
  for (const redrawn of [0.1, 1])
    for (const score of [0.8, 0.9, 0.95, 0.98]) {
      const cells: string[] = [];
      for (const n of CASES) cells.push(worstPasses(await marginTallies({ score, alike: 10, lost, redrawn }, n, sets)));
      console.log(`|${score}|${redrawn}|${cells.join('|')}|`);
    }
}

async function ceilingTable(): Promise<void> {
  console.log(`|numbers|ceiling on|${HEAD}\n|---:|---:|${'---:|'.repeat(CASES.length)}`);
  for (const numbers of [1, 5]) {
    const all: Tallies[] = [];
    for (const n of CASES) all.push(await ceilingTallies(numbers, n, sets));
    for (const name of Object.keys(CEILINGS)) {
      const cells = all.map((tallies) => {
        const [before, now] = [tallies.get(`${name} percentile`)!, tallies.get(`${name} studentised`)!];
        const withheld = Math.round((100 * now.withheld) / sets);
        return `${percent(before.below / sets)}→${percent(now.below / sets)}${withheld === 0 ? '' : `(${withheld})`}`;
      });
      console.log(`|${numbers}|${name}|${cells.join('|')}|`);
    }
  }
}

const TABLES = { macro: macroTable, floor: floorTable, margin: marginTable, ceiling: ceilingTable };
for (const [name, table] of Object.entries(TABLES))
  if (values.only === undefined || values.only === name) {
    console.log(`\n${name}, ${sets} data sets a cell\n`);
    await table();
  }
