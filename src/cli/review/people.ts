import { type FilledColumn, filledTable } from '../../report/document.ts';
import { safeJson } from '../../report/safe-json.ts';
import type { ReviewSnapshot } from '../../review/snapshot.ts';
import { count } from '../../text/figures.ts';
import { command } from '../command.ts';
import { REVIEW_FLAGS, REVIEW_NAME, withReview } from './review-store.ts';

export const peopleCommand = command({
  name: 'people',
  arguments: REVIEW_NAME,
  flags: REVIEW_FLAGS,
  help: `
Add, renew or revoke: assay review links NAME --add WHO --renew WHO --revoke WHO

Examples:
  $ assay review people pilot
  $ assay review people pilot --json | jq -r '.[].name'`,
  async run(flags) {
    const members = await withReview(flags, 'look', membersOf);
    const document = { title: `People of ${flags.name}`, sections: [{ blocks: [filledTable(COLUMNS, members)] }] };
    return { document: () => document, json: () => safeJson(members) };
  },
});

type Member = ReturnType<typeof membersOf>[number];

function membersOf({ people, assignments }: ReviewSnapshot) {
  const queues = Map.groupBy(assignments, ({ personId }) => personId);
  return people.map(({ id, name, role, groups, expiresAt, revokedAt }) => ({
    name,
    role,
    groups,
    items: queues.get(id)?.length ?? 0,
    expiresAt,
    revokedAt,
  }));
}

const COLUMNS: readonly FilledColumn<Member>[] = [
  [{ title: 'person', shrinks: true }, ({ name }) => ({ text: name, tone: 'strong' })],
  [{ title: 'role' }, ({ role }) => role],
  [{ title: 'groups', shrinks: true }, ({ groups }) => groups.join(', ')],
  [{ title: 'items', align: 'right' }, ({ role, items }) => (role === 'reviewer' ? count(items) : '')],
  [
    { title: 'link' },
    ({ expiresAt, revokedAt }) =>
      revokedAt === null ? `until ${expiresAt.slice(0, 10)}` : `revoked on ${revokedAt.slice(0, 10)}`,
  ],
];
