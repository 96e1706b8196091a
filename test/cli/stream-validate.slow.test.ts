import { mkdirSync } from 'node:fs';
import { join } from 'node:path';

import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';

import { STREAM_INPUTS } from '../../src/stream/record-shapes.ts';
import { CASE_LIST, madeUpLog, madeUpManifest, madeUpTrace, writeFiles } from '../stream/validate/made-up-files.ts';
import { assay } from './run-assay.ts';

const GOOD = {
  'traces/case-1.trace.jsonl.gz': madeUpTrace(),
  'traces/case-2.trace.jsonl.gz': madeUpTrace('case-2'),
  'traces/set.manifest.jsonl': madeUpManifest(),
  'traces/set.case_list.jsonl': CASE_LIST,
  'runs/V0/case-1.run.jsonl.gz': madeUpLog(),
};

function damaged(): typeof GOOD {
  const log = madeUpLog();
  log[11]!['summary_ctu'] = 17;
  log[12]!['event_id'] = 'case-1-V0-se-\u001b[2J';
  return { ...GOOD, 'runs/V0/case-1.run.jsonl.gz': log };
}

describe('assay stream validate', () => {
  it('says that nothing is wrong, and exits with 0', () => {
    const folder = writeFiles(GOOD);
    const done = assay(['stream', 'validate', '--traces', 'traces', '--runs', 'runs', '--complete'], { cwd: folder });
    expect(done).toEqual({
      code: 0,
      stdout:
        '✓ No problem in 43 records\n2 traces, 1 run log, 1 manifest, 1 case list\n\n' +
        'Chunks of the traces\n' +
        '  included_message_chunks        10\n' +
        '  excluded_orchestrator_summary   0\n' +
        '  excluded_system_note            0\n' +
        '  excluded_other_subtype          0\n' +
        '  excluded_by_agent               0\n' +
        '  missing_event_subtype          10\n\n' +
        '! 1 trace_file_hash is of the decompressed bytes of the trace\n',
      stderr: '',
    });
  });

  it('reports how the deltas of each trace were taken with --verbose, and of all of them always', () => {
    const trace = madeUpTrace();
    trace.find((record) => record['record_type'] === 'stream_delta')!['event_subtype'] = 'system_note';
    const folder = writeFiles({ 'case-1.trace.jsonl': trace, 'case-2.trace.jsonl': madeUpTrace('case-2') });
    const counts = (included: number, note: number): object => ({
      included_message_chunks: included,
      excluded_orchestrator_summary: 0,
      excluded_system_note: note,
      excluded_other_subtype: 0,
      excluded_by_agent: 0,
      missing_event_subtype: included,
    });
    const json = assay(['stream', 'validate', '.', '--json', '--quiet', '--verbose'], { cwd: folder });
    expect(JSON.parse(json.stdout)).toMatchObject({
      parsing_statistics: counts(9, 1),
      traces: [
        { file: 'case-1.trace.jsonl', case_id: 'case-1', deltas: 5, parsing_statistics: counts(4, 1) },
        { file: 'case-2.trace.jsonl', case_id: 'case-2', deltas: 5, parsing_statistics: counts(5, 0) },
      ],
    });
    const text = assay(['stream', 'validate', '.', '--verbose'], { cwd: folder });
    expect(text.stdout.replaceAll(/\s+/g, ' ')).toContain(
      'case-1.trace.jsonl: trace case-1, 2 turns, 5 deltas included_message_chunks 4, excluded_orchestrator_summary 0, excluded_system_note 1, ',
    );
  });

  it('passes folders that are there and empty, and says that nothing was checked', () => {
    const folder = writeFiles({ 'runs/V0/.gitkeep': [], 'other/notes.txt': [{ a: 1 }] });
    mkdirSync(join(folder, 'traces'));
    const validate = (...args: string[]) => assay(['stream', 'validate', ...args], { cwd: folder });
    expect(validate('--traces', 'traces', '--runs', 'runs')).toEqual({
      code: 0,
      stdout:
        '! Nothing was checked in 0 records\n0 traces, 0 run logs, 0 manifests\n\n! 2 folders are empty: nothing was checked there\n',
      stderr: '',
    });
    expect(validate('traces').code).toBe(0);
    expect(JSON.parse(validate('--traces', 'traces', '--json', '--quiet').stdout)).toMatchObject({
      valid: true,
      records: 0,
      notices: { 'empty-folder': 1 },
    });
    // What is not there, what holds other files, and what has to be complete.
    expect(validate('--traces', 'nowhere').code).toBe(2);
    expect(validate('--traces', 'other').stdout).toContain('other: found no trace, expected at least one');
    expect(validate('--traces', 'traces', '--complete').code).toBe(2);
  });

  it('has a line for each problem, and exits with 2', () => {
    const folder = writeFiles(damaged());
    const done = assay(['stream', 'validate', '.', '--quiet'], { cwd: folder });
    expect(done).toEqual({
      code: 2,
      stdout:
        'runs/V0/case-1.run.jsonl.gz:12: summary_ctu: found 17, expected 18, a quarter of the code points\n' +
        'runs/V0/case-1.run.jsonl.gz:13: event_id: found "case-1-V0-se-\\u001b[2J", expected "case-1-V0-se-001"\n',
      stderr: '',
    });
  });

  it('prints one JSON document, and the rest on standard error', () => {
    const folder = writeFiles(damaged());
    const done = assay(['stream', 'validate', folder, '--json'], { cwd: folder });
    expect(done.code).toBe(2);
    expect(done.stderr).toContain('✗ 2 problems');
    expect(done.stderr).toMatch(/^ {2}ctu +1 {2}units are a quarter of the code points, rounded up$/m);
    expect(JSON.parse(done.stdout)).toMatchObject({
      problems: [
        { record: 12, check: 'ctu', message: 'summary_ctu: found 17, expected 18, a quarter of the code points' },
        { record: 13, check: 'id' },
      ],
      valid: false,
      problemCount: 2,
      files: { trace: 2, 'run-log': 1, manifest: 1, 'case-list': 1, other: 0, unknown: 0 },
      records: 43,
      notices: { 'hash-of-unpacked-trace': 1 },
    });
    const good = assay(['stream', 'validate', join(folder, 'traces'), '--json', '--quiet']);
    expect([good.code, good.stderr]).toEqual([0, '']);
    expect(JSON.parse(good.stdout)).toMatchObject({ problems: [], valid: true, problemCount: 0 });
  });

  it('shows the first hundred problems of a file, and all of them as JSON', () => {
    const bad = Array.from({ length: 150 }, () => ({ record_type: 'stream_delta' }));
    const folder = writeFiles({
      'a.jsonl': [
        madeUpTrace()[0],
        ...bad.map((record) => ({ ...record, seq: 1, turn_id: 1, agent_id: 'a', t_rel_ms: 0 })),
      ],
    });
    const text = assay(['stream', 'validate', 'a.jsonl'], { cwd: folder });
    expect(text.stdout.split('\n').filter((line) => line.startsWith('a.jsonl:'))).toHaveLength(101);
    expect(text.stdout).toContain('a.jsonl: … and 50 more problems; --json shows all\n✗ 150 problems in 151 records\n');
    const json = JSON.parse(assay(['stream', 'validate', 'a.jsonl', '--json'], { cwd: folder }).stdout) as {
      problems: unknown[];
    };
    expect(json.problems).toHaveLength(150);
  });

  it('refuses what is not there', () => {
    const done = assay(['stream', 'validate', 'nowhere']);
    expect([done.code, done.stdout]).toEqual([2, '']);
    expect(done.stderr).toContain('nowhere: neither a file nor a folder');
  });

  it('tells of files that were named and are of another sort, and of folders without what they should hold', () => {
    const folder = writeFiles({ 'a.jsonl': '{"x":1}\n', 'traces/a.jsonl': madeUpTrace() });
    const done = assay(['stream', 'validate', 'a.jsonl', '--runs', 'traces', '--quiet'], { cwd: folder });
    expect([done.code, done.stdout]).toEqual([
      2,
      'traces: found no run log, expected at least one\na.jsonl: found records of another sort, expected one of trace, run log, manifest, case list, metric file\n',
    ]);
  });

  it('publishes the schemas that it checks by', () => {
    const printed = assay(['schema', 'trace']);
    expect(JSON.parse(printed.stdout)).toMatchObject({
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      title: 'assay trace',
    });
    for (const [name, good] of [
      ['trace', madeUpTrace()],
      ['run-log', madeUpLog()],
      ['stream-manifest', madeUpManifest()],
      ['stream-event', [{ agent: 'a', text: 'b', time: null }]],
    ] as const) {
      const { schema } = STREAM_INPUTS[name]!;
      const json = z.toJSONSchema(schema, { target: 'draft-2020-12', io: 'input', unrepresentable: 'any' });
      const validate = new Ajv2020({ strict: false, formats: { 'date-time': true } }).compile(json);
      for (const record of good) expect(validate(record) || validate.errors).toBe(true);
      expect([{}, { record_type: 'other' }, [], null].filter((record) => validate(record))).toEqual([]);
    }
  });
});
