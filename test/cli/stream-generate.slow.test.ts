import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';

import { afterEach, describe, expect, it, vi } from 'vitest';

import { modelServer, type ModelServer, refusal, type Respond, streamed } from '../experiment/models/model-server.ts';
import { noReference, referencePath } from '../reference/reference-data.ts';
import { assayHere } from './assay-here.ts';
import { BIN, example, type Finished, temporaryFolder } from './run-assay.ts';
import { files } from './stream-files.ts';

let server: ModelServer | undefined;
afterEach(async () => {
  await server?.close();
  server = undefined;
});

const KEY = 'sk-test-0123456789abcdef';

interface Printed {
  readonly made: readonly { readonly caseId: string; readonly turns: number; readonly clock: string }[];
  readonly kept: readonly string[];
  readonly failed: readonly { readonly case: string; readonly error: string }[];
  readonly left: { readonly cases: number; readonly why: string } | null;
  readonly spent: { readonly tokens: number; readonly cost: number | null; readonly calls: number };
  readonly notices: readonly string[];
  readonly cases: Record<string, unknown>;
  readonly mas_run_id: string;
  readonly most_calls: number;
}

async function generate(cwd: string, ...args: string[]): Promise<Finished & { readonly printed: Printed }> {
  const done = await assayHere(['stream', 'generate', '--out', 'traces', '--json', '--quiet', ...args], {
    cwd,
    env: { OPENAI_API_KEY: KEY, OPENAI_BASE_URL: server === undefined ? '' : `${server.url}/v1` },
  });
  return { ...done, printed: JSON.parse(done.stdout === '' ? '{}' : done.stdout) as Printed };
}

const EXAMPLE = ['--config', example('stream/generate')];

function records(cwd: string, id: string): Record<string, unknown>[] {
  return gunzipSync(readFileSync(join(cwd, 'traces', `${id}.trace.jsonl.gz`)))
    .toString()
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>);
}

/** Who speaks in a trace, turn by turn, and what. */
function turns(cwd: string, id: string): string[] {
  const spoken = new Map<unknown, string>();
  for (const { record_type: type, turn_id: turn, agent_id: agent, delta_text: text } of records(cwd, id))
    if (type === 'stream_delta') spoken.set(turn, `${spoken.get(turn) ?? `${String(agent)}: `}${String(text)}`);
  return [...spoken.values()];
}

/** A folder with cases of its own and a configuration. */
function workplace(mas: string, dataset = '', cases = 'id,presentation\na,Fever.\nb,Cough.\n'): string {
  const cwd = temporaryFolder();
  mkdirSync(join(cwd, 'cfg'));
  writeFileSync(join(cwd, 'cfg/cases.csv'), cases);
  writeFileSync(join(cwd, 'cfg/dataset.yaml'), `cases: { file: cases.csv }\n${dataset}`);
  writeFileSync(join(cwd, 'cfg/mas_generation.yaml'), mas);
  return cwd;
}

const SMALL = 'conversation: { specialists: 1, max_rounds: 2 }\n';
const AT_SERVER = ['--config', 'cfg', '--model', 'openai-compatible/local'];

/** Without a subtype: words of `_system` and of the orchestrator are no part of the text because of their agent. */
const ROUND = ['_system', 'doctor0', 'doctor1', 'doctor2', 'supervisor'];

