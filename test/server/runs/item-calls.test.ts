import { appendFileSync, mkdirSync, renameSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { afterEach, expect, it, vi } from 'vitest';

import { traceIdsOf } from '../../../src/experiment/run/item-trace.ts';
import { ItemCalls } from '../../../src/server/runs/item-calls.ts';
import { openStore } from '../../../src/store/store.ts';
import { temporaryFolder } from '../../cli/run-assay.ts';

const KEY = 'sk-not-for-anybody-1';
const TIME = '2026-10-01T08:00:00.000Z';
const PROMPT = {
  type: 'chat',
  prompt: [
    { role: 'system', content: 'Read {{ text }}.' },
    { type: 'placeholder', name: 'more' },
  ],
};

afterEach(() => vi.unstubAllEnvs());

/** An experiment of two repeats with what is in its log. */
function experiment(...lines: readonly object[]) {
  const folder = temporaryFolder();
  const store = openStore(join(folder, 'data'));
  const home = join(folder, 'trial');
  for (const name of ['score-1', 'score-2', 'other']) mkdirSync(join(home, name), { recursive: true });
  const dataset = { name: 'towns', backend: 'local', version: '1', items: 2 };
  const identity = { kind: 'model', model: 'openai/x', prompt: PROMPT };
  const record = { format: 1, assay: '0', name: 'trial', id: 'run-1', given: {}, dataset, prompt: null, target: 't' };
  writeFileSync(join(home, 'experiment.json'), JSON.stringify({ ...record, identity, startedAt: TIME }));
  const log = join(home, 'log.jsonl');
  const add = (...more: readonly object[]) => {
    for (const one of more) appendFileSync(log, `${JSON.stringify({ ...LINE, ...one })}\n`);
  };
  writeFileSync(log, '');
  add(...lines);
  const calls = new ItemCalls(store);
  const of = (place: string, item: string, texts: 'full' | 'redacted' | 'none' = 'full') =>
    calls.of(join(home, place), item, texts);
  return { store, home, log, add, of };
}

const LINE = {
  item: 'T1',
  repeat: 1,
  outcome: 'answered',
  output: { towns: ['Lund'] },
  passages: null,
  usage: { inputTokens: 20, outputTokens: 5, cost: null },
  cost: 0.5,
  latencyMs: 812,
  raw: 'The town is Lund.',
  attempts: 2,
  cached: false,
  startedAt: TIME,
  endedAt: TIME,
};

it('gives the last outcome of an item in a repeat, with what it used and how long it took', async () => {
  const { of, add } = experiment({ raw: 'at first' }, {}, { repeat: 2, raw: null }, { item: 'T2', duplicate: true });
  expect(await of('score-1', 'T1')).toMatchObject({
    target: 'model',
    model: 'openai/x',
    answer: { text: 'The town is Lund.', isRaw: true },
    failed: null,
    inputTokens: 20,
    outputTokens: 5,
    cost: 0.5,
    latencyMs: 812,
    attempts: 2,
    isCached: false,
    isBatched: false,
    date: Date.parse(TIME),
  });
  expect((await of('score-2', 'T1'))?.answer).toEqual({ text: '{\n  "towns": [\n    "Lund"\n  ]\n}', isRaw: false });
  const { output: _, passages: __, ...rest } = LINE;
  add({ ...rest, outcome: 'failed', kind: 'timeout', message: 'no answer came', raw: null, batch: 'b' });
  const [failed, other] = await Promise.all([of('score-1', 'T1'), of('score-2', 'T1')]);
  expect(failed).toMatchObject({
    answer: null,
    failed: { kind: 'timeout', message: 'no answer came' },
    isBatched: true,
  });
  expect(other?.answer?.isRaw).toBe(false);
});

it('has nothing of what no experiment made, of an item that it does not have, and of files that are no files', async () => {
  const { of, home, log, add } = experiment({});
  expect(await of('other', 'T1')).toBeNull();
  expect(await of('../elsewhere/score', 'T1')).toBeNull();
  expect(await of('score-1', 'T9')).toBeNull();
  expect(await of('score-3', 'T1')).toBeNull();
  appendFileSync(log, 'not JSON\n{"item":"T3","repeat":1}\n');
  expect(await of('score-1', 'T3')).toBeNull();
  // Another log in its place is read from its beginning.
  renameSync(log, join(home, 'before.jsonl'));
  add({ raw: 'anew' });
  expect((await of('score-1', 'T1'))?.answer?.text).toBe('anew');
  renameSync(log, join(home, 'again.jsonl'));
  symlinkSync(join(home, 'again.jsonl'), log);
  expect(await of('score-1', 'T1')).toBeNull();
});

it('shows the prompt as the trace has it, else its template, and for a program none', async () => {
  const { of, store, home } = experiment({}, { repeat: 2 });
  const { traceId, callId } = traceIdsOf('run-1', 'T1', 1);
  const sent = [{ role: 'user', content: 'Read: Ida lives in Lund.' }];
  store.traces.saveObservation({ id: callId, traceId, type: 'GENERATION', input: sent });
  expect((await of('score-1', 'T1'))?.prompt).toEqual({ turns: sent, isTemplate: false });
  const template = [{ role: 'system', content: 'Read {{ text }}.' }];
  expect((await of('score-2', 'T1'))?.prompt).toEqual({ turns: template, isTemplate: true });
  const record = { format: 1, assay: '0', name: 'trial', id: 'run-2', given: {}, prompt: null, target: 't' };
  const dataset = { name: 'towns', backend: 'local', version: '1', items: 2 };
  const identity = { kind: 'command' };
  writeFileSync(join(home, 'experiment.json'), JSON.stringify({ ...record, dataset, identity, startedAt: TIME }));
  expect(await of('score-1', 'T1')).toMatchObject({ prompt: null, target: 'command', model: null });
});

it('keeps back texts as the report does, and keys always', async () => {
  vi.stubEnv('OPENAI_API_KEY', KEY);
  const { of } = experiment({ raw: `Lund, by ${KEY}` });
  expect((await of('score-1', 'T1'))?.answer?.text).toBe('Lund, by [key]');
  const hidden = await of('score-1', 'T1', 'redacted');
  expect(hidden?.answer?.text).toBe('▒▒▒▒, ▒▒ [▒▒▒]');
  expect(hidden?.prompt?.turns).toEqual([{ role: 'system', content: '▒▒▒▒ {{ ▒▒▒▒ }}.' }]);
  expect(await of('score-1', 'T1', 'none')).toMatchObject({ answer: null, prompt: null, latencyMs: 812 });
});
