import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';

import { Ajv2020, type ErrorObject } from 'ajv/dist/2020.js';
import { beforeAll, describe, expect, it } from 'vitest';

import { assay, temporaryFolder } from '../cli/run-assay.ts';
import { filesBelow, jsonLines } from '../examples/stream-files.ts';
import { keptFolder } from '../examples/kept-folder.ts';
import { runHere } from '../examples/run-here.ts';
import { noReference, referenceJson, referencePath } from './reference-data.ts';

const EXAMPLE = join(import.meta.dirname, '../../examples/stream');

type LogRecord = Readonly<Record<string, unknown>> & { readonly record_type: string };

/** What a published schema says against a record. */
function published(kind: 'run' | 'metrics' | 'trace' | 'manifest' = 'run'): (record: LogRecord) => string[] {
  const schema = referenceJson(`stream/schemas/exaid.${kind}.schema.json`) as { $id: string; $defs: object };
  // A date-time is a string here: its form is checked by our own schema.
  const ajv = new Ajv2020({ allErrors: true, strict: false, validateFormats: false });
  const whole = ajv.compile(schema);
  return (record) => {
    const fits: boolean = whole({ ...record });
    if (fits) return [];
    const own = ajv.getSchema(`${schema.$id}#/$defs/${record.record_type}`);
    const isRight = own?.(record) === true;
    const errors: ErrorObject[] = (isRight ? whole.errors : own?.errors) ?? [];
    return errors.map(({ instancePath, message }) => `${record.record_type}${instancePath}: ${message ?? ''}`);
  };
}

function recordsOf(folder: string): LogRecord[] {
  const logs = filesBelow(folder).filter((file) => file.endsWith('.jsonl.gz'));
  return logs.flatMap((file) => jsonLines<LogRecord>(gunzipSync(readFileSync(join(folder, file))).toString('utf8')));
}

const CONFIG = ['--config', referencePath('stream/configs')];
const VARIANTS = ['V0', 'V1', 'V2', 'V3', 'V4'];

describe.skipIf(noReference)('the published schema of run logs', () => {
  const out = keptFolder();
  const replays: Readonly<Record<string, readonly string[]>> = {
    recorded: ['--traces', referencePath('stream/traces'), '--model', `recorded:${referencePath('stream/runs')}`],
    configured: ['--traces', referencePath('stream/traces'), '--model', 'heuristic', ...CONFIG],
    example: ['--traces', join(EXAMPLE, 'traces'), '--model', `recorded:${join(EXAMPLE, 'answers')}`],
    heuristic: ['--traces', join(EXAMPLE, 'traces'), '--model', 'heuristic'],
  };

  beforeAll(async () => {
    // Forced, because eight of the forty traces that the manifest lists are at hand.
    for (const [name, flags] of Object.entries(replays)) {
      const code = await runHere(['stream', 'replay', ...flags, '--out', join(out, name), '--quiet', '--force']);
      if (code !== 0) throw new Error(`the replay ${name} ended with ${code}`);
    }
  }, 300_000);

  it.each([
    ['recorded', 40],
    ['configured', 40],
    ['example', 25],
    ['heuristic', 25],
  ])('holds for every record, %s', (name, logs) => {
    const records = recordsOf(join(out, name));
    const others = ['stoplists'];
    expect(readdirSync(join(out, name)).filter((file) => !others.includes(file))).toEqual(VARIANTS);
    expect(records.filter(({ record_type: type }) => type === 'run_meta')).toHaveLength(logs);
    expect(new Set(records.flatMap(published()))).toEqual(new Set());
  });

  it('holds for the answers that ship with the example', () => {
    const records = recordsOf(join(EXAMPLE, 'answers'));
    expect(records.filter(({ record_type: type }) => type === 'run_meta')).toHaveLength(25);
    expect(new Set(records.flatMap(published()))).toEqual(new Set());
  });

  it('does not hold for the published logs themselves, whose cases are called by their files and whose failed calls have nulls', () => {
    const faults = new Set(recordsOf(referencePath('stream/runs')).flatMap(published()));
    expect([...faults].filter((fault) => !fault.includes('_id'))).toEqual([
      'buffer_decision/filter_results/completeness_passed: must be boolean',
      'buffer_decision/filter_results/value_passed: must be boolean',
    ]);
    expect(faults).toContain('run_meta/case_id: must match pattern "^case-[a-zA-Z0-9-]+$"');
  });
});

