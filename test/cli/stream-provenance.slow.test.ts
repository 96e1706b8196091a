import { cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';

import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';

import { runHere } from '../examples/run-here.ts';
import { noReference, referenceJson } from '../reference/reference-data.ts';
import { assay, example, temporaryFolder } from './run-assay.ts';

const ANSWERS = `recorded:${example('stream/answers')}`;

function replayArgs(traces: string, out: string, more: readonly string[] = []): string[] {
  return ['stream', 'replay', '--traces', traces, '--variants', 'V0', '--model', ANSWERS, '--out', out, ...more];
}

function lines(log: string): string[] {
  return gunzipSync(readFileSync(log)).toString('utf8').trimEnd().split('\n');
}

function runMeta(log: string): Record<string, unknown> {
  const meta: Record<string, unknown> = JSON.parse(lines(log)[0]!);
  return meta;
}

/** The example's traces with their manifest, to be changed. */
function frozenTraces(): { readonly traces: string; readonly out: string } {
  const folder = temporaryFolder();
  cpSync(example('stream/traces'), join(folder, 'traces'), { recursive: true });
  return { traces: join(folder, 'traces'), out: join(folder, 'runs') };
}

describe('the first record of a run log', () => {
  it('states extractor and stoplists without any flag, and nothing else of the log changes with them', async () => {
    const { traces, out } = frozenTraces();
    const log = join(out, 'V0/case-01.run.jsonl.gz');
    expect(await runHere([...replayArgs(traces, out), '--quiet'])).toBe(0);
    const [before, ...rest] = lines(log);
    expect(JSON.parse(before!)).toMatchObject({
      concept_extractor: { name: 'vocabulary', configured_by: 'default', linker_kb_version: expect.any(String) },
      // The lists have no time of their own, so it is that of the log.
      stoplists_provenance: { configured: false, stoplists_generated_at: '2026-03-02T09:00:00.000Z' },
      created_at: '2026-03-02T09:00:00.000Z',
    });
    writeFileSync(join(traces, '../stop_cuis.txt'), 'C0030705\n');
    const again = [...replayArgs(traces, out, ['--stoplists', join(traces, '..')]), '--json', '--quiet'];
    const done = assay(again);
    // No case is replayed again: only what the logs state is.
    expect(JSON.parse(done.stdout)).toMatchObject({ variants: [{ cases: 5, kept: 5 }] });
    expect(runMeta(log)).toMatchObject({ concept_extractor: { stop_cuis_count: 1 } });
    expect(lines(log).slice(1)).toEqual(rest);
  });

  it.skipIf(noReference)('has both as the published schema wants them', async () => {
    const { traces, out } = frozenTraces();
    expect(await runHere([...replayArgs(traces, out), '--quiet'])).toBe(0);
    const schema = referenceJson('stream/schemas/exaid.run.schema.json') as {
      readonly $defs: { readonly run_meta: { readonly properties: Readonly<Record<string, object>> } };
    };
    const meta = runMeta(join(out, 'V0/case-01.run.jsonl.gz'));
    for (const field of ['concept_extractor', 'stoplists_provenance']) {
      const validate = new Ajv2020({
        strict: false,
        formats: { 'date-time': /^\d{4}-\d\d-\d\dT[\d:.]+(Z|[+-]\d\d:\d\d)$/ },
      });
      const isGood = validate.compile(schema.$defs.run_meta.properties[field]!);
      expect(isGood(meta[field]) || isGood.errors, field).toBe(true);
    }
  });
});

describe('replaying traces that differ from their manifest', () => {
  it('is refused before anything is written; with --force every log and the output state it', () => {
    const { traces, out } = frozenTraces();
    rmSync(join(traces, 'case-05.trace.jsonl.gz'));
    const refused = assay(replayArgs(traces, out));
    expect(refused).toMatchObject({ code: 2, stdout: '' });
    expect(refused.stderr).toContain('the traces are not as example.manifest.jsonl froze them: 1 missing (case-05)');
    expect(refused.stderr).toContain('--force');
    const forced = assay(replayArgs(traces, out, ['--force', '--json', '--quiet']));
    expect(forced.code).toBe(0);
    expect(JSON.parse(forced.stdout)).toMatchObject({
      notices: expect.arrayContaining([expect.stringContaining('1 missing (case-05); --force continued')]),
    });
    expect(runMeta(join(out, 'V0/case-01.run.jsonl.gz'))['manifest_differences']).toEqual({
      forced: true,
      manifest: 'example.manifest.jsonl',
      changed: 0,
      missing: 1,
      unlisted: 0,
      this_trace: 'as frozen',
    });
  });

  it('stream run refuses them too', () => {
    const { traces, out } = frozenTraces();
    rmSync(join(traces, 'case-05.trace.jsonl.gz'));
    const done = assay(['stream', 'run', '--traces', traces, '--variants', 'V0', '--model', ANSWERS, '--out', out]);
    expect(done.code).toBe(2);
    expect(done.stderr).toContain('1 missing (case-05)');
  });
});
