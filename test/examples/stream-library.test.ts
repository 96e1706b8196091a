import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import {
  calibrateFromTraces,
  extractorFromSpec,
  measureStream,
  readTrace,
  readVariant,
  replayCase,
  recordedModel,
  validateFiles,
} from 'assay';
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
});
