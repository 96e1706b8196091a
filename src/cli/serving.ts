import { fstatSync } from 'node:fs';

import { harmless, isLoopback, UsageError } from '../plugin.ts';
import type { RunningServer } from '../server.ts';
import * as flag from './flags.ts';

export interface Ready {
  /** One line of JSON, for scripts. */
  readonly json: object;
  readonly text: string;
  /** Printed on standard error in any case. */
  readonly warning: string;
}

export const DEFAULT_HOST = '127.0.0.1';
const LAST_PORT = 65_535;
const MOST_LINES = 200;
const MINUTE_MS = 60_000;

/** Flags of every command that serves. */
export function listenFlags(port: number) {
  return {
    port: flag.integer('<number>', 'port to listen on; 0 takes any free one', { from: 0, to: LAST_PORT }, port),
    host: flag.parsed('<address>', HOST_ABOUT, hostOf, DEFAULT_HOST),
    quiet: flag.QUIET,
  };
}

const HOST_ABOUT = 'address to listen on; any other than this machine’s own can be reached by others';

function hostOf(host: string): string {
  if (host.trim() !== '') return host;
  throw new UsageError('--host is empty, which would let everybody in', `leave it out for ${DEFAULT_HOST}`);
}

/** Serves until Ctrl-C or SIGTERM. */
export async function serveUntilStopped<Server extends RunningServer>(
  flags: { readonly quiet: boolean; readonly json: boolean },
  start: (log: (line: string) => void) => Promise<Server>,
  ready: (server: Server) => Ready,
): Promise<void> {
  const log = requestLog(flags.quiet);
  // Whatever goes wrong with one page, the others are still served.
  process.on('unhandledRejection', (reason) =>
    log(`a bug in Assay: ${harmless(reason instanceof Error ? reason.message : String(reason))}`),
  );
  const server = await start(log);
  // Listened for before anything is printed.
  const stopped = new Promise<void>((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => resolve());
  });
  const { json, text, warning } = ready(server);
  if (warning !== '') process.stderr.write(warning);
  if (flags.json) process.stdout.write(`${JSON.stringify(json)}\n`);
  else if (!flags.quiet) process.stdout.write(text);
  await stopped;
  await server.close();
}

/** Empty if only this machine can reach the server. */
export function exposureWarning(host: string, what: string): string {
  if (isLoopback(host)) return '';
  return `Listening on ${host}: others can reach it, and ${what} are not encrypted in transit. Use it only in a network that you trust.\n`;
}

/**
 * So many lines a minute, so that nobody can fill a disk with them; through a pipe so many in all, since a parent that does
 * not read them would stop us once it is full.
 */
function requestLog(quiet: boolean): (line: string) => void {
  const isPipe = isPiped();
  let [left, since] = [MOST_LINES, Date.now()];
  return (line) => {
    if (!isPipe && Date.now() - since > MINUTE_MS) [left, since] = [MOST_LINES, Date.now()];
    if (quiet || left === 0) return;
    left -= 1;
    const last = `Further refusals${isPipe ? '' : ' within this minute'} are not logged.`;
    process.stderr.write(`${left === 0 ? last : line}\n`);
  };
}

function isPiped(): boolean {
  try {
    const stderr = fstatSync(process.stderr.fd);
    return stderr.isFIFO() || stderr.isSocket();
  } catch {
    return true;
  }
}
