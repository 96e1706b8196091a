import type { Case } from '../../../src/data/case.ts';
import { isRecord } from '../../../src/data/record-fields.ts';
import { memorySource } from '../../../src/data/source.ts';
import { type LogChoice, logRun } from '../../../src/formats/logs/log-run.ts';
import { readLogs } from '../../../src/formats/logs/read-logs.ts';
import type { ScoreLog } from '../../../src/formats/logs/score-log.ts';
import { scoreToRun } from '../../../src/score/score-to-folder.ts';
import { makeZip } from './make-zip.ts';

type Json = Readonly<Record<string, unknown>>;

/** One sample of an Inspect log as inspect_ai 0.3 writes it. */
export function inspectSample(id: number | string, scores: Json | null, more: Json = {}): Json {
  return {
    id,
    epoch: 1,
    input: `Is ${id} even? Answer Yes or No.`,
    target: 'Yes',
    messages: [{ role: 'user', content: 'long transcript' }],
    output: {
      model: 'gpt-x',
      choices: [{ message: { role: 'assistant', content: 'Yes', source: 'generate' }, stop_reason: 'stop' }],
    },
    ...(scores === null ? {} : { scores }),
    metadata: { topic: 'numbers' },
    store: {},
    events: [],
    ...more,
  };
}

/** A score as Inspect has it. */
export const scored = (value: unknown, more: Json = {}): Json => ({
  value,
  answer: 'Yes',
  explanation: 'said Yes',
  ...more,
});

/** An Inspect log; `accuracy` is what it states for the scorer `match`. */
export function inspectLog(
  samples: readonly Json[],
  { accuracy = null as number | null, ...more }: Json & { accuracy?: number | null } = {},
): Json {
  return {
    version: 2,
    status: 'success',
    eval: {
      run_id: 'r',
      created: '2026-01-02T03:04:05+00:00',
      task: 'parity',
      task_version: 0,
      dataset: { name: 'numbers', samples: samples.length },
      model: 'acme/gpt-x',
      config: { epochs: 1 },
      packages: { inspect_ai: '0.3.154' },
      scorers: [
        { name: 'match', options: { location: 'end' }, metrics: [{ name: 'inspect_ai/accuracy', options: {} }] },
      ],
      ...(typeof more['eval'] === 'object' ? more['eval'] : {}),
    },
    plan: { name: 'plan', steps: [{ solver: 'generate', params: {} }], config: {} },
    results: {
      total_samples: samples.length,
      completed_samples: samples.length,
      scores:
        accuracy === null
          ? []
          : [
              {
                name: 'match',
                scorer: 'match',
                reducer: null,
                scored_samples: samples.length,
                metrics: {
                  accuracy: { name: 'accuracy', value: accuracy, params: {} },
                  stderr: { name: 'stderr', value: 0.1, params: {} },
                },
              },
            ],
    },
    stats: { started_at: '2026-01-02T03:04:05+00:00', completed_at: '2026-01-02T03:05:05+00:00' },
    samples,
    ...Object.fromEntries(Object.entries(more).filter(([key]) => key !== 'eval')),
  };
}

/** The same log as the archive that Inspect writes by default. */
export function inspectArchive({ samples, ...header }: Json, method: 'deflate' | 'zstd' = 'deflate'): Buffer {
  const { status: _, results: _results, stats: _stats, ...start } = header;
  const list = Array.isArray(samples) ? samples.filter(isRecord) : [];
  return makeZip(
    [
      { name: '_journal/start.json', content: JSON.stringify(start) },
      ...list.toReversed().map((sample) => ({
        name: `samples/${String(sample['id'])}_epoch_${String(sample['epoch'])}.json`,
        content: JSON.stringify(sample),
      })),
      { name: 'summaries.json', content: '[]' },
      { name: 'header.json', content: JSON.stringify(header) },
    ].map((entry) => ({ ...entry, method })),
  );
}

/** The logs of some files, by what the files are called. */
export function logsOf(files: Readonly<Record<string, unknown>>, format?: string): Promise<ScoreLog[]> {
  const sources = Object.entries(files).map(([name, content]) =>
    memorySource(
      name,
      typeof content === 'string' || content instanceof Uint8Array ? content : JSON.stringify(content),
    ),
  );
  return readLogs(sources, format);
}

/** The only log of a file. */
export async function logOf(content: unknown, name = 'log.json'): Promise<ScoreLog> {
  const [log, ...others] = await logsOf({ [name]: content });
  if (log === undefined || others.length > 0) throw new Error(`${others.length + 1} logs`);
  return log;
}

/** A log as the cases of a run, with its measures. */
export async function runOf(log: ScoreLog, choice: LogChoice = {}) {
  const made = await logRun(log, { set: ['interval=off'], ...choice });
  const cases = await Array.fromAsync<Case>(made.cases);
  const run = await scoreToRun(made.plan, made.cases);
  const values = Object.fromEntries(
    run.measures.measures.map(({ name, slice, value, n }) => [[name, ...Object.values(slice)].join(' '), [value, n]]),
  );
  return { ...made, cases, run, values };
}

/** Lines of JSON. */
export const jsonl = (rows: readonly unknown[]): string => rows.map((row) => `${JSON.stringify(row)}\n`).join('');
