import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, it } from 'vitest';

import { timelineData } from '../../src/stream/report/timeline-data.ts';
import { timelineFigure } from '../../src/stream/report/timeline-figure.ts';
import { readRunLog } from '../../src/stream/read-run-log.ts';
import { readTrace } from '../../src/stream/read-trace.ts';
import { expectWellFormed } from '../report/svg/well-formed.ts';
import { noReference, referencePath } from './reference-data.ts';

interface Published {
  readonly case_id: string;
  readonly variant_id: string;
  readonly m1_update_count: number;
  readonly m9_buffer_decision_count: number;
  readonly m10_schema_failure_count: number;
  readonly flush_count: number;
}

const FOLDER = referencePath('stream');

describe.skipIf(noReference)('timelines of the recorded logs', () => {
  it('hold as many flushes, decisions, summaries and failures as were published, at the times of the logs', async () => {
    const published = readFileSync(join(FOLDER, 'metrics/per_case.metrics.jsonl'), 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Published);
    expect(published).toHaveLength(40);
    for (const one of published.filter(({ case_id: id }) => /case-3[35]/.test(id))) {
      const trace = await readTrace(join(FOLDER, 'traces', `${one.case_id}.jsonl.gz`));
      const log = await readRunLog(join(FOLDER, 'runs', one.variant_id, `${one.case_id}.jsonl.gz`));
      const data = timelineData(trace, [{ name: one.variant_id, log }]);
      const [variant] = data.variants;
      expect(data.notes).toEqual([]);
      expect(variant!.flushes).toHaveLength(one.flush_count);
      expect(variant!.decisions).toHaveLength(one.m9_buffer_decision_count);
      expect(variant!.summaries).toHaveLength(one.m1_update_count);
      expect(variant!.summaries.filter(({ schemaOk }) => !schemaOk)).toHaveLength(one.m10_schema_failure_count);
      const logged = log.flushes.map(({ timestamp }) => Date.parse(timestamp) - trace.meta.t0_emitted_ms);
      expect(variant!.flushes.map(({ atMs }) => atMs)).toEqual(logged);
      expectWellFormed(timelineFigure(data));
    }
  });
});
