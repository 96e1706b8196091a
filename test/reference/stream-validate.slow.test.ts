import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { gunzipSync } from 'node:zlib';

import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';

import { readManifest } from '../../src/stream/manifest.ts';
import { STREAM_INPUTS } from '../../src/stream/record-shapes.ts';
import type { FileFinding } from '../../src/stream/validate/findings.ts';
import { validateFiles } from '../../src/stream/validate/validate.ts';
import { noReference, referencePath } from './reference-data.ts';

const FOLDER = referencePath('stream');
const OVERLAPPING = 'traces_overlapping';
const MANIFEST = 'manifests/exaid_traces_1d5b227a_0ad5f2b4_d22060bf.manifest.jsonl';

async function validate(paths: readonly string[], complete = false) {
  const found: FileFinding[] = [];
  const result = await validateFiles({ paths, complete, report: (finding) => void found.push(finding) });
  return { ...result, found };
}

function records(file: string): unknown[] {
  const bytes = readFileSync(file);
  return (file.endsWith('.gz') ? gunzipSync(bytes) : bytes)
    .toString('utf8')
    .trimEnd()
    .split('\n')
    .map((line): unknown => JSON.parse(line));
}

/** As `assay schema` prints it. */
function validator(name: string): ValidateFunction {
  const schema = z.toJSONSchema(STREAM_INPUTS[name]!.schema, {
    target: 'draft-2020-12',
    io: 'input',
    unrepresentable: 'any',
  });
  return new Ajv2020({ strict: false, formats: { 'date-time': true } }).compile(schema);
}

describe.skipIf(noReference)('the reference folder', () => {
  it('is found without fault, and what is unusual in it is counted', async () => {
    const { found, parsing, traces, others, ...result } = await validate([FOLDER]);
    expect(found).toEqual([]);
    expect([traces.length, others.length]).toEqual([12, 42]);
    // No delta of these traces has a subtype, and every agent speaks.
    expect(parsing).toEqual({
      included_message_chunks: 51_693,
      excluded_orchestrator_summary: 0,
      excluded_system_note: 0,
      excluded_other_subtype: 0,
      excluded_by_agent: 0,
      missing_event_subtype: 51_693,
    });
    expect(result).toEqual({
      // 12 + 412 + 51,693 records of traces; 816 + 72 + 750 + 520 + 836 of run logs; 43 of the manifest; 40 cases.
      files: { trace: 12, 'run-log': 40, manifest: 1, 'case-list': 1, metrics: 0, other: 22, unknown: 0 },
      records: 55_194,
      problems: 0,
      checks: {},
      notices: {
        'case-named-after-file': 40,
        // Every summary of V1.
        'fallback-timestamp': 64,
        'hash-of-packed-trace': 40,
        'late-delta': 1,
        'overlapping-turns': 17,
        'reversed-window': 26,
        // 12 of the 40 traces are there.
        'trace-not-at-hand': 28,
      },
      noticePlaces: { 'late-delta': expect.any(Array), 'overlapping-turns': expect.any(Array) },
    });
  });

  it('has four traces whose agents overlap by a delta, each with its place', async () => {
    const { found, traces, noticePlaces } = await validate([join(FOLDER, OVERLAPPING)]);
    expect(found).toEqual([]);
    expect(traces.map(({ turns, deltas }) => [turns, deltas])).toEqual([
      [14, 3875],
      [16, 3864],
      [24, 6224],
      [20, 4008],
    ]);
    const places = (kind: 'late-delta' | 'overlapping-turns'): string[] =>
      (noticePlaces[kind] ?? []).map(({ file, record }) => `${basename(file, '.trace.jsonl.gz')}:${record}`);
    expect(places('late-delta')).toEqual(['case-36837600:2833']);
    expect(places('overlapping-turns')).toEqual([
      'case-34989141:3533',
      'case-36467484:4',
      'case-36467484:2274',
      'case-36837600:1741',
      'case-36837600:3951',
      'case-38327417:2131',
    ]);
  });

  it('lacks 28 of the traces that its manifest lists', async () => {
    const { found } = await validate([FOLDER], true);
    expect(found).toHaveLength(28);
    expect(new Set(found.map(({ check }) => check))).toEqual(new Set(['missing']));
  });

  it('has a manifest whose hash of the set comes out', async () => {
    const { provenance, entries, summary } = await readManifest(join(FOLDER, MANIFEST));
    expect(provenance.trace_dataset_hash).toMatch(/^sha256:c173b1f8/);
    expect(entries).toHaveLength(40);
    expect(summary).toMatchObject({ total_cases: 40, total_deltas: 170_353, total_turns: 699 });
  });

  it('is as the published schemas say', () => {
    const shapes = { trace: validator('trace'), runLog: validator('run-log'), manifest: validator('stream-manifest') };
    const folders = ['traces', OVERLAPPING, ...['V0', 'V1', 'V2', 'V3', 'V4'].map((variant) => `runs/${variant}`)];
    let checked = 0;
    for (const folder of folders)
      for (const name of readdirSync(join(FOLDER, folder))) {
        const shape = folder.startsWith('traces') ? shapes.trace : shapes.runLog;
        for (const record of records(join(FOLDER, folder, name))) {
          expect(shape(record) || shape.errors).toBe(true);
          checked += 1;
        }
      }
    for (const record of records(join(FOLDER, MANIFEST)))
      expect(shapes.manifest(record) || shapes.manifest.errors).toBe(true);
    expect(checked).toBe(33_994 + 18_123 + 2994);
  });
});
