// Bundles src/ into dist/: a file for each entry point of the package, for the command line and for each module that is
// started by its path (a worker), and the parts that they share. Packages stay outside, but for zod and yaml, whose many
// files are one here. Few files, because each of several hundred would cost more at every start than what it does.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';
import { parse } from 'yaml';
import { directImports } from './direct-imports.mjs';
import { expectBundled } from './runtime-packages.mjs';

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
const source = path.join(root, 'src');
const COMMAND_LINE = 'cli/main';
/** Each loads what it needs and nothing else, in as few files as that allows. */
const QUICK = [COMMAND_LINE, 'index', 'stats', 'plugin', 'report/score'];
/** Of its hundred files, half are messages in languages that Assay does not speak: a fourth of a start. */
const ZOD = path.join(root, 'node_modules', 'zod');
/** What src/recipe/yaml-package.ts loads, apart from the rest since few commands need it. */
const YAML = 'parts/yaml.cjs';
/** Stands for the folder dist/ until it is known which chunk a module goes to. */
const DIST = '@dist@';

const bundle = await rolldown({
  cwd: root,
  input: Object.fromEntries([...entryPoints(), COMMAND_LINE, ...workers()].map((name) => [name, sourceFile(name)])),
  platform: 'node',
  // What the compiler puts in for newer syntax comes from itself.
  external: (id) => !/^[./]|^[a-z]:|^zod$|^@oxc-project\/runtime/i.test(id),
  transform: { target: 'node22' },
  // Modules export and do nothing else: what a command does not use of an entry point, it does not load.
  treeshake: { moduleSideEffects: false },
  plugins: [directImports(source, entryPoints()), keepPlaces()],
  onLog: (_level, log) => {
    throw new Error(log.message);
  },
});
/** @type {Map<string, ReadonlySet<string>>} */
const closures = new Map();
const { output } = await bundle.write({
  dir: path.join(root, 'dist'),
  format: 'esm',
  entryFileNames: '[name].js',
  chunkFileNames: 'parts/[name]-[hash].js',
  comments: false,
  codeSplitting: {
    // A group takes what its modules load along, unless a group before it has that: those that more things need come first.
    groups: [
      { name: 'zod', priority: QUICK.length + 1, test: (id) => id.startsWith(ZOD + path.sep) },
      ...QUICK.map((_, less) => QUICK.length - less).map((users) => ({
        debugName: `for ${users}`,
        priority: users,
        name: (/** @type {string} */ id, /** @type {import('rolldown').ChunkingContext} */ context) =>
          quickPart(id, users, context),
      })),
    ],
  },
});

const yaml = await rolldown({ cwd: root, input: 'yaml', platform: 'node' });
const { output: yamlOutput } = await yaml.write({
  file: path.join(root, 'dist', YAML),
  format: 'cjs',
  comments: false,
});
expectBundled(
  root,
  [...output, ...yamlOutput].flatMap((file) => (file.type === 'chunk' ? file.moduleIds : [])),
);
preparePresets(path.join(root, 'dist', 'recipe', 'presets'));

/**
 * The value of each preset beside its text, so that a start need not load what parses it.
 * @param {string} folder
 */
function preparePresets(folder) {
  for (const file of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    if (!file.endsWith('.yaml')) continue;
    /** @type {unknown} */
    const value = parse(readFileSync(path.join(folder, file), 'utf8'));
    writeFileSync(path.join(folder, file.replace(/yaml$/, 'json')), JSON.stringify(value));
  }
}

/** The doors of the package, `index` for `assay`. */
function entryPoints() {
  const manifest = readFileSync(path.join(root, 'package.json'), 'utf8');
  return [...manifest.matchAll(/"default": "\.\/dist\/(.+)\.js"/g)].map(([, name = '']) => name);
}

/** Modules that run in a thread or a process of their own. */
function workers() {
  return readdirSync(source, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('-worker.ts'))
    .map((file) => file.slice(0, -'.ts'.length).replaceAll('\\', '/'));
}

/** @param {string} name */
function sourceFile(name) {
  return path.join(source, `${name}.ts`);
}

/**
 * The chunk of a module that so many of QUICK load, by which of them do; null leaves the choice to others.
 * @param {string} id
 * @param {number} count
 * @param {import('rolldown').ChunkingContext} context
 */
function quickPart(id, count, context) {
  if (context.getModuleInfo(id)?.isEntry) return null;
  const users = QUICK.filter((name) => closureOf(name, context).has(id));
  return users.length !== count ? null : users.map((name) => path.posix.basename(name)).join('-');
}

/**
 * All that a module loads when it is loaded, itself included.
 * @param {string} name
 * @param {import('rolldown').ChunkingContext} context
 */
function closureOf(name, context) {
  const known = closures.get(name);
  if (known !== undefined) return known;
  const closure = new Set([sourceFile(name)]);
  for (const id of closure) for (const next of context.getModuleInfo(id)?.importedIds ?? []) closure.add(next);
  closures.set(name, closure);
  return closure;
}

/**
 * `import.meta.url` is where the module would be without bundling: what it reads or starts lies beside it in dist/, as it
 * does in src/.
 * @returns {import('rolldown').Plugin}
 */
function keepPlaces() {
  return {
    name: 'keep-places',
    transform: {
      filter: { code: 'import.meta.url' },
      handler(code, id) {
        const place = path.relative(source, id).replaceAll('\\', '/').replace(/\.ts$/, '.js');
        return code
          .replace("load('yaml')", `load('../${YAML}')`)
          .replaceAll('import.meta.url', `new URL('${DIST}/${place}', import.meta.url).href`);
      },
    },
    renderChunk(code, { fileName }) {
      const up = path.posix.relative(path.posix.dirname(fileName), '') || '.';
      return code.includes(DIST) ? { code: code.replaceAll(DIST, up) } : null;
    },
  };
}
