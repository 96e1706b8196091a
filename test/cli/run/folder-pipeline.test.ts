import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, test } from 'vitest';

import { experiment, right, run } from './recorded-experiment.ts';

const RECORDED = 'target: { use: recorded, answers: answers.jsonl }\nrecipe: graph/openspec\n';
const MODEL = 'target: { use: graph-extractor, model: openai/gpt-4o-mini, temperature: 0.5 }\n';
const CALL = ['--dataset', 'items.jsonl', '--name', 'baseline-v1'] as const;

/** A folder with items, answers, and `content` as its experiment.yaml. */
function folderOf(content: string | null): string {
  const folder = experiment(['a', 'b'], ['a', 'b'].map(right));
  rmSync(join(folder, 'e.yaml'));
  if (content !== null) writeFileSync(join(folder, 'experiment.yaml'), content);
  return folder;
}

describe('a run without an experiment file', () => {
  test('uses experiment.yaml of the current folder and says so; flags change it', async () => {
    const folder = folderOf(`name: nightly\ndataset: other.jsonl\n${RECORDED}tags: [nightly]\n`);
    const done = await run(folder, ...CALL);
    expect(done.code).toBe(0);
    expect(done.stderr).toContain(
      'Using experiment.yaml: recorded, answers.jsonl, recipe graph/openspec, over items.jsonl instead of other.jsonl.\n',
    );
    expect(done.stdout).toMatch(/^baseline-v1\n2 items of items@/);
    expect(done.stdout).toContain('entity_f1');
    const named = await run(folder, 'experiment.yaml', ...CALL);
    expect(named.code).toBe(0);
    expect(named.stderr).not.toContain('Using');
  });

  test('with --model and --prompt-label keeps the other settings of the file', async () => {
    const folder = folderOf(`name: nightly\ndataset: items.jsonl\n${MODEL}repeats: 3\n`);
    const looked = await run(folder, '--name', 'm', '--model', 'google/gemini-2.5-pro', '--dry-run');
    expect(looked.stderr).toBe('Using experiment.yaml: graph-extractor, google/gemini-2.5-pro, temperature 0.5.\n');
    expect(looked.stdout).toContain('2 items, each asked 3 times\n');
    const staged = await run(folder, '--name', 'm', '--prompt-label', 'staging', '--dry-run');
    expect(staged.stderr).toContain('openai/gpt-4o-mini, prompt graph-extraction, label staging, temperature 0.5.\n');
    expect(staged.stderr).toContain('there is no prompt graph-extraction labelled staging');
  });

  test('takes assay.yaml if there is no experiment.yaml with a target', async () => {
    const folder = folderOf(`name: nightly\ndataset: items.jsonl\n${RECORDED}`);
    renameSync(join(folder, 'experiment.yaml'), join(folder, 'assay.yaml'));
    writeFileSync(join(folder, 'experiment.yaml'), 'name: of another program\nlearning_rate: 0.1\n');
    const done = await run(folder, '--name', 'two');
    expect([done.code, done.stderr]).toEqual([0, expect.stringContaining('Using assay.yaml: recorded')]);
  });

  test.each([
    ['--answers answers.jsonl', []],
    ['--target recorded:answers.jsonl --task graph --out out', []],
    ['--model google/gemini-2.5-pro --dry-run', ['experiment.yaml is not used: its target asks no model.']],
  ])('does not use the file if flags name the target: %s', async (flags, notes) => {
    const folder = folderOf(`name: nightly\ndataset: items.jsonl\n${RECORDED}repeats: 3\n`);
    const done = await run(folder, ...CALL, ...flags.split(' '));
    expect(done.code).toBe(0);
    expect(done.stderr.split('\n').filter((line) => line.includes('experiment.yaml'))).toEqual(notes);
    expect(done.stdout).not.toContain('3 times');
  });

  test('takes the settings of the last run over the dataset if the folder has no file', async () => {
    const folder = folderOf(`name: nightly\ndataset: items.jsonl\n${RECORDED}set: [pair.threshold=0.5]\n`);
    expect((await run(folder, '--name', 'first')).code).toBe(0);
    rmSync(join(folder, 'experiment.yaml'));
    expect((await run(folder, ...CALL)).stderr).toContain(
      'Using the settings of the last run over items.jsonl, runs/first: recorded, answers.jsonl, recipe graph/openspec.\n',
    );
    const again = await run(folder, '--dataset', 'items', '--name', 'third', '--recipe', 'graph/as-coded');
    expect(again.stderr).toContain('over items, runs/baseline-v1: recorded, answers.jsonl, recipe graph/as-coded.\n');
    expect(again.code).toBe(0);
    const manifest = readFileSync(join(folder, 'runs/third/score/manifest.json'), 'utf8');
    expect(manifest).toContain('pair.threshold=0.5');
  });

  test('names the flag and the file if there is neither', async () => {
    const folder = folderOf(null);
    expect(await run(folder, ...CALL)).toEqual({
      code: 2,
      stdout: '',
      stderr:
        'assay: this folder has no experiment.yaml or assay.yaml, and no run over "items.jsonl" to repeat: --model MODEL (or --answers FILE) is needed\n' +
        'assay init experiment FOLDER writes an experiment.yaml to start from; assay run --help shows one\n',
    });
    const missing = await run(folder, '--dataset', 'itmes.jsonl', '--name', 'x');
    expect(missing.stderr).toContain('no run over "itmes.jsonl" (no such file) to repeat');
    const bare = await run(folder);
    expect(bare.stderr).toContain('--dataset NAME and --name RUN and --model MODEL (or --answers FILE) are needed\n');
  });
});

