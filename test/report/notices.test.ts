import { describe, expect, it } from 'vitest';

import { noticesOf } from '../../src/report/notices.ts';
import { recipeFacts } from '../../src/report/recipe-facts.ts';
import type { Audit } from '../../src/audit/finding.ts';
import type { Run } from '../../src/score/run.ts';
import { madeUpRun, measure, rule } from './made-up-run.ts';

const notices = (run: Run): string[] => noticesOf(run, recipeFacts(run));
const EXCUSE = { 'excuse-missed': { labels: ['ORG', 'DEM'], because: 'x' } };

describe('noticesOf', () => {
  it('has nothing to say of a plain run', () => {
    expect(notices(madeUpRun({ measures: { rules: [rule('hit', 'pair', 5)] } }))).toEqual([]);
  });

  it('leaves missing answers to an error or a warning of the audit that says so', () => {
    const run = madeUpRun({ measures: { cases: { total: 60, failed: 0, unanswered: 40 } } });
    const audit = (severity: 'error' | 'note', subject: string, accepted: string | null = null): Audit => ({
      format: 1,
      signature: '',
      checks: [],
      findings: [
        {
          name: 'dropped-data',
          severity,
          title: '',
          why: '',
          todo: '',
          subjects: [subject],
          cases: { total: 0, shown: [] },
          items: { total: 0, shown: [] },
          accepted,
        },
      ],
    });
    const said = (given: Audit): number => noticesOf(run, recipeFacts(run), given).length;
    expect(notices(run)).toEqual(['40 of 60 cases have no prediction: scored as an empty answer, all gold missed']);
    expect(said(audit('error', 'unanswered'))).toBe(0);
    expect([said(audit('note', 'unanswered')), said(audit('error', 'drop'))]).toEqual([1, 1]);
    expect(said(audit('error', 'unanswered', 'known'))).toBe(1);
  });

  it('says when intervals rest on few cases, and when not on cases at all', () => {
    const interval = { low: 0.7, high: 0.9, level: 0.95, method: 'bootstrap-percentile' };
    const made = (units: number, cluster: string | null, method = interval.method): Run =>
      madeUpRun({
        resolved: { interval: { cluster } },
        measures: {
          measures: [measure('f1', 0.8, { interval: { ...interval, method }, units }), measure('recall', 1)],
        },
      });
    expect(notices(made(19, null))).toEqual([
      'intervals rest on 19 cases: from so few, resampling gives them too narrow',
    ]);
    expect(notices(made(20, null))).toEqual([]);
    expect(notices(made(20, 'patient'))).toEqual([
      'intervals rest on 20 values of patient, which were resampled instead of cases',
    ]);
    expect(notices(made(3, null, 'wilson'))).toEqual([]);
  });

  it('says of union that copies count once, and of first that others are not used', () => {
    const made = (use: string): Run => {
      const run = madeUpRun({ resolved: { prepare: { annotator: { use } } } });
      return { ...run, manifest: { ...run.manifest, notices: { ...run.manifest.notices, unusedGold: 7 } } };
    };
    expect(notices(made('first'))).toEqual(['7 gold items of annotators whom the recipe does not use']);
    expect(notices(made('union'))).toEqual([
      '7 gold items that another annotator had marked too: what several marked counts once',
    ]);
  });

  it('says how many hits are on labels whose misses are excused, and what recall would be', () => {
    // 3 + 1 hits, 1 missed: recall 4 / 5 = 0.8. ORG has 1 hit and 3 excused misses: 4 / 8. DEM has no hit, so its misses stay out.
    const run = madeUpRun({
      resolved: { judge: EXCUSE },
      measures: {
        measures: [measure('recall', 0.8)],
        rules: [
          rule('hit', 'pair', 3),
          rule('hit', 'pair', 1, { label: 'ORG' }),
          rule('missed', 'no-match', 1),
          rule('excused', 'excuse-missed', 3, { label: 'ORG' }),
          rule('excused', 'excuse-missed', 5, { label: 'DEM' }),
          rule('excused', 'excuse-overlap', 7),
        ],
      },
    });
    expect(notices(run)).toEqual([
      '1 of 4 hits (25 %) is on labels whose misses are excused (ORG); with those misses counted, recall would be 0.500 instead of 0.800',
    ]);
  });

  it('does not work out another recall where recall is not that ratio', () => {
    const run = madeUpRun({
      resolved: { judge: EXCUSE },
      measures: {
        measures: [measure('recall', 0.4)],
        rules: [
          rule('hit', 'pair', 2, { label: 'ORG' }),
          rule('missed', 'no-match', 2),
          rule('excused', 'excuse-missed', 5),
        ],
      },
    });
    expect(notices(run)).toEqual(['2 of 2 hits (100 %) are on labels whose misses are excused (ORG)']);
  });

  it('knows the excusing rule by any name it goes by', () => {
    const run = madeUpRun({
      resolved: { judge: { lenient: { rule: 'excuse-missed', labels: ['LOC'] } } },
      measures: { rules: [rule('hit', 'pair', 2)] },
    });
    expect(notices(run)).toEqual(['2 of 2 hits (100 %) are on labels whose misses are excused (LOC)']);
  });

  it('says which hits were made by a rule, not by pairing; criteria of the pairing are pairing', () => {
    const run = madeUpRun({
      resolved: { pair: { span: { accept: [{ name: 'contained' }, { name: 'overlap' }] } } },
      measures: { rules: [rule('hit', 'contained', 6), rule('hit', 'overlap', 2), rule('hit', 'loc-in-org', 2)] },
    });
    expect(notices(run)).toEqual(['2 of 10 hits (20 %) were made by the rule loc-in-org, not by pairing']);
  });

  it('leaves out what other schemes hit', () => {
    const run = madeUpRun({ measures: { rules: [rule('hit', 'loc-in-org', 2, { scheme: 'type' })] } });
    expect(notices(run)).toEqual([]);
  });

  it('counts failed and unanswered cases out of all', () => {
    const run = madeUpRun({ measures: { cases: { total: 8, failed: 2, unanswered: 1 } } });
    expect(notices(run)).toEqual([
      '2 of 8 cases failed: not scored, in no average; the gold shows as excused',
      '1 of 8 cases has no prediction: scored as an empty answer, all gold missed',
    ]);
  });

  it('reports what reading let pass, also what it does not know yet', () => {
    const run = madeUpRun();
    const notice = {
      ...run.manifest.notices,
      unknownLabelsKept: 1,
      badSpansAsSpurious: 2,
      uncheckedSpans: 12345,
      strayTagsMended: 3,
    };
    expect(notices({ ...run, manifest: { ...run.manifest, notices: notice } })).toEqual([
      '1 label or value outside the recipe’s lists kept as predicted',
      '2 predicted spans with a wrong place or text counted as spurious (rule bad-span)',
      '12,345 spans not checked against the text: no text was given',
      'stray tags mended: 3',
    ]);
  });
});
