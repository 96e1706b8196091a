import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, it } from 'vitest';

import { assayHere } from '../cli/assay-here.ts';
import { assay, example, ROOT, temporaryFolder } from '../cli/run-assay.ts';
import { notPrinted, Shell, stepsOfBlock } from './transcript.ts';

const readme = readFileSync(join(ROOT, 'README.md'), 'utf8');

/** The code block that begins with a line. */
function block(start: string): string {
  const found = readme.split('```').find((part) => part.startsWith(`\n${start}`));
  return found?.trim() ?? '';
}

it('the README shows what the program prints today', () => {
  const out = temporaryFolder();
  const demo = assay(['demo', '--out', out]).stdout;
  const summary = block('pii/piranha: 5 cases').split('\n');
  expect(summary.length).toBeGreaterThan(20);
  expect(notPrinted(['…', ...summary, '…'], demo)).toBe('');
  const stream = block('Measures                    V0                  V2');
  expect(stream.split('\n').length).toBe(9);
  expect(demo).toContain(stream);
  const consult = block('Measures                            plain');
  expect(consult.split('\n').length).toBeGreaterThan(9);
  expect(demo).toContain(consult);
  const [spurious, ...reasons] = block('$ assay explain runs/demo/stream').split('\n');
  const flags = spurious!.split(' ').slice(4);
  expect(assay(['explain', join(out, 'stream/V2'), ...flags]).stdout.trimEnd()).toBe(reasons.join('\n'));
  const [command, ...shown] = block('$ assay explain').split('\n');
  expect(command).toBe('$ assay explain runs/demo/journal --case D02');
  expect(assay(['explain', join(out, 'journal'), '--case', 'D02']).stdout.trimEnd()).toBe(shown.join('\n'));
});

it('the README shows a waterfall as it is today', () => {
  const shell = new Shell(temporaryFolder());
  shell.run('assay demo');
  const [step] = stepsOfBlock(block('$ assay waterfall'));
  expect(step!.shown.length).toBeGreaterThan(12);
  expect(notPrinted(step!.shown, shell.run(step!.command))).toBe('');
});

it('the README shows the comparison of two runs as it is today', () => {
  const out = temporaryFolder();
  const files = example('journal');
  for (const [name, predictions] of [
    ['a', 'predictions'],
    ['b', 'predictions-b'],
  ] as const) {
    const given = ['--cases', join(files, 'journals.jsonl'), '--gold', join(files, 'gold.jsonl')];
    const more = ['--predictions', join(files, `${predictions}.jsonl`), '--out', join(out, 'runs', name), '--quiet'];
    expect(assay(['score', 'journal/ashwam', ...given, ...more]).code).toBe(0);
  }
  const [command, ...shown] = block('$ assay compare').split('\n');
  expect(shown.length).toBeGreaterThan(10);
  expect(assay(command!.split(' ').slice(2), { cwd: out }).stdout).toContain(shown.join('\n'));
});

it('the README shows an experiment as it is today, without a key', () => {
  const steps = stepsOfBlock(block('$ assay init experiment'));
  expect(steps.map(({ command }) => command)).toEqual([
    'assay init experiment town',
    'cd town',
    'assay run experiment.yaml',
  ]);
  const shell = new Shell(temporaryFolder());
  for (const { command, shown } of steps) expect(notPrinted(shown, shell.run(command)), command).toBe('');
});

it('the README names commands and files that exist', async () => {
  for (const [, path] of readme.matchAll(/\]\(([^)#]+)\)/g))
    expect(() => readFileSync(join(ROOT, path ?? ''))).not.toThrow(/ENOENT/);
  for (const [, preset] of readme.matchAll(/assay score ((?:journal|pii|graph)\/[a-z-]+)/g)) {
    expect(assay(['score', preset ?? '']).stderr).toContain('no case file and no gold file');
  }
  expect(assay(['score', 'consult/ayurmind']).stderr).toContain('needs the cases');
  for (const [, command] of readme.matchAll(/^\$ assay review (\w+)/gm))
    expect((await assayHere(['review', command!, '--help'], { cwd: ROOT })).code, command).toBe(0);
});
