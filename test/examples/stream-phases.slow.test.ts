import { hash } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

import { beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';

import { caseEvents } from '../../examples/stream/make/case-events.ts';
import { readCaseScript } from '../../examples/stream/make/case-script.ts';
import { assay, example, ROOT } from '../cli/run-assay.ts';
import { keptFolder } from './kept-folder.ts';
import { type PlainDelta, type PlainFlush, plainGate } from './plain-gate.ts';
import { runHere } from './run-here.ts';
import { caseMeasures, filesBelow, type LoggedRecord, overallMeasure, records, traceConcepts } from './stream-files.ts';
import { OF_V0, OF_V2, WARD_02 } from './case-02-concepts.ts';

const CASES = ['case-01', 'case-02', 'case-03', 'case-04', 'case-05'];
const VARIANTS = ['V0', 'V1', 'V2', 'V3', 'V4'];
const TRACES = example('stream/traces');
const ANSWERS = example('stream/answers');
const MODEL = `recorded:${ANSWERS}`;

const out = keptFolder();
const runs = join(out, 'runs');
const measures = join(out, 'measures');

async function done(...args: readonly string[]): Promise<void> {
  expect(await runHere(['stream', ...args, '--quiet']), args.join(' ')).toBe(0);
}

beforeAll(async () => {
  await done('replay', '--traces', TRACES, '--model', MODEL, '--out', runs);
  await done('measure', '--traces', TRACES, '--runs', runs, '--out', measures);
});

describe('the files of the stream example', () => {
  it('hold together, each and against each other', () => {
    const said = assay(['stream', 'validate', '--traces', TRACES, '--runs', ANSWERS, '--complete', '--json']);
    expect(said).toMatchObject({ code: 0 });
    expect(JSON.parse(said.stdout)).toMatchObject({ problems: [] });
  });

  it('are small', () => {
    const sizes = filesBelow(example('stream')).map((file) => statSync(join(example('stream'), file)).size);
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(500_000);
  });

  it('have events that are the case in pieces and make the frozen trace', async () => {
    const events = readFileSync(example('stream/events/case-03.events.jsonl'), 'utf8');
    const script = readCaseScript(readFileSync(example('stream/cases/case-03.md'), 'utf8'), 'case-03.md');
    expect(events).toBe(
      caseEvents(script)
        .map((event) => `${JSON.stringify(event)}\n`)
        .join(''),
    );
    const said = assay(
      ['stream', 'record', '--case', 'case-03', '--run-id', 'mas_example', '--model', 'written-by-hand', '--out', out],
      { input: events },
    );
    expect(said).toMatchObject({ code: 0, stderr: '' });
    const name = 'case-03.trace.jsonl.gz';
    expect(readFileSync(join(out, name)).equals(readFileSync(join(TRACES, name)))).toBe(true);
  });

  it('have the variants that ship, to be changed', () => {
    const variant = (file: string): unknown => parse(readFileSync(file, 'utf8'));
    for (const name of VARIANTS)
      expect(variant(example(`stream/config/variants/${name}.yaml`))).toEqual(
        variant(join(ROOT, 'src/stream/variants', `${name}.yaml`)),
      );
  });
});

describe('replaying the stream example', () => {
  it('uses every recorded answer and misses none', () => {
    const again = join(out, 'again');
    const said = assay(['stream', 'replay', '--traces', TRACES, '--model', MODEL, '--out', again, '--json']);
    expect(said.code).toBe(0);
    expect(JSON.parse(said.stdout)).toMatchObject({
      // The one decision that was recorded as failed.
      notices: [expect.stringMatching(/^calls that got no answer: 1; the first: .*overloaded/)],
      variants: [
        { variant: 'V0', flushes: 41, decisions: 27, failedDecisions: 1, summaries: 16, failedSummaries: 0 },
        { variant: 'V1', flushes: 0, decisions: 0, failedDecisions: 0, summaries: 27, failedSummaries: 1 },
        { variant: 'V2', flushes: 41, decisions: 0, failedDecisions: 0, summaries: 41, failedSummaries: 0 },
        { variant: 'V3', flushes: 0, decisions: 29, failedDecisions: 0, summaries: 15, failedSummaries: 1 },
        { variant: 'V4', flushes: 41, decisions: 27, failedDecisions: 0, summaries: 23, failedSummaries: 0 },
      ],
    });
    // All but the record about the run itself is as it was recorded.
    for (const variant of VARIANTS)
      for (const id of CASES) {
        const name = join(variant, `${id}.run.jsonl.gz`);
        expect(records(join(runs, name)).slice(1), name).toEqual(records(join(ANSWERS, name)).slice(1));
      }
  });

  it('flushes for each of the five reasons, as a gate of a few lines does', () => {
    const wanted = Object.fromEntries(CASES.map((id) => [id, plainGate(deltasOf(id))]));
    // Two paragraphs without a full stop, two slow turns, seven buffers that their agent came back to late.
    expect(reasonsOf(Object.values(wanted).flat())).toEqual({
      boundary_cue: 16,
      max_words: 2,
      max_wait_timeout: 2,
      silence_timer: 7,
      end_of_trace: 14,
    });
    for (const variant of ['V0', 'V2', 'V4'])
      for (const id of CASES) expect(flushesOf(variant, id), `${variant} ${id}`).toEqual(wanted[id]);
  });

  it('shows what went wrong: a failed call, a summary without its fields, one that is too long', () => {
    const decision = all('V0', 'buffer_decision').find(({ error }) => error !== undefined);
    expect(decision).toMatchObject({
      decision_id: 'case-03-V0-bd-002',
      decision: 'buffer',
      error: 'the call failed: the server is overloaded',
    });
    const incomplete = all('V1', 'summary_event').find(({ schema_ok: ok }) => !ok);
    expect(incomplete).toMatchObject({
      event_id: 'case-02-V1-se-002',
      schema_error: 'uncertainty_confidence: missing; recommendation_next_step: missing',
      limits_ok: true,
    });
    const long = all('V3', 'summary_event').find(({ limits_ok: ok }) => !ok);
    expect(long).toMatchObject({ event_id: 'case-03-V3-se-000', failure_mode: 'length_limit_violation' });
  });
});

describe('measuring the stream example', () => {
  it('compression: characters of the summaries against characters of the conversation', () => {
    // Five fields joined by blanks, a quarter of their length rounded up; the turns joined by newlines, likewise.
    const source: { texts: Record<string, Record<string, string>>; V2: string[] } = parse(
      readFileSync(example('stream/answers-source/case-01.yaml'), 'utf8'),
    );
    const summaries = source.V2.map((name) =>
      ['do', 'find', 'ddx', 'unsure', 'next'].map((field) => source.texts[name]![field]).join(' '),
    );
    const units = (text: string): number => Math.ceil([...text].length / 4);
    const written = summaries.reduce((sum, text) => sum + units(text), 0);
    const conversation = readFileSync(example('stream/cases/case-01.md'), 'utf8')
      .split(/<!-- turn .* -->\n/)
      .slice(1)
      .map((turn) => turn.trim())
      .join('\n');
    expect(caseMeasures(join(measures, 'V2'), 'case-01')).toMatchObject({
      summary_ctu: written,
      compression_ratio: 1 - written / units(conversation),
    });
  });

  it('coverage and support of case-02: sets of concepts, read from the text by hand', async () => {
    const ids = (names: readonly string[]): Set<string> => new Set(names.map((name) => WARD_02[name] ?? name));
    const there = ids(Object.keys(WARD_02));
    expect(new Set(await traceConcepts(join(measures, 'V0'), 'case-02'))).toEqual(there);
    expect([there.size, ids(OF_V0).intersection(there).size, ids(OF_V2).intersection(there).size]).toEqual([
      45, 23, 31,
    ]);
    const [v0, v2] = ['V0', 'V2'].map((variant) => caseMeasures(join(measures, variant), 'case-02'));
    expect(v0!['trace_coverage']).toBe(23 / 45);
    expect(v2!['trace_coverage']).toBe(31 / 45);
    // Of the 32 concepts of V2's summaries, Guillain-Barre syndrome is not in the conversation.
    expect(v2!['unsupported_global']).toBe(1 / 32);
    // It is one of six of the second of seven summaries. So is "diagnosis", which stands in the first summary and not in
    // the window.
    expect(v2!['unsupported_in_window']).toBeCloseTo(2 / 6 / 7, 12);
    expect(v2!['unsupported_in_contract']).toBeCloseTo(1 / 6 / 7, 12);
  });

  it('schema failures: pooled over all summaries, left out of support', () => {
    expect(overallMeasure(join(measures, 'V1'), 'schema_failure_rate')).toBe(1 / 27);
    expect(overallMeasure(join(measures, 'V3'), 'schema_failure_rate')).toBe(1 / 15);
    expect(overallMeasure(join(measures, 'V1'), 'schema_failures')).toBe(1);
    expect(overallMeasure(join(measures, 'V2'), 'schema_failures')).toBe(0);
    const manifest: unknown = JSON.parse(readFileSync(join(measures, 'V1/manifest.json'), 'utf8'));
    expect(manifest).toMatchObject({ notices: { summariesNotInFaithfulness: 1 } });
  });

  it('a summary without concepts is supported, and no division by nothing', () => {
    // "Round 1 is closed" and "The floor goes to doctor0" name no concept.
    const ledger = readFileSync(join(measures, 'V1/ledger.jsonl'), 'utf8');
    expect(ledger).not.toContain('NaN');
    expect(caseMeasures(join(measures, 'V1'), 'case-04')['unsupported_global']).toBe(0);
  });

  it('says that lower is better and that no clinical outcome is claimed', () => {
    const report = readFileSync(join(measures, 'report.md'), 'utf8');
    expect(report).toMatch(/unsupported[^\n]*lower is better/i);
    expect(report).toContain('No clinical outcome is claimed');
    expect(report).toContain('written by hand for the example');
  });

  it('compares variants case by case, and says that five cases are too few', () => {
    const said = assay(['compare', join(measures, 'V0'), join(measures, 'V2')]);
    expect(said.code).toBe(0);
    expect(said.stdout).toContain('5 cases paired');
    expect(said.stdout).toContain('too little data');
  });
});

it('all phases, twice, from two places: the same bytes', async () => {
  const other = keptFolder();
  for (const folder of [out, other]) {
    if (folder === other) {
      await done('replay', '--traces', TRACES, '--model', MODEL, '--out', join(other, 'runs'));
      await done('measure', '--traces', TRACES, '--runs', join(other, 'runs'), '--out', join(other, 'measures'));
    }
    const [own, measuredIn] = [join(folder, 'runs'), join(folder, 'measures')];
    await done('stoplist', '--traces', TRACES, '--out', join(folder, 'stoplists'));
    await done('figures', measuredIn, '--traces', TRACES, '--runs', own, '--out', join(folder, 'figures'));
    await done('calibrate', '--runs', own, '--out', join(folder, 'calibration'));
  }
  const parts = ['runs', 'measures', 'stoplists', 'figures', 'calibration'];
  const hashes = (folder: string): Record<string, string> =>
    Object.fromEntries(
      parts
        .flatMap((part) => filesBelow(join(folder, part)).map((file) => join(part, file)))
        .map((file) => [file, hash('md5', readFileSync(join(folder, file)))]),
    );
  expect(Object.keys(hashes(out)).length).toBeGreaterThan(60);
  expect(hashes(other)).toEqual(hashes(out));
});

function deltasOf(id: string): PlainDelta[] {
  const trace = records<PlainDelta & LoggedRecord>(join(TRACES, `${id}.trace.jsonl.gz`));
  return trace.filter(({ record_type: type }) => type === 'stream_delta');
}

function logged(variant: string, id: string, type: string): LoggedRecord[] {
  const log = records<LoggedRecord>(join(runs, variant, `${id}.run.jsonl.gz`));
  return log.filter(({ record_type: own }) => own === type);
}

function all(variant: string, type: string): LoggedRecord[] {
  return CASES.flatMap((id) => logged(variant, id, type));
}

function flushesOf(variant: string, id: string): PlainFlush[] {
  return logged(variant, id, 'tokengate_flush').map((flush) => ({
    start: flush.start_seq,
    end: flush.end_seq,
    reason: flush.trigger_reason,
  }));
}

function reasonsOf(flushes: readonly PlainFlush[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { reason } of flushes) counts[reason] = (counts[reason] ?? 0) + 1;
  return counts;
}
