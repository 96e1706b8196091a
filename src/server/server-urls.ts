import { networkInterfaces } from 'node:os';

import { isLoopback } from '../experiment/models/loopback.ts';

/**
 * The addresses of a server that listens on `host`: first the addresses that others have for this machine, those that a
 * person can type before the rest, then `url`, which is for this machine.
 */
export function serverUrls(
  url: string,
  host: string,
  interfaces: typeof networkInterfaces = networkInterfaces,
): readonly [first: string, ...others: string[]] {
  const { port } = new URL(url);
  const urls = [...new Set([...addressesOf(host, interfaces).map((address) => addressUrl(address, port)), url])];
  return [urls[0] ?? url, ...urls.slice(1)];
}

function addressesOf(host: string, interfaces: typeof networkInterfaces): string[] {
  if (host !== '0.0.0.0' && host !== '::') return isLoopback(host) ? [] : [host];
  const all = Object.values(interfaces())
    .flatMap((some) => some ?? [])
    // A link-local address needs the name of an interface behind it, which no browser takes.
    .filter(({ internal, address }) => !internal && !/^(?:fe[89ab]|169\.254\.)/i.test(address));
  const ofFamily = (name: string): string[] =>
    all.filter(({ family }) => family === name).map(({ address }) => address);
  return [...ofFamily('IPv4'), ...(host === '::' ? ofFamily('IPv6') : [])];
}

export function addressUrl(address: string, port: number | string): string {
  return `http://${address.includes(':') ? `[${address}]` : address}:${port}`;
}
