import { spawnSync } from 'node:child_process';
import { pathToFileURL } from 'node:url';
import { join } from 'node:path';

import { expect, it } from 'vitest';

import { ROOT } from '../cli/run-assay.ts';
import { runSnippets, snippetsOf } from './snippets.ts';

it('every program of docs/library.md runs as it stands', () => {
  const snippets = snippetsOf('library.md');
  expect(snippets.length).toBeGreaterThan(12);
  const { code, stdout, stderr } = runSnippets(snippets);
  expect(stderr).toBe('');
  expect(code).toBe(0);
  // What its comments say of experiments.
  for (const line of ['14 14', 'passed { traces: 14, scores: 149 }', '1 capitals', '0.75 2 1 1'])
    expect(stdout.split('\n')).toContain(line);
  // And of reviews; the figures are those of docs/tasks/consult.md, worked out there by hand.
  for (const line of [
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

it('importing the library loads nothing for models, for Langfuse or for a server', () => {
  const script = `
    import { registerHooks } from 'node:module';
    const loaded = new Set();
    registerHooks({ resolve: (name, context, next) => {
      if (/^(?:ai|hono|@hono|@ai-sdk|@langfuse|@opentelemetry)(?:\\/|$)/.test(name)) loaded.add(name);
      return next(name, context);
    } });
    const { runExperiment, langfuseBackend, startServer, startReviewServer, openTarget } = await import(process.argv[1]);
    const functions = [runExperiment, langfuseBackend, startServer, startReviewServer, openTarget];
    console.log(functions.every((one) => typeof one === 'function'), [...loaded]);`;
  const done = spawnSync(
    process.execPath,
    ['--input-type=module', '--eval', script, pathToFileURL(join(ROOT, 'src/index.ts')).href],
    { encoding: 'utf8' },
  );
  expect(done.stdout).toBe('true []\n');
});
