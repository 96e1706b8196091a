import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { type PackedInstall, packedInstall } from '../../bench/packed-install.ts';
import { presetNames, presetText } from '../../src/recipe/presets.ts';
import { parseYaml } from '../../src/recipe/yaml-document.ts';
import { EXAMPLES } from '../../src/cli/examples.ts';
import { ROOT } from '../cli/run-assay.ts';
import { PAGES } from '../docs/blocks.ts';
import { readmeProblems } from '../docs/readme.ts';
import { pageProblems, Shell } from '../docs/transcript.ts';
import { type FreshInstall, freshInstall, oldestNode } from './fresh-install.ts';

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

/** Pages whose commands are run in the installed package too: the first that a new user follows. */
const QUICK_STARTS = PAGES.filter((page) => page.startsWith('start/'));

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
    const licences = readFileSync(join(dist, 'THIRD-PARTY-LICENSES.md'), 'utf8');
    expect(licences).toMatch(/^## zod\n[^]*MIT License/m);
    expect(licences).toMatch(/^## yaml\n[^]*Permission to use, copy, modify/m);
    expect(JSON.parse(readFileSync(join(dist, 'sbom.cdx.json'), 'utf8'))).toMatchObject({ bomFormat: 'CycloneDX' });
  });

  it('holds the program, its types, examples and papers, and nothing that only we need', () => {
    const folder = join(installed.folder, 'node_modules/assay');
    expect(readdirSync(folder).sort()).toEqual(
      ['CHANGELOG.md', 'LICENSE', 'README.md', 'bin', 'dist', 'examples', 'package.json'].sort(),
    );
    const files = readdirSync(folder, { recursive: true, encoding: 'utf8' });
    expect(files.filter((file) => /\.map$|\.test\.|tsbuildinfo|__pycache__|(?:^|\/)make\//.test(file))).toEqual([]);
    // The sources of the program are not there, those of examples are.
    const sources = files.filter((file) => /(?<!\.d)\.tsx?$/.test(file));
    expect(sources.filter((file) => !file.startsWith('examples/'))).toEqual([]);
    expect(statSync(installed.archive).size).toBeLessThan(3e6);
  });

  it('has in package.json what a registry shows, and files behind every entry point', () => {
    const folder = join(installed.folder, 'node_modules/assay');
    const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Record<string, unknown>;
    const url = 'https://github.com/assay-eval/assay';
    expect(manifest).toMatchObject({
      license: 'MIT',
      author: 'The Assay authors',
      repository: { type: 'git', url: `git+${url}.git` },
      homepage: `${url}#readme`,
      bugs: { url: `${url}/issues` },
      publishConfig: { access: 'public', provenance: true },
      sideEffects: false,
      type: 'module',
    });
    const { './package.json': _manifest, ...doors } = exports;
    for (const [name, target] of Object.entries(doors)) {
      // Our own condition is first and leads to the sources; of the others, types have to come first.
      const { 'assay-source': _source, ...others } = target as Record<string, string>;
      expect(Object.keys(others), name).toEqual(['types', 'default']);
      for (const file of Object.values(others)) expect(existsSync(join(folder, file)), file).toBe(true);
    }
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
    const tsc = [join(ROOT, 'node_modules/typescript/bin/tsc'), '-p', '.'];
    for (const module of ['nodenext', 'node16'])
      expect(run(process.execPath, [...tsc, '--module', module]).stdout, module).toBe('');
    const bundler = ['--module', 'preserve', '--moduleResolution', 'bundler'];
    expect(run(process.execPath, [...tsc, ...bundler]).stdout, 'bundler').toBe('');
  });

  const oldest = oldestNode();
  if (oldest === null) console.warn('NOT PERFORMED HERE: no Node 22 for this platform');
  const installs: FreshInstall[] = [];
  afterAll(() => installs.forEach(({ remove }) => remove()));

  describe.each([
    ...(oldest === null ? [] : [['the oldest Node that is supported', oldest] as const]),
    ['the Node of this checkout', process.execPath] as const,
  ])('installed by npm in an empty folder, under %s', (_, node) => {
    let fresh: FreshInstall;
    beforeAll(() => {
      fresh = freshInstall(installed.archive, node);
      installs.push(fresh);
    }, 300_000);

    it('takes less than 40 MB, without what is optional and without a script that runs at install', () => {
      console.log(`${(fresh.bytes / 1e6).toFixed(1)} MB installed`);
      // npm warns of packages that want to run a script.
      expect(fresh.log).not.toMatch(/install-scripts/);
      expect(fresh.bytes).toBeLessThan(40e6);
      const names = readdirSync(join(fresh.folder, 'node_modules'));
      for (const name of ['ai', '@ai-sdk', '@langfuse', '@opentelemetry', 'bullmq', 'ioredis', 'pg', '@duckdb'])
        expect(names).not.toContain(name);
      for (const file of globSync('node_modules/{*,@*/*}/package.json', { cwd: fresh.folder })) {
        const { scripts = {} } = JSON.parse(readFileSync(join(fresh.folder, file), 'utf8')) as { scripts?: object };
        expect(Object.keys(scripts), file).not.toEqual(
          expect.arrayContaining([expect.stringMatching(/^(?:pre|post)?install$/)]),
        );
      }
    });

    it('shows the demo, and the commands to run next work', () => {
      const { code, stdout, stderr } = fresh.run('npx assay demo');
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
      for (const task of ['pii', 'stream/V2', 'consult'])
        expect(readdirSync(join(fresh.folder, 'runs/demo', task)).length, task).toBeGreaterThan(3);
      const [, after = ''] = stdout.split('\nNext:\n');
      const next = [...after.matchAll(/^ {2}(npx assay (?!serve|init).+?)(?: {2,}.*)?$/gm)].map(([, line]) => line!);
      expect(next.length).toBeGreaterThan(2);
      for (const line of next) expect(fresh.run(withoutNpx(line)), line).toMatchObject({ code: 0, stderr: '' });
    });

    it.each(EXAMPLES.map(({ task }) => task))('begins a folder for %s, and the commands to run next work', (task) => {
      const { code, stdout } = fresh.run(`assay init ${task}`);
      expect(code).toBe(0);
      const lines = [...stdout.matchAll(/^ {2}(\S.*)$/gm)].map(([, line]) => withoutNpx(line!));
      expect(lines.join('\n')).toMatch(/^assay (?:score|run|stream measure) /m);
      const within = lines[0]!.startsWith('cd ') ? join(fresh.folder, lines.shift()!.slice('cd '.length)) : undefined;
      for (const line of lines.filter((one) => !one.startsWith('assay review serve')))
        expect(fresh.run(line, {}, within), line).toMatchObject({
          code: 0,
          stderr: expect.not.stringMatching(/assay:|warn/i),
        });
    });

    const shellIn = (name: string): Shell => {
      const folder = join(fresh.folder, name.replaceAll(/\W/g, '-'));
      mkdirSync(folder);
      return new Shell(folder, {}, fresh);
    };

    it.each(QUICK_STARTS)('does what docs/%s shows, with no file but those that its commands make', (page) => {
      expect(pageProblems(page, shellIn(page), null)).toEqual([]);
    });

    it('does what the README shows, with files from the examples of the package', () => {
      expect(readmeProblems(shellIn('README.md'), join(fresh.folder, 'node_modules/assay/examples'))).toEqual([]);
    });

    it('loads a module of the user in TypeScript, which imports assay', () => {
      cpSync(join(ROOT, 'examples/custom'), join(fresh.folder, 'custom'), { recursive: true });
      const files = '--gold custom/gold.jsonl --predictions custom/predictions.jsonl';
      expect(fresh.run(`assay score custom/recipe.yaml ${files} --out run-custom`)).toMatchObject({
        code: 0,
        stderr: '',
      });
    });

    it('serves runs to a browser', async () => {
      const server = spawn(fresh.node, [fresh.script, 'serve', '--runs', 'runs', '--port', '0', '--json'], {
        cwd: fresh.folder,
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      try {
        const [line] = (await once(server.stdout, 'data')) as [Buffer];
        const { url } = JSON.parse(line.toString('utf8')) as { url: string };
        const page = await fetch(url);
        expect([page.status, await page.text()]).toEqual([200, expect.stringContaining('<div id="app">')]);
      } finally {
        server.kill('SIGTERM');
        await once(server, 'exit');
      }
    });

    it('names what to install for a model, for Langfuse and for a queue', () => {
      const keys = { GOOGLE_API_KEY: 'k', LANGFUSE_PUBLIC_KEY: 'p', LANGFUSE_SECRET_KEY: 's' };
      const refused = (line: string): string => {
        const { code, stderr } = fresh.run(
          line,
          { ...keys, LANGFUSE_BASE_URL: 'http://127.0.0.1:9' },
          join(fresh.folder, 'experiment'),
        );
        expect(code, stderr).toBe(2);
        return stderr;
      };
      expect(refused('assay run experiment-model.yaml --model google/gemini-2.5-flash --local')).toBe(
        'assay: the model google/gemini-2.5-flash needs packages that are not installed\nnpm install ai@7 @ai-sdk/google@4\n',
      );
      expect(refused('assay dataset list --langfuse')).toBe(
        'assay: Langfuse needs packages that are not installed\nnpm install @langfuse/client@5 @langfuse/core@5 @langfuse/tracing@5\n',
      );
      expect(refused('assay run experiment.yaml --local --queue redis://127.0.0.1:9 --out q')).toBe(
        'assay: --queue redis://… needs packages that are not installed\nnpm install bullmq@6 ioredis@6\n',
      );
    });

    it('is imported without SQLite, a server or a package, from ES modules and from CommonJS', () => {
      const script = `
        import { createRequire, registerHooks } from 'node:module';
        const loaded = new Set();
        registerHooks({ resolve: (name, context, next) => { loaded.add(name); return next(name, context); } });
        const { score, readRun, audit, render } = await import('assay');
        const cases = 'node_modules/assay/examples/pii/docs.json';
        const memory = await score('pii/piranha', { cases });
        await score('pii/piranha', { cases }, { out: 'run-library' });
        const run = await readRun('run-library');
        console.log(memory.value('f1') === run.value('f1'), run.value('f1').toFixed(3));
        console.log((await audit('run-library')).findings[0].name, (await render(run)).split('\\n')[0]);
        console.log([...loaded].filter((name) => /^(?:ai|hono|@hono|@ai-sdk|@langfuse|@opentelemetry|ajv|commander)(?:\\/|$)|^node:(?:sqlite|https?|net|worker_threads)$/.test(name)));
        console.log(createRequire(process.cwd() + '/x.cjs')('assay').score === score);`;
      writeFileSync(join(fresh.folder, 'library.mjs'), script);
      expect(fresh.run('node library.mjs')).toEqual({
        code: 0,
        stdout: 'true 0.776\nexcused-hits # pii/piranha: 5 cases\n[]\ntrue\n',
        stderr: '',
      });
    });
  });

  it('gives the same bytes on every Node', () => {
    const [first, ...others] = installs.map(({ folder }) => {
      const files = globSync('**/manifest.json', { cwd: folder, exclude: ['node_modules/**'] }).sort();
      return Object.fromEntries(files.map((file) => [file, readFileSync(join(folder, file), 'utf8')]));
    });
    expect(Object.keys(first!).length).toBeGreaterThan(10);
    for (const other of others) expect(other).toEqual(first);
  });
});

/** The folder is on the path, and npx takes half a second to find that. */
function withoutNpx(line: string): string {
  return line.replace(/^npx /, '');
}
