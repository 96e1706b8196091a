import { ownAddresses } from './own-addresses.ts';

/**
 * Where people find the screens: the addresses that others have for this machine first, where it listens on them. The token
 * stands after the #, which browsers keep to themselves: no server logs it.
 */
export function linksTo(
  url: string,
  host: string,
  token: string | null,
  addresses: readonly string[] = ownAddresses(host),
): readonly [first: string, ...others: string[]] {
  const { port } = new URL(url);
  const places = addresses.map((address) => `http://${address.includes(':') ? `[${address}]` : address}:${port}`);
  const link = (place: string): string => (token === null ? place : `${place}/#${token}`);
  const [first, ...others] = [...new Set([...places, url])].map(link);
  return [first ?? link(url), ...others];
}
