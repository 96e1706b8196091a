import { execFileSync, spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, chownSync, existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { connect, createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import { Redis } from 'ioredis';

export const QUEUE_SERVERS = ['redis', 'postgres'] as const;
export type QueueServerKind = (typeof QUEUE_SERVERS)[number];

/** A real server in a folder and on a port of its own. */
export interface TestQueueServer {
  readonly url: string;
  /** Stops it as an operator would, and starts it again with what it had written. */
  restart(awayMs?: number): Promise<void>;
  /** Ends it at once; `restart` brings it back. */
  kill(): Promise<void>;
  close(): Promise<void>;
}

export function startQueueServer(kind: QueueServerKind): Promise<TestQueueServer> {
  return kind === 'redis' ? startRedis() : startPostgres();
}

/** A Redis in cluster mode with one node that has all slots. */
export async function startCluster(): Promise<TestQueueServer> {
  const server = await startRedis(['--cluster-enabled', 'yes']);
  const client = new Redis(server.url);
  await client.cluster('ADDSLOTSRANGE', 0, 16_383);
  for (let state = ''; !state.includes('cluster_state:ok'); await sleep(50)) state = await client.cluster('INFO');
  client.disconnect();
  return server;
}

/** PgBouncer in front of a Postgres; the text is added to its settings. */
export async function startPooler(server: TestQueueServer, settings: string): Promise<{ url: string; close(): void }> {
  const program = programOf('PgBouncer', 'pgbouncer', () => onPath('pgbouncer'));
  const folder = mkdtempSync(join(tmpdir(), 'assay-pgbouncer-'));
  chmodSync(folder, 0o755);
  const port = await freePort();
  const file = join(folder, 'pgbouncer.ini');
  writeFileSync(
    file,
    `[databases]
assay = host=127.0.0.1 port=${new URL(server.url).port} dbname=assay user=assay
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = any
${settings}
`,
  );
  const asUser = isRoot ? ['-u', 'postgres'] : [];
  const child = spawn(program, [...asUser, file], { stdio: 'ignore' });
  await reachable(port);
  return {
    url: `postgres://assay@127.0.0.1:${port}/assay`,
    close() {
      child.kill('SIGKILL');
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

const isRoot = process.getuid?.() === 0;

/** The program, from the system's packages if it is not there yet. A test that cannot have it fails with the reason. */
function programOf(name: string, packageName: string, find: () => string | null): string {
  const there = find();
  if (there !== null) return there;
  const install = ['apt-get', 'install', '-y', '--no-install-recommends', packageName];
  const [first = '', ...rest] = isRoot ? install : ['sudo', '-n', ...install];
  const done = spawnSync(first, rest, { encoding: 'utf8', env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' } });
  const installed = find();
  if (installed !== null) return installed;
  throw new Error(
    `this test needs ${name}, and ${install.join(' ')} did not bring it: ${done.stderr || done.stdout || String(done.error)}`,
  );
}

function onPath(name: string): string | null {
  const folders = [...(process.env['PATH'] ?? '').split(':'), '/usr/bin', '/usr/sbin'];
  return folders.map((folder) => join(folder, name)).find((file) => existsSync(file)) ?? null;
}

export async function startRedis(more: readonly string[] = []): Promise<TestQueueServer> {
  const program = programOf('redis-server', 'redis-server', () => onPath('redis-server'));
  const folder = mkdtempSync(join(tmpdir(), 'assay-redis-'));
  const port = await freePort();
  const start = async (): Promise<ChildProcess> => {
    const settings = [
      '--port',
      String(port),
      '--bind',
      '127.0.0.1',
      '--dir',
      folder,
      '--appendonly',
      'yes',
      '--save',
      '',
      ...more,
    ];
    const child = spawn(program, settings, { stdio: 'ignore' });
    await reachable(port);
    return child;
  };
  let child = await start();
  return {
    url: `redis://127.0.0.1:${port}`,
    async restart(awayMs = 0) {
      await ended(child, 'SIGTERM');
      await sleep(awayMs);
      child = await start();
    },
    kill: () => ended(child, 'SIGKILL'),
    async close() {
      await ended(child, 'SIGKILL');
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function startPostgres(): Promise<TestQueueServer> {
  const installed = (): string | null => {
    const base = '/usr/lib/postgresql';
    const versions = existsSync(base) ? readdirSync(base).sort((a, b) => Number(b) - Number(a)) : [];
    return versions.map((version) => join(base, version, 'bin')).find((bin) => existsSync(join(bin, 'initdb'))) ?? null;
  };
  const bin = programOf('Postgres', 'postgresql', installed);
  const folder = mkdtempSync(join(tmpdir(), 'assay-postgres-'));
  chmodSync(folder, 0o700);
  // Postgres refuses to run as root.
  if (isRoot)
    chownSync(folder, Number(execFileSync('id', ['-u', 'postgres'])), Number(execFileSync('id', ['-g', 'postgres'])));
  const as = (name: string, args: readonly string[]): [string, string[]] =>
    isRoot ? ['runuser', ['-u', 'postgres', '--', join(bin, name), ...args]] : [join(bin, name), [...args]];
  const data = join(folder, 'data');
  execFileSync(...as('initdb', ['-D', data, '-U', 'assay', '--auth=trust', '--encoding=UTF8', '--no-sync']), {
    stdio: 'ignore',
    cwd: folder,
  });
  const port = await freePort();
  const options = `-p ${port} -c listen_addresses=127.0.0.1 -c unix_socket_directories=${folder} -c fsync=off -c max_connections=100`;
  const control = (...args: readonly string[]): void => {
    execFileSync(...as('pg_ctl', ['-D', data, '-w', ...args]), { stdio: 'ignore', cwd: folder });
  };
  const start = (): void => control('-o', options, '-l', join(folder, 'log'), 'start');
  let isUp = true;
  const kill = (): Promise<void> => {
    if (isUp) control('-m', 'immediate', 'stop');
    isUp = false;
    return Promise.resolve();
  };
  start();
  execFileSync(...as('createdb', ['-h', '127.0.0.1', '-p', String(port), '-U', 'assay', 'assay']), { cwd: folder });
  return {
    url: `postgres://assay@127.0.0.1:${port}/assay`,
    async restart(awayMs = 0) {
      if (isUp) control('-m', 'fast', 'stop');
      await sleep(awayMs);
      start();
      isUp = true;
    },
    kill,
    async close() {
      await kill();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const { port } = server.address() as AddressInfo;
  await new Promise((closed) => server.close(closed));
  return port;
}

async function reachable(port: number): Promise<void> {
  for (let tries = 0; ; tries += 1) {
    const socket = connect(port, '127.0.0.1');
    const isThere = await once(socket, 'connect').then(
      () => true,
      () => false,
    );
    socket.destroy();
    if (isThere) return;
    if (tries > 200) throw new Error(`nothing listens on port ${port}`);
    await sleep(50);
  }
}

async function ended(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exit = once(child, 'exit');
  child.kill(signal);
  await exit;
}
