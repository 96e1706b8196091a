import { describe, expect, it } from 'vitest';

import type { ExperimentSummary } from '../../src/experiment/summary.ts';
import { displayWidth } from '../../src/report/display-width.ts';
import { experimentDocument, experimentSummaryJson } from '../../src/report/experiment.ts';
import { gateOutcome } from '../../src/report/gate-words.ts';
import { renderMarkdown } from '../../src/report/render-markdown.ts';
import { renderTerminal } from '../../src/report/render-terminal.ts';
import { makeStyle } from '../../src/report/style.ts';
import { judged } from '../compare/gate/made-up-gate.ts';
import { average, madeUpSummary, PUBLISHED } from './experiment-made-up.ts';
import { dangerous, HOSTILE, measure } from './made-up-run.ts';

const plain = makeStyle();
const terminal = makeStyle({ terminal: true });
const text = (more: Partial<ExperimentSummary> = {}, style = plain): string =>
  renderTerminal(experimentDocument(madeUpSummary(more)), style);
const page = (more: Partial<ExperimentSummary> = {}): string => renderMarkdown(experimentDocument(madeUpSummary(more)));
const lineWith = (part: string, more: Partial<ExperimentSummary> = {}, style = plain): string | undefined =>
  text(more, style)
    .split('\n')
    .find((line) => line.includes(part));

const FAILED: Partial<ExperimentSummary> = {
  answered: 950,
  failed: 50,
  failures: [
    { kind: 'rate', count: 30, example: { item: 'i17', message: '429 Too Many Requests' } },
    { kind: 'schema', count: 20, example: { item: 'i3', message: 'entities: expected a list' } },
  ],
};

describe('the head of a summary', () => {
  it('names run, dataset and version, target, model, temperature, prompt and label', () => {
    expect(text().split('\n').slice(0, 3)).toEqual([
      'baseline-v1',
      '1,000 items of extraction-eval@v3 · graph-extractor · gemini-1.5-pro ·',
      'temperature 0.2 · prompt extract (staging, version 4)',
    ]);
  });

  it('shortens a hash and leaves out what there is none of', () => {
    const target = {
      kind: 'recorded',
      model: null,
      promptName: null,
      promptLabel: null,
      promptVersion: null,
      temperature: null,
    };
    const dataset = { name: 'd', version: `sha256:${'0123456789abcdef'.repeat(4)}`, items: 1 };
    expect(text({ target, dataset, repeats: 3 }).split('\n')[1]).toBe(
      '1 item of d@0123456789ab · each asked 3 times · recorded',
    );
    expect(page({ dataset })).toContain(`\nDataset version: ${dataset.version}\n`);
  });
});

