/**
 * What replaying traces costs against the least that any program must do with them: unpack, split, JSON.parse. And what
 * a sweep over 625 gate policies costs against single replays. The ways of working take turns in one process, medians of
 * several rounds after a warm-up. On the reference traces where they are, else on traces made here. `npm run bench` runs
 * it last.
 */
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';

import { readByCase } from '../src/stream/calibrate/flush-sizes.ts';
import { readGrid } from '../src/stream/calibrate/sweep-grid.ts';
import { sweepCaseOf, sweepPolicies } from '../src/stream/calibrate/sweep.ts';
import { readTrace, traceFiles } from '../src/stream/read-trace.ts';
import type { StreamModel } from '../src/stream/replay/model.ts';
import { replayCase } from '../src/stream/replay/replay-case.ts';
import { SUMMARY_LIMITS } from '../src/stream/replay/summary-answer.ts';
import { USUAL_GATE } from '../src/stream/replay/token-gate.ts';
import type { Variant } from '../src/stream/replay/variant.ts';
import { writeTraces } from './traces.ts';

const ROUNDS = 15;
const SWEEPS = 5;
const WARM_UP = 5;
/** The marks: how many plain loops a replay may cost, and how many replays a sweep. */
const MOST_LOOPS = 2;
const MOST_REPLAYS = 60;
const REFERENCE = join(import.meta.dirname, '../../shared/reference/stream/traces');

const GATE_ONLY: Variant = {
  id: 'gate',
  name: 'gate only',
  policy: 'full',
  trigger: { kind: 'gate', gate: USUAL_GATE },
  bufferAgent: null,
  summarizer: false,
  summarizeTail: false,
  historyK: 3,
  limits: SUMMARY_LIMITS,
};

const NOBODY: StreamModel = {
  id: 'nobody',
  kind: 'heuristic',
  note: null,
  decide: () => Promise.reject(new Error('a gate alone asks nobody')),
  summarize: () => Promise.reject(new Error('a gate alone asks nobody')),
};

/** The least: bytes, unpacked, as lines, each parsed. */
function plainLoop(files: readonly string[]): number {
  let deltas = 0;
  for (const file of files)
    for (const line of gunzipSync(readFileSync(file)).toString('utf8').split('\n'))
      if (line !== '' && isDelta(JSON.parse(line))) deltas += 1;
  return deltas;
}

function isDelta(value: unknown): boolean {
  return typeof value === 'object' && value !== null && 'record_type' in value && value.record_type === 'stream_delta';
}

/** Reading, checking, the gate, the texts of its flushes with their hashes, the records of the log. */
async function replay(files: readonly string[]): Promise<number> {
  let flushes = 0;
  for (const file of files) flushes += (await replayCase(await readTrace(file), GATE_ONLY, NOBODY)).flushes.length;
  return flushes;
}

/** From the files to the choice; `resamples` 0 leaves out how sure it is. */
async function sweep(folder: string, resamples: number): Promise<number> {
  const { grid } = await readGrid(null, [`selection.resamples=${resamples}`]);
  return (await sweepPolicies(await readByCase(folder, sweepCaseOf), grid)).policies.length;
}

async function milliseconds(work: () => unknown): Promise<number> {
  const started = performance.now();
  await work();
  return performance.now() - started;
}

function median(times: readonly number[]): number {
  return times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)]!;
}

async function bench(folder: string): Promise<void> {
  const files = traceFiles(folder);
  const deltas = plainLoop(files);
  const flushes = await replay(files);
  const policies = await sweep(folder, 0);
  if (deltas === 0 || flushes === 0) throw new Error('the traces are empty');
  const times = { plain: [0], replay: [0], sweep: [0], sure: [0] };
  for (const own of Object.values(times)) own.pop();
  for (let round = -WARM_UP; round < ROUNDS; round += 1) {
    const taken = [await milliseconds(() => plainLoop(files)), await milliseconds(() => replay(files))] as const;
    if (round < 0) continue;
    times.plain.push(taken[0]);
    times.replay.push(taken[1]);
    if (round >= SWEEPS) continue;
    times.sweep.push(await milliseconds(() => sweep(folder, 0)));
    times.sure.push(await milliseconds(() => sweep(folder, 1000)));
  }
  const [plain, once] = [median(times.plain), median(times.replay)];
  const line = (name: string, taken: number): void => {
    const cells = [`${taken.toFixed(0)} ms`, (taken / plain).toFixed(2), (taken / once).toFixed(2)];
    console.log(name.padEnd(44) + cells.map((cell) => cell.padStart(11)).join(''));
  };
  console.log(
    `${files.length} traces, ${deltas} deltas, ${flushes} flushes, one thread, Node ${process.version}${folder === REFERENCE ? '' : ' (made-up traces)'}\n`,
  );
  console.log(`${'way of working'.padEnd(44)}       time    x plain   x replay`);
  line('plain loop: gunzip, split, JSON.parse', plain);
  line('replay through a gate, flushes logged', once);
  line(`sweep of ${policies} policies`, median(times.sweep));
  line(`sweep of ${policies} policies, choice resampled`, median(times.sure));
  kept(`a replay costs at most ${MOST_LOOPS} plain loops`, once / plain <= MOST_LOOPS);
  kept(`a sweep costs less than ${MOST_REPLAYS} replays`, median(times.sure) / once < MOST_REPLAYS);
}

function kept(mark: string, isKept: boolean): void {
  console.log(`\n${mark}: ${isKept ? 'kept' : 'MISSED'}`);
  if (!isKept) process.exitCode = 1;
}

if (existsSync(REFERENCE)) await bench(REFERENCE);
else {
  const temporary = mkdtempSync(join(existsSync('/dev/shm') ? '/dev/shm' : tmpdir(), 'assay-bench-'));
  try {
    writeTraces(temporary, 8);
    await bench(temporary);
  } finally {
    rmSync(temporary, { recursive: true, force: true });
  }
}
