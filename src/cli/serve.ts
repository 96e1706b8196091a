import { statSync } from 'node:fs';

import { Command, Option } from 'commander';

import { UsageError } from '../data/problems.ts';
import { harmless } from '../data/visible.ts';
import type { Keys } from '../server/langfuse/keys.ts';
import { localFolder } from './backend-of.ts';
import { wholeNumber } from './whole-number.ts';

interface ServeFlags {
  readonly port: string;
  readonly host: string;
  readonly runs: string;
  readonly data?: string;
  readonly generation: string;
  readonly json?: boolean;
  readonly quiet?: boolean;
}

const DEFAULT_PORT = '4390';
const DEFAULT_HOST = '127.0.0.1';
const DEFAULT_RUNS = 'runs';
const LAST_PORT = 65_535;
const MOST_LINES = 200;

export function serveCommand(): Command {
  return new Command('serve')
    .option('--port <number>', 'to listen on; 0 takes any free one', DEFAULT_PORT)
    .option('--host <address>', 'to listen on; another one than this machine’s own lets others in', DEFAULT_HOST)
    .option('--runs <folder>', 'whose runs are shown, also those further down', DEFAULT_RUNS)
    .option('--data <folder>', 'of the local store (default: ASSAY_DATA, or .assay)')
    .addOption(new Option('--generation <which>', 'of Langfuse to be like').choices(['both', '3', '4']).default('both'))
    .option('--json', 'print one line {"url","link","publicKey","secretKey"} on standard output when it is ready')
    .option('--quiet', 'print nothing but errors')
    .addHelpText('after', HELP)
    .action(serve);
}

const HELP = `
Open the address in a browser: every run below --runs with its report, runs side
by side, experiments while they go, and how far reviews are. Pages follow what
happens in the folder. On this machine's own address anybody here may look; on
another one the link carries a token, and nothing is shown without it.

It also serves datasets, runs, experiments, traces, observations, scores and
prompts to the unmodified Langfuse SDK, from the same store that assay run and
assay dataset use. The keys are made once and kept in the data folder
(keys.json, readable by you only).

Examples:
  $ assay serve                              http://${DEFAULT_HOST}:${DEFAULT_PORT}, until Ctrl-C
  $ assay serve --runs experiments/runs      another folder of runs
  $ assay serve --host 0.0.0.0               for others in this network, by a link
  $ assay serve --port 0 --json              for scripts: one line of JSON
  $ assay serve --data experiments/.assay    another store`;

async function serve(flags: ServeFlags): Promise<void> {
  const port = wholeNumber('--port', flags.port, 0, LAST_PORT);
  if (flags.host.trim() === '')
    throw new UsageError('--host is empty, which would let everybody in', `leave it out for ${DEFAULT_HOST}`);
  const folder = localFolder(flags);
  const [{ openStore }, { startServer }, { isLoopback }, { serverKeys }, { serveLive }, { viewToken }, { linksTo }] =
    await Promise.all([
      import('../store/store.ts'),
      import('../server/langfuse/start-server.ts'),
      import('../experiment/models/loopback.ts'),
      import('../server/langfuse/server-keys.ts'),
      import('../server/runs/live-app.ts'),
      import('../server/runs/entry.ts'),
      import('../server/links.ts'),
    ]);
  const store = openStore(folder);
  try {
    if (store.readOnly)
      throw new UsageError(
        `cannot write to ${store.file}, and clients send what is to be kept`,
        'make it and its folder writable, or name another folder with --data',
      );
    const keys = serverKeys(folder);
    const token = isLoopback(flags.host) ? null : viewToken(keys.secretKey);
    const log = logOf(flags.quiet === true);
    const server = await startServer({
      store,
      keys,
      port,
      host: flags.host,
      generation: flags.generation === '3' ? 3 : flags.generation === '4' ? 4 : 'both',
      log,
      more: (app) => serveLive(app, { store, runs: flags.runs, token, log }),
    });
    // Listened for before anybody is told that it is ready.
    const stopped = untilStopped();
    if (!isLoopback(flags.host)) process.stderr.write(warning(flags.host));
    // A script that wants the store alone names no folder.
    if (flags.quiet !== true && (flags.json !== true || flags.runs !== DEFAULT_RUNS))
      process.stderr.write(noFolder(flags.runs));
    const links = linksTo(server.url, flags.host, token);
    if (flags.json === true) process.stdout.write(`${JSON.stringify({ url: server.url, link: links[0], ...keys })}\n`);
    else if (flags.quiet !== true)
      process.stdout.write(readyText({ url: server.url, links, token, keys, file: store.file, runs: flags.runs }));
    await stopped;
    await server.close();
  } finally {
    store.close();
  }
}

/** Some lines only: a parent that does not read them would stop us once its pipe is full. */
function logOf(quiet: boolean): (line: string) => void {
  let left = quiet ? 0 : MOST_LINES;
  return (line) => {
    if (left === 0) return;
    left -= 1;
    process.stderr.write(left === 0 ? 'Further requests that are refused are not told.\n' : `${line}\n`);
  };
}

function untilStopped(): Promise<void> {
  return new Promise((resolve) => {
    process.once('SIGINT', () => resolve());
    process.once('SIGTERM', () => resolve());
  });
}

function warning(host: string): string {
  return `Listening on ${host}: others can reach it, and neither keys nor data are encrypted on the way. Use it in a network that you trust.\n`;
}

/** Said at once: whoever mistyped the folder would look at an empty page. */
function noFolder(runs: string): string {
  const found = statSync(runs, { throwIfNoEntry: false });
  if (found?.isDirectory() === true) return '';
  return found === undefined
    ? `There is no folder ${harmless(runs)} yet: its runs are shown as soon as there are any.\n`
    : `${harmless(runs)} is a file: name the folder that the runs are in with --runs.\n`;
}

interface Ready {
  readonly url: string;
  readonly links: readonly string[];
  readonly token: string | null;
  readonly keys: Keys;
  readonly file: string;
  readonly runs: string;
}

function readyText({ url, links, token, keys, file, runs }: Ready): string {
  const who = token === null ? '' : 'Whoever has the link may look:\n';
  return `Runs of ${harmless(runs)}, experiments and reviews, in a browser${token === null ? ':' : '.'}
${who}
${links.map((link) => `  ${link}\n`).join('')}
A Langfuse-compatible subset, over ${harmless(file)}, at the same address. For the
Langfuse SDK, and for assay in another terminal:

  export LANGFUSE_BASE_URL=${url}
  export LANGFUSE_PUBLIC_KEY=${keys.publicKey}
  export LANGFUSE_SECRET_KEY=${keys.secretKey}

Ctrl-C stops it; everything stays where it is.
`;
}