describe('what became of the items', () => {
  it('is said by number, also where nothing failed', () => {
    expect(text({ answered: 1000, cached: 200 })).toContain(
      '\nItems\n  answered  1,000  200 of them from the cache\n  failed        0\n',
    );
    expect(text()).not.toContain('not run');
    expect(page({ notRun: 5 })).toContain('## Items\n\n- answered: 1,000\n- failed: 0\n- not run: 5\n');
  });

  it('lists failures by kind with an example', () => {
    expect(text(FAILED)).toContain(
      [
        'Failures  count  for example',
        '  rate       30  i17: 429 Too Many Requests',
        '  schema     20  i3: entities: expected a list',
      ].join('\n'),
    );
    expect(page(FAILED)).toContain('| rate | 30 | too many calls | i17: 429 Too Many Requests |');
    expect(lineWith('! 50', FAILED)).toBe('! 50 of 1,000 items failed and are in no average');
    expect(lineWith('--only-failed', FAILED)).toMatch(
      /^ {2}Ask the 50 failed again +the same command with --only-failed$/,
    );
  });

  it('says why it stopped and how to go on', () => {
    const stopped = { by: 'budget', text: '1.00 of 1.00 is spent' } as const;
    const more = { answered: 800, notRun: 200, stopped };
    expect(lineWith('! Stopped', more)).toBe('! Stopped by the budget: 1.00 of 1.00 is spent');
    expect(lineWith('Run the', more)).toMatch(/^ {2}Run the other 200 +the same command with more budget$/);
    const limited = { ...more, stopped: { by: 'limit', text: '' } as const };
    expect(lineWith('! Stopped', limited)).toBe('! Stopped at the limit');
    expect(lineWith('Run the', limited)).toContain('a larger --limit, or none');
    expect(page(more)).toContain('\n- ⚠️ Stopped by the budget: 1.00 of 1.00 is spent\n');
    expect(page(more)).toMatch(/## What is left to do\n\n- \*\*Run the other 200\*\*: the same command/);
    expect(page()).not.toMatch(/⚠️|left to do/);
  });
});

describe('the averages', () => {
  const interval = { low: 0.71, high: 0.83, level: 0.95, method: 'bootstrap-percentile' };
  const scored: Partial<ExperimentSummary> = {
    scores: [
      average('entity_f1', 0.85),
      average('polarity', 0.5, { n: 940, without: 10, interval: null, noInterval: 'why not' }),
    ],
    measures: [
      measure('entity_f1', 0.775, { interval }),
      measure('polarity', 0.6),
      measure('macro_f1', 0.7, { interval }),
      measure('entity_f1', 0.1, { slice: { label: 'LOC' } }),
    ],
  };

  it('stand with interval and n beside the pooled value with its own', () => {
    const lines = text({ ...FAILED, ...scored }).split('\n');
    const from = lines.findIndex((line) => line.startsWith('Scores'));
    expect(lines.slice(from, from + 8)).toEqual([
      'Scores         average  95 % interval   items  pooled  95 % interval',
      '  entity_f1 ↑    0.850  0.800 to 0.900    950   0.775  0.710 to 0.830',
      '  polarity ↑     0.500  –                 940   0.600  –',
      '  macro_f1 ↑         –                          0.700  0.710 to 0.830',
      '  over 950 items; 50 failed and are in no average',
      '  polarity: no interval: why not',
      '  macro_f1: no average: it has no value of one item',
      '  average: every item counts the same; pooled: the counts of all items together',
    ]);
    const method = 'bootstrap-percentile';
    expect(page(scored)).toContain(
      `\n| entity_f1 ↑ | 0.850 | 0.800 to 0.900 | ${method} | 950 | 0 | 0.250 | 0.000 | 1.000 | 0.775 | 0.710 to 0.830 | ${method} |\n`,
    );
  });

  it('are undefined with the reason, never a number', () => {
    const nothing = average('time', null, { n: 0, undefined: 'no item has a value', interval: null });
    const shown = text({ scores: [nothing], measures: [measure('time', null, { undefined: 'no times' })] });
    expect(shown).toContain('time: no average: no item has a value\n  time: no pooled value: no times');
    expect(shown).not.toMatch(/NaN|null|0\.000/);
  });

  it('say which way is better', () => {
    const over = measure('over', 1.2, { direction: 'lower', best: 1, range: [0, null] });
    const more = { scores: [average('f1', 0.5), average('over', 1.1)], measures: [measure('f1', 0.5), over] };
    expect(lineWith('  f1', more)).toMatch(/^ {2}f1 ↑ +0\.500/);
    expect(lineWith('  over →1', more)).toMatch(/^ {2}over →1 +1\.100/);
    expect(lineWith('better', more)).toBe('  ↑ higher is better, →1 nearer to 1 is better');
    expect(lineWith('  lost', { scores: [average('lost', 3, { direction: 'lower' })] })).toMatch(/lost ↓ +3\.000/);
  });

  it('stand alone where each repeat has pooled values of its own', () => {
    const more = {
      repeats: 3,
      dataset: { name: 'd', version: 'v3', items: 15 },
      measures: null,
      scores: [average('f1', 0.5, { n: 45 }), average('lost', 2, { direction: 'lower' })],
    } as const;
    expect(lineWith('Score', more)).toBe('Scores    average  95 % interval   answers');
    expect(lineWith('  f1', more)).toBe('  f1 ↑      0.500  0.800 to 0.900       45');
    expect(page(more)).not.toContain('pooled');
    expect(lineWith('better', more)).toBe('  ↑ higher is better, ↓ lower is better');
    expect(text(more)).not.toContain('pooled:');
    expect(lineWith('over 1,000', more)).toBe('  over 1,000 answers');
    // 45 answers of 15 items.
    expect(lineWith('so few', { ...more, scores: more.scores.slice(0, 1) })).toContain('rest on 15 items');
  });

  it('leave the pooled interval to wider terminals, but not to wider pipes', () => {
    const long = 'relationship_over_extraction';
    const more = { scores: [average(long, 0.85)], measures: [measure(long, 0.775, { interval })] };
    expect(text(more, terminal)).not.toContain('0.710 to 0.830');
    expect(lineWith(long, more, terminal)).toContain('0.850  0.800 to 0.900    950   0.775');
    expect(text(more, plain)).toContain('0.710 to 0.830');
    expect(text(more, makeStyle({ terminal: true, width: 120 }))).toContain('0.710 to 0.830');
  });

  it('count what the target took out of its model’s answers', () => {
    expect(lineWith('taken out', { rejected: 3 })).toContain('! 3 predictions taken out by the system itself');
    expect(lineWith('taken out')).toBeUndefined();
  });

  it('say on how many items intervals rest where answers of one item are missing', () => {
    const dataset = { name: 'd', version: 'v1', items: 12 };
    const resting = (n: number): string | undefined =>
      lineWith('so few', { repeats: 2, measures: null, dataset, scores: [average('f1', 0.5, { n })] });
    // 23 of 24 answers: each item has one. 12 may be both answers of 6 items, or one of each.
    expect(resting(23)).toContain('rest on 12 items:');
    expect(resting(12)).toContain('rest on 6 to 12 items:');
    expect(resting(2)).toContain('rest on 1 to 2 items:');
  });

  it('warn of few items, and of items that were scored although they failed', () => {
    const few = [average('f1', 0.5, { n: 7 })];
    expect(lineWith('so few', { scores: few })).toBe(
      '! intervals rest on 7 items: from so few, resampling gives them too narrow',
    );
    const all = [average('f1', 0.5, { n: 990, without: 10, failed: 0 })];
    expect(text({ ...FAILED, scores: all }).replaceAll(/\n +/g, ' ')).toContain(
      '! the averages are over 1,000 items, but 950 were answered: those without an answer were scored as if they had said nothing',
    );
    expect(text({ ...FAILED, scores: [average('f1', 0.5)] })).not.toContain('as if');
  });

  it('are not there where nothing was scored, answered or measured', () => {
    const none = { scores: null, measures: null, scoreFolder: null };
    expect(text({ ...none, notScored: 'no recipe was given' })).toContain(
      '\nScores\n  ! Nothing was scored: no recipe was given\n',
    );
    expect(text({ ...none, notScored: 'x' })).not.toContain('explain');
    const failed = { ...FAILED, answered: 0, failed: 1000, scores: [average('f1', null, { n: 0 })] };
    expect(lineWith('nothing to average', failed)).toBe('  ! Nothing was answered: there is nothing to average');
    expect(lineWith('95 %', failed)).toBeUndefined();
  });
});

describe('what it took', () => {
  it('is cost, tokens, latency, calls and time', () => {
    const shown = text({ calls: { made: 1062, retried: 62 } });
    expect(shown).toContain(
      [
        'What it took',
        '  Cost     1.50 USD',
        '  Tokens   120,000 in, 8,000 out',
        '  Latency  median 812 ms, 95th percentile 2.35 s, mean 901 ms, of 1,000 answers',
        '  Calls    1,062, 62 of them retries',
        '  Time     3 min 12 s in this session',
      ].join('\n'),
    );
    expect(page()).toContain('## What it took\n\n- **Cost**: 1.50 USD\n');
  });

  it('is said to be unknown, or at least so much', () => {
    const usage = {
      inputTokens: null,
      outputTokens: null,
      unknown: 1000,
      atLeast: { inputTokens: 0, outputTokens: 0 },
    };
    const cost = { value: null, currency: '', unknown: 1000, atLeast: 0 };
    expect(lineWith('Cost', { cost })).toBe('  Cost     not known: 1,000 answers have no known cost');
    expect(lineWith('Tokens', { usage })).toBe('  Tokens   in not known, out not known; 1,000 answers do not say all');
    expect(lineWith('Cost', { cost: { ...cost, unknown: 1, atLeast: 0.125 } })).toBe(
      '  Cost     at least 0.125; 1 answer has no known cost',
    );
    const target = { ...madeUpSummary().target, model: null };
    expect(lineWith('Cost', { cost, usage, target })).toBeUndefined();
    expect(lineWith('Tokens', { cost, usage, target })).toBeUndefined();
  });

  it('is nothing where all came from the cache', () => {
    const cost = { value: 0, currency: '', unknown: 0, atLeast: 0 };
    const more = { cost, cached: 1000, calls: { made: 0, retried: 0 }, latency: null };
    expect(lineWith('Cost', more)).toBe('  Cost    0: no call was made');
    expect(lineWith('Latency', more)).toBeUndefined();
  });
});

describe('where it is', () => {
  it('is read back and linked', () => {
    const published = PUBLISHED;
    expect(text({ published }).replaceAll(/\n +/g, ' ')).toContain(
      'Published To Langfuse (https://langfuse.example): 1,000 of 1,000 traces, 9,000 of 9,000 scores read back https://langfuse.example/project/p/runs/r\n',
    );
    expect(page({ published })).toContain('\n<https://langfuse.example/project/p/runs/r>\n');
  });

  it('is a loud error where something did not arrive', () => {
    const published = { ...PUBLISHED, found: { traces: 999, scores: 8980 } };
    const coloured = text({ published }, makeStyle({ terminal: true, colour: true }));
    expect(coloured).toContain('\u001b[31m✗\u001b[39m \u001b[31mNot all of it is in Langfuse');
    expect(page({ published })).toContain('\n- ❌ Not all of it is in Langfuse');
    expect(text({ published }).replaceAll(/\n +/g, ' ')).toContain(
      '✗ Not all of it is in Langfuse (https://langfuse.example): 999 of 1,000 traces, 8,980 of 9,000 scores read back: 1 trace and 20 scores are not there',
    );
    expect(lineWith('Publish again', { published })).toContain('the same command: nothing is asked or sent twice');
    const one = { ...PUBLISHED, found: { traces: 1000, scores: 8999 } };
    expect(text({ published: one }).replaceAll(/\n +/g, ' ')).toContain('read back: 1 score is not there');
  });

  it('is a loud error where a score has another value than was sent', () => {
    const differing = [{ item: 'j7', name: 'entity_recall', sent: 0.966, shown: 0.931 }];
    const one = { ...PUBLISHED, found: { traces: 1000, scores: 8999 }, differing };
    expect(text({ published: one }).replaceAll(/\n +/g, ' ')).toContain(
      '1,000 of 1,000 traces, 8,999 of 9,000 scores read back; 1 score has another value there ("entity_recall" of "j7" is 0.931 there, 0.966 was sent)',
    );
    const pooled = { ...PUBLISHED, differing: [{ ...differing[0]!, item: null }] };
    expect(text({ published: pooled }).replaceAll(/\n +/g, ' ')).toContain(
      '9,000 of 9,000 scores read back; 1 score has another value there ("entity_recall" of the run is 0.931',
    );
    const some = { ...one, found: { traces: 1000, scores: 8997 }, differing: [...differing, ...differing] };
    expect(text({ published: some }).replaceAll(/\n +/g, ' ')).toContain(
      'read back: 1 score is not there; 2 scores have another value there (',
    );
  });

  it('is a loud error where it could not be asked, or publishing broke off', () => {
    const published = { ...PUBLISHED, found: null, problem: 'connection refused' };
    expect(text({ published }).replaceAll(/\n +/g, ' ')).toContain(
      '1,000 traces and 9,000 scores could not be read back; connection refused',
    );
  });

  it('has more scores than were sent where people added some: no error', () => {
    expect(text({ published: { ...PUBLISHED, found: { traces: 1000, scores: 9003 } } })).not.toContain('✗');
  });
});

describe('the gate and the way on', () => {
  it('shows the verdict and the checks that were not passed', () => {
    const notPassed = [{ verdict: 'failed', demand: 'entity_f1 ≥ 0.9', why: '0.850, which is below 0.9.' }] as const;
    const gate = { verdict: 'failed', counts: '1 of 3 checks failed, 2 passed', notPassed } as const;
    expect(text({ gate })).toContain(
      'Gate\n  ✗ Gate failed: 1 of 3 checks failed, 2 passed\n  ✗ entity_f1 ≥ 0.9\n    0.850, which is below 0.9.\n',
    );
    expect(page({ gate })).toContain(
      '## Gate\n\n❌ Gate failed: 1 of 3 checks failed, 2 passed\n\n- ❌ <code>entity_f1 ≥ 0.9</code>: 0.850, which is below 0.9.\n',
    );
  });

  it('names commands that can be copied', () => {
    const more = { folder: 'runs/a b/' };
    expect(lineWith('Every verdict', more)).toMatch(/explain 'runs\/a b'$/);
    expect(lineWith('page', more)).toMatch(/'runs\/a b'\/report\.md$/);
    expect(lineWith('Every verdict', { repeats: 2 })).toMatch(/explain runs\/baseline-v1\/score-1$/);
    expect(lineWith('between repeats', { repeats: 2 })).toMatch(/repeats runs\/baseline-v1\/score-\*$/);
  });
});

const EVERYTHING: Partial<ExperimentSummary> = {
  ...FAILED,
  notRun: 5,
  name: HOSTILE,
  dataset: { name: HOSTILE, version: HOSTILE, items: 1000 },
  target: {
    kind: HOSTILE,
    model: HOSTILE,
    promptName: HOSTILE,
    promptLabel: HOSTILE,
    promptVersion: 1,
    temperature: 0,
  },
  failures: [{ kind: 'answer', count: 50, example: { item: HOSTILE, message: HOSTILE } }],
  stopped: { by: 'access', text: HOSTILE },
  scores: [average(HOSTILE, null, { undefined: HOSTILE }), average('f1', 0.5, { interval: null, noInterval: HOSTILE })],
  measures: [measure(HOSTILE, null, { undefined: HOSTILE })],
  cost: { value: 1, currency: HOSTILE, unknown: 0, atLeast: 1 },
  published: { ...PUBLISHED, place: HOSTILE, url: HOSTILE, problem: HOSTILE },
  gate: { verdict: 'inconclusive', counts: HOSTILE, notPassed: [{ verdict: 'failed', demand: HOSTILE, why: HOSTILE }] },
};

it('sends nothing to a terminal that it would act on', () => {
  for (const style of [plain, makeStyle({ terminal: true, colour: true })])
    for (const more of [EVERYTHING, { ...EVERYTHING, scores: null, notScored: HOSTILE }])
      expect(dangerous(text({ ...more, folder: `runs/${HOSTILE}` }, style))).toEqual([]);
});

it('has no markup, HTML or new line of the data on a page', () => {
  for (const more of [EVERYTHING, { ...EVERYTHING, notScored: HOSTILE }]) {
    const shown = page(more);
    expect(dangerous(shown)).toEqual([]);
    expect(shown).not.toContain('<img');
    expect(shown).not.toMatch(/(?<!\\)\[x\]/);
    expect(shown.split('\n').filter((line) => line.startsWith('# b'))).toEqual([]);
  }
});

it('is escaped in JSON that gives it back', () => {
  const json = experimentSummaryJson(madeUpSummary(EVERYTHING));
  expect(dangerous(json)).toEqual([]);
  expect(json.endsWith('}\n')).toBe(true);
  expect(JSON.parse(json)).toEqual({ format: 1, ...madeUpSummary(EVERYTHING) });
});

describe('a terminal of 40 columns', () => {
  const interval = { low: 0.71, high: 0.83, level: 0.95, method: 'bootstrap-percentile' };
  const names = ['relationship_strict_precision', 'relationship_over_extraction', 'relationship_recall', 'entity_f1'];
  const more: Partial<ExperimentSummary> = {
    scores: names.map((name) => average(name, 0.85)),
    measures: names.map((name) => measure(name, 0.775, { interval })),
    gate: { verdict: 'passed', counts: '1 check passed', notPassed: [] },
  };
  const table = (width: number): string[] => {
    const lines = text(more, makeStyle({ terminal: true, width })).split('\n');
    const from = lines.findIndex((line) => line.startsWith('Scores'));
    return lines.slice(from, from + 1 + names.length);
  };

  it('has averages beside names, and says where the rest is', () => {
    expect(table(40)).toEqual([
      'Scores                           average',
      '  relationship_…ict_precision ↑    0.850',
      '  relationship_…er_extraction ↑    0.850',
      '  relationship_recall ↑            0.850',
      '  entity_f1 ↑                      0.850',
    ]);
    expect(text(more, makeStyle({ terminal: true, width: 40 })).replaceAll(/\n +/g, ' ')).toContain(
      'pooled: the counts of all items together, which the gate judges a wider terminal and report.md show all columns',
    );
  });

  it('gives up pooled values first, then counts, then intervals', () => {
    expect(table(75)[0]).toBe('Scores                             average  95 % interval   items  pooled');
    expect(table(70)[0]).toBe('Scores                             average  95 % interval   items');
    expect(table(60)[0]).toBe('Scores                             average  95 % interval');
    expect(table(50)[0]).toBe('Scores                             average');
  });

  it('keeps both ends of names that are too long even so', () => {
    const long = ['relationship_strict_over_extraction_micro', 'relationship_strict_over_extraction_macro'];
    const shown = text(
      { scores: long.map((name) => average(name, 0.85)), measures: null },
      makeStyle({ terminal: true, width: 40 }),
    ).split('\n');
    expect(shown).toContain('  relationship_…raction_micro ↑    0.850');
    expect(shown).toContain('  relationship_…raction_macro ↑    0.850');
  });
});

it('fits a terminal of 80 columns whatever the names', () => {
  const long = 'entity-extraction-'.repeat(12);
  const more: Partial<ExperimentSummary> = {
    ...EVERYTHING,
    name: long,
    dataset: { name: long, version: long, items: 1_000_000 },
    scores: [average(long, 0.5), average('日本語の名前', 123_456.7)],
    published: { ...PUBLISHED, place: long, url: null },
  };
  for (const line of text(more, terminal).split('\n')) expect(displayWidth(line), line).toBeLessThanOrEqual(80);
});

const RULES = `rules:
  - { measure: f1, atLeast: 0.8 }
  - { measure: f1, atLeast: 0.6, sure: true }
  - failed: { atMost: 0 }
`;

it('an experiment’s gate has the verdict and the checks that were not passed, in words', async () => {
  const { verdict, counts, notPassed } = gateOutcome(await judged(RULES));
  expect(verdict).toBe('failed');
  expect(counts).toBe('1 of 3 checks failed, 1 inconclusive, 1 passed');
  expect(notPassed.map((check) => [check.verdict, check.demand])).toEqual([
    ['failed', 'f1 ≥ 0.8'],
    ['inconclusive', 'f1 surely ≥ 0.6'],
  ]);
  expect(notPassed[0]?.why).toBe('0.700 (95 % interval 0.550 to 0.800, n = 18, 4 cases), which is below 0.8.');
});

it('an experiment’s gate that is passed has none', async () => {
  expect(gateOutcome(await judged('rules:\n  - { measure: f1, atLeast: 0.1 }\n'))).toEqual({
    verdict: 'passed',
    counts: '1 check passed',
    notPassed: [],
  });
});
