import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, test } from 'vitest';

import { experiment as experimentOf, PEOPLE, type RecordedAnswer, run, writeLines } from './recorded-experiment.ts';

/** Two items, a and b. */
function experiment(answers: readonly RecordedAnswer[], extra = ''): string {
  return experimentOf(['a', 'b'], answers, extra);
}

const RIGHT = [
  { id: 'a', output: PEOPLE },
  { id: 'b', output: PEOPLE },
];

describe('a dry run', () => {
  test('is JSON alone on standard output with --json', async () => {
    const { code, stdout, stderr } = await run(experiment(RIGHT), 'e.yaml', '--dry-run', '--json');
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({
      format: 1,
      dryRun: true,
      name: 'one',
      repeats: 1,
      dataset: { name: 'items', items: 2 },
      items: { answered: 0, failed: 0, cached: 0, toCall: 2, leftOut: 0 },
      recipe: 'graph/openspec',
    });
    expect(stderr).toContain('Nothing was called or written');
  });

  test('says nothing with --quiet, unless something is wrong', async () => {
    const folder = experiment(RIGHT);
    expect(await run(folder, 'e.yaml', '--dry-run', '--quiet')).toEqual({ code: 0, stdout: '', stderr: '' });
    const wrong = await run(folder, 'e.yaml', '--dry-run', '--quiet', '--timeout', '0');
    expect(wrong).toMatchObject({ code: 2, stdout: '' });
    expect(wrong.stderr).toContain('--timeout: "0" is no time at all');
  });
});

describe('with --quiet', () => {
  test('a run that went well says nothing', async () => {
    expect(await run(experiment(RIGHT), 'e.yaml', '--quiet')).toEqual({ code: 0, stdout: '', stderr: '' });
  });

  test('nothing answered, a gate that failed and a budget used up are one line each', async () => {
    const no = ['a', 'b'].map((id) => ({ id, error: 'out of \u001b[31mmemory' }));
    expect(await run(experiment(no), 'e.yaml', '--quiet')).toEqual({
      code: 2,
      stdout: '',
      stderr: 'assay: not one of 2 items was answered: 2 × program, for example a: out of \\u001b[31mmemory\n',
    });
    const gate = 'gate: { rules: [{ failed: { atMost: 0 } }] }\n';
    const failed = await run(experiment([...RIGHT.slice(0, 1), ...no.slice(1)], gate), 'e.yaml', '--quiet');
    expect(failed).toMatchObject({ code: 1, stdout: '' });
    expect(failed.stderr).toMatch(/^assay: the gate failed: 1 check failed; failed cases .*\n$/);
    const paid = RIGHT.map((one) => ({ ...one, usage: { inputTokens: 60, outputTokens: 40 } }));
    const spent = await run(
      experiment(paid, 'budget: { tokens: 100 }\nlimits: { concurrency: 1 }\n'),
      'e.yaml',
      '--quiet',
    );
    expect(spent).toMatchObject({ code: 3, stdout: '' });
    expect(spent.stderr).toMatch(/^assay: stopped by the budget: .*; 1 of 2 items was not run\n$/);
  });
});

