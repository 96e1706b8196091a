import { Command } from 'commander';

import { count } from '../../text/figures.ts';
import { safeJson } from '../../report/safe-json.ts';
import { terminalStyle } from '../../report/terminal-style.ts';
import { tableLines } from '../../report/table.ts';
import { loadSnapshot } from '../../review/snapshot.ts';
import { type StoreFlags, storeOption, withStore } from './review-store.ts';

interface PeopleFlags extends StoreFlags {
  readonly json?: boolean;
}

export function peopleCommand(): Command {
  return storeOption(
    new Command('people')
      .description('who takes part in a review, in which role and groups')
      .argument('<name>', 'of the review')
      .option('--json', 'print them as JSON on standard output'),
  )
    .addHelpText(
      'after',
      `
Add, renew or revoke: assay review links NAME --add WHO --renew WHO --revoke WHO

Examples:
  $ assay review people pilot
  $ assay review people pilot --json | jq -r '.[].name'`,
    )
    .action(people);
}

async function people(name: string, flags: PeopleFlags): Promise<void> {
  await withStore(flags, 'look', (store) => {
    const snapshot = loadSnapshot(store, name);
    const queues = Map.groupBy(snapshot.assignments, ({ personId }) => personId);
    const all = snapshot.people.map(({ id, name: who, role, groups, expiresAt, revokedAt }) => ({
      name: who,
      role,
      groups,
      items: queues.get(id)?.length ?? 0,
      expiresAt,
      revokedAt,
    }));
    if (flags.json === true) {
      process.stdout.write(safeJson(all));
      return;
    }
    const lines = tableLines(
      [
        { title: 'Person', shrinks: true },
        { title: 'role' },
        { title: 'groups', shrinks: true },
        { title: 'items', align: 'right' },
        { title: 'link' },
      ],
      all.map(({ name: who, role, groups, items, expiresAt, revokedAt }) => [
        { text: who, tone: 'strong' },
        role,
        groups.join(', '),
        role === 'reviewer' ? count(items) : '',
        revokedAt === null ? `until ${expiresAt.slice(0, 10)}` : `revoked on ${revokedAt.slice(0, 10)}`,
      ]),
      terminalStyle(process.stdout),
    );
    process.stdout.write(`${lines.join('\n')}\n`);
  });
}
