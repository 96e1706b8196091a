/**
 * Whether a name can be a step of an address. The SDK encodes names, but dots lead elsewhere all the same, and an empty
 * name is the list of all.
 */
export function isPathPart(name: string): boolean {
  return name !== '' && name !== '.' && name !== '..';
}
