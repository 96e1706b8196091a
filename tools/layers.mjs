// Checks the order of the folders in src/ (a folder may import from itself and from folders earlier in LAYERS) and
// prints their sizes.
// Usage: node tools/layers.mjs [ROOT]
import { existsSync, readdirSync, readFileSync, realpathSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { listImports } from './list-imports.mjs';
import { ALLOWED_NAMES, checkNames } from './names.mjs';

/** The doors of the package: `assay` and `assay/NAME`. They export, and hold no code. */
const ENTRY_POINTS = [
  'plugin',
  'pipeline',
  'index',
  'recipe',
  'stats',
  'report',
  'experiment',
  'review',
  'server',
  'stream',
].map((name) => `${name}.ts`);

const LAYERS = [
  'text',
  'data',
  'prepare',
  'pair',
  'judge',
  'measure',
  'stats',
  'recipe',
  'formats',
  'columns',
  'score',
  'compare',
  'figures',
  'audit',
  'store',
  'experiment',
  'langfuse',
  'review',
  'report',
  'server',
  ...ENTRY_POINTS,
  'stream',
  'cli',
];

/** Folders whose lines and files are printed as a whole, tests and screens included. */
const TOTALS = ['src', 'web', 'test'];

/**
 * Files that only a file of their own folder imports and no test names: part of their user, one day. A folder that is not
 * here has none.
 * @type {Record<string, number>}
 */
const LONE_FILES = {
  data: 7,
  prepare: 5,
  pair: 2,
  judge: 6,
  measure: 1,
  recipe: 3,
  formats: 1,
  columns: 1,
  compare: 3,
  store: 2,
  experiment: 7,
  langfuse: 4,
  review: 3,
  report: 6,
  server: 13,
  stream: 8,
  cli: 22,
};

// These stand on what others can use too: of the rest of src they import the entry points and nothing else.
const ON_ENTRY_POINTS = new Set(['stream', 'cli']);

// These compute and do nothing else, so that they give the same answer everywhere and can be tested without a disk.
const PURE_LAYERS = new Set(['text', 'prepare', 'pair', 'judge', 'measure', 'stats']);
const OUTSIDE_WORLD =
  /^(?:node:)?(?:fs|child_process|process|net|tls|dgram|http|https|http2|sqlite|worker_threads)(?:\/.*)?$/;

// A page is loaded by a browser: what checks shapes is as large as the page itself, and what Node brings is not there.
const NOT_FOR_PAGES = /^(?:node:|zod(?:\/|$)|ajv(?:\/|$)|yaml$)/;

const VAGUE_NAME = /(?:^|-)(?:utils?|helpers?|common|misc|managers?|services?)$/;
const SOURCE_FILE = /\.[cm]?[jt]sx?$/;
const COUNTED_FILE = /\.(?:[cm]?[jt]sx?|css|html)$/;

/**
 * @typedef {object} LayerReport
 * @property {number} files
 * @property {number} imports imports of one source file by another
 * @property {string[]} violations one line each, in the order of the files
 * @property {FolderSize[]} folders in the order of LAYERS
 * @property {{ folder: string, files: number, lines: number }[]} totals
 * @property {import('./names.mjs').NameReport} names
 */

/**
 * @typedef {object} FolderSize
 * @property {string} folder
 * @property {number} files
 * @property {number} lines
 * @property {number} single files that exactly one other file imports
 * @property {number} lone files of these that only a file of the same folder imports and no test names
 */

/**
 * Checks the folder src/ under `root`; `allowed` is what may still be wrong there.
 * @param {string} root
 * @param {{ lone: Record<string, number>, names: import('./names.mjs').AllowedNames }} [allowed]
 * @returns {LayerReport}
 */
export function checkLayers(root, allowed = { lone: LONE_FILES, names: ALLOWED_NAMES }) {
  const files = listFiles(root, 'src');
  const known = new Set(files);
  /** @type {Map<string, string[]>} */
  const graph = new Map();
  /** @type {Map<string, { specifier: string, target: string | undefined }[]>} */
  const loaded = new Map();
  /** @type {string[]} */
  const violations = [];
  /** @type {Map<string, FolderSize>} */
  const sizes = new Map();
  /** @type {Map<string, string>} */
  const sources = new Map();
  let imports = 0;

  for (const file of files) {
    const source = readFileSync(path.join(root, file), 'utf8');
    const size = sizes.get(layerOf(file)) ?? { folder: layerOf(file), files: 0, lines: 0, single: 0, lone: 0 };
    if (!ENTRY_POINTS.includes(layerOf(file))) sources.set(file, source);
    size.files += 1;
    size.lines += source.split('\n').length - 1;
    sizes.set(size.folder, size);
    violations.push(...checkPlace(file));
    const targets = [];
    const loads = [];
    for (const { specifier, line, isType } of listImports(source)) {
      const target = specifier.startsWith('.') ? path.posix.join(path.posix.dirname(file), specifier) : undefined;
      const problem = target === undefined ? checkPackage(file, specifier) : checkTarget(file, target);
      if (problem !== undefined) violations.push(`${file}:${line} imports ${target ?? specifier}: ${problem}`);
      if (target !== undefined && known.has(target)) targets.push(target);
      if (!isType) loads.push({ specifier, target });
    }
    imports += targets.length;
    graph.set(file, targets);
    loaded.set(file, loads);
  }
  for (const cycle of findCycles(graph)) violations.push(`${cycle.join(' -> ')}: import cycle`);
  violations.push(...checkPages(root, loaded));
  const named = namedByTests(root);
  for (const [file, importers] of importersOf(graph)) {
    const size = sizes.get(layerOf(file));
    const [only = ''] = importers;
    if (size === undefined || importers.length !== 1) continue;
    size.single += 1;
    if (path.posix.dirname(only) === path.posix.dirname(file) && !named.has(file)) size.lone += 1;
  }
  const folders = LAYERS.flatMap((folder) => sizes.get(folder) ?? []);
  for (const { folder, lone } of folders) {
    const most = allowed.lone[folder] ?? 0;
    if (lone > most)
      violations.push(`src/${folder}: ${lone} files that only a neighbour imports and no test names, ${most} at most`);
  }
  const totals = TOTALS.map((folder) => totalOf(root, folder));
  const names = checkNames(sources, allowed.names);
  violations.push(...names.violations);
  return { files: files.length, imports, violations, folders, totals, names };
}

/**
 * What the pages in web/src load of src, and through it: nothing that a browser should not get.
 * @param {string} root
 * @param {ReadonlyMap<string, readonly { specifier: string, target: string | undefined }[]>} loaded
 * @returns {string[]}
 */
function checkPages(root, loaded) {
  if (!existsSync(path.join(root, 'web/src'))) return [];
  /** @type {string[]} */
  const problems = [];
  const seen = new Set();
  /** @param {string} file @param {string} trail */
  const visit = (file, trail) => {
    if (seen.has(file)) return;
    seen.add(file);
    for (const { specifier, target } of loaded.get(file) ?? []) {
      if (target !== undefined) visit(target, `${trail} -> ${target}`);
      else if (NOT_FOR_PAGES.test(specifier)) problems.push(`${trail} -> ${specifier}: a page may not load it`);
    }
  };
  for (const file of listFiles(root, 'web/src'))
    for (const { specifier, isType } of listImports(readFileSync(path.join(root, file), 'utf8'))) {
      const target = path.posix.join(path.posix.dirname(file), specifier);
      if (!isType && target.startsWith('src/')) visit(target, `${file} -> ${target}`);
    }
  return problems;
}

/**
 * The files that import each file.
 * @param {ReadonlyMap<string, readonly string[]>} graph
 * @returns {Map<string, string[]>}
 */
function importersOf(graph) {
  /** @type {Map<string, string[]>} */
  const importers = new Map();
  for (const [file, targets] of graph)
    for (const target of new Set(targets)) importers.set(target, [...(importers.get(target) ?? []), file]);
  return importers;
}

/**
 * The files of src that a test imports.
 * @param {string} root
 */
function namedByTests(root) {
  const named = new Set();
  for (const file of existsSync(path.join(root, 'test')) ? listFiles(root, 'test') : [])
    for (const { specifier } of listImports(readFileSync(path.join(root, file), 'utf8')))
      if (specifier.startsWith('.')) named.add(path.posix.join(path.posix.dirname(file), specifier));
  return named;
}

/**
 * @param {string} root
 * @param {string} folder
 */
function totalOf(root, folder) {
  const files = existsSync(path.join(root, folder)) ? listFiles(root, folder, COUNTED_FILE) : [];
  const lines = files.map((file) => readFileSync(path.join(root, file), 'utf8').split('\n').length - 1);
  return { folder, files: files.length, lines: lines.reduce((all, some) => all + some, 0) };
}

/**
 * The sizes as a table.
 * @param {readonly FolderSize[]} folders
 * @returns {string[]}
 */
function sizeTable(folders) {
  const columns = /** @type {const} */ (['files', 'lines', 'single', 'lone']);
  const rows = folders.map((size) => [size.folder, ...columns.map((column) => String(size[column]))]);
  return [['folder', 'files', 'lines', 'one importer', 'lone'], ...rows].map(([name = '', ...cells]) =>
    [name.padEnd(12), ...cells.map((cell) => cell.padStart(13))].join(''),
  );
}

/**
 * Every file that can import something, or that `wanted` matches, relative to `root`, with forward slashes.
 * @param {string} root
 * @param {string} folder
 * @param {RegExp} [wanted]
 * @returns {string[]}
 */
function listFiles(root, folder, wanted = SOURCE_FILE) {
  return readdirSync(path.join(root, folder), { withFileTypes: true })
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry) => {
      const name = `${folder}/${entry.name}`;
      if (entry.isDirectory()) return listFiles(root, name, wanted);
      return wanted.test(entry.name) ? [name] : [];
    });
}

