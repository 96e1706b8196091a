#!/usr/bin/env node
// Plain JavaScript without newer syntax: an older Node must be able to read it and hand over to the right one.
import { closeSync, existsSync, openSync, readFileSync } from 'node:fs';
import module from 'node:module';
import { devNull } from 'node:os';
import { fileURLToPath } from 'node:url';
import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8';
import { NEEDED_NODE, supportsNode } from './node-version.js';

const EXIT_USAGE = 2;
const EXIT_BUG = 70;
const EXIT_PIPE_CLOSED = 141;
// Node's own, where nothing is left to wait for but a promise that never settles.
const EXIT_UNSETTLED = 13;
const LINGER_MS = 250;
// Node ends with a crash, not with an error, if a thread or a watchdog finds no descriptor.
const FREE_DESCRIPTORS = 64;
const YOUNG_BYTES = 1 << 24;
// What JSON leaves as it is although a terminal acts on it.
const UNSAFE = /[\u007f-\u009f\u2028-\u202e\u2066-\u2069]/g;

const source = new URL('../src/cli/main.ts', import.meta.url);
const isCheckout = existsSync(source);
if (isCheckout) await startOrHandOver();
else if (supportsNode(process.versions.node)) await start();
else {
  console.error(`Assay needs Node.js ${NEEDED_NODE}, but this is Node.js ${process.versions.node} (${process.execPath}).
Install a newer Node.js (https://nodejs.org) and run this again.`);
  process.exitCode = EXIT_USAGE;
}

async function start() {
  if (!hasDescriptors()) return refuseFewDescriptors();
  module.enableCompileCache?.();
  // The little that is collected at a time takes several threads longer than one.
  setFlagsFromString('--no-parallel-scavenge');
  quietNode();
  for (const stream of [process.stdout, process.stderr]) stream.on('error', onStreamError);
  // Node would exit with 1, which means "a gate failed".
  process.on('uncaughtException', onBug);
  let isDone = false;
  // Code of the user's own, in a module, may end the process: that must never look like a gate that was passed.
  process.on('exit', (code) => {
    if (isDone || (code !== 0 && code !== EXIT_UNSETTLED)) return;
    console.error('assay: the program was ended before it was done (by a module that calls process.exit?)');
    process.exitCode = EXIT_USAGE;
  });
  try {
    const argv = process.argv.slice(2);
    if (argv.length === 1 && (argv[0] === '--version' || argv[0] === '-V')) printVersion();
    else {
      const main = await loadMain();
      limitYoung();
      process.exitCode = await main(argv);
    }
    isDone = true;
    // Packages may leave timers behind that would hold a finished command for half a minute.
    setTimeout(() => process.exit(), LINGER_MS).unref();
  } catch (error) {
    onBug(error);
  }
}

/** Room for what is soon gone would be doubled up to 96 MB, only to be filled before it is cleared: a sixth of it will do. */
function limitYoung(ms = 20) {
  const { space_size: size = 0 } = getHeapSpaceStatistics().find((space) => space.space_name === 'new_space') ?? {};
  if (size >= YOUNG_BYTES) setFlagsFromString('--semi-space-growth-factor=1');
  else setTimeout(limitYoung, ms, ms * 2).unref();
}

/** Whether threads, databases and files can be opened. */
function hasDescriptors() {
  /** @type {number[]} */
  const open = [];
  try {
    while (open.length < FREE_DESCRIPTORS) open.push(openSync(devNull, 'r'));
    return true;
  } catch (error) {
    return !isTooMany(error);
  } finally {
    open.forEach((descriptor) => closeSync(descriptor));
  }
}

function refuseFewDescriptors() {
  console.error('assay: too few files may be open at once\nraise the limit: ulimit -n 256');
  process.exitCode = EXIT_USAGE;
}

/** @param {unknown} error */
function isTooMany(error) {
  return error instanceof Error && 'code' in error && (error.code === 'EMFILE' || error.code === 'ENFILE');
}

/** Without loading any command. */
function printVersion() {
  const manifest = readFileSync(new URL('../package.json', import.meta.url), 'utf8');
  process.stdout.write(`${/"version": "([^"]+)"/.exec(manifest)?.[1] ?? ''}\n`);
}

/**
 * Without warnings that are about Node and not about what the user does: that SQLite (22) or TypeScript (24.0) may still
 * change, and that a module of the user has a package.json without a type.
 */
function quietNode() {
  const quiet = /^(?:SQLite|Type Stripping) is an experimental feature|^Module type of \S+\?sha256=/;
  // oxlint-disable-next-line typescript/unbound-method -- `this` is passed on below
  process.emitWarning = new Proxy(process.emitWarning, {
    apply(emit, self, /** @type {unknown[]} */ args) {
      if (!quiet.test(String(args[0]))) Reflect.apply(emit, self, args);
    },
  });
}

/** @returns {Promise<(argv: string[]) => Promise<number>>} */
async function loadMain() {
  const entry = isCheckout ? source : new URL('../dist/cli/main.js', import.meta.url);
  /** @type {unknown} */
  const loaded = await import(entry.href);
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- both files export the same function
  return /** @type {{ main: (argv: string[]) => Promise<number> }} */ (loaded).main;
}

/** A checkout runs its sources, and needs a Node that can: it brings one along. */
async function startOrHandOver() {
  const { NodeNotFoundError, REQUIRED_MAJOR } = await import('../tools/runtime/find-node.js');
  if (Number.parseInt(process.versions.node, 10) >= REQUIRED_MAJOR) {
    if (process.channel !== undefined) (await import('../tools/runtime/rerun.js')).endWithParent();
    await start();
    return;
  }
  const { rerun } = await import('../tools/runtime/rerun.js');
  try {
    rerun(fileURLToPath(import.meta.url), process.argv.slice(2), [], { tethered: true });
  } catch (error) {
    if (!(error instanceof NodeNotFoundError)) throw error;
    console.error(error.message);
    process.exitCode = EXIT_USAGE;
  }
}

/**
 * Whoever reads our output may stop early, as `head` does, and a disk may be full. Never 0: a gate whose reader left has
 * not passed.
 * @param {Error & { code?: string }} error
 */
function onStreamError(error) {
  if (error.code === 'EPIPE') process.exit(EXIT_PIPE_CLOSED);
  console.error(
    `assay: the output cannot be written (${error.code === 'ENOSPC' ? 'the disk is full' : (error.code ?? error.message)})`,
  );
  process.exit(EXIT_USAGE);
}

/** @param {unknown} error */
function onBug(error) {
  if (isTooMany(error)) {
    refuseFewDescriptors();
    process.exit(EXIT_USAGE);
  }
  // Deno throws what other runtimes emit on the stream.
  if (error instanceof Error && 'code' in error && error.code === 'ENOSPC')
    onStreamError(Object.assign(error, { code: 'ENOSPC' }));
  const text = error instanceof Error ? error.message : String(error);
  // On one line, and without a text that is not JSON: it may be a key.
  const words = text.endsWith(' is not valid JSON')
    ? 'a text that should be JSON is not'
    : JSON.stringify(text).slice(1, -1);
  if (process.env['ASSAY_DEBUG'] !== undefined) console.error(error);
  else
    console.error(`assay: a bug of ours: ${words.replace(UNSAFE, '?')}
Please report it; ASSAY_DEBUG=1 shows where it happened.`);
  process.exit(EXIT_BUG);
}
