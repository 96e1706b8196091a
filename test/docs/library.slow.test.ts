import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { join } from 'node:path';

import { expect, it } from 'vitest';

import { ROOT } from '../cli/run-assay.ts';
import { runSnippets, snippetsOf } from './snippets.ts';

it.each([
  ['library.md', 4, ['# pii/piranha: 5 cases', 'passed', 'judge.excuse-overlap', '12 2 passed']],
  ['custom.md', 1, []],
  ['migrate/nervaluate.md', 1, ['1 0.5']],
] as const)('every program of docs/%s runs as it stands', (page, programs, promised) => {
  const snippets = snippetsOf(page);
  expect(snippets.length).toBe(programs);
  const { code, stdout, stderr } = runSnippets(snippets);
  expect(stderr).toBe('');
  expect(code).toBe(0);
  expect(stdout.split('\n')).toEqual(expect.arrayContaining([...promised]));
});

it('every program of examples/library runs, and prints what its comments promise', () => {
  const folder = join(ROOT, 'examples/library');
  const programs = readdirSync(folder).filter((name) => name.endsWith('.ts'));
  expect(programs.length).toBeGreaterThan(9);
  const { code, stdout, stderr } = runSnippets(programs.map((name) => readFileSync(join(folder, name), 'utf8')));
  expect(stderr).toBe('');
  expect(code).toBe(0);
  for (const line of [
    '1 capitals',
    '0.75 2 1 1',
    // Reviews; the figures are those of docs/tasks/consult.md, worked out there by hand.
    '2 of 3 experts',
    'plain 0.200 5',
    'guided 0.857 7',
    'claims plain 0 of 12',
    "prakriti [ 'vata', 'pitta' ] 1",
    '{ total: 12, done: 0 }',
    '0 1',
    '[ [ 1 ] ]',
  ])
    expect(stdout.split('\n')).toContain(line);
});

/** What an entry point of the package loads of the packages and modules that a pattern names, and its functions. */
function loadedBy(entry: string, pattern: string, functions: readonly string[]): string {
  const script = `
    import { registerHooks } from 'node:module';
    const loaded = new Set();
    registerHooks({ resolve: (name, context, next) => {
      if (new RegExp(process.argv[2]).test(name)) loaded.add(name);
      return next(name, context);
    } });
    const door = await import(process.argv[1]);
    console.log(${JSON.stringify(functions)}.every((name) => typeof door[name] === 'function'), [...loaded]);`;
  const url = pathToFileURL(join(ROOT, 'src', `${entry}.ts`)).href;
  return spawnSync(process.execPath, ['--input-type=module', '--eval', script, url, pattern], { encoding: 'utf8' })
    .stdout;
}

it('scoring loads no SQLite, no server and nothing for models or Langfuse', () => {
  const pattern =
    '^(?:ai|hono|@hono|@ai-sdk|@langfuse|@opentelemetry|ajv|commander|zod|yaml|csv-parse)(?:/|$)|^node:(?:sqlite|https?|net|worker_threads|child_process)$';
  expect(loadedBy('index', pattern, ['score', 'compare', 'audit', 'readRun'])).toBe('true []\n');
});

it('commands and plugins stand on what loads no schemas, recipes or figures', () => {
  expect(loadedBy('plugin', '^(?:zod|ajv|yaml|d3-.*|commander)(?:/|$)', ['plural', 'renderTerminal'])).toBe(
    'true []\n',
  );
});

it.each([
  ['experiment', ['runExperiment', 'langfuseBackend', 'openTarget']],
  ['review', ['createReview', 'evaluateSystems']],
  ['server', ['startServer', 'startReviewServer']],
  ['stream', ['replayCase', 'measureStream']],
  ['report', ['renderHtml', 'runDocument']],
  ['stats', ['bootstrap', 'cohenKappa']],
])('assay/%s loads nothing for models, for Langfuse or for a server until it is used', (entry, functions) => {
  const pattern = '^(?:ai|hono|@hono|@ai-sdk|@langfuse|@opentelemetry)(?:/|$)';
  expect(loadedBy(entry, pattern, functions)).toBe('true []\n');
});
