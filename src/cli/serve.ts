import { spawn } from 'node:child_process';

import { entryAt, errorCode, harmless, isLoopback, UsageError } from '../plugin.ts';
import type { Keys } from '../server.ts';
import { DATA_FLAG, localFolder } from './backend-of.ts';
import { command } from './command.ts';
import * as flag from './flags.ts';
import { DEFAULT_HOST, exposureWarning, listenFlags, serveUntilStopped } from './serving.ts';

const DEFAULT_PORT = 4390;
const DEFAULT_RUNS = 'runs';
const GENERATIONS = { both: 'both', 3: 3, 4: 4 } as const;

const HELP = `
Open the address in a browser: every run below --runs with its report, runs side
by side, experiments while they run, and the progress of reviews. Pages follow
changes in the folder. On this machine's own address anybody here may look; on
any other, the link carries a token, and nothing is shown without it.

It also serves datasets, runs, experiments, traces, observations, scores and
prompts to the unmodified Langfuse SDK, from the same store that assay run and
assay dataset use. The keys are made once and kept in the data folder
(keys.json, readable by you only).

Examples:
  $ assay serve                              http://${DEFAULT_HOST}:${DEFAULT_PORT}, until Ctrl-C
  $ assay serve --open                       the same, in your browser at once
  $ assay serve experiments/runs             another folder of runs
  $ assay serve --host 0.0.0.0               for others in this network, by a link
  $ assay serve --port 0 --json              for scripts: one line of JSON
  $ assay serve --data experiments/.assay    another store`;

export default command({
  name: 'serve',
  arguments: { folder: flag.optionalArgument('folder whose runs are shown (default: --runs)') },
  flags: {
    ...listenFlags(DEFAULT_PORT),
    runs: flag.string('<folder>', 'folder whose runs are shown, with the folders below it', DEFAULT_RUNS),
    open: flag.toggle('open the address in your browser'),
    data: DATA_FLAG,
    generation: flag.choice(['both', '3', '4'], '<which>', 'version of Langfuse to imitate', 'both'),
    json: flag.toggle('print one line {"url","link","publicKey","secretKey"} on standard output when it is ready'),
  },
  help: HELP,
  async run({ folder: named, host, port, ...flags }) {
    const runs = named ?? flags.runs;
    const generation = GENERATIONS[flags.generation];
    const folder = localFolder(flags);
    const { openStore } = await import('../experiment.ts');
    const { serverKeys, serverUrls, startLiveServer } = await import('../server.ts');
    const store = openStore(folder);
    try {
      if (store.readOnly)
        throw new UsageError(
          `cannot write to ${store.file}, and clients send data to keep`,
          'make it and its folder writable, or name another folder with --data',
        );
      const keys = serverKeys(folder);
      await serveUntilStopped(
        flags,
        (log) => startLiveServer({ store, keys, port, host, generation, runs, log, open: isLoopback(host) }),
        ({ url, link }) => {
          const { hash } = new URL(link);
          const links = serverUrls(url, host).map((address) => (hash === '' ? address : `${address}/${hash}`));
          if (flags.open) openPage(links[0] ?? url, flags.quiet);
          // A script that wants only the store names no folder.
          const isAsked = !flags.quiet && (!flags.json || runs !== DEFAULT_RUNS);
          return {
            json: { url, link: links[0], ...keys },
            text: readyText({ url, links, keys, file: store.file, runs, isOpen: hash === '' }),
            warning: `${exposureWarning(host, 'keys and data')}${isAsked ? folderNotice(runs) : ''}`,
          };
        },
      );
    } finally {
      store.close();
    }
  },
});

/** What others on this machine may see is the call of the browser: a token is not put there. */
function openPage(link: string, quiet: boolean): void {
  const note = (sentence: string): void => void (quiet || process.stderr.write(`${harmless(sentence)}\n`));
  if (new URL(link).hash !== '') note('--open: the link carries a token, which others could read; open it yourself.');
  else openBrowser(link, (why) => note(`The browser was not opened (${why}): open the link yourself.`));
}

/** The program that opens an address, by platform; BROWSER names another one. */
const OPENERS: Readonly<Partial<Record<NodeJS.Platform, readonly [program: string, ...args: string[]]>>> = {
  darwin: ['open'],
  // `start` belongs to a shell, which would read the address too.
  win32: ['rundll32', 'url.dll,FileProtocolHandler'],
};

const OPENING_MS = 10_000;

/** Opens an address in the browser, without waiting for it; `refused` gets the reason if that does not work. */
function openBrowser(address: string, refused: (why: string) => void): void {
  const named = process.env['BROWSER'];
  const [program, ...args] =
    named === undefined || named === '' ? (OPENERS[process.platform] ?? ['xdg-open']) : ([named] as const);
  const child = spawn(program, [...args, address], { stdio: 'ignore', detached: true, windowsHide: true });
  child.once('error', (error) => refused(`${program}: ${errorCode(error)}`));
  const began = performance.now();
  child.once('exit', (code) => {
    // Some openers are the browser itself, and how that ends is not our business.
    if (code !== null && code !== 0 && performance.now() - began < OPENING_MS)
      refused(`${program} ended with code ${code}`);
  });
  child.unref();
}

/** Shown at once: a mistyped folder would be an empty page. */
function folderNotice(runs: string): string {
  const entry = entryAt(runs);
  if (entry?.isDirectory() === true) return '';
  return entry === undefined
    ? `The folder ${harmless(runs)} does not exist yet: its runs are shown as soon as there are any.\n`
    : `${harmless(runs)} is a file: name the folder that the runs are in with --runs.\n`;
}

interface ReadyParts {
  readonly url: string;
  readonly links: readonly string[];
  readonly keys: Keys;
  readonly file: string;
  readonly runs: string;
  readonly isOpen: boolean;
}

function readyText({ url, links, keys, file, runs, isOpen }: ReadyParts): string {
  return `Runs of ${harmless(runs)}, experiments and reviews, in a browser${isOpen ? ':' : '.\nAnybody with the link may look:'}

${links.map((link) => `  ${link}\n`).join('')}
A Langfuse-compatible subset, over ${harmless(file)}, at the same address. For the
Langfuse SDK, and for assay in another terminal:

  export LANGFUSE_BASE_URL=${url}
  export LANGFUSE_PUBLIC_KEY=${keys.publicKey}
  export LANGFUSE_SECRET_KEY=${keys.secretKey}

Ctrl-C stops it; all data is kept.
`;
}
