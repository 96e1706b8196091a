import { spawn } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { DatabaseSync } from 'node:sqlite';

import { LangfuseClient } from '@langfuse/client';
import { describe, expect, it, onTestFinished } from 'vitest';

import { assay, BIN, temporaryFolder } from './run-assay.ts';
import { type ServedProcess, servedProcess } from './served-process.ts';

interface Ready {
  readonly url: string;
  readonly publicKey: string;
  readonly secretKey: string;
}

const serve = (args: readonly string[], env: Record<string, string> = {}, cwd?: string): Promise<ServedProcess> =>
  servedProcess(['serve', ...args], { env, ...(cwd === undefined ? {} : { cwd }) });

const ready = (served: ServedProcess): Ready => JSON.parse(served.stdout()) as Ready;

describe('assay serve', () => {
  it('--json prints one line when it is ready, and the official SDK works with it', async () => {
    const data = join(temporaryFolder(), 'data');
    const served = await serve(['--port', '0', '--data', data, '--json']);
    const { url, publicKey, secretKey, ...others } = ready(served);
    // On this machine's own address nobody needs a token.
    expect(others).toEqual({ link: url });
    expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
    expect(publicKey).toMatch(/^pk-lf-[0-9a-f]{64}$/);
    expect(secretKey).toMatch(/^sk-lf-[0-9a-f]{64}$/);
    const client = new LangfuseClient({ baseUrl: url, publicKey, secretKey });
    await client.api.datasets.create({ name: 'd' });
    await client.dataset.createItem({ datasetName: 'd', input: 'x' });
    expect((await client.dataset.get('d')).items).toHaveLength(1);
    served.child.kill('SIGTERM');
    expect(await served.ended).toBe(0);
    expect(served.stdout().split('\n')).toHaveLength(2);
    expect(served.stderr()).toBe('');
  });

  it('goes on when something of one page fails that nobody waits for', async () => {
    const late = 'setTimeout(() => void Promise.reject(new Error("lost")), 300)';
    const served = await serve(['--port', '0', '--data', join(temporaryFolder(), 'data'), '--json'], {
      NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(late)}`,
    });
    await expect.poll(() => served.stderr(), { timeout: 10_000 }).toContain('a bug in Assay: lost');
    expect((await fetch(`${ready(served).url}/live`)).status).toBe(200);
    served.child.kill('SIGTERM');
    expect(await served.ended).toBe(0);
  });

  it('says at once where the folder of runs is not there, or is none', async () => {
    const folder = temporaryFolder();
    const args = ['--port', '0', '--data', join(folder, 'data'), '--json', '--runs'];
    const gone = join(folder, 'gone');
    const first = await serve([...args, gone]);
    expect(first.stderr()).toBe(
      `The folder ${gone} does not exist yet: its runs are shown as soon as there are any.\n`,
    );
    const file = join(folder, 'file');
    writeFileSync(file, '');
    const second = await serve([...args, file]);
    expect(second.stderr()).toBe(`${file} is a file: name the folder that the runs are in with --runs.\n`);
    const { notices } = (await (await fetch(`${ready(second).url}/live`)).json()) as { notices: string[] };
    expect(notices).toEqual(['What is served is a file: serve the folder that the runs are in.']);
  });

  it('--open opens the page in the browser, and prints the link anyway', async () => {
    const folder = temporaryFolder();
    const [browser, opened] = [join(folder, 'my browser'), join(folder, 'opened.txt')];
    writeFileSync(browser, `#!/bin/sh\nprintf '%s|' "$#" "$@" > '${opened}.part' && mv '${opened}.part' '${opened}'\n`);
    chmodSync(browser, 0o755);
    const args = ['--port', '0', '--data', join(folder, 'data'), '--runs', folder, '--open'];
    const served = await serve(args, { BROWSER: browser });
    const url = /http:\/\/127\.0\.0\.1:\d+/.exec(served.stdout())![0];
    await expect.poll(() => existsSync(opened), { timeout: 10_000 }).toBe(true);
    expect(readFileSync(opened, 'utf8')).toBe(`1|${url}|`);
    expect((await fetch(url)).status).toBe(200);
    expect(served.stderr()).toBe('');
    served.child.kill('SIGTERM');
    expect(await served.ended).toBe(0);
  });

  it('--open goes on without a browser, or with one that fails, and puts no token where others can read it', async () => {
    const folder = temporaryFolder();
    const broken = join(folder, 'broken');
    writeFileSync(broken, '#!/bin/sh\nexit 3\n');
    chmodSync(broken, 0o755);
    const args = ['--port', '0', '--data', join(folder, 'data'), '--runs', folder, '--open', '--json'];
    const none = await serve(args, { BROWSER: join(folder, 'none') });
    await expect
      .poll(none.stderr, { timeout: 10_000 })
      .toBe(`The browser was not opened (${join(folder, 'none')}: ENOENT): open the link yourself.\n`);
    expect((await fetch(ready(none).url)).status).toBe(200);
    none.child.kill('SIGTERM');
    expect(await none.ended).toBe(0);
    const failing = await serve(args, { BROWSER: broken });
    await expect.poll(failing.stderr, { timeout: 10_000 }).toContain('broken ended with code 3');
    failing.child.kill('SIGTERM');
    const open = await serve([...args, '--host', '0.0.0.0'], { BROWSER: broken });
    expect(open.stderr()).toContain('--open: the link carries a token, which others could read; open it yourself.');
    expect(open.stderr()).not.toContain('broken');
  });

  it('says where it is, what to export and how to stop, and calls itself a subset', async () => {
    const data = join(temporaryFolder(), 'data');
    const served = await serve(['--port', '0', '--data', data]);
    const text = served.stdout();
    const url = /http:\/\/127\.0\.0\.1:\d+/.exec(text)![0];
    expect(text).toContain('Langfuse-compatible subset');
    expect(text).toContain(`export LANGFUSE_BASE_URL=${url}\n`);
    expect(text).toMatch(/export LANGFUSE_PUBLIC_KEY=pk-lf-\w+\n/);
    expect(text).toMatch(/export LANGFUSE_SECRET_KEY=sk-lf-\w+\n/);
    expect(text).toContain('Ctrl-C');
    served.child.kill('SIGINT');
    expect(await served.ended).toBe(0);
  });

  it('keeps its keys and its data over a restart, and nobody else may read them', async () => {
    const data = join(temporaryFolder(), 'data');
    const first = await serve(['--port', '0', '--data', data, '--json']);
    const before = ready(first);
    await new LangfuseClient({ baseUrl: before.url, ...before }).api.datasets.create({ name: 'kept' });
    first.child.kill('SIGTERM');
    await first.ended;
    expect(statSync(join(data, 'keys.json')).mode & 0o777).toBe(0o600);
    expect(readFileSync(join(data, '.gitignore'), 'utf8')).toBe('keys.json\n');
    // Closed: the one file is everything.
    expect(existsSync(join(data, 'store.db-wal'))).toBe(false);
    const database = new DatabaseSync(join(data, 'store.db'), { readOnly: true });
    expect(database.prepare('SELECT name FROM datasets').all()).toEqual([{ name: 'kept' }]);
    database.close();

    const second = await serve(['--port', '0', '--data', data, '--json']);
    const { publicKey, secretKey, url } = ready(second);
    expect({ publicKey, secretKey }).toEqual({ publicKey: before.publicKey, secretKey: before.secretKey });
    expect((await new LangfuseClient({ baseUrl: url, publicKey, secretKey }).api.datasets.get('kept')).name).toBe(
      'kept',
    );
  });

  it('ends promptly although a connection is kept open', async () => {
    const data = join(temporaryFolder(), 'data');
    const served = await serve(['--port', '0', '--data', data, '--json']);
    const { url } = ready(served);
    await new Promise<void>((resolve) => {
      request(`${url}/api/public/health`, { headers: { connection: 'keep-alive' } }, (answer) => {
        answer.resume().on('end', resolve);
      }).end();
    });
    const began = performance.now();
    served.child.kill('SIGTERM');
    expect(await served.ended).toBe(0);
    expect(performance.now() - began).toBeLessThan(4000);
  });

  it.each(['', ' '])('does not take the empty host %j for everybody’s', (host) => {
    const data = join(temporaryFolder(), 'data');
    const done = assay(['serve', '--port', '0', '--host', host, '--data', data]);
    expect(done).toMatchObject({ code: 2, stdout: '' });
    expect(done.stderr).toBe('assay: --host is empty, which would let everybody in\nleave it out for 127.0.0.1\n');
    expect(existsSync(data)).toBe(false);
  });

  it('takes the folder from ASSAY_DATA, and .assay without it', async () => {
    const folder = temporaryFolder();
    const named = await serve(['--port', '0', '--json'], { ASSAY_DATA: join(folder, 'named') }, folder);
    const usual = await serve(['--port', '0', '--json'], {}, folder);
    expect(existsSync(join(folder, 'named', 'store.db'))).toBe(true);
    expect(existsSync(join(folder, '.assay', 'store.db'))).toBe(true);
    expect(ready(named).secretKey).not.toBe(ready(usual).secretKey);
  });

  it('serves one folder twice, since SQLite lets both in', async () => {
    const data = join(temporaryFolder(), 'data');
    const [first, second] = await Promise.all([
      serve(['--port', '0', '--data', data, '--json']),
      serve(['--port', '0', '--data', data, '--json']),
    ]);
    expect(ready(first).secretKey).toBe(ready(second).secretKey);
    await new LangfuseClient({ baseUrl: ready(first).url, ...ready(first) }).api.datasets.create({ name: 'shared' });
    const other = new LangfuseClient({ baseUrl: ready(second).url, ...ready(second) });
    expect((await other.api.datasets.get('shared')).name).toBe('shared');
  });

  it('is like the generation that is named', async () => {
    const served = await serve(['--port', '0', '--data', join(temporaryFolder(), 'd'), '--json', '--generation', '4']);
    const { url, ...keys } = ready(served);
    const client = new LangfuseClient({ baseUrl: url, ...keys });
    // oxlint-disable-next-line typescript/no-deprecated -- that it is gone is the point
    await expect(client.api.trace.list()).rejects.toMatchObject({ statusCode: 404 });
    expect((await client.api.observations.getMany()).data).toEqual([]);
    // What is refused is told on standard error, without anything secret.
    expect(served.stderr()).toBe('GET /api/public/traces 404\n');
  });

  it('warns where others can reach it', async () => {
    const data = join(temporaryFolder(), 'd');
    const served = await serve(['--port', '0', '--host', '0.0.0.0', '--data', data, '--json']);
    expect((await fetch(`${ready(served).url}/api/public/health`)).status).toBe(200);
    expect(served.stderr()).toContain('Listening on 0.0.0.0: others can reach it');
  });
});

describe('assay serve that cannot', () => {
  it('says who has the port, and what to do', async () => {
    const folder = temporaryFolder();
    const taken = createServer((socket) => socket.end());
    const port = await new Promise<number>((resolve) => {
      taken.listen(0, '127.0.0.1', () => {
        const address = taken.address();
        resolve(typeof address === 'object' && address !== null ? address.port : 0);
      });
    });
    onTestFinished(() => void taken.close());
    // In a process of its own: this one has to answer meanwhile.
    const busy = await finished(['--port', String(port), '--data', join(folder, 'a')]);
    expect(busy.code).toBe(2);
    expect(busy.stderr).toBe(
      `assay: port ${port} of 127.0.0.1 is taken by another program\nName another port with --port, or take any free one with --port 0.\n`,
    );
    const first = await serve(['--port', '0', '--data', join(folder, 'b'), '--json']);
    const own = assay(['serve', '--port', new URL(ready(first).url).port, '--data', join(folder, 'b')]);
    expect(own.code).toBe(2);
    expect(own.stderr).toContain('another assay serve runs there');
    expect(own.stdout).toBe('');
  });

  it('says what is wrong with its flags and files', () => {
    const folder = temporaryFolder();
    const failed = (...args: string[]) => {
      const { code, stderr } = assay(['serve', '--data', join(folder, 'd'), ...args]);
      expect(code).toBe(2);
      return stderr;
    };
    expect(failed('--port', 'x')).toContain('--port x: expected a whole number from 0 to 65535');
    expect(failed('--port', '70000')).toContain('expected a whole number');
    expect(failed('--generation', '5')).toContain('Allowed choices are both, 3, 4');
    expect(failed('--host', '203.0.113.9', '--port', '0')).toContain('203.0.113.9 is not an address of this machine');
    mkdirSync(join(folder, 'bad'));
    writeFileSync(join(folder, 'bad', 'keys.json'), '{"publicKey":"x"}');
    expect(assay(['serve', '--port', '0', '--data', join(folder, 'bad')]).stderr).toContain(
      'does not hold a pair of keys',
    );
    writeFileSync(join(folder, 'file'), '');
    expect(assay(['serve', '--port', '0', '--data', join(folder, 'file')]).code).toBe(2);
  });
});

async function finished(args: readonly string[]): Promise<{ code: number | null; stderr: string }> {
  const child = spawn(process.execPath, [BIN, 'serve', ...args], { stdio: ['ignore', 'ignore', 'pipe'] });
  let stderr = '';
  child.stderr.on('data', (part: Buffer) => (stderr += part.toString()));
  return new Promise((resolve) => {
    child.on('close', (code) => resolve({ code, stderr }));
  });
}

describe('the screens of assay serve', () => {
  it('are open to this machine, over a folder of runs that need not be there yet', async () => {
    const folder = temporaryFolder();
    const served = await serve(['--port', '0', '--runs', 'later', '--json'], {}, folder);
    const { url } = ready(served);
    expect(await (await fetch(`${url}/live`)).json()).toMatchObject({ folder: 'later', exists: false, runs: [] });
    // The name of the folder, and never where it is.
    expect(await (await fetch(`${url}/live`)).text()).not.toContain(folder);
    expect(served.stderr()).toBe('The folder later does not exist yet: its runs are shown as soon as there are any.\n');
  });

  it('are open to others by the link alone, which the log does not hold', async () => {
    const folder = temporaryFolder();
    const served = await serve(['--port', '0', '--host', '0.0.0.0'], {}, folder);
    const [, url = '', token = ''] = /^ {2}(http:\/\/127\.0\.0\.1:\d+)\/#([\w-]{43})$/m.exec(served.stdout())!;
    expect((await fetch(`${url}/live`)).status).toBe(401);
    const enter = async (given: string): Promise<Response> =>
      await fetch(`${url}/live/entry`, { method: 'POST', headers: { authorization: `Bearer ${given}` } });
    expect((await enter('x'.repeat(43))).status).toBe(403);
    const cookie = (await enter(token)).headers.get('set-cookie')!.split(';')[0]!;
    expect((await fetch(`${url}/live`, { headers: { cookie } })).status).toBe(200);
    const led = await fetch(`${url}/run/a/`, { headers: { accept: 'text/html' }, redirect: 'manual' });
    expect(led.headers.get('location')).toBe('/?to=%2Frun%2Fa%2F');
    expect(served.stderr().split('\n').slice(1)).toEqual([
      'The folder runs does not exist yet: its runs are shown as soon as there are any.',
      'GET /live 401',
      'POST /live/entry 403',
      'GET /run/a/ 401',
      '',
    ]);
    expect(served.stdout()).toContain('Anybody with the link may look:\n');
  });
});
