// Plain JavaScript without newer syntax: an older Node must be able to read it.

export const NEEDED_NODE = '22.18 or a later 22, or 24 or later';

/**
 * Whether the package runs on a release of Node.js, as `engines` in package.json has it. 22.18 is the first with all that
 * it uses: SQLite with time-outs (22.16), zstd and hooks (22.15), modules in TypeScript (22.18).
 * @param {string} version
 */
export function supportsNode(version) {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  return major === 22 ? minor >= 18 : major >= 24;
}