describe('code', () => {
  const WRITES = `import { writeFileSync } from 'node:fs'; writeFileSync('loaded', '');\n`;

  /** A folder whose code leaves a file called loaded. */
  function codeFolder(content: string): string {
    const folder = folderOf(`name: nightly\ndataset: items.jsonl\n${content}`);
    writeFileSync(join(folder, 'code.mjs'), `${WRITES}export default () => ({ entities: [], relationships: [] });\n`);
    writeFileSync(join(folder, 'recipe.yaml'), 'extends: graph/openspec\n');
    return folder;
  }

  test('of experiment.yaml in the current folder is run, as if the file were named', async () => {
    const folder = codeFolder(`target: { use: module, module: ./code.mjs }\nrecipe: graph/openspec\n`);
    const done = await run(folder, ...CALL);
    expect(done.stderr).toContain('Using experiment.yaml: module, recipe graph/openspec.\n');
    expect([done.code, existsSync(join(folder, 'loaded'))]).toEqual([0, true]);
  });

  test.each([
    [`target: { use: command, command: [node, code.mjs] }\nrecipe: none\n`, 'has a command target, which runs code'],
    [`target: { use: module, module: ./code.mjs }\nrecipe: none\n`, 'has a module target, which runs code'],
    [
      `target: { use: http, url: 'http://127.0.0.1:9/', allow: any }\nrecipe: none\nlimits: { retries: 0 }\n`,
      'has an http target that may ask any server',
    ],
    [RECORDED.replace('graph/openspec', 'recipe.yaml'), 'has a recipe that loads the module ./code.mjs'],
  ])('and addresses of an earlier run are not repeated: %s', async (content, reason) => {
    const folder = codeFolder(content);
    expect((await run(folder, 'experiment.yaml')).stderr).toContain('2 of 2 done');
    writeFileSync(join(folder, 'recipe.yaml'), 'extends: graph/openspec\nmodules: [./code.mjs]\n');
    for (const name of ['experiment.yaml', 'loaded']) rmSync(join(folder, name), { force: true });
    const refused = await run(folder, ...CALL);
    expect(refused).toMatchObject({ code: 2, stdout: '' });
    expect(refused.stderr).toBe(
      `assay: runs/nightly/experiment.json ${reason}, and is not repeated without an experiment file\n` +
        'write the target into experiment.yaml, or name a file: assay run EXPERIMENT.yaml, with the same flags\n',
    );
    expect([existsSync(join(folder, 'loaded')), existsSync(join(folder, 'runs/baseline-v1'))]).toEqual([false, false]);
  });
});

test('a run over a dataset of the same name in Langfuse is not repeated over one in the store', async () => {
  const folder = folderOf(null);
  expect((await run(folder, ...CALL, '--answers', 'answers.jsonl')).code).toBe(0);
  const record = join(folder, 'runs/baseline-v1/experiment.json');
  writeFileSync(record, readFileSync(record, 'utf8').replace('"backend": "local"', '"backend": "langfuse"'));
  const refused = await run(folder, '--dataset', 'items.jsonl', '--name', 'two');
  expect(refused.stderr).toContain('no run over "items.jsonl" to repeat');
});
