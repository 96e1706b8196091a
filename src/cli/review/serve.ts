import { suggestion, harmless, isLoopback, UsageError, visible } from '../../plugin.ts';
import { baseUrlOf, type PersonLink, personLink, reviewSecret, type Store } from '../../review.ts';
import { serverUrls, startReviewServer } from '../../server.ts';
import { DATA_FLAG } from '../backend-of.ts';
import { command } from '../command.ts';
import * as flag from '../flags.ts';
import { DEFAULT_HOST, exposureWarning, listenFlags, serveUntilStopped } from '../serving.ts';
import { withStore } from './review-store.ts';

interface ReviewLinks {
  readonly review: string;
  readonly people: readonly PersonLink[];
}

const DEFAULT_PORT = 4319;
const ROLE_ORDER = { owner: 0, adjudicator: 1, reviewer: 2 } as const;

const HELP = `
A link lets anybody who has it in as the person it was made for: send each
person their own, and nobody else's. Links stay valid over a restart, as long as
the address, the data folder and the person's link do (assay review links renews
or revokes one). Refused requests are logged on standard error.

Nothing is encrypted in transit. For anything farther away than a network that
you trust, let a proxy add HTTPS, and name its address with --base-url: links
are made with it, and requests that name it are let in, which others are not.
The proxy passes them on to --host and --port; if it runs on this machine, both
may stay as they are.

Everything is in store.db of the data folder. While this runs, that file may
lack what was saved in the last second (ten while reviewers keep saving): to
copy it, stop this first, or use assay review backup.

Examples:
  $ assay review serve                        http://${DEFAULT_HOST}:${DEFAULT_PORT}; Ctrl-C ends
  $ assay review serve --host 0.0.0.0         for others in this network
  $ assay review serve --base-url https://review.example.org
  $ assay review serve pilot --port 0 --json  for scripts: one line of JSON
  $ assay review serve --data study/.assay    another store`;

export const reviewServeCommand = command({
  name: 'serve',
  arguments: { name: flag.optionalArgument('review whose links are printed; all of them are served') },
  flags: {
    ...listenFlags(DEFAULT_PORT),
    data: DATA_FLAG,
    baseUrl: flag.parsed('<url>', 'address that reviewers use, as of a proxy: links have it', baseUrlOf),
    json: flag.toggle('print one line {"url","baseUrl","links":[{"review","name","role","link"}]} when it is ready'),
  },
  help: HELP,
  async run({ name, host, port, baseUrl, ...flags }) {
    await withStore(flags, 'change', async (store) => {
      checkName(store, name);
      const secret = reviewSecret(store.folder);
      await serveUntilStopped(
        flags,
        (log) => startReviewServer({ store, log, host, port, baseUrl }),
        ({ url }) => {
          // The first is the one that links are made with.
          const places = baseUrl === undefined ? serverUrls(url, host) : [baseUrl.replace(/\/+$/, '')];
          const [base = url, ...others] = places;
          const links = linksOf(store, name, secret, base);
          const isUnknown = !isLoopback(host) && isLoopback(new URL(base).hostname);
          return {
            json: { url, baseUrl: base, links: jsonLinks(links) },
            text: readyText({ url, base, others, links, file: store.file }),
            warning: `${exposureWarning(host, 'links and answers')}${isUnknown ? UNKNOWN_ADDRESS : ''}`,
          };
        },
      );
    });
  },
});

const UNKNOWN_ADDRESS =
  'The links are for this machine only: name an address that others have for it with --base-url.\n';

function checkName({ reviews, folder }: Store, name: string | undefined): void {
  const names = reviews.list().map((review) => review.name);
  if (names.length === 0)
    throw new UsageError(`there is no review in ${folder} yet`, 'assay review create NAME makes one');
  if (name === undefined || names.includes(name)) return;
  throw new UsageError(`there is no review ${visible(name)} in ${folder}`, suggestion(name, names, 'reviews'));
}

/** Owners first: they send the others theirs. */
function linksOf(store: Store, name: string | undefined, secret: Buffer, url: string): ReviewLinks[] {
  return store.reviews
    .list()
    .filter((review) => name === undefined || review.name === name)
    .map((review) => ({
      review: review.name,
      people: store.reviews
        .people(review.id)
        .toSorted((a, b) => ROLE_ORDER[a.role] - ROLE_ORDER[b.role])
        .map((person) => personLink(person, secret, url, new Date())),
    }));
}

function jsonLinks(links: readonly ReviewLinks[]): object[] {
  return links.flatMap(({ review, people }) =>
    people.map(({ name, role, link, closed }) => {
      const row = { review, name, role, link };
      return closed === null ? row : { ...row, closed };
    }),
  );
}

interface ReadyParts {
  readonly url: string;
  readonly base: string;
  readonly others: readonly string[];
  readonly links: readonly ReviewLinks[];
  readonly file: string;
}

function readyText({ url, base, others, links, file }: ReadyParts): string {
  const parts = links.map(({ review, people }) => {
    const widest = Math.max(0, ...people.map(({ name, role }) => `${name} (${role})`.length));
    const lines = people.map(
      ({ name, role, link, closed }) =>
        `  ${harmless(`${name} (${role})`.padEnd(widest))}  ${link ?? `no link: ${closed ?? 'it is closed'}`}\n`,
    );
    return `${harmless(review)}: a link for each person, which lets anybody who has it in as them\n\n${lines.join('')}\n`;
  });
  const also = others.filter((other) => other !== url);
  const places = [
    `Reviews, over ${harmless(file)}, at ${url}\n`,
    ...(base === url ? [] : [`Links are for ${base}\n`]),
    ...(also.length === 0 ? [] : [`Or ${also.join(', ')}: the part after the # is the same for each\n`]),
  ];
  return `${places.join('')}\n${parts.join('')}Ctrl-C stops it; all data is kept, and the links stay valid.\n`;
}