/**
 * The folder under src/, or the file name for a file that stands in src/ itself.
 * @param {string} file
 */
function layerOf(file) {
  return file.split('/')[1] ?? '';
}

/**
 * @param {string} file
 * @returns {string[]}
 */
function checkPlace(file) {
  const problems = [];
  const layer = layerOf(file);
  if (!LAYERS.includes(layer)) {
    problems.push(`${file}: ${layer} is not in the list of layers (tools/layers.mjs)`);
  }
  for (const part of file.split('/').slice(1)) {
    const name = part.replace(/\..*$/, '');
    if (VAGUE_NAME.test(name)) problems.push(`${file}: "${name}" says nothing; name it after what it holds`);
  }
  return problems;
}

/**
 * @param {string} file
 * @param {string} target
 * @returns {string | undefined}
 */
function checkTarget(file, target) {
  if (!target.startsWith('src/')) return 'src may not import from outside src';
  const from = layerOf(file);
  const to = layerOf(target);
  if (ENTRY_POINTS.includes(from))
    return to === 'cli' ? `${from} may not import cli (it is not part of the library)` : undefined;
  if (ON_ENTRY_POINTS.has(from) && from !== to && !ENTRY_POINTS.includes(to))
    return `${from} imports the entry points of src and nothing else`;
  // A file in an unknown folder has been reported; an unknown target is reported where it stands.
  if (!LAYERS.includes(from) || LAYERS.indexOf(to) <= LAYERS.indexOf(from)) return undefined;
  return `${from} may not import ${to} (${to} stands below ${from} in the list)`;
}

