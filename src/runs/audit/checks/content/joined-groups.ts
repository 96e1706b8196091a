/** Groups that have a member in common become one; every member is in one group, and those met first come first. */
export function joinedGroups(groups: readonly (readonly number[])[]): number[][] {
  const parents = groups.map((_, group) => group);
  const rootOf = (group: number): number => {
    let root = group;
    while (parents[root] !== root) root = parents[root]!;
    parents[group] = root;
    return root;
  };
  const groupOf = new Map<number, number>();
  for (const [group, members] of groups.entries()) {
    for (const member of members) {
      const met = groupOf.get(member);
      if (met === undefined) groupOf.set(member, group);
      else parents[rootOf(group)] = rootOf(met);
    }
  }
  return [...Map.groupBy(groupOf.keys(), (member) => rootOf(groupOf.get(member)!)).values()];
}
