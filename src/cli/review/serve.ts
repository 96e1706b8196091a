import { fstatSync } from 'node:fs';

import { Command } from 'commander';

import { UsageError } from '../../data/problems.ts';
import { harmless, visible } from '../../data/visible.ts';
import type { PersonLink } from '../../review/links.ts';
import type { Store } from '../../store/store.ts';
import { nearestNames } from '../../text/nearest.ts';
import { wholeNumber } from '../whole-number.ts';
import { type StoreFlags, storeOption, withStore } from './review-store.ts';

interface ServeFlags extends StoreFlags {
  readonly port: string;
  readonly host: string;
  readonly baseUrl?: string;
  readonly json?: boolean;
  readonly quiet?: boolean;
}

interface ReviewLinks {
  readonly review: string;
  readonly people: readonly PersonLink[];
}

const DEFAULT_PORT = '4319';
const DEFAULT_HOST = '127.0.0.1';
const LAST_PORT = 65_535;
const MOST_LINES = 200;
const MINUTE_MS = 60_000;
const ORDER = { owner: 0, adjudicator: 1, reviewer: 2 } as const;

export function serveCommand(): Command {
  return storeOption(new Command('serve'))
    .description('the review app in a browser: a link for every person, until Ctrl-C')
    .argument('[name]', 'of the review whose links are printed; all of them are served')
    .option('--port <number>', 'to listen on; 0 takes any free one', DEFAULT_PORT)
    .option('--host <address>', 'to listen on; another one than this machine’s own lets others in', DEFAULT_HOST)
    .option('--base-url <url>', 'the address that people use, as of a proxy: links have it')
    .option('--json', 'print one line {"url","baseUrl","links":[{"review","name","role","link"}]} when it is ready')
    .option('--quiet', 'print nothing but errors')
    .addHelpText('after', HELP)
    .action(serve);
}

const HELP = `
Whoever has a link is let in as the person it was made for: send each person
their own, and nobody else's. Links stay good over a restart, as long as the
address, the data folder and the person's link do (assay review links renews or
revokes one). Requests that are refused are told on standard error.

Nothing is encrypted on the way. From farther away than a network that you trust
let a proxy add HTTPS, and name its address with --base-url: links are made with
it, and requests that name it are let in, which others are not. The proxy passes
them on to --host and --port; both may stay as they are where it runs on this
machine.

Everything is in store.db of the data folder. While this runs, what was saved
last may not be in that file yet, for a second or, while people save, ten: for a
copy stop it first, or use assay review backup.

Examples:
  $ assay review serve                        http://${DEFAULT_HOST}:${DEFAULT_PORT}; Ctrl-C ends
  $ assay review serve --host 0.0.0.0         for others in this network
  $ assay review serve --base-url https://review.example.org
  $ assay review serve pilot --port 0 --json  for scripts: one line of JSON
  $ assay review serve --data study/.assay    another store`;

async function serve(name: string | undefined, flags: ServeFlags): Promise<void> {
  const port = wholeNumber('--port', flags.port, 0, LAST_PORT);
  if (flags.host.trim() === '')
    throw new UsageError('--host is empty, which would let everybody in', `leave it out for ${DEFAULT_HOST}`);
  const [{ startReviewServer }, { isLoopback }, { reviewSecret }, { baseUrlOf }] = await Promise.all([
    import('../../server/review/start-review-server.ts'),
    import('../../experiment/models/loopback.ts'),
    import('../../review/tokens.ts'),
    import('../../review/links.ts'),
  ]);
  const baseUrl = flags.baseUrl === undefined ? undefined : baseUrlOf(flags.baseUrl);
  await withStore(flags, 'change', async (store) => {
    checkName(store, name);
    const secret = reviewSecret(store.folder);
    const log = logOf(flags.quiet === true);
    const server = await startReviewServer({ store, log, host: flags.host, port, baseUrl });
    // Listened for before anybody is told that it is ready.
    const stopped = untilStopped();
    const places = await placesOf(server.url, flags.host, baseUrl);
    if (!isLoopback(flags.host)) process.stderr.write(warning(flags.host, isLoopback(new URL(places[0]).hostname)));
    const links = await linksOf(store, name, secret, places[0]);
    if (flags.json === true) process.stdout.write(`${jsonLine(server.url, places[0], links)}\n`);
    else if (flags.quiet !== true) process.stdout.write(readyText(server.url, places, links, store.file));
    await stopped;
    await server.close();
  });
}

