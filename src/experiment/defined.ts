export type Defined<T> = { [K in keyof T]?: T[K] & ({} | null) };

/** Without the fields that are undefined: those leave what is kept as it is. */
export function defined<T extends object>(fields: T): Defined<T> {
  const kept: Defined<T> = {};
  for (const name in fields) {
    const value = fields[name];
    if (value !== undefined) kept[name] = value;
  }
  return kept;
}
