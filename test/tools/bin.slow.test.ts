import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest';

const REPOSITORY = path.resolve(import.meta.dirname, '../..');

let root: string;
let bin: string;

beforeEach(() => {
  root = mkdtempSync(path.join(tmpdir(), 'assay-bin-'));
  bin = path.join(root, 'bin/assay.js');
  for (const part of ['bin', 'tools/runtime'])
    cpSync(path.join(REPOSITORY, part), path.join(root, part), { recursive: true });
  write('package.json', '{ "type": "module" }');
});

afterEach(() => {
  rmSync(root, { recursive: true });
});

function write(name: string, content: string): void {
  mkdirSync(path.dirname(path.join(root, name)), { recursive: true });
  writeFileSync(path.join(root, name), content);
}

function assay(...args: string[]) {
  return spawnSync(process.execPath, [bin, ...args], { encoding: 'utf8' });
}

describe('bin/assay.js', () => {
  const source =
    'export async function main(argv: string[]): Promise<number> { console.log("source", ...argv); return 3; }';

  test('hands the arguments to main and exits with its result, without a warning', () => {
    write('src/cli/main.ts', source);
    expect(assay('score', '--json')).toMatchObject({ status: 3, stdout: 'source score --json\n', stderr: '' });
  });

  test('prefers the sources of a checkout and falls back to what was built', () => {
    write('dist/cli/main.js', 'export async function main() { console.log("built"); return 0; }');
    expect(assay()).toMatchObject({ status: 0, stdout: 'built\n', stderr: '' });
    write('src/cli/main.ts', source);
    expect(assay().stdout).toBe('source\n');
  });

  test('without its sources, it needs none of tools/, and refuses an older Node in words', () => {
    write('dist/cli/main.js', 'export async function main() { console.log("built"); return 0; }');
    rmSync(path.join(root, 'tools'), { recursive: true });
    expect(assay()).toMatchObject({ status: 0, stdout: 'built\n', stderr: '' });
    write('older.mjs', "Object.defineProperty(process.versions, 'node', { value: '20.19.5' });");
    const older = pathToFileURL(path.join(root, 'older.mjs')).href;
    const refused = spawnSync(process.execPath, ['--import', older, bin], { encoding: 'utf8' });
    expect(refused).toMatchObject({ status: 2, stdout: '' });
    expect(refused.stderr).toMatch(
      /^Assay needs Node\.js 22\.18 or a later 22, or 24 or later, but this is Node\.js 20\.19\.5 \(.*\)\.\nInstall/,
    );
  });

  test('does not repeat warnings of Node about itself, but any other', () => {
    const quiet = [
      'SQLite is an experimental feature and might change at any time',
      'Module type of file:///x/mine.ts?sha256=12ab is not specified',
    ];
    const warnings = [...quiet, 'mind the gap'].map((text) => `process.emitWarning('${text}', 'ExperimentalWarning');`);
    write('src/cli/main.ts', `export async function main() { ${warnings.join(' ')} return 0; }`);
    const { stderr } = assay();
    expect(stderr).toContain('mind the gap');
    for (const text of quiet) expect(stderr).not.toContain(text);
  });

  test.each([
    ['main throws', 'export async function main() { throw new Error("oh"); }'],
    [
      'a callback throws',
      'export async function main() { setTimeout(() => { throw new Error("oh"); }, 1); return 0; }',
    ],
    ['a promise is forgotten', 'export async function main() { void Promise.reject(new Error("oh")); return 0; }'],
    ['main cannot be loaded', 'throw new Error("oh");'],
  ])('exits with 70, not with 1 as a failed gate does, when %s', (_, main) => {
    write('src/cli/main.ts', main);
    expect(assay()).toMatchObject({ status: 70, stderr: expect.stringMatching(/^assay: a bug of ours: oh\n.*\n$/) });
  });

  test('tells of a bug on one line, without what was not JSON; the stack only where it is asked for', () => {
    write('src/cli/main.ts', 'export async function main(argv: string[]) { throw new Error(argv[0]); }');
    expect(assay('a\n::error::b\u001b[2J\u009b').stderr).toMatch(
      /^assay: a bug of ours: a\\n::error::b\\u001b\[2J\?\n/,
    );
    write('src/cli/main.ts', 'export async function main(argv: string[]) { JSON.parse(argv[0]!); }');
    expect(assay('sk-key').stderr).not.toContain('sk-key');
    process.env['ASSAY_DEBUG'] = '1';
    onTestFinished(() => void delete process.env['ASSAY_DEBUG']);
    expect(assay('sk-key').stderr).toContain('main.ts:1');
  });

  test.each([
    ['ends the process', 'export async function main() { process.exit(0); }'],
    ['waits for what never comes', 'export async function main() { await new Promise(() => undefined); }'],
  ])('never exits with 0 when something %s before main is done', (_, main) => {
    write('src/cli/main.ts', main);
    expect(assay()).toMatchObject({ status: 2, stderr: expect.stringContaining('ended before it was done') });
  });

  test.skipIf(process.platform === 'win32')('ends quietly, but not with 0, when its reader leaves', async () => {
    write(
      'src/cli/main.ts',
      `export async function main(): Promise<number> {
        for (let line = 0; ; line++) {
          if (!process.stdout.write(\`line \${line}\\n\`)) await new Promise((done) => process.stdout.once('drain', done));
        }
      }`,
    );
    const child = spawn(process.execPath, [bin], { stdio: ['ignore', 'pipe', 'pipe'] });
    child.stdout.once('data', () => child.stdout.destroy());
    let complaint = '';
    child.stderr.setEncoding('utf8').on('data', (text: string) => (complaint += text));
    expect(await once(child, 'close')).toEqual([141, null]);
    expect(complaint).toBe('');
  });
});