describe('stream generate with a script', () => {
  it('makes traces of the shipped cases that validate, replay and measure take as they are', async () => {
    const cwd = temporaryFolder();
    const { code, stderr, printed } = await generate(cwd, ...EXAMPLE, '--model', 'scripted');
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(printed.made.map(({ caseId, turns: spoken, clock }) => [caseId, spoken, clock])).toEqual([
      ['case-harbour', 11, 'virtual'],
      ['case-meadow', 11, 'virtual'],
      ['case-river', 11, 'virtual'],
    ]);
    expect(printed.notices).toEqual([expect.stringContaining('not by a language model')]);
    const spoken = turns(cwd, 'case-river');
    expect(spoken.map((text) => text.slice(0, text.indexOf(':')))).toEqual([...ROUND, ...ROUND, 'orchestrator']);
    expect(spoken[9]).toMatch(/\nTERMINATE$/);
    expect(records(cwd, 'case-river')[0]).toMatchObject({
      model: 'scripted-1',
      mas_run_id: printed.mas_run_id,
      mac_commit: expect.stringMatching(/^[0-9a-f]{40}$/),
      decoding: {
        temperature: 1,
        top_p: null,
        max_tokens: 1024,
        seed: null,
        assay: { clock: 'virtual', note: expect.stringContaining('not by a language model') },
      },
    });
    const next = (...args: string[]): Promise<Finished> => assayHere(['stream', ...args, '--quiet'], { cwd });
    expect(await next('validate', 'traces', '--complete')).toMatchObject({ code: 0 });
    expect(
      await next('replay', '--traces', 'traces', '--model', 'heuristic', '--variants', 'V2', '--out', 'runs'),
    ).toMatchObject({ code: 0, stderr: '' });
    expect(await next('measure', '--traces', 'traces', '--runs', 'runs', '--out', 'measures')).toMatchObject({
      code: 0,
      stderr: '',
    });
    const measures = JSON.parse(readFileSync(join(cwd, 'measures/aggregate.metrics.json'), 'utf8')) as object;
    expect(measures).toMatchObject({ variants: { V2: { n_cases: 3 } } });
  });

  it('gives the same bytes again, others with another seed, and keeps what is finished', async () => {
    const [one, two, other] = [temporaryFolder(), temporaryFolder(), temporaryFolder()];
    await generate(one, ...EXAMPLE, '--model', 'scripted');
    // First one case alone, then the rest: the set is the same.
    expect((await generate(two, ...EXAMPLE, '--model', 'scripted', '--limit', '1')).printed.made).toHaveLength(1);
    expect((await generate(two, ...EXAMPLE, '--model', 'scripted')).printed.kept).toEqual(['case-harbour']);
    await generate(other, ...EXAMPLE, '--model', 'scripted', '--seed', '7');
    expect(files(two)).toEqual(files(one));
    expect(turns(other, 'case-river')).not.toEqual(turns(one, 'case-river'));
    // Traces of another generation are not mixed with these.
    const mixed = await generate(one, ...EXAMPLE, '--model', 'scripted', '--seed', '7');
    expect(mixed).toMatchObject({ code: 2, stderr: expect.stringContaining('is of another generation (mas_run_id ') });
    expect(readdirSync(join(one, 'traces')).some((name) => /partial|lock/.test(name))).toBe(false);
  });

  it('speaks the lines of a file, and a case without enough of them fails while the others go on', async () => {
    const cwd = workplace(SMALL);
    const script = [
      { agent: 'doctor0', text: 'Pneumonia is likely.' },
      { agent: 'supervisor', text: 'Agreed.\nTERMINATE' },
      { agent: 'doctor0', text: 'Asthma?', case: 'b' },
      { agent: 'supervisor', text: 'Go on.', case: 'b' },
    ];
    writeFileSync(join(cwd, 'script.jsonl'), script.map((line) => `${JSON.stringify(line)}\n`).join(''));
    const { code, printed } = await generate(cwd, '--config', 'cfg', '--model', 'scripted:script.jsonl');
    expect(code).toBe(0);
    expect(turns(cwd, 'a')).toEqual(['doctor0: Pneumonia is likely.', 'supervisor: Agreed.\nTERMINATE']);
    expect(printed.failed).toEqual([
      { case: 'b', error: 'script.jsonl has 1 lines for doctor0 in b, and more were needed' },
    ]);
    expect(printed.notices).toContain('the same command tries the failed cases again, and keeps the others');
    expect(readdirSync(join(cwd, 'traces')).filter((name) => name.startsWith('b'))).toEqual([]);
    const raised = workplace(SMALL, 'mac_selection: { mode: all, on_failure: raise }\n');
    writeFileSync(join(raised, 'script.jsonl'), '{"agent":"nobody","text":"x"}\n');
    const stopped = await generate(raised, '--config', 'cfg', '--model', 'scripted:script.jsonl');
    expect(stopped.code).toBe(2);
    expect(stopped.printed).toMatchObject({ failed: [{ case: 'a' }], left: { cases: 1 } });
  });

  it('selects cases as dataset.yaml says, and says what has no effect', async () => {
    const cases = `id,presentation\n${['c5', 'c1', 'c4', 'c2', 'c3'].map((id) => `${id},Fever.\n`).join('')}`;
    const wanted = async (dataset: string): Promise<unknown> => {
      const cwd = workplace(SMALL, dataset, cases);
      const { printed, stderr } = await generate(cwd, '--config', 'cfg', '--model', 'scripted', '--dry-run');
      return stderr === '' ? printed.cases['wanted'] : stderr;
    };
    // random.Random(42).sample(['c1', 'c2', 'c3', 'c4', 'c5'], 2) is ['c1', 'c5'] in Python.
    expect(await wanted('mac_selection: { mode: fixed_subset, n_cases: 2, seed: 42 }\n')).toEqual(['c1', 'c5']);
    expect(await wanted('mac_selection: { explicit_cases: [c4, c2] }\n')).toEqual(['c2', 'c4']);
    expect(await wanted('sampling: { enabled: true, n_samples: 2, seed: 42 }\n')).toEqual(['c1', 'c5']);
    expect(await wanted('')).toEqual(['c1', 'c2', 'c3', 'c4', 'c5']);
    expect(await wanted('mac_selection: { explicit_cases: [c6] }\n')).toContain('there is no case c6');
    const cwd = workplace(`${SMALL}conversatoin: {}\nmode: mac_integration\n`, 'selection_rule: x\n');
    const { printed } = await generate(cwd, '--config', 'cfg', '--model', 'scripted', '--dry-run');
    expect(printed.most_calls).toBe(8);
    expect(printed.notices).toEqual([
      'cfg/dataset.yaml:2: selection_rule is not used: mac_selection chooses the cases',
      expect.stringContaining(
        'mas_generation.yaml:2: conversatoin is not used: nothing reads a key of that name (did you mean conversation?)',
      ),
      expect.stringContaining('mas_generation.yaml:3: mode is not used: it is "mac_integration"'),
      expect.stringContaining('not by a language model'),
    ]);
    expect(readdirSync(cwd)).toEqual(['cfg']);
  });

  it('names the file, the line and what was expected of a case that cannot be used', async () => {
    const cwd = workplace(SMALL, '', 'id,presentation\na b,Fever.\nok,\nok2,Cough.\nok2,Cough.\n');
    const { code, stderr } = await generate(cwd, '--config', 'cfg', '--model', 'scripted');
    expect(code).toBe(2);
    expect(stderr).toMatch(/cases\.csv:2: id: expected letters.*"a b"/s);
    expect(stderr).toMatch(/cases\.csv:3: presentation: expected the text of the case ok/);
    expect(stderr).toMatch(/cases\.csv:5: the case ok2 is there twice/);
  });
});

