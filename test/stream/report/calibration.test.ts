import { beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';

import { displayWidth } from '../../../src/report/display-width.ts';
import { renderMarkdown } from '../../../src/report/render-markdown.ts';
import { renderTerminal } from '../../../src/report/render-terminal.ts';
import {
  chosenYaml,
  gridYaml,
  perCaseLines,
  sweepCsv,
  sweepFigure,
  sweepJson,
} from '../../../src/stream/report/calibration-files.ts';
import { sweepDocument } from '../../../src/stream/report/calibration-sweep.ts';
import { v3Document, v3Json, v3Yaml } from '../../../src/stream/report/calibration-v3.ts';
import { frontRows, sweepNotices } from '../../../src/stream/report/calibration-words.ts';
import { makeStyle } from '../../../src/report/style.ts';
import { readGrid } from '../../../src/stream/calibrate/sweep-grid.ts';
import { type PolicySweep, sweepCaseOf, sweepPolicies } from '../../../src/stream/calibrate/sweep.ts';
import { type V3Calibration, v3Chunk } from '../../../src/stream/calibrate/calibrate-v3.ts';
import { DOZEN } from '../calibrate/dozen-deltas.ts';
import { madeTrace } from '../made-trace.ts';

const HOSTILE = 'case\u001b[2J|<b>\u202e';
const tooWide = (text: string, width: number): string[] =>
  text.split('\n').filter((line) => displayWidth(line) > width);

function v3(names: readonly string[]): V3Calibration {
  const sizes = names.map((caseId, at) => ({
    caseId,
    regular: [120 + at, 124 + at],
    excluded: { end_of_trace: 1, turn_end: 0 },
    sha256: `sha256:${'0'.repeat(64)}`,
  }));
  return { ...v3Chunk(sizes), variant: 'V0', gate: null, list: null, inputsHash: 'sha256:1' };
}

describe('the report on V3’s chunk', () => {
  it('says the chunk, what it rests on, how sure it is, and the lines for the variant', () => {
    // Medians 122, 123, 124: the chunk is 123.
    const text = renderTerminal(v3Document(v3(['a', 'b', 'c'])), makeStyle());
    expect(text).toMatch(/^V3 chunk: 123 CTU\nFrom the logged flushes of V0, 3 cases\.\n/);
    expect(text).toMatch(/^ {2}b +123 +2 +1 +0$/m);
    expect(text).toContain('The median of 3 cases is 123 CTU (95 % interval 122 to 124, bootstrap over');
    expect(text).toContain('6 regular flushes; 3 left out.');
    expect(text).toContain('! the interval rests on 3 cases');
    expect(text).toContain('    chunk_size_ctu: 123\n');
    expect(parse(v3Yaml(123))).toEqual({ fixed_trigger: { enabled: true, chunk_size_ctu: 123 } });
  });

  it('cuts a long table on the terminal, not on the page', () => {
    const found = v3(Array.from({ length: 40 }, (_, at) => `case-${at}`));
    expect(renderTerminal(v3Document(found), makeStyle())).toContain('… and 20 more in the report');
    expect(renderMarkdown(v3Document(found))).toContain('| case-39 | 161 | 2 | 1 | 0 |');
  });

  it('reports that the data do not give a chunk', () => {
    const none: V3Calibration = { ...v3([]), ...v3Chunk([]) };
    const text = renderTerminal(v3Document(none), makeStyle());
    expect(text).toMatch(/^\? V3 chunk: inconclusive[^]*no case has a regular flush/);
    expect(JSON.parse(v3Json(none))).toMatchObject({
      chunk_size_ctu: null,
      no_interval: 'no case has a regular flush',
    });
  });

  it('lets nothing from data act on a terminal or a page', () => {
    const found = v3([HOSTILE, 'b']);
    const terminal = renderTerminal(v3Document(found), makeStyle({ terminal: true, width: 80 }));
    const page = renderMarkdown(v3Document(found));
    for (const text of [terminal.replaceAll(/\u001b\[[\d;]*m/g, ''), page, v3Json(found)])
      expect(text).not.toMatch(/[\u001b\u202e]/);
    expect(page).toContain('\\|&lt;b&gt;');
    expect(tooWide(terminal, 80)).toEqual([]);
  });
});

const SET = [
  'parameter_grid={min_words: [2, 3], max_words: [4, 5], silence_timer_ms: [1000, 2000], max_wait_timeout_ms: [4000, 5000]}',
  'validity_constraints.min_gap_between_min_max=2',
  'constraints={spam_pct_mean: null, timer_under_min_pct_mean: null, chunk_size_p50_min: null}',
  'selection.resamples=40',
];

async function sweepOf(set: readonly string[], names = ['one', 'two']): Promise<PolicySweep> {
  const { grid } = await readGrid(null, set);
  // The second case is the first one, cut short: a no longer speaks again.
  const traces = names.map((_, at) => madeTrace('x', at === 0 ? DOZEN : DOZEN.slice(0, 3))).map(sweepCaseOf);
  return sweepPolicies(
    traces.map((one, at) => ({ ...one, caseId: names[at]! })),
    grid,
  );
}

describe('the report on a sweep', () => {
  let found: PolicySweep;
  beforeAll(async () => {
    found = await sweepOf(SET);
  });
  const sweepText = (sweep: PolicySweep, style = makeStyle()): string =>
    renderTerminal(sweepDocument(sweep, null, sweepNotices(sweep, ['safety'], ['gone'])), style);

  it('shows the front, the choice, how sure it is, and the default beside it', () => {
    const text = sweepText(found);
    expect(text).toMatch(/^TokenGate calibration\n12 policies on 2 cases; 12 keep to every constraint\./);
    expect(text).toMatch(/^ {2}★ policy_\d{4} /m);
    expect(text).toMatch(/^Chosen: policy_\d{4} {2}\d to \d words, silence \d s, wait \d s$/m);
    expect(text).toMatch(/It is chosen in \d+ of 40 resamples of the cases and on the front in \d+\./);
    expect(text).toMatch(/^ +objective +chosen +95 % +default +differs by +95 %$/m);
    expect(text).toContain('! 1 case of the list is missing');
    expect(text).toContain('! no effect here: safety');
    expect(text).toContain('! 4 policies of the grid make no sense and were not tried');
    expect(text.replaceAll(/\s+/g, ' ')).toContain('No clinical outcome is claimed.');
  });

  it('fits a terminal of 80 columns, and a narrower one', () => {
    for (const width of [80, 60])
      expect(tooWide(sweepText(found, makeStyle({ terminal: true, width })), width)).toEqual([]);
  });

  it('has one row for policies that score alike, the chosen one standing for its own', () => {
    const rows = frontRows(found);
    expect(rows.reduce((sum, { alike }) => sum + alike, 0)).toBe(found.front.length);
    expect(rows.filter(({ chosen }) => chosen).map(({ policy }) => policy)).toEqual([found.chosen]);
    expect(rows.reduce((sum, { times }) => sum + times!, 0)).toBeLessThanOrEqual(40);
  });

  it('writes every policy to a table, a row each, with as many cells as there are titles', () => {
    const [titles = '', ...rows] = sweepCsv(found).trimEnd().split('\n');
    expect(rows).toHaveLength(12);
    expect(new Set([titles, ...rows].map((row) => row.split(',').length)).size).toBe(1);
    expect(titles).toMatch(/^policy_id,min_words,max_words,silence_timer_ms,max_wait_timeout_ms,flush_count_mean,/);
    expect(rows[0]).toMatch(/^policy_0000,2,4,1000,4000,2\.5,/);
  });

  it('quotes what a constraint says', async () => {
    const strict = await sweepOf([...SET, 'constraints.flush_count_mean=1']);
    expect(sweepCsv(strict)).toContain(',"flush_count_mean: 2.5, at most 1",false,');
  });

  it('writes what each policy did with each case; no value is null', async () => {
    const lines = perCaseLines(found).trimEnd().split('\n');
    expect(lines).toHaveLength(24);
    expect(JSON.parse(lines[0]!)).toMatchObject({
      policy_id: 'policy_0000',
      case_id: 'one',
      flush_count: 3,
      tail_words: 4,
    });
    const silent = await sweepOf([...SET, 'parameter_grid.min_words=[40]', 'parameter_grid.max_words=[50]']);
    expect(JSON.parse(perCaseLines(silent).split('\n')[1]!)).toMatchObject({ case_id: 'two', ttff_content_ms: null });
  });

  it('writes the grid so that it gives the same sweep again', async () => {
    const again = parse(gridYaml(found)) as Record<string, unknown>;
    expect(again).toEqual(JSON.parse(JSON.stringify(found.grid)));
  });

  it('writes the choice as lines of a variant, in seconds', () => {
    const { policy } = found.chosen!;
    expect(parse(chosenYaml(found, null)!)).toEqual({
      components: {
        token_gate: {
          enabled: true,
          min_words: policy.minWords,
          max_words: policy.maxWords,
          silence_timer: policy.silenceMs / 1000,
          max_wait_timeout: policy.maxWaitMs / 1000,
          max_wait: 'every-buffer',
        },
      },
    });
  });

  it('has everything on its page and in its JSON, with n, bounds and hashes', () => {
    const notices = sweepNotices(found, [], []);
    const page = renderMarkdown(sweepDocument(found, null, notices));
    for (const part of [
      '## Chosen: policy_',
      '## Front\n\n![Updates against waiting](pareto.svg)',
      '## Constraints',
      '## All scores',
      '## How it is worked out',
    ])
      expect(page).toContain(part);
    expect(page).toContain('1.5 times the longest max wait of the grid, 5000 ms');
    const method = page.replaceAll(/\s+/g, ' ');
    expect(method).toContain('The program that this sweep follows did not interpolate');
    expect(method).toContain('gave timer_under_min_pct as a share of the timers’ flushes');
    const json = JSON.parse(sweepJson(found, null, notices)) as Record<string, unknown>;
    expect(json).toMatchObject({
      policies: { tried: 12, survivors: 12 },
      chosen: { scores: { flush_count_mean: { n: 2 } } },
      stability: { resamples: 40, seed: 42 },
      grid_hash: expect.stringMatching(/^sha256:[0-9a-f]{64}$/),
      inputs_hash: expect.stringMatching(/^sha256:[0-9a-f]{64}$/),
    });
    expect(sweepFigure(found)).toMatch(/<svg [^]*12 policies over n = 2 traces/);
  });

  it('says why nothing was chosen', async () => {
    const none = await sweepOf([...SET, 'constraints.flush_count_mean=0']);
    const text = sweepText(none);
    expect(text).toMatch(/flush_count_mean +flush_count_mean at most 0 +12 +12$/m);
    expect(text).toContain('? Inconclusive\n  No policy keeps to every constraint.');
    expect(chosenYaml(none, null)).toBeNull();
    expect(renderMarkdown(sweepDocument(none, null, []))).toContain('## ❔ Inconclusive');
    expect(JSON.parse(sweepJson(none, null, []))).toMatchObject({ chosen: null, no_stability: 'nothing was chosen' });
    expect(sweepFigure(none)).toContain('there are no policies');
  });

  it('lets nothing from data act on a terminal or a page', async () => {
    const hostile = await sweepOf(SET, [HOSTILE, 'two']);
    const document = sweepDocument(hostile, null, [HOSTILE]);
    for (const text of [
      renderTerminal(document, makeStyle()),
      renderMarkdown(document),
      sweepJson(hostile, null, [HOSTILE]),
      sweepFigure(hostile),
    ])
      expect(text).not.toMatch(/[\u001b\u202e]/);
  });
});