/**
 * @param {string} file
 * @param {string} specifier
 * @returns {string | undefined}
 */
function checkPackage(file, specifier) {
  const layer = layerOf(file);
  if (/^assay(?:\/|$)/.test(specifier)) return 'src may not import its own public door';
  if (PURE_LAYERS.has(layer) && OUTSIDE_WORLD.test(specifier)) {
    return `${layer} only computes; files, processes and network belong elsewhere`;
  }
  return undefined;
}

/**
 * One cycle for each edge that closes one on a walk through the graph, every set of files once.
 * @param {ReadonlyMap<string, readonly string[]>} graph
 * @returns {string[][]} the first file of each is repeated at its end
 */
function findCycles(graph) {
  /** @type {Map<string, string[]>} */
  const cycles = new Map();
  const done = new Set();
  /** @type {string[]} */
  const trail = [];
  /** @param {string} file */
  const visit = (file) => {
    const start = trail.indexOf(file);
    if (start >= 0) {
      const members = trail.slice(start);
      cycles.set([...members].sort().join(), [...members, file]);
    } else if (!done.has(file)) {
      trail.push(file);
      graph.get(file)?.forEach(visit);
      trail.pop();
      done.add(file);
    }
  };
  for (const file of graph.keys()) visit(file);
  return [...cycles.values()];
}

function main() {
  const root = path.resolve(process.argv[2] ?? path.join(path.dirname(fileURLToPath(import.meta.url)), '..'));
  if (!existsSync(path.join(root, 'src'))) {
    console.error(`${root} has no folder src to check`);
    return 2;
  }
  const { files, imports, violations, folders, totals, names } = checkLayers(root);
  for (const line of sizeTable(folders)) console.log(line);
  for (const { folder, files: count, lines } of totals) console.log(`${folder}: ${lines} lines, ${count} files`);
  console.log(`names: ${names.duplicates} exported twice, ${names.vague} vague`);
  for (const violation of violations) console.error(violation);
  console.log(`layers: ${files} files, ${imports} imports between them, ${violations.length} violations`);
  return violations.length === 0 ? 0 : 1;
}

if (process.argv[1] !== undefined && realpathSync(process.argv[1]) === fileURLToPath(import.meta.url)) {
  process.exitCode = main();
}