describe.skipIf(noReference)('the published schema of metric files', () => {
  it('holds for the records of every case, and for the aggregate', async () => {
    const out = keptFolder();
    const files = ['--traces', join(EXAMPLE, 'traces'), '--runs', join(EXAMPLE, 'answers')];
    expect(
      await runHere(['stream', 'measure', ...files, '--set', 'interval.resamples=100', '--out', out, '--quiet']),
    ).toBe(0);
    const cases = jsonLines<LogRecord>(readFileSync(join(out, 'per_case.metrics.jsonl'), 'utf8'));
    expect(cases).toHaveLength(25);
    expect(new Set(cases.flatMap(published('metrics')))).toEqual(new Set());
    const aggregate = JSON.parse(readFileSync(join(out, 'aggregate.metrics.json'), 'utf8')) as LogRecord;
    expect(published('metrics')(aggregate)).toEqual([]);
    // The start of the latest conversation, whenever the command is run.
    expect(aggregate['computed_at']).toBe('2026-03-04T08:15:00.000Z');
  });
});

describe.skipIf(noReference)('the published schemas of traces and manifests', () => {
  const faultsOf = (folder: string): ReadonlySet<string> => {
    const [ofTrace, ofManifest] = [published('trace'), published('manifest')];
    const files = readdirSync(folder);
    const manifests = files.filter((file) => file.endsWith('.manifest.jsonl'));
    expect(manifests).toHaveLength(1);
    return new Set([
      ...files
        .filter((file) => file.endsWith('.gz'))
        .flatMap((file) => traceRecords(join(folder, file)).flatMap(ofTrace)),
      ...jsonLines<LogRecord>(readFileSync(join(folder, manifests[0]!), 'utf8')).flatMap(ofManifest),
    ]);
  };
  const traceRecords = (file: string): LogRecord[] => jsonLines(gunzipSync(readFileSync(file)).toString('utf8'));
  const EVENTS = ['Fever and', ' dry cough.'].map(
    (text, at) => `${JSON.stringify({ agent: 'doctor0', text, time: 1_767_225_600_000 + at })}\n`,
  );
  // mac.commit of the configuration.
  const COMMIT = '1d5b227afa64fe3dd5eb7b7c0ef778a09501b220';

  it.each([
    ['times of its own', EVENTS],
    ['a virtual clock', EVENTS.map((line) => line.replace(/,"time":\d+/, ''))],
  ])('hold for a recorded set with %s, whose facts are given', (_, events) => {
    const cwd = temporaryFolder();
    const facts = ['--run-id', 'mas_agents', '--model', 'gpt-4o-mini', '--mac-commit', COMMIT];
    const input = events.join('');
    expect(assay(['stream', 'record', '--case', 'case-1', '--out', 'traces', ...facts], { cwd, input }).code).toBe(0);
    const freeze = ['stream', 'freeze', 'traces', '--config', referencePath('stream/configs')];
    expect(assay(freeze, { cwd })).toMatchObject({ code: 0, stderr: '' });
    expect(faultsOf(join(cwd, 'traces'))).toEqual(new Set());
    expect(assay(['stream', 'validate', 'traces', '--complete'], { cwd }).code).toBe(0);
  });

  it('name what nobody stated for a recorded set', () => {
    const cwd = temporaryFolder();
    const record = ['stream', 'record', '--case', 'case-1', '--out', 'traces'];
    expect(assay(record, { cwd, input: EVENTS.join('') }).code).toBe(0);
    expect(assay(['stream', 'freeze', 'traces'], { cwd }).code).toBe(0);
    expect(faultsOf(join(cwd, 'traces'))).toEqual(
      new Set([
        ...['mas_run_id', 'mac_commit', 'model'].map((name) => `trace_meta: must have required property '${name}'`),
        ...['mac_fork_url', 'mac_commit', 'model', 'decoding', 'config_hash'].map(
          (name) => `provenance: must have required property '${name}'`,
        ),
      ]),
    );
  });

  it('hold for a generated set, notes and closing summary included', async () => {
    const out = keptFolder();
    const config = join(EXAMPLE, 'generate');
    expect(
      await runHere(['stream', 'generate', '--config', config, '--model', 'scripted', '--out', out, '--quiet']),
    ).toBe(0);
    expect(faultsOf(out)).toEqual(new Set());
  });
});
