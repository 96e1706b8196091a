import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';

import { describe, expect, it } from 'vitest';

import { planRecipe } from '../../src/recipe/plan.ts';
import { presetNames } from '../../src/recipe/presets.ts';
import { runHere } from '../examples/run-here.ts';
import { assayHere } from './assay-here.ts';
import { assay, type Finished, ROOT, temporaryFolder } from './run-assay.ts';

describe('assay init', () => {
  it.each(['journal', 'pii', 'graph', 'spans', 'triples', 'relations', 'redaction'])(
    'makes a %s folder whose printed commands work',
    async (task) => {
      const cwd = temporaryFolder();
      const made = await assayHere(['init', task, 'mine'], { cwd });
      expect(made).toMatchObject({ code: 0, stderr: '' });
      const commands = [...made.stdout.matchAll(/^ {2}assay (.+)$/gm)].map(([, command]) => command!);
      expect(commands[0]).toMatch(/^score /);
      for (const command of commands) expect((await assayHere(command.split(' '), { cwd })).code, command).toBe(0);
      expect(readdirSync(join(cwd, 'mine'))).toContain('run');
    },
  );

  it.each(presetNames().filter((name) => !/^(?:stream|consult)\//.test(name)))(
    'makes a folder for %s whose printed command scores by it',
    async (preset) => {
      const cwd = temporaryFolder();
      const made = await assayHere(['init', preset], { cwd });
      const command = /^ {2}assay (score .+)$/m.exec(made.stdout)?.[1] ?? '';
      const scored = await assayHere([...command.split(' '), '--set', 'interval=off', '--quiet'], { cwd });
      expect(scored).toMatchObject({ code: 0, stderr: '' });
      const recipe = join(cwd, preset.replace('/', '-'), 'recipe.yaml');
      // The recipe is the preset and nothing else.
      expect((await planRecipe(recipe)).resolved).toEqual((await planRecipe(preset)).resolved);
    },
  );

  it.each(['pii', 'graph', 'journal', 'spans', 'triples', 'relations'])(
    'begins %s without forgiving rules, and every setting that the recipe proposes is one',
    async (task) => {
      const cwd = temporaryFolder();
      await assayHere(['init', task, '.'], { cwd });
      const recipe = join(cwd, 'recipe.yaml');
      const { resolved } = await planRecipe(recipe);
      expect(resolved).toMatchObject({ judge: {} });
      const { schemes } = await planRecipe(recipe);
      for (const { accept } of schemes[0]!.pair.values())
        for (const { similarity, threshold, inverse, symmetric, equivalent, tolerance } of accept)
          expect([similarity === 'exact' || threshold === 1, inverse, symmetric, equivalent, tolerance]).toEqual([
            true,
            [],
            [],
            [],
            0,
          ]);
      const written = readFileSync(recipe, 'utf8');
      const settings = written.replaceAll(/^( *)# ( *[\w-]+:(?: .*)?)$/gm, '$1$2');
      expect(settings).not.toBe(written);
      writeFileSync(recipe, settings);
      expect((await planRecipe(recipe)).resolved).not.toEqual(resolved);
    },
  );

  it('what the README of a folder has is there, and counts what it states', async () => {
    for (const [task, hits] of [
      ['spans', 8],
      ['triples', 2],
      ['relations', 8],
    ] as const) {
      const cwd = temporaryFolder();
      await assayHere(['init', task, '.'], { cwd });
      const readme = readFileSync(join(cwd, 'README.md'), 'utf8');
      for (const [, file] of readme.matchAll(/^\| `([^`]+)`/gm)) expect(readdirSync(cwd)).toContain(file);
      const commands = [...readme.matchAll(/^assay (.+)$/gm)].map(([, command]) => command!.split(' '));
      for (const command of commands) expect((await assayHere(command, { cwd })).code).toBe(0);
      const counts = readFileSync(join(cwd, 'run/cases.jsonl'), 'utf8').trim().split('\n');
      const found = counts.map((line) => (JSON.parse(line) as { counts: { hit: number } }).counts.hit);
      expect([task, found.reduce((sum, own) => sum + own, 0)]).toEqual([task, hits]);
    }
  });

  it('a preset by its old name, and a name that is none', async () => {
    const cwd = temporaryFolder();
    expect((await assayHere(['init', 'pii/semeval', 'mine'], { cwd })).code).toBe(0);
    expect(readFileSync(join(cwd, 'mine/recipe.yaml'), 'utf8')).toContain('\nextends: spans/semeval\n');
    expect(await assayHere(['init', 'tripels'], { cwd })).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('there is no preset called tripels\ndid you mean triples'),
    });
  });

  it('makes a stream folder whose printed commands work, one after the other', async () => {
    const folder = temporaryFolder();
    const made = assay(['init', 'stream', folder]);
    expect(made).toMatchObject({ code: 0, stderr: '' });
    const commands = [...made.stdout.matchAll(/^ {2}node \S+ (.+)$/gm)].map(([, command]) => command!);
    expect(readdirSync(folder).sort()).toEqual(['README.md', 'answers', 'config', 'generate', 'traces']);
    // From within the folder, as its README has them.
    const plain = commands.map((command) => command.replaceAll(`${relative(ROOT, folder)}/`, ''));
    expect(plain).toEqual([
      'stream validate traces answers',
      'stream replay --traces traces --model recorded:answers --config config --out runs',
      'stream measure --traces traces --runs runs --out measures',
      'compare measures/V0 measures/V2',
      'stream figures measures --out figures',
    ]);
    const readme = readFileSync(join(folder, 'README.md'), 'utf8');
    expect(plain.filter((command) => !readme.includes(`\nassay ${command}\n`))).toEqual([]);
    for (const command of commands.filter((one) => one.startsWith('stream')))
      expect(await runHere([...command.split(' '), '--quiet']), command).toBe(0);
    expect(readdirSync(join(folder, 'figures'))).toContain('coverage.svg');
  });

  it('makes an experiment folder that runs at once, without a key, whose printed commands work in it', async () => {
    const cwd = temporaryFolder();
    const made = assay(['init', 'experiment', 'mine'], { cwd });
    expect(made).toMatchObject({ code: 0, stderr: '' });
    const folder = join(cwd, 'mine');
    expect(made.stdout).toContain('\n  cd mine\n');
    const commands = [...made.stdout.matchAll(/^ {2}node \S+ (.+)$/gm)].map(([, command]) => command!);
    expect(commands).toEqual([
      'run experiment.yaml',
      'explain runs/town-baseline --case T12',
      'score graph/openspec --run runs/town-baseline --set pair.threshold=0.7',
    ]);
    const readme = readFileSync(join(folder, 'README.md'), 'utf8');
    expect(commands.filter((command) => !readme.includes(`\nassay ${command}\n`))).toEqual([]);
    const env = { LANGFUSE_PUBLIC_KEY: '', LANGFUSE_SECRET_KEY: '', ASSAY_DATA: '.assay' };
    for (const command of commands)
      expect((await assayHere(command.split(' '), { cwd: folder, env })).code, command).toBe(0);
    expect(readdirSync(folder).sort()).toEqual(
      ['.assay', 'README.md', 'answers.jsonl', 'experiment-model.yaml', 'experiment.yaml', 'gate-strict.yaml'].concat([
        'prompt.txt',
        'runs',
        'town-notes.jsonl',
      ]),
    );
    for (const [, file] of readme.matchAll(/^\| `([^`]+)`/gm)) expect(readdirSync(folder)).toContain(file);
  });

  it('makes a consult folder whose printed commands work in it, and whose answers can be put before people', async () => {
    const cwd = temporaryFolder();
    const made = await assayHere(['init', 'consult', 'mine'], { cwd });
    expect(made).toMatchObject({ code: 0, stderr: '' });
    const folder = join(cwd, 'mine');
    expect(made.stdout).toContain('\n  cd mine\n');
    const commands = [...made.stdout.matchAll(/^ {2}(?:node \S+|assay) (.+)$/gm)].map(([, command]) => command!);
    const readme = readFileSync(join(folder, 'README.md'), 'utf8');
    expect(commands.filter((command) => !readme.includes(`\nassay ${command}\n`))).toEqual([]);
    for (const [, file] of readme.matchAll(/^\| `([^`]+)`/gm)) expect(readdirSync(folder)).toContain(file);
    expect(commands.map((command) => command.split(' ').slice(0, 2).join(' '))).toEqual([
      'score recipe.yaml',
      'explain runs/guided',
      'review create',
      'review serve',
    ]);
    // Intervals take time, and are tested elsewhere.
    const [score, explain, create] = commands.map((command) => command.split(' '));
    const said: Finished[] = [];
    for (const args of [[...score!, '--set', 'interval=off'], explain!, create!])
      said.push(await assayHere(args, { cwd: folder, env: { ASSAY_DATA: '.assay' } }));
    expect(said.map(({ code }) => code)).toEqual([0, 0, 0]);
    // Enough people of every group.
    expect(said[2]!.stderr).toBe('');
    expect(readdirSync(join(folder, 'runs'))).toEqual(
      expect.arrayContaining(['evaluation_summary_report.html', 'guided', 'plain']),
    );
  });

  it('every setting that the recipe of a consult folder proposes is one', async () => {
    const cwd = temporaryFolder();
    await assayHere(['init', 'consult', '.'], { cwd });
    const recipe = join(cwd, 'recipe.yaml');
    const [head, proposed] = readFileSync(recipe, 'utf8').split('\n\n');
    writeFileSync(recipe, `${head!}\n${proposed!.replaceAll(/^# /gm, '')}`);
    const { consult, review, slices } = await planRecipe(recipe);
    expect([consult?.truth, review?.people['expert']?.raters, review?.reveal, slices]).toEqual([
      'given',
      2,
      ['system'],
      ['label', 'complexity_level'],
    ]);
  });

  it('takes the variants of the folder, so that a changed file changes the replay', async () => {
    const cwd = temporaryFolder();
    await assayHere(['init', 'stream', 'mine'], { cwd });
    const file = join(cwd, 'mine/config/variants/V2.yaml');
    writeFileSync(file, readFileSync(file, 'utf8').replace('min_words: 60', 'min_words: 30'));
    const said = await assayHere(
      'stream replay --traces mine/traces --config mine/config --variants V2 --model heuristic --out mine/changed --json'.split(
        ' ',
      ),
      { cwd },
    );
    expect(said.code).toBe(0);
    const { variants }: { variants: { flushes: number }[] } = JSON.parse(said.stdout);
    // 41 with 60 words.
    expect(variants[0]!.flushes).toBeGreaterThan(41);
  });

  it('does not write into a folder with files, unless told to', async () => {
    const cwd = temporaryFolder();
    writeFileSync(join(cwd, 'recipe.yaml'), 'mine');
    expect((await assayHere(['init', 'pii', '.'], { cwd })).code).toBe(2);
    expect(readFileSync(join(cwd, 'recipe.yaml'), 'utf8')).toBe('mine');
    expect((await assayHere(['init', 'pii', '.', '--force'], { cwd })).code).toBe(0);
    expect(readFileSync(join(cwd, 'recipe.yaml'), 'utf8')).toContain('extends: spans/strict');
  });
});