describe('a guess that goes wrong', () => {
  test('a file of items where the experiment stands is told to be one', async () => {
    const folder = experiment(RIGHT);
    for (const name of ['items.jsonl', 'items.txt', 'items.json']) {
      writeLines(join(folder, name), [
        { id: 'a', input: 'SECRET' },
        { id: 'b', input: 'SECRET' },
      ]);
      const { code, stderr } = await run(folder, name);
      expect(code).toBe(2);
      expect(stderr).toBe(
        `assay: ${name} is a file of items, not an experiment\ngive it with --dataset ${name}, beside an experiment file or with --name and --model\n`,
      );
    }
  });

  test('an experiment may be JSON all the same', async () => {
    const folder = experiment(RIGHT);
    const target = { use: 'recorded', answers: 'answers.jsonl' };
    writeFileSync(join(folder, 'e.json'), JSON.stringify({ name: 'j', dataset: 'items.jsonl', target }));
    expect((await run(folder, 'e.json', '--quiet')).code).toBe(0);
  });

  test.each([
    ['--temperature', '0', 'temperature'],
    ['--model', 'openai/gpt', 'model'],
    ['--prompt', 'p', 'prompt'],
    ['--prompt-label', 'staging', 'prompt'],
    ['--base-url', 'http://localhost', 'baseUrl'],
  ])('%s does not fit recorded answers', async (flag, value, setting) => {
    const folder = experiment(RIGHT);
    expect((await run(folder, 'e.yaml', flag, value)).stderr).toContain(
      `the command line: ${flag}: a recorded target has no ${setting} (leave ${flag} out)\n`,
    );
    expect((await run(folder, 'e.yaml', flag, value, '--answers', 'answers.jsonl')).stderr).toContain(
      `leave ${flag} out, or --answers`,
    );
  });

  test('a setting of another target is told with its line, and a slip with the right name', async () => {
    const folder = experiment(RIGHT);
    writeFileSync(
      join(folder, 'e.yaml'),
      'name: one\ndataset: items.jsonl\ntarget:\n  use: recorded\n  answers: ""\n  model: x\n  anwsers: y\n',
    );
    const { stderr } = await run(folder, 'e.yaml');
    expect(stderr).toContain('e.yaml:5: target.answers: expected a text that is not empty, found ""');
    expect(stderr).toContain('e.yaml:6: target.model: a recorded target has no model (settings: use, answers)');
    expect(stderr).toContain(
      'e.yaml:7: target.anwsers: a recorded target has no setting called anwsers (did you mean target.answers?)',
    );
  });

  test.each([
    [['--max-cost', '-1'], '--max-cost -1: expected a number above 0'],
    [['--price', '-1,2'], '--price -1: expected a number from 0 on'],
    [['--timeout', '999999h'], '--timeout: "999999h" is too long'],
    [['--max-time', '0s'], '--max-time: "0s" is no time at all'],
    [['--repeats', '5000'], '--repeats: expected a number of at most 1000, found 5000'],
  ])('%j is refused by the name of the flag', async (flags, words) => {
    const { code, stderr } = await run(experiment(RIGHT), 'e.yaml', ...flags);
    expect(code).toBe(2);
    expect(stderr).toContain(words);
  });

  test('items without an expected output are told as such, with a flag that run has', async () => {
    const folder = experiment(RIGHT);
    writeLines(join(folder, 'items.jsonl'), [{ id: 'a', input: { document_text: 'Ann' } }]);
    const { code, stderr } = await run(folder, 'e.yaml');
    expect(code).toBe(2);
    expect(stderr).toBe(
      'The dataset items was created in .assay.\n1 item in items: 1 created, 0 changed, 0 unchanged\ndataset items: no item has an expected output: there is nothing to score answers by (add it to the items, or keep outputs only with --recipe none)\n1 problem in the input; nothing was written.\n',
    );
    expect(existsSync(join(folder, 'runs/one'))).toBe(false);
  });

  test('items whose ids another dataset has are told how to get in', async () => {
    const folder = experiment(RIGHT);
    expect((await run(folder, 'e.yaml')).code).toBe(0);
    writeLines(join(folder, 'more.jsonl'), [{ id: 'a', input: { document_text: 'Ann' }, expected_output: PEOPLE }]);
    const { code, stderr } = await run(folder, 'e.yaml', '--name', 'two', '--dataset', 'more.jsonl');
    expect(code).toBe(2);
    expect(stderr).toContain('assay dataset import NAME more.jsonl --prefix TEXT, then run with --dataset NAME');
  });
});

test('recorded answers take the place of any target, and a baseline goes with the rules of a file', async () => {
  const folder = experiment(RIGHT);
  expect((await run(folder, 'e.yaml', '--quiet')).code).toBe(0);
  writeFileSync(join(folder, 'gate.yaml'), 'rules: [{ measure: entity_f1, notWorseThan: { margin: 0.5 } }]\n');
  writeFileSync(
    join(folder, 'm.yaml'),
    'name: two\ndataset: items.jsonl\ntarget: { use: vanilla, model: openai/gpt, temperature: 0 }\nrecipe: graph/openspec\ngate: gate.yaml\n',
  );
  const done = await run(folder, 'm.yaml', '--answers', 'answers.jsonl', '--baseline', 'runs/one', '--json', '--quiet');
  expect(JSON.parse(done.stdout)).toMatchObject({ target: { kind: 'recorded', model: null }, answered: 2 });
  expect(JSON.parse(done.stdout)).toHaveProperty('gate.verdict');
});
