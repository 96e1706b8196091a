import { existsSync, readFileSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';

import { count, plural, type Document, errorCode, safeJson, shellWord, UsageError, writeAside } from '../../plugin.ts';
import { type BackedUp, SECRET_FILE, type Store, STORE_FILE } from '../../review.ts';
import { command } from '../command.ts';
import * as flag from '../flags.ts';
import { REVIEW_FLAGS, withStore } from './review-store.ts';

export const backupCommand = command({
  name: 'backup',
  flags: {
    out: flag.required(flag.outputFile('file to write the copy to')),
    withLinks: flag.toggle(`also copy ${SECRET_FILE} next to it, so that links stay valid`),
    force: flag.toggle('overwrite an existing copy'),
    ...REVIEW_FLAGS,
    json: { ...flag.JSON_ALONE, about: 'print {"file","bytes","rows","secret"} on standard output' },
  },
  help: `
The copy has everything that was saved up to this moment: all reviews with their
whole history, and everything else in the store. Only you can read it. Nobody
has to stop: a server keeps serving, and reviewers keep saving. Before you copy
${STORE_FILE} by hand, stop the server.

As ${STORE_FILE} in a folder by itself the copy is a store (--data FOLDER). Links
are made with the secret in ${SECRET_FILE} of the data folder: without that file
next to it reviewers need new links (assay review links NAME --renew WHO). Both
files together let anybody answer as anyone, so keep them as you keep passwords.

Examples:
  $ assay review backup --out backup/monday.db
  $ assay review backup --out copy/${STORE_FILE} --with-links
  $ assay review status pilot --data copy`,
  run({ out, withLinks, force: overwrite, ...flags }) {
    return withStore(flags, 'look', (store) => {
      const secret = withLinks ? secretFor(store, out, overwrite) : null;
      const copy = store.backUp(out, { overwrite });
      // As the store's own: for its owner alone from the first moment, and never half there.
      if (secret !== null && !(existsSync(secret.to) && readSecret(secret.to) === secret.text))
        writeAside(secret.to, secret.text, { mode: 0o600, next: 'name another place with --out' });
      const hasLinks = existsSync(join(store.folder, SECRET_FILE));
      return {
        document: () => backupDocument(copy, secret?.to ?? null, hasLinks),
        json: () => safeJson({ ...copy, secret: secret?.to ?? null }),
        files: { out: null },
      };
    });
  },
});

/** Checked before anything is written: another secret there belongs to another store. */
function secretFor(store: Store, out: string, overwrite: boolean): { readonly to: string; readonly text: string } {
  const from = join(store.folder, SECRET_FILE);
  const to = join(dirname(out), SECRET_FILE);
  if (!existsSync(from))
    throw new UsageError(`${store.folder} has no ${SECRET_FILE}: there are no links`, 'leave --with-links out');
  const text = readSecret(from);
  if (existsSync(to) && resolve(to) !== resolve(from) && readSecret(to) !== text && !overwrite)
    throw new UsageError(
      `${to} exists already, and belongs to another store`,
      'name another folder with --out, or overwrite it with --force',
    );
  return { to, text };
}

function readSecret(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw new UsageError(`cannot read ${file} (${errorCode(error)})`, 'make it readable, or leave --with-links out');
  }
}

const TABLES = [
  ['reviews', 'review', 'reviews'],
  ['review_items', 'item', 'items'],
  ['review_people', 'person', 'people'],
  ['review_events', 'event', 'events'],
  ['review_decisions', 'decision', 'decisions'],
] as const;

function backupDocument({ file, bytes, rows }: BackedUp, secret: string | null, hasLinks: boolean): Document {
  const total = Object.values(rows).reduce((sum, number) => sum + number, 0);
  const links =
    secret === null
      ? `Links need ${SECRET_FILE} of the data folder next to it (--with-links copies it); without it they have to be renewed.`
      : `${secret}: with both files anybody can answer as anyone`;
  const open =
    basename(file) === STORE_FILE
      ? `Open it with: assay review list --data ${shellWord(dirname(file))}`
      : `To open it, name it ${STORE_FILE} in a folder by itself: --data FOLDER`;
  return {
    title: `${file}: ${plural(total, 'row')}, ${count(bytes)} bytes`,
    about: TABLES.map(([table, one, many]) => plural(rows[table] ?? 0, one, many)).join(', '),
    sections: [{ blocks: [secret === null && !hasLinks ? null : { text: links }, { text: open, whole: true }] }],
  };
}