describe('stream generate with a server', () => {
  const talk: Respond = (response, { body }) => {
    const isSupervisor = JSON.stringify(body).includes('You supervise');
    streamed(isSupervisor ? ['Agree', 'd.', '\nTERMINATE'] : ['Pneu', 'monia', ' is likely.'], { gapMs: 20 })(
      response,
      {
        path: '',
        headers: {},
        body,
      },
    );
  };

  it('keeps each piece with the time at which it arrived, sends the decoding, and writes no key', async () => {
    server = await modelServer(talk);
    const cwd = workplace(`${SMALL}mac: { decoding: { temperature: 0.5, top_p: 0.9, max_tokens: 99, seed: 5 } }\n`);
    const { code, stderr, printed } = await generate(cwd, ...AT_SERVER, '--price', '1,2');
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(printed.made.map(({ caseId, turns: spoken, clock }) => [caseId, spoken, clock])).toEqual([
      ['a', 2, 'given'],
      ['b', 2, 'given'],
    ]);
    // Four calls of 11 and 7 tokens: 4 × (11 × 1 + 7 × 2) / 1,000,000.
    expect(printed.spent).toMatchObject({ calls: 4, tokens: 72, cost: expect.closeTo(0.0001, 9) });
    expect(turns(cwd, 'a')).toEqual(['doctor0: Pneumonia is likely.', 'supervisor: Agreed.\nTERMINATE']);
    const times = records(cwd, 'a').flatMap(({ t_emitted_ms: time }) => (typeof time === 'number' ? [time] : []));
    expect(Math.abs(Date.now() - times[0]!)).toBeLessThan(60_000);
    expect(times.at(-1)! - times[0]!).toBeGreaterThanOrEqual(20);
    expect(server.requests[0]?.body).toMatchObject({
      model: 'local',
      temperature: 0.5,
      top_p: 0.9,
      max_tokens: 99,
      seed: 5,
      stream: true,
    });
    // The second turn is told what was said in the first.
    expect(JSON.stringify(server.requests.map(({ body }) => body['messages']))).toContain(
      'doctor0:\\nPneumonia is likely.',
    );
    for (const name of readdirSync(join(cwd, 'traces'))) {
      const bytes = readFileSync(join(cwd, 'traces', name));
      expect((name.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString()).not.toContain(KEY);
    }
    expect(await assayHere(['stream', 'validate', 'traces', '--complete', '--quiet'], { cwd })).toMatchObject({
      code: 0,
    });
  });

  it('reports a case that the server refuses, goes on, and tries it again with the same command', async () => {
    let fails = true;
    server = await modelServer((response, request) => {
      if (fails && JSON.stringify(request.body).includes('Fever.')) refusal(400, 'too odd')(response, request);
      else talk(response, request);
    });
    const cwd = workplace(SMALL);
    const first = await generate(cwd, ...AT_SERVER);
    expect(first.code).toBe(0);
    expect(first.printed).toMatchObject({
      failed: [{ case: 'a', error: 'HTTP 400: too odd' }],
      made: [{ caseId: 'b' }],
    });
    fails = false;
    const again = await generate(cwd, ...AT_SERVER);
    expect(again.printed).toMatchObject({ failed: [], made: [{ caseId: 'a' }], kept: ['b'] });
  });

  it('ends at once where no call can succeed, and at a budget before the next case', async () => {
    server = await modelServer(refusal(401, 'bad key'));
    const refused = await generate(workplace(SMALL), ...AT_SERVER);
    expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining('HTTP 401') });
    await server.close();
    server = await modelServer(talk);
    const cwd = workplace(SMALL);
    const poor = await generate(cwd, ...AT_SERVER, '--max-tokens', '20', '--concurrency', '1');
    expect(poor.code).toBe(3);
    expect(poor.printed).toMatchObject({ made: [{ caseId: 'a' }], left: { cases: 1 } });
    expect(poor.printed.notices.at(-1)).toMatch(/1 case not begun: the budget of 20 tokens is used up/);
  });
});

