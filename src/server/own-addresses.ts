import { networkInterfaces } from 'node:os';

import { isLoopback } from '../experiment/models/loopback.ts';

const EVERYWHERE = new Set(['0.0.0.0', '::']);

/**
 * Where others find a server that listens on `host`: the addresses of this machine where that is every one of them, those
 * that a person can type first. Empty where only this machine can reach it.
 */
export function ownAddresses(host: string, interfaces: typeof networkInterfaces = networkInterfaces): string[] {
  if (!EVERYWHERE.has(host)) return isLoopback(host) ? [] : [host];
  const all = Object.values(interfaces())
    .flatMap((some) => some ?? [])
    // A link-local address needs the name of an interface behind it, which no browser takes.
    .filter(({ internal, address }) => !internal && !/^(?:fe[89ab]|169\.254\.)/i.test(address));
  const four = all.filter(({ family }) => family === 'IPv4').map(({ address }) => address);
  const six = host === '::' ? all.filter(({ family }) => family === 'IPv6').map(({ address }) => address) : [];
  return [...four, ...six];
}
