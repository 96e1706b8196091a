import { spawn } from 'node:child_process';

import { errorCode } from '../plugin.ts';

/** The program that opens an address, by platform; BROWSER names another one. */
const OPENERS: Readonly<Partial<Record<NodeJS.Platform, readonly [program: string, ...args: string[]]>>> = {
  darwin: ['open'],
  // `start` belongs to a shell, which would read the address too.
  win32: ['rundll32', 'url.dll,FileProtocolHandler'],
};

const OPENING_MS = 10_000;

/** Opens an address in the browser, without waiting for it; `refused` is told why that did not work. */
export function openBrowser(address: string, refused: (why: string) => void): void {
  const named = process.env['BROWSER'];
  const [program, ...args] =
    named === undefined || named === '' ? (OPENERS[process.platform] ?? ['xdg-open']) : ([named] as const);
  const child = spawn(program, [...args, address], { stdio: 'ignore', detached: true, windowsHide: true });
  child.once('error', (error) => refused(`${program}: ${errorCode(error)}`));
  const began = performance.now();
  child.once('exit', (code) => {
    // Some openers are the browser itself, and how that ends is not our business.
    if (code !== null && code !== 0 && performance.now() - began < OPENING_MS)
      refused(`${program} ended with code ${code}`);
  });
  child.unref();
}
