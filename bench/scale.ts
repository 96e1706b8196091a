/**
 * What scoring in shards costs on this machine, and what follows for 10 million documents on 64 shards:
 * `node tools/runtime/run.js bench/scale.ts [DOCUMENTS]`. Two sizes are measured, the second three times the first (default:
 * 100,000), to tell apart what a command needs for each document and what it needs anyway. docs/scale.md shows the figures,
 * and a test works out the estimate from them again.
 */
import { mkdirSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { writeCorpus } from './corpus.ts';
import { runNode, type Usage } from './fresh-process.ts';
import { estimateScoring, type ScoringCosts } from './scale-model.ts';

const BIN = fileURLToPath(new URL('../bin/assay.js', import.meta.url));

/** Few, so that a shard is about as large as one of 64 of 10 million: what a merge takes depends on that. */
const SHARDS = 2;
/** Full pages that report.html holds at most. */
const MOST_PAGES = 192 * 2 ** 20;

interface Measured {
  readonly documents: number;
  readonly bytes: number;
  readonly reportBytes: number;
  readonly one: Usage;
  readonly hashing: Usage;
  readonly merged: Usage;
  readonly plain: Usage;
}

function measureSize(folder: string, documents: number): Measured {
  mkdirSync(folder);
  const file = join(folder, 'documents.jsonl');
  writeCorpus(file, documents);
  const assay = (...args: readonly string[]): Usage => runNode([BIN, ...args, '--quiet'], folder);
  const score = (...args: readonly string[]): Usage => assay('score', 'pii/strict', '--cases', file, ...args);
  const merge = (...args: readonly string[]): Usage => {
    const parts = Array.from({ length: SHARDS }, (_, at) => `parts/${at + 1}`);
    for (const [at, out] of parts.entries()) score('--shard', `${at + 1}/${SHARDS}`, '--out', out, ...args);
    return assay('merge', ...parts, '--out', 'merged');
  };
  const one = score('--out', 'one');
  const reportBytes = statSync(join(folder, 'one/report.html')).size;
  return {
    documents,
    bytes: statSync(file).size,
    reportBytes,
    one,
    // One of so many shards has next to no document: it starts and hashes.
    hashing: score('--shard', '50000/100000', '--out', 'hashing'),
    merged: merge(),
    plain: merge('--no-report'),
  };
}

function costsOf(small: Measured, large: Measured): ScoringCosts {
  const documents = large.documents - small.documents;
  const bytes = large.bytes - small.bytes;
  const slope = (of: (measured: Measured) => number): number => (of(large) - of(small)) / documents;
  const hashBytesPerSecond = bytes / (large.hashing.cpu - small.hashing.cpu);
  const documentBytes = large.bytes / large.documents;
  const mergeMicroseconds = 1e6 * slope(({ plain }) => plain.cpu);
  const mergeBytes = 2 ** 20 * slope(({ plain }) => plain.peakMiB);
  return {
    startSeconds: Math.max(0, small.hashing.cpu - small.bytes / hashBytesPerSecond),
    documentBytes,
    hashBytesPerSecond,
    scoreMicroseconds: 1e6 * (slope(({ one }) => one.cpu) - documentBytes / hashBytesPerSecond),
    mergeMicroseconds,
    mergePagesSeconds: (large.merged.cpu - large.plain.cpu) * (MOST_PAGES / large.reportBytes),
    mergeBytes,
    mergeFixedBytes: large.plain.peakMiB * 2 ** 20 - large.documents * mergeBytes,
  };
}

const folder = mkdtempSync(join(tmpdir(), 'assay-bench-scale-'));
try {
  const first = Number(process.argv[2] ?? 100_000);
  const sizes = [first, 3 * first].map((documents) => measureSize(join(folder, String(documents)), documents));
  for (const { documents, one, hashing, merged, plain } of sizes)
    for (const [name, { cpu, wall, peakMiB }] of Object.entries({ one, hashing, merged, plain }))
      console.log(`${documents} ${name}: ${cpu.toFixed(2)} s CPU, ${wall.toFixed(2)} s, ${peakMiB.toFixed(0)} MiB`);
  const costs = costsOf(sizes[0]!, sizes[1]!);
  console.log(costs);
  for (const shards of [1, 16, 64, 256]) console.log(shards, estimateScoring(costs, 10_000_000, shards));
} finally {
  rmSync(folder, { recursive: true, force: true });
}
