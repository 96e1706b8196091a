/** Not crypto.randomUUID: pages that come over plain HTTP from another machine do not have it. */
export function randomId(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('');
}
