/**
 * What a JSON pointer (RFC 6901) leads to; null where it leads nowhere.
 *
 * @example atPointer({ a: [{ 'b/c': 1 }] }, '/a/0/b~1c') // { value: 1 }
 */
export function atPointer(value: unknown, pointer: string): { readonly value: unknown } | null {
  let at = value;
  for (const token of pointer.split('/').slice(1)) {
    const name = token.replaceAll('~1', '/').replaceAll('~0', '~');
    if (typeof at !== 'object' || at === null || !Object.hasOwn(at, name)) return null;
    if (Array.isArray(at) && !/^(?:0|[1-9]\d*)$/.test(name)) return null;
    at = Reflect.get(at, name);
  }
  return { value: at };
}
