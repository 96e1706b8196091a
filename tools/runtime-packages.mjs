import { readFileSync } from 'node:fs';
import path from 'node:path';

/** Licences that a package which users get may have. Any other is a decision, not an accident. */
const ALLOWED_LICENCES = new Set(['0BSD', 'Apache-2.0', 'BSD-2-Clause', 'BSD-3-Clause', 'ISC', 'MIT', 'OFL-1.1']);

/** Of web/package.json, what builds the screens and is not in them. */
const BUILDS_WEB = /^(?:vite$|@types\/)/;

/**
 * @typedef {object} RuntimePackage
 * @property {string} name
 * @property {string} version
 * @property {string} licence SPDX, or `none` if the package states none
 * @property {string} sha512 in hexadecimal; of the archive that the registry has
 * @property {boolean} isInstalled whether `npm install assay` brings it
 * @property {boolean} isBundled whether dist/ holds a copy of it
 * @property {readonly string[]} needs bom-refs
 */

/**
 * @typedef {object} LockEntry
 * @property {string} version
 * @property {string} [license]
 * @property {string} [integrity]
 * @property {readonly string[]} [os]
 * @property {Readonly<Record<string, string>>} [dependencies]
 * @property {Readonly<Record<string, string>>} [optionalDependencies]
 * @property {Readonly<Record<string, string>>} [peerDependencies]
 * @property {Readonly<Record<string, { optional?: boolean }>>} [peerDependenciesMeta]
 */

/**
 * What is used of package.json and package-lock.json.
 * @typedef {Record<'name' | 'version' | 'description' | 'license', string>
 *   & Record<'dependencies' | 'devDependencies' | 'peerDependencies', Readonly<Record<string, string>>>
 *   & { packages: Readonly<Record<string, LockEntry>> }} PackageManifest
 */

/**
 * @param {string} file
 * @returns {PackageManifest}
 */
export function readManifest(file) {
  // oxlint-disable-next-line typescript/no-unsafe-return -- npm checks it
  return JSON.parse(readFileSync(file, 'utf8'));
}

/** Of several licences to choose from, one will do. @param {string} licence */
function isAllowed(licence) {
  return licence
    .replaceAll(/[()]/g, '')
    .split(' OR ')
    .some((one) => ALLOWED_LICENCES.has(one));
}

/** @param {string} name @param {string} version */
export function packageUrl(name, version) {
  return `pkg:npm/${name.replace('@', '%40')}@${version}`;
}

/**
 * Every package that users of the published one get, by name: what is installed with it, what dist/ holds a copy of, and
 * the optional ones with all that they need, in the versions that package-lock.json pins. `problems` has a line for each
 * whose licence is not in ALLOWED_LICENCES.
 * @param {string} root
 */
export function listRuntimePackages(root) {
  const manifest = readManifest(path.join(root, 'package.json'));
  const { packages: lock } = readManifest(path.join(root, 'package-lock.json'));
  const installed = closure(lock, Object.keys(manifest.dependencies));
  const bundled = closure(lock, bundledRoots(root));
  const all = new Set([...installed, ...bundled, ...closure(lock, Object.keys(manifest.peerDependencies))]);
  /** @type {RuntimePackage[]} */
  const packages = [...all].map((place) => {
    const { version, license = 'none', integrity = '' } = entryAt(lock, place);
    return {
      name: nameAt(place),
      version,
      licence: license,
      sha512: Buffer.from(integrity.replace(/^sha512-/, ''), 'base64').toString('hex'),
      isInstalled: installed.has(place),
      isBundled: bundled.has(place),
      needs: neededBy(lock, place)
        .map((needed) => packageUrl(nameAt(needed), entryAt(lock, needed).version))
        .sort(),
    };
  });
  packages.sort((a, b) => (a.name === b.name ? compare(a.version, b.version) : compare(a.name, b.name)));
  const problems = packages
    .filter(({ licence }) => !isAllowed(licence))
    .map(({ name, version, licence }) => `${name}@${version}: its licence is ${licence}`);
  return { packages, problems };
}

/**
 * Names of the packages that dist/ may hold a copy of, what they need included.
 * @param {string} root
 */
export function bundledNames(root) {
  const { packages: lock } = readManifest(path.join(root, 'package-lock.json'));
  return new Set([...closure(lock, bundledRoots(root))].map(nameAt));
}

/**
 * Throws if a bundle has a copy of a package that the licence list would leave out.
 * @param {string} root
 * @param {readonly string[]} modules files of which it is made
 */
export function expectBundled(root, modules) {
  const known = bundledNames(root);
  for (const file of modules) {
    const [, name] = /.*[\\/]node_modules[\\/]((?:@[^\\/]+[\\/])?[^\\/]+)/.exec(file) ?? [];
    if (name !== undefined && !known.has(name.replace('\\', '/')))
      throw new Error(`${name} is in the bundle, but not in the list of licences: see tools/runtime-packages.mjs`);
  }
}

/** What tools/bundle.mjs and the screens of web/ take in: these draw figures with modules of src/. @param {string} root */
function bundledRoots(root) {
  const web = readManifest(path.join(root, 'web', 'package.json'));
  return [
    'zod',
    'yaml',
    'd3-scale',
    'd3-shape',
    ...Object.keys(web.devDependencies).filter((name) => !BUILDS_WEB.test(name)),
  ];
}

/**
 * The places in the lockfile of packages and of all that they need.
 * @param {Readonly<Record<string, LockEntry>>} lock
 * @param {readonly string[]} names
 */
function closure(lock, names) {
  const places = new Set(names.map((name) => placeOf(lock, '', name)));
  for (const place of places) for (const needed of neededBy(lock, place)) places.add(needed);
  return places;
}

/**
 * What a package needs and npm installs with it: its dependencies, and the peers that are not optional. A binary of it for
 * one platform is part of it: the lockfile does not know the licences of those for others.
 * @param {Readonly<Record<string, LockEntry>>} lock
 * @param {string} place
 */
function neededBy(lock, place) {
  const { dependencies, optionalDependencies, peerDependencies = {}, peerDependenciesMeta = {} } = entryAt(lock, place);
  const peers = Object.keys(peerDependencies).filter((name) => peerDependenciesMeta[name]?.optional !== true);
  const names = new Set([...Object.keys({ ...dependencies, ...optionalDependencies }), ...peers]);
  return [...names].map((name) => placeOf(lock, place, name)).filter((needed) => lock[needed]?.os === undefined);
}

/**
 * Where Node finds a package from another one: in its node_modules, or in one further up.
 * @param {Readonly<Record<string, LockEntry>>} lock
 * @param {string} from
 * @param {string} name
 * @returns {string}
 */
function placeOf(lock, from, name) {
  const place = `${from === '' ? '' : `${from}/`}node_modules/${name}`;
  if (place in lock) return place;
  if (from === '') throw new Error(`package-lock.json has no ${name}`);
  return placeOf(lock, from.slice(0, Math.max(0, from.lastIndexOf('/node_modules/'))), name);
}

/** @param {Readonly<Record<string, LockEntry>>} lock @param {string} place */
function entryAt(lock, place) {
  const entry = lock[place];
  if (entry === undefined) throw new Error(`package-lock.json has no ${place}`);
  return entry;
}

/** @param {string} a @param {string} b */
function compare(a, b) {
  return a < b ? -1 : Number(a > b);
}

/** @param {string} place */
function nameAt(place) {
  return place.slice(place.lastIndexOf('node_modules/') + 'node_modules/'.length);
}
