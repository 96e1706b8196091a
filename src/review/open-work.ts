import { contentOf } from './content.ts';
import { fieldsFor, missingCells } from './questions.ts';
import type { ReviewSnapshot } from './snapshot.ts';

/** What a reviewer still has to answer: items that are not committed, and in them the answers that are missing, by question. */
export interface OpenWork {
  readonly name: string;
  readonly items: number;
  readonly answers: Readonly<Record<string, number>>;
}

/** Reviewers who have work left; those who were shut out have none. */
export function openWork({ form, people, items, assignments, states }: ReviewSnapshot): OpenWork[] {
  const byId = new Map(items.map((item) => [item.id, item]));
  const stateOf = new Map(states.map((state) => [`${state.personId} ${state.itemId}`, state]));
  const queues = Map.groupBy(assignments, ({ personId }) => personId);
  return people.flatMap(({ id, name, role, groups, revokedAt }): OpenWork[] => {
    if (role !== 'reviewer' || revokedAt !== null) return [];
    const answers = new Map<string, number>();
    let open = 0;
    for (const { itemId } of queues.get(id) ?? []) {
      const item = byId.get(itemId);
      const state = stateOf.get(`${id} ${itemId}`);
      if (item === undefined || state?.committed === true) continue;
      open += 1;
      const asked = fieldsFor(form, groups, item);
      for (const { field } of missingCells(form, asked, state?.cells ?? [], contentOf(item).proposed))
        answers.set(field, (answers.get(field) ?? 0) + 1);
    }
    return open === 0 ? [] : [{ name, items: open, answers: Object.fromEntries(answers) }];
  });
}
