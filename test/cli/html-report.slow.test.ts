import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, it } from 'vitest';

import { openReport } from '../report/html/open-report.ts';
import { assayHere } from './assay-here.ts';
import { assay, example, temporaryFolder } from './run-assay.ts';

const FILES = ['journals.jsonl', 'gold.jsonl', 'predictions.jsonl', 'predictions-b.jsonl'];

/** Two runs over the journal example, its files copied so that they can be taken away. */
async function twoRuns(more: readonly string[] = []): Promise<string> {
  const cwd = temporaryFolder();
  for (const file of FILES) writeFileSync(join(cwd, file), readFileSync(join(example('journal'), file)));
  for (const [name, predictions] of [
    ['a', 'predictions'],
    ['b', 'predictions-b'],
  ] as const) {
    const flags = ['--cases', 'journals.jsonl', '--gold', 'gold.jsonl', '--predictions', `${predictions}.jsonl`];
    const set = ['--set', 'interval.resamples=200', '--out', `runs/${name}`, '--quiet', ...more];
    expect((await assayHere(['score', 'journal/ashwam', ...flags, ...set], { cwd })).code).toBe(0);
  }
  return cwd;
}

describe('a report made again', () => {
  it('is the one that scoring made', async () => {
    const cwd = await twoRuns();
    const before = openReport(readFileSync(join(cwd, 'runs/a/report.html'), 'utf8'));
    const done = await assayHere(['report', 'runs/a', '--out', 'again.html'], { cwd });
    expect(done).toMatchObject({ code: 0, stdout: '', stderr: 'Wrote again.html, with all texts.\n' });
    const after = openReport(readFileSync(join(cwd, 'again.html'), 'utf8'));
    expect(after.details).toEqual(before.details);
    expect(after.index).toEqual(before.index);
    expect(after.head.runs[0]!.audit).toEqual(before.head.runs[0]!.audit);
    expect(after.head.runs[0]!.figures).toEqual(before.head.runs[0]!.figures);
  });

  it('holds no more of the texts than the report of the run, unless it is asked to', async () => {
    const cwd = await twoRuns(['--texts', 'none']);
    const held = (file: string): string => openReport(readFileSync(join(cwd, file), 'utf8')).head.texts;
    expect((await assayHere(['report', 'runs/a', '--format', 'html'], { cwd })).stderr).toContain('without texts');
    expect(held('runs/a/report.html')).toBe('none');
    await assayHere(['compare', 'runs/a', 'runs/b', '--html', 'c.html', '--quiet'], { cwd });
    expect(held('c.html')).toBe('none');
    await assayHere(['report', 'runs/a', '--out', 'full.html', '--texts', 'full'], { cwd });
    expect(held('full.html')).toBe('full');
  });

  it('says that the texts are gone, without saying where they were', async () => {
    const cwd = await twoRuns();
    for (const file of FILES) rmSync(join(cwd, file));
    const { stderr, code } = await assayHere(['report', 'runs/a', '--out', 'a.html'], { cwd });
    expect(code).toBe(0);
    expect(stderr).toContain('No text for 8 cases of 8: journals.jsonl is gone');
    expect(openReport(readFileSync(join(cwd, 'a.html'), 'utf8')).everything).not.toContain(cwd);
  });
});

describe('a page that cannot be written', () => {
  it('is a mistake of the call, and leaves nothing behind', async () => {
    const cwd = await twoRuns();
    mkdirSync(join(cwd, 'folder'));
    for (const [flag, file] of [
      ['--html', '/proc/x.html'],
      ['--html', '/dev/full'],
    ] as const) {
      const { code, stderr } = await assayHere(['compare', 'runs/a', 'runs/b', flag, file, '--quiet'], { cwd });
      expect(code, file).toBe(2);
      expect(stderr, file).toContain(`choose another place with ${flag}`);
    }
    expect((await assayHere(['report', 'runs/a', '--format', 'html', '--out', 'folder'], { cwd })).code).toBe(2);
    expect(readdirSync(cwd).filter((name) => name.includes('.partial-'))).toEqual([]);
  });

  it('goes whole to a reader that is slow', async () => {
    const cwd = await twoRuns();
    await assayHere(['report', 'runs/a', '--out', 'a.html', '--quiet'], { cwd });
    const { stdout } = assay(['report', 'runs/a', '--format', 'html', '--out', '-'], { cwd });
    expect(stdout).toBe(readFileSync(join(cwd, 'a.html'), 'utf8'));
  });

  it('clears away what a process that was killed has left', async () => {
    const cwd = await twoRuns();
    writeFileSync(join(cwd, 'a.html.partial-999999999'), 'half');
    await assayHere(['report', 'runs/a', '--out', 'a.html', '--quiet'], { cwd });
    expect(existsSync(join(cwd, 'a.html.partial-999999999'))).toBe(false);
  });

  it('is not asked for with flags of a page', async () => {
    const cwd = temporaryFolder();
    for (const [command, ...flags] of [
      ['compare', 'a', 'b', '--texts', 'none'],
      ['report', 'a', '--texts', 'none'],
    ]) {
      const { code, stderr } = await assayHere([command!, ...flags], { cwd });
      expect(code).toBe(2);
      expect(stderr).toContain('--texts is for a page in a browser');
    }
  });
});
