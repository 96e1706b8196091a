import { count, type FilledColumn, filledTable, safeJson } from '../../plugin.ts';
import type { ReviewSnapshot } from '../../review.ts';
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

/** The people of a review, with the number of items in their queues. */
export function membersOf({ people, assignments }: Pick<ReviewSnapshot, 'people' | 'assignments'>) {
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

type Member = ReturnType<typeof membersOf>[number];

export const PERSON_COLUMNS: readonly FilledColumn<Pick<Member, 'name' | 'role' | 'groups'>>[] = [
  [{ title: 'person', shrinks: true }, ({ name }) => ({ text: name, tone: 'strong' })],
  [{ title: 'role' }, ({ role }) => role],
  [{ title: 'groups', shrinks: true, drop: 2 }, ({ groups }) => groups.join(', ')],
];

export const MEMBER_COLUMNS: readonly FilledColumn<Member>[] = [
  ...PERSON_COLUMNS,
  [{ title: 'items', align: 'right' }, ({ role, items }) => (role === 'reviewer' ? count(items) : '')],
];

const COLUMNS: readonly FilledColumn<Member>[] = [
  ...MEMBER_COLUMNS,
  [
    { title: 'link' },
    ({ expiresAt, revokedAt }) =>
      revokedAt === null ? `until ${expiresAt.slice(0, 10)}` : `revoked on ${revokedAt.slice(0, 10)}`,
  ],
];
