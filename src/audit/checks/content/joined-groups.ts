import { DisjointSets } from '../../../text/disjoint-sets.ts';

/** Groups that have a member in common become one; every member is in one group, and those met first come first. */
export function joinedGroups(groups: readonly (readonly number[])[]): number[][] {
  const sets = new DisjointSets();
  const groupOf = new Map<number, number>();
  for (const [group, members] of groups.entries()) {
    for (const member of members) {
      const met = groupOf.get(member);
      if (met === undefined) groupOf.set(member, group);
      else sets.join(met, group);
    }
  }
  return [...Map.groupBy(groupOf.keys(), (member) => sets.rootOf(groupOf.get(member)!)).values()];
}
