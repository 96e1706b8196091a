/** The fields of the groups that were asked for, by group; nothing of the others is worked out. */
export function groupFields<Fields extends object>(
  groups: ReadonlySet<string>,
  table: Readonly<Record<string, () => Partial<Fields>>>,
): Partial<Fields> {
  const fields: Partial<Fields> = {};
  for (const [group, make] of Object.entries(table)) if (groups.has(group)) Object.assign(fields, make());
  return fields;
}
