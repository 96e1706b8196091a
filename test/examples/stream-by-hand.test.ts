import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { beforeAll, describe, expect, it } from 'vitest';

import { assay, ROOT } from '../cli/run-assay.ts';
import { keptFolder } from './kept-folder.ts';
import { runHere } from './run-here.ts';
import { caseMeasures, type LoggedRecord, records, traceConcepts } from './stream-files.ts';

const folder = keptFolder();
const at = (name: string): string => join(folder, name);

describe('the conversation by hand in docs/tasks/stream.md', () => {
  const codes: (number | null)[] = [];

  beforeAll(async () => {
    const page = readFileSync(join(ROOT, 'docs/tasks/stream.md'), 'utf8');
    const events = /File `tiny\.events\.jsonl`:\n\n```json\n([^`]+)```/.exec(page)?.[1] ?? '';
    writeFileSync(at('tiny.events.jsonl'), events);
    const recorded = assay(['stream', 'record', '--case', 'tiny', '--out', at('traces')], { input: events });
    codes.push(recorded.code);
    const common = ['--traces', at('traces'), '--quiet'];
    const gate = ['--variants', 'V2', '--set', 'minWords=5', '--set', 'maxWords=10'];
    for (const args of [
      ['replay', ...gate, '--model', 'heuristic', '--out', at('runs')],
      ['measure', '--runs', at('runs'), '--out', at('measures')],
      ['measure', '--runs', at('runs'), '--out', at('published'), '--as-published'],
    ])
      codes.push(await runHere(['stream', ...args, ...common]));
  });

  it('flushes as the table says', () => {
    expect(codes).toEqual([0, 0, 0, 0]);
    const flushes = records<LoggedRecord>(at('runs/V2/tiny.run.jsonl.gz'))
      .filter(({ record_type: type }) => type === 'tokengate_flush')
      .map((flush) => [flush.start_seq, flush.end_seq, flush.trigger_reason]);
    expect(flushes).toEqual([
      [1, 2, 'boundary_cue'],
      [3, 3, 'silence_timer'],
      [10, 11, 'max_words'],
      [12, 12, 'boundary_cue'],
      [4, 4, 'end_of_trace'],
    ]);
  });

  it('measures as the table says', async () => {
    // Fever, dry cough, chest X-ray, pneumonia, asthma, amoxicillin.
    expect((await traceConcepts(at('measures/V2'), 'tiny')).sort()).toEqual([
      'C0002645',
      'C0004096',
      'C0015967',
      'C0032285',
      'C0039985',
      'C0850149',
    ]);
    expect(caseMeasures(at('measures/V2'), 'tiny')).toMatchObject({
      summary_ctu: 21 + 17 + 25 + 19 + 18,
      compression_ratio: 1 - 100 / 42,
      trace_coverage: 4 / 6,
      unsupported_in_window: 0,
      redundancy: 0,
      flush_interval_ms: (100 + 2700 + 100) / 3,
    });
  });

  it('loses a shredded word with the other join', async () => {
    expect(await traceConcepts(at('published/V2'), 'tiny')).not.toContain('C0032285');
    expect(caseMeasures(at('published/V2'), 'tiny')).toMatchObject({ trace_coverage: 4 / 5 });
  });
});
