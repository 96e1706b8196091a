/** Whole commands beside `assay score`: sweeps, gates over recorded conversations, experiments over recorded answers. */
import { cpSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import type { BenchSetting } from './bench.ts';
import { writeCorpus } from './corpus.ts';
import { runNode } from './fresh-process.ts';
import { atMost, type Command, type Findings, measureInTurns } from './in-turns.ts';
import { writeRecorded } from './recorded-items.ts';
import { score } from './score-commands.ts';
import { writeTraces } from './traces.ts';

const TRACES_LOOP = join(import.meta.dirname, 'scripts/traces-loop.mjs');

/** 81 thresholds over the same file, against one score of it. */
export function measureSweep(setting: BenchSetting): Findings {
  const { bin, folder, documents, rounds } = setting;
  const cases = join(folder, 'cases.jsonl');
  writeCorpus(cases, Math.ceil(documents / 10));
  const names = { score: 'score pii/iou --set interval=off', sweep: 'sweep pii/iou, 81 thresholds --set interval=off' };
  const flags = ['--cases', cases, '--set', 'interval=off'];
  const measured = measureInTurns(
    [
      { name: names.score, run: () => score(setting, 'pii/iou')(cases, '--set', 'interval=off') },
      {
        name: names.sweep,
        run: () => runNode([bin, 'sweep', 'pii/iou', '--over', 'pair.threshold=0.10..0.90', ...flags]),
      },
    ],
    rounds,
  );
  const times = measured.get(names.sweep)!.cpu / measured.get(names.score)!.cpu;
  return { measured: [...measured.values()], marks: [atMost('a sweep of 81 thresholds: CPU / one score', times, 40)] };
}

/** Recorded conversations through a gate, and through 625 gates, against reading them. */
export function measureGates({ bin, folder, rounds }: BenchSetting): Findings {
  const traces = join(folder, 'traces');
  mkdirSync(traces);
  writeTraces(traces, 64);
  const names = {
    plain: 'plain loop: gunzip, split, JSON.parse',
    gate: 'stream calibrate --traces FOLDER',
    sweep: 'stream calibrate --traces FOLDER --sweep',
  };
  const calibrate = [bin, 'stream', 'calibrate', '--traces', traces];
  const measured = measureInTurns(
    [
      { name: names.plain, run: () => runNode([TRACES_LOOP, traces]) },
      { name: names.gate, run: () => runNode(calibrate) },
      { name: names.sweep, run: () => runNode([...calibrate, '--sweep']) },
    ],
    rounds,
  );
  const { [names.plain]: plain, [names.gate]: gate, [names.sweep]: sweep } = Object.fromEntries(measured);
  return {
    measured: [...measured.values()],
    marks: [
      atMost('one gate: CPU / plain loop', gate!.cpu / plain!.cpu, 3.5),
      atMost('625 gates: CPU / one gate', sweep!.cpu / gate!.cpu, 60),
    ],
  };
}

/** Recorded answers from the frozen dataset to the scores in the local store. On a disk: every answer is synced to it. */
export function measureExperiments({ bin, documents, rounds }: BenchSetting): Findings {
  const folder = mkdtempSync(join(tmpdir(), 'assay-bench-'));
  try {
    const sizes = [documents, 4 * documents] as const;
    const commands = sizes.flatMap((size): Command[] => {
      const made = join(folder, `made-${size}`);
      const used = join(folder, `used-${size}`);
      mkdirSync(made);
      writeRecorded(made, size);
      const items = `${size.toLocaleString('en')} items`;
      return [
        {
          name: `dataset import, ${items}`,
          run: () => {
            rmSync(used, { recursive: true, force: true });
            cpSync(made, used, { recursive: true });
            return runNode([bin, 'dataset', 'import', 'bench', 'items.jsonl'], used);
          },
        },
        {
          name: `run --recipe graph/openspec, ${items}`,
          run: () => runNode([bin, 'run', '--dataset', 'bench', '--answers', 'answers.jsonl', ...RUN], used),
        },
      ];
    });
    const measured = [...measureInTurns(commands, Math.min(rounds, 3)).values()];
    const [, small, , large] = measured;
    return {
      measured,
      marks: [
        atMost('run: CPU a thousand items', (large!.cpu / sizes[1]) * 1000, 2, 's'),
        atMost('run, four times the items: peak memory', large!.peakMiB / small!.peakMiB, 1.5),
      ],
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const RUN = ['--recipe', 'graph/openspec', '--name', 'bench'];