function checkName({ reviews, folder }: Store, name: string | undefined): void {
  const names = reviews.list().map((review) => review.name);
  if (names.length === 0)
    throw new UsageError(`there is no review in ${folder} yet`, 'assay review create NAME makes one');
  if (name === undefined || names.includes(name)) return;
  const near = nearestNames(name, names);
  throw new UsageError(
    `there is no review ${visible(name)} in ${folder}`,
    near.length > 0 ? `did you mean ${near.join(' or ')}?` : `reviews: ${names.join(', ')}`,
  );
}

type Places = readonly [first: string, ...others: string[]];

/** Where people reach it; the first is the one that links are made with. */
async function placesOf(url: string, host: string, baseUrl: string | undefined): Promise<Places> {
  if (baseUrl !== undefined) return [baseUrl.replace(/\/+$/, '')];
  const { ownAddresses } = await import('../../server/own-addresses.ts');
  const { port } = new URL(url);
  const [first, ...others] = ownAddresses(host).map(
    (address) => `http://${address.includes(':') ? `[${address}]` : address}:${port}`,
  );
  return first === undefined ? [url] : [first, ...others];
}

/** Owners first: they send the others theirs. */
async function linksOf(store: Store, name: string | undefined, secret: Buffer, url: string): Promise<ReviewLinks[]> {
  const { personLink } = await import('../../review/links.ts');
  return store.reviews
    .list()
    .filter((review) => name === undefined || review.name === name)
    .map((review) => ({
      review: review.name,
      people: store.reviews
        .people(review.id)
        .toSorted((a, b) => ORDER[a.role] - ORDER[b.role])
        .map((person) => personLink(person, secret, url, new Date())),
    }));
}

function jsonLine(url: string, baseUrl: string, links: readonly ReviewLinks[]): string {
  return JSON.stringify({
    url,
    baseUrl,
    links: links.flatMap(({ review, people }) =>
      people.map(({ name, role, link, closed }) => ({
        review,
        name,
        role,
        link,
        ...(closed === null ? {} : { closed }),
      })),
    ),
  });
}

function readyText(url: string, [base, ...others]: Places, links: readonly ReviewLinks[], file: string): string {
  const parts = links.map(({ review, people }) => {
    const widest = Math.max(0, ...people.map(({ name, role }) => `${name} (${role})`.length));
    const lines = people.map(
      ({ name, role, link, closed }) =>
        `  ${harmless(`${name} (${role})`.padEnd(widest))}  ${link ?? `no link: ${closed ?? 'it is closed'}`}\n`,
    );
    return `${harmless(review)}: a link for each person, which lets whoever has it in as them\n\n${lines.join('')}\n`;
  });
  const places = [
    `Reviews, over ${harmless(file)}, at ${url}\n`,
    ...(base === url ? [] : [`Links are for ${base}\n`]),
    ...(others.length === 0 ? [] : [`Or ${others.join(', ')}: what stands after the # is the same for each\n`]),
  ];
  return `${places.join('')}\n${parts.join('')}Ctrl-C stops it; everything stays where it is, and the links stay good.\n`;
}

/**
 * So many lines a minute, so that nobody can fill a disk with them; through a pipe so many in all, since a parent that does
 * not read them would stop us once it is full.
 */
function logOf(quiet: boolean): (line: string) => void {
  const isPipe = isPiped();
  let [left, since] = [quiet ? 0 : MOST_LINES, Date.now()];
  return (line) => {
    if (!quiet && !isPipe && Date.now() - since > MINUTE_MS) [left, since] = [MOST_LINES, Date.now()];
    if (left === 0) return;
    left -= 1;
    const told = isPipe ? 'Further refusals are not told.' : 'Further refusals within this minute are not told.';
    process.stderr.write(left === 0 ? `${told}\n` : `${line}\n`);
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

function untilStopped(): Promise<void> {
  return new Promise((resolve) => {
    process.once('SIGINT', () => resolve());
    process.once('SIGTERM', () => resolve());
  });
}

function warning(host: string, isUnknown: boolean): string {
  const told = `Listening on ${host}: others can reach it, and neither links nor answers are encrypted on the way. Use it in a network that you trust.\n`;
  const alone = 'The links are for this machine alone: name an address that others have for it with --base-url.\n';
  return isUnknown ? `${told}${alone}` : told;
}
