import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { memorySource, validate } from 'assay';
import {
  calibrateFromTraces,
  extractorFromSpec,
  generateFolder,
  measureStream,
  readTrace,
  readVariant,
  replayCase,
  recordedModel,
  ruleModel,
  validateFiles,
} from 'assay/stream';
import { afterAll, describe, expect, it } from 'vitest';

const EXAMPLE = join(import.meta.dirname, '../../examples/stream');
const out = mkdtempSync(join(tmpdir(), 'assay-library-'));
afterAll(() => rmSync(out, { recursive: true, force: true }));

/** The figures are those of the example's README, which its own tests work out by hand. */
describe('streams from the library', () => {
  it('validates files and hands on what is wrong', async () => {
    const found: unknown[] = [];
    const { problems } = await validateFiles({ paths: [EXAMPLE], report: (finding) => void found.push(finding) });
    expect([problems, found]).toEqual([0, []]);
  });

  it('replays a trace by recorded answers', async () => {
    const trace = await readTrace(join(EXAMPLE, 'traces/case-02.trace.jsonl.gz'));
    const model = recordedModel(join(EXAMPLE, 'answers'));
    const { summaries } = await replayCase(trace, readVariant('V2', null), model);
    expect(summaries.length).toBe(7);
    expect(model.counts).toMatchObject({ missing: 0, otherText: 0 });
  });

  it('measures run logs into run folders', async () => {
    const [v2] = await measureStream({
      traces: join(EXAMPLE, 'traces'),
      runs: join(EXAMPLE, 'answers'),
      variants: ['V2'],
      extractor: await extractorFromSpec('vocabulary'),
      out,
    });
    const coverage = v2?.cases.find(({ given }) => given.id === 'case-02')?.result.measures['trace_coverage'];
    expect(coverage).toBe(31 / 45);
  });

  it('works out the chunk of V3 from traces alone', async () => {
    const { cases } = await calibrateFromTraces(join(EXAMPLE, 'traces'), readVariant('V0', null));
    expect(cases.length).toBe(5);
  });

  it('generates traces that can be read', async () => {
    const folder = join(out, 'generated');
    const { made } = await generateFolder({
      cases: [{ id: 'case-a', text: 'A cough for a week. No fever.' }],
      settings: {
        roles: ['internal medicine'],
        maxRounds: 1,
        maxTurns: null,
        terminationWord: 'TERMINATE',
        roundNotes: false,
        closingSummary: false,
      },
      model: ruleModel(1, 'TERMINATE'),
      out: folder,
      masRunId: 'mas_test',
      provenance: {},
      force: false,
      stopAtFailure: true,
      concurrency: 1,
      failureOf: () => null,
    });
    expect(made.map(({ caseId, turns }) => [caseId, turns])).toEqual([['case-a', 2]]);
    const { deltas } = await readTrace(join(folder, 'case-a.trace.jsonl.gz'));
    expect(new Set(deltas.map((delta) => delta.agent_id))).toEqual(new Set(['doctor0', 'supervisor']));
  });
});

it('files are checked from the library, without a score', async () => {
  const record = { id: 'a', text: 'Ann', gold: [], predicted: [{ start: 0, end: 9, label: 'PERSON' }] };
  const cases = memorySource('a.jsonl', `${JSON.stringify(record)}\n`);
  const { problems } = await validate('pii/strict', { cases });
  expect(problems.shown.map(({ file, line }) => [file, line])).toEqual([['a.jsonl', 1]]);
});
