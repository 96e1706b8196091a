import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { StateMismatch } from '../../../src/data/fold-state.ts';
import type { Case } from '../../../src/data/case.ts';
import type { Plan } from '../../../src/recipe/plan.ts';
import { recipeValues } from '../../../src/report/html/hide-texts.ts';
import type { Texts } from '../../../src/report/html/report-data.ts';
import { ReportPart } from '../../../src/report/html/report-part.ts';
import { type ReportSizes, ReportWriter } from '../../../src/report/html/report-writer.ts';
import { runView } from '../../../src/report/html/run-view.ts';
import { reportSink } from '../../../src/report/html/watch-report.ts';
import { Scoring } from '../../../src/score/score.ts';
import { runsHere } from '../../many-runs.ts';
import { madeUpRun } from '../made-up-run.ts';
import { anyCuts, MERGEABLE_SETS, mergeableSet, stored } from './mergeable-sets.ts';
import { openReport } from './open-report.ts';

const VIEWER = { script: 'let a = 1;', style: 'p { margin: 0 }' };
const ABOUT = { runs: [runView('first', madeUpRun(), null, null)], comparison: null };

type Options = Readonly<{ texts: Texts; sizes: Partial<ReportSizes> }>;

/** A report in the making, with what has been written of it. */
function opened<Report extends ReportPart | ReportWriter>(
  Kind: new (options: ConstructorParameters<typeof ReportWriter>[0]) => Report,
  plan: Plan,
  options: Options,
) {
  const pieces: string[] = [];
  const report = new Kind({
    ...options,
    viewer: VIEWER,
    title: 'title',
    listed: recipeValues(plan.resolved),
    columns: [plan.measures.map(({ name }) => name)],
    write: (piece) => pieces.push(piece),
  });
  return {
    report,
    pieces,
    async add(cases: readonly Case[]): Promise<void> {
      const [sink, scoring] = [reportSink(report), new Scoring(plan)];
      for (const given of cases) {
        sink.scored?.(scoring.add(given));
        await sink.ready?.();
      }
    },
    async html(): Promise<string> {
      await report.finish(ABOUT);
      return pieces.join('');
    },
  };
}

async function inOne(plan: Plan, cases: readonly Case[], options: Options): Promise<string> {
  const one = opened(ReportWriter, plan, options);
  await one.add(cases);
  return one.html();
}

async function inParts(plan: Plan, parts: readonly (readonly Case[])[], options: Options): Promise<string> {
  const merged = opened(ReportPart, plan, options);
  for (const cases of parts) {
    const part = opened(ReportPart, plan, options);
    await part.add(cases);
    merged.report.merge(stored(part.report.save()));
    expect([...part.pieces, ...merged.pieces]).toEqual([]);
  }
  return merged.html();
}

const anySizes = fc.record({
  pageBytes: fc.constantFrom(300, 4000, Infinity),
  pageCases: fc.integer({ min: 1, max: 40 }),
  indexCases: fc.integer({ min: 1, max: 40 }),
  mostBytes: fc.constantFrom(0, 3000, 12_000, Infinity),
});

describe('report.html of parts that are merged is that of one run', () => {
  it.each(MERGEABLE_SETS)('%s', async (name) => {
    const { plan, size, read } = await mergeableSet(name);
    const whole = await read(0, size);
    const texts = fc.constantFrom<Texts>('full', 'full', 'redacted', 'none');
    await fc.assert(
      fc.asyncProperty(anyCuts(size), texts, anySizes, async (cuts, kept, sizes) => {
        const options = { texts: kept, sizes };
        const parts: (readonly Case[])[] = [];
        for (const [from, to] of cuts) parts.push(await read(from, to));
        expect((await inParts(plan, parts, options)) === (await inOne(plan, whole, options))).toBe(true);
      }),
      { seed: 72, numRuns: runsHere(20) },
    );
  });

  it('with as many cases in full as fit, of which parts keep no more than they have to', async () => {
    const { plan, read } = await mergeableSet('several people');
    const some = await read(0, 60);
    // Digits that compress to about half.
    const text = (seed: number): string =>
      Array.from({ length: 4000 }, (_, at) => String(((at + seed * 4001) * 2_654_435_761) % 2 ** 32)).join('');
    const cases = some.map((given, at) => ({ ...given, text: text(at), gold: [], predicted: [] }));
    const options = { texts: 'full', sizes: { mostBytes: 300_000, pageCases: 7 } } as const;
    const part = opened(ReportPart, plan, options);
    await part.add(cases);
    const { length } = JSON.stringify(stored(part.report.save()), (_, value: unknown) =>
      value instanceof Uint8Array ? Buffer.from(value).toString('base64') : value,
    );
    expect(length).toBeGreaterThan(1_300_000);
    expect(length).toBeLessThan(2_000_000);
    const whole = await inOne(plan, cases, options);
    expect(openReport(whole).head).toMatchObject({ cases: 60, detailsUntil: expect.any(Number) });
    for (const cuts of [
      [0, 60],
      [0, 0, 1, 60],
      [0, 20, 40, 60],
      [0, 3, 58, 60],
    ]) {
      const parts = cuts.slice(1).map((to, at) => cases.slice(cuts[at], to));
      expect((await inParts(plan, parts, options)) === whole).toBe(true);
    }
  });

  it('is refused if the parts have other texts', async () => {
    const { plan } = await mergeableSet('several people');
    const part = opened(ReportPart, plan, { texts: 'full', sizes: {} });
    const merged = opened(ReportPart, plan, { texts: 'redacted', sizes: {} });
    expect(() => merged.report.merge(part.report.save())).toThrow(StateMismatch);
  });
});