describe('stream generate that is ended from outside', () => {
  it.each(['SIGKILL', 'SIGINT'] as const)(
    'by %s keeps finished cases, and no half of another',
    async (signal) => {
      const slow: Respond = (response, request) => {
        const isSlow = JSON.stringify(request.body).includes('Cough.');
        streamed(['Noted.', '\nTERMINATE'], { gapMs: isSlow ? 5000 : 1 })(response, request);
      };
      server = await modelServer(slow);
      const cwd = workplace(SMALL);
      const child = spawn(
        process.execPath,
        [BIN, 'stream', 'generate', '--out', 'traces', ...AT_SERVER, '--concurrency', '2'],
        { cwd, env: { ...process.env, OPENAI_BASE_URL: `${server.url}/v1`, OPENAI_API_KEY: '' }, stdio: 'ignore' },
      );
      const ended = once(child, 'exit');
      await vi.waitFor(() => expect(existsSync(join(cwd, 'traces/a.trace.jsonl.gz'))).toBe(true), {
        timeout: 60_000,
        interval: 50,
      });
      child.kill(signal);
      expect((await ended)[0]).toBe(signal === 'SIGKILL' ? null : 130);
      expect(readdirSync(join(cwd, 'traces')).filter((name) => name.startsWith('b'))).toEqual([]);
      await server.close();
      server = await modelServer(streamed(['Noted.', '\nTERMINATE']));
      const again = await generate(cwd, ...AT_SERVER);
      expect(again.printed).toMatchObject({ kept: ['a'], made: [{ caseId: 'b' }], failed: [] });
      const checked = await assayHere(['stream', 'validate', 'traces', '--complete', '--quiet'], { cwd });
      expect(checked).toMatchObject({ code: 0, stdout: '' });
    },
    120_000,
  );
});

describe.skipIf(noReference)('the published configuration', () => {
  it('gives the ids that the published set has', async () => {
    const cwd = temporaryFolder();
    const list = readFileSync(
      referencePath('stream/manifests/exaid_traces_1d5b227a_0ad5f2b4_d22060bf.case_list.jsonl'),
      'utf8',
    );
    // Only the selected ones are at hand: of 40 cases, 40 are taken.
    writeFileSync(join(cwd, 'cases.jsonl'), list.replaceAll(/\}$/gm, ',"presentation":"Fever."}'));
    const config = ['--config', referencePath('stream/configs'), '--cases', 'cases.jsonl', '--dry-run'];
    const { code, stderr, printed } = await generate(cwd, ...config);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(printed.mas_run_id).toMatch(/^mas_[0-9a-f]{8}_gpt4omini_0ad5f2b4_d22060bf$/);
    expect(printed.most_calls).toBe(40 * 12);
  });
});
