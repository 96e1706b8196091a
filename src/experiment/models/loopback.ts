/**
 * Whether the host of an address is this machine.
 *
 * @example isLoopback('127.0.0.1') // true
 */
export function isLoopback(hostname: string): boolean {
  return (
    hostname === 'localhost' ||
    hostname.endsWith('.localhost') ||
    hostname === '[::1]' ||
    hostname === '::1' ||
    /^127(?:\.\d+){3}$/.test(hostname)
  );
}
