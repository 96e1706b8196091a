import { describe, expect, test } from 'vitest';

import { jsonl, logOf, logsOf, runOf } from './made-logs.ts';

/** A row of the exported scores table. */
const score = (traceId: string | null, name: string, value: unknown, more: Record<string, unknown> = {}) => ({
  id: `s-${traceId ?? ''}-${name}`,
  traceId,
  sessionId: null,
  datasetRunId: null,
  timestamp: '2026-01-02T03:04:05.000Z',
  source: 'EVAL',
  name,
  dataType: typeof value === 'string' ? 'CATEGORICAL' : 'NUMERIC',
  value: typeof value === 'string' ? 0 : value,
  stringValue: typeof value === 'string' ? value : null,
  comment: null,
  metadata: {},
  observationId: null,
  traceName: 'qa',
  userId: null,
  traceTags: [],
  environment: 'default',
  authorUserName: null,
  ...more,
});

const runItem = (datasetItemId: string, traceId: string, more: Record<string, unknown> = {}) => ({
  id: `ri-${traceId}`,
  projectId: 'p',
  datasetItemId,
  traceId,
  observationId: null,
  createdAt: '2026-01-02T03:04:05.000Z',
  updatedAt: '2026-01-02T03:04:05.000Z',
  datasetName: 'faq',
  ...more,
});

const trace = (id: string, scores: Record<string, unknown>, more: Record<string, unknown> = {}) => ({
  id,
  projectId: 'p',
  timestamp: '2026-01-02T03:04:05.000Z',
  name: 'qa',
  tags: [],
  sessionId: null,
  input: { question: `Q ${id}` },
  output: `A ${id}`,
  metadata: { topic: 'tax' },
  latency: 1.25,
  level: 'DEFAULT',
  comments: [],
  ...scores,
  ...more,
});

const csv = (rows: readonly Record<string, unknown>[]): string => {
  const cell = (value: unknown): string =>
    `"${(typeof value === 'string' ? value : value === null ? '' : JSON.stringify(value)).replaceAll('"', '""')}"`;
  const names = Object.keys(rows[0]!);
  return [names.map(cell).join(','), ...rows.map((row) => names.map((name) => cell(row[name])).join(','))].join('\n');
};

const SCORES = [
  score('t1', 'correct', 1),
  score('t2', 'correct', 0),
  score('t1', 'helpful', 0.5, { comment: 'short' }),
  score('t2', 'tone', 'formal'),
];

describe('exports of Langfuse', () => {
  test.each([
    ['scores.json', JSON.stringify(SCORES)],
    ['scores.jsonl', jsonl(SCORES)],
    ['scores.csv', csv(SCORES)],
    ['api.json', JSON.stringify({ data: SCORES, meta: { page: 1 } })],
  ])('%s: a trace is a case, numbers are measures, categories are not', async (name, content) => {
    const log = await logOf(content, name);
    const { values, leftOut, cases } = await runOf(log);
    expect(values).toEqual({ correct: [0.5, 2], helpful: [0.5, 1] });
    expect(leftOut).toEqual([['tone', 'its values are categorical, not numbers']]);
    expect(cases.map(({ id }) => id)).toEqual(['t1', 't2']);
    expect(log).toMatchObject({ tool: 'langfuse', version: null, model: null });
  });

  test('true and false are 1 and 0, also as answers of the newer API', async () => {
    const typed = { dataType: 'BOOLEAN', stringValue: 'True' };
    const newer = {
      id: 's',
      projectId: 'p',
      name: 'ok',
      source: 'API',
      dataType: 'BOOLEAN',
      value: false,
      subject: { kind: 'trace', id: 't2' },
    };
    const log = await logOf({ data: [score('t1', 'ok', 1, typed), newer] });
    const { values, cases } = await runOf(log);
    expect(values).toEqual({ ok: [0.5, 2] });
    expect(cases.map(({ logged }) => logged![0]!.verdict)).toEqual(['hit', 'spurious']);
  });

  test.each([
    ['json', JSON.stringify],
    ['csv', csv],
  ] as const)('traces with their score columns, as %s', async (extension, write) => {
    const rows = [
      trace('t1', { correct: [1], tone: ['formal'] }),
      trace('t2', { correct: [0, 1], tone: null }),
      trace('t3', { correct: null, tone: null }, { output: null, level: 'ERROR' }),
    ];
    const log = await logOf(write(rows), `traces.${extension}`);
    const { values, run, cases } = await runOf(log);
    // Two scores of one name are one value of the case: (1 + (0 + 1) / 2) / 2.
    expect(values).toEqual({ correct: [0.75, 2] });
    expect(run.measures.cases).toEqual({ total: 3, failed: 1, unanswered: 0 });
    expect(cases[0]).toMatchObject({ id: 't1', text: '{"question":"Q t1"}', fields: { topic: 'tax', name: 'qa' } });
  });

  test('items of a dataset run are cases, so that two runs have the same ones', async () => {
    const files = (run: string, values: readonly number[]) => ({
      [`${run}-scores.json`]: values.map((value, at) => score(`${run}${at}`, 'correct', value)),
      [`${run}-items.json`]: values.map((_, at) => runItem(`item-${at}`, `${run}${at}`)),
      'items.json': values.map((_, at) => ({
        id: `item-${at}`,
        datasetId: 'd',
        datasetName: 'faq',
        input: `Q${at}`,
        expectedOutput: `G${at}`,
      })),
    });
    const [a] = await logsOf(files('a', [1, 0]));
    const [b] = await logsOf(files('b', [1, 1]));
    const [first, second] = [await runOf(a!), await runOf(b!)];
    expect(first.cases.map(({ id, text }) => [id, text])).toEqual([
      ['item-0', 'Q0\n\nTarget: G0'],
      ['item-1', 'Q1\n\nTarget: G1'],
    ]);
    expect(second.run.manifest.comparable).toBe(first.run.manifest.comparable);
    expect(second.values).toEqual({ correct: [1, 2] });
  });

  test('run items with the names of their runs are one system for each', async () => {
    const items = [runItem('i1', 't1', { datasetRunName: 'old' }), runItem('i1', 't2', { datasetRunName: 'new' })];
    const logs = await logsOf({ 'scores.json': SCORES, 'items.json': items });
    expect(logs.map(({ system, samples }) => [system, samples.map(({ id }) => id)])).toEqual([
      ['old', ['i1']],
      ['new', ['i1']],
    ]);
    const api = { id: 'r', name: 'new', datasetName: 'faq', datasetRunItems: [runItem('i1', 't2')] };
    const [one] = await logsOf({ 'scores.json': SCORES, 'run.json': api });
    expect(one).toMatchObject({ system: 'new', task: 'faq' });
  });

  test('a second trace of one item is a repeat, and scores of sessions are left out: both are said', async () => {
    const rows = [...SCORES, score(null, 'correct', 1, { sessionId: 'x' })];
    const [log] = await logsOf({ 'scores.json': rows, 'items.json': [runItem('i1', 't1'), runItem('i1', 't2')] });
    expect(log!.notices).toEqual([
      '1 score of sessions or of whole runs left out: a case is a trace',
      '1 item with more than one trace: taken as repeats of one run',
    ]);
    expect((await runOf(log!)).cases.map(({ id }) => id)).toEqual(['i1', 'i1 (repeat 2)']);
  });

  test('an export without any score is refused', async () => {
    await expect(logsOf({ 'items.json': [runItem('i1', 't1')] })).rejects.toThrow('no score of a trace was found');
  });
});
