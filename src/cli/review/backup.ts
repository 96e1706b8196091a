import { existsSync, readFileSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';

import { Command } from 'commander';

import { UsageError } from '../../data/problems.ts';
import { errorCode } from '../../data/source.ts';
import { writeAside } from '../../data/write-file.ts';
import { count, counted } from '../../text/figures.ts';
import { safeJson } from '../../report/safe-json.ts';
import { safeText } from '../../report/safe-text.ts';
import { shellWord } from '../../report/shell-word.ts';
import { SECRET_FILE } from '../../review/tokens.ts';
import { type BackedUp, type Store, STORE_FILE } from '../../store/store.ts';
import { refusePlaces } from '../write-whole.ts';
import { type StoreFlags, storeOption, withStore } from './review-store.ts';

interface BackupFlags extends StoreFlags {
  readonly out: string;
  readonly force?: boolean;
  readonly withLinks?: boolean;
  readonly json?: boolean;
}

export function backupCommand(): Command {
  return storeOption(
    new Command('backup')
      .description('a whole copy of the store in one file, also while people work')
      .requiredOption('--out <file>', 'where the copy goes')
      .option('--with-links', `also copy ${SECRET_FILE} to beside it, so that links stay good`)
      .option('--force', 'overwrite a copy that is there')
      .option('--json', 'print {"file","bytes","rows","secret"} on standard output'),
  )
    .addHelpText('after', HELP)
    .action(backup);
}

const HELP = `
The copy has everything that was saved up to this moment: all reviews with their
whole history, and all else that the store holds. It is readable by you only.
Nobody has to stop: a server goes on serving, and reviewers go on saving. Before
you copy ${STORE_FILE} by hand, stop the server.

As ${STORE_FILE} in a folder of its own the copy is a store (--data FOLDER). Links
are made with the secret in ${SECRET_FILE} of the data folder: without that file
beside it people need new links (assay review links NAME --renew WHO). Whoever
has both files can answer as anybody, so keep them as you keep passwords.

Examples:
  $ assay review backup --out backup/monday.db
  $ assay review backup --out copy/${STORE_FILE} --with-links
  $ assay review status pilot --data copy`;

async function backup(flags: BackupFlags): Promise<void> {
  refusePlaces([['--out', flags.out]]);
  const overwrite = flags.force === true;
  await withStore(flags, 'look', (store) => {
    const secret = flags.withLinks === true ? secretFor(store, flags.out, overwrite) : null;
    const made = store.backUp(flags.out, { overwrite });
    if (secret !== null) copySecret(secret);
    const hasLinks = existsSync(join(store.folder, SECRET_FILE));
    process.stdout.write(
      flags.json === true
        ? safeJson({ ...made, secret: secret?.to ?? null })
        : textOf(made, secret?.to ?? null, hasLinks),
    );
  });
}

interface SecretCopy {
  readonly to: string;
  readonly text: string;
}

/** Looked at before anything is written: another secret there is that of another store. */
function secretFor(store: Store, out: string, overwrite: boolean): SecretCopy {
  const from = join(store.folder, SECRET_FILE);
  const to = join(dirname(out), SECRET_FILE);
  if (!existsSync(from))
    throw new UsageError(
      `there is no ${SECRET_FILE} in ${store.folder}, so that there are no links`,
      'leave --with-links out',
    );
  const text = readSecret(from);
  if (existsSync(to) && resolve(to) !== resolve(from) && readSecret(to) !== text && !overwrite)
    throw new UsageError(
      `${to} is there already, and is that of another store`,
      'name a folder of its own with --out, or overwrite it with --force',
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

/** As the store's own: for its owner alone from the first moment, and never half there. */
function copySecret({ to, text }: SecretCopy): void {
  if (existsSync(to) && readSecret(to) === text) return;
  writeAside(to, text, { mode: 0o600, next: 'name another place with --out' });
}

const OF_REVIEWS = [
  ['reviews', 'review', 'reviews'],
  ['review_items', 'item', 'items'],
  ['review_people', 'person', 'people'],
  ['review_events', 'event', 'events'],
  ['review_decisions', 'decision', 'decisions'],
] as const;

function textOf({ file, bytes, rows }: BackedUp, secret: string | null, hasLinks: boolean): string {
  const all = Object.values(rows).reduce((sum, own) => sum + own, 0);
  const parts = OF_REVIEWS.map(([table, one, many]) => counted(rows[table] ?? 0, one, many));
  const folder = dirname(file);
  const lines = [
    `${file}: ${counted(all, 'row')}, ${count(bytes)} bytes`,
    `  ${parts.join(', ')}`,
    ...(secret === null
      ? hasLinks
        ? [
            `Links need ${SECRET_FILE} of the data folder beside it (--with-links copies it);`,
            'without it they have to be renewed.',
          ]
        : []
      : [`${secret}: whoever has both files can answer as anybody`]),
    basename(file) === STORE_FILE
      ? `Open it with: assay review list --data ${shellWord(folder)}`
      : `To open it, name it ${STORE_FILE} in a folder of its own: --data FOLDER`,
  ];
  return `${lines.map(safeText).join('\n')}\n`;
}
