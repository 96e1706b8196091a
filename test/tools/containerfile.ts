import { execFileSync, spawnSync, type SpawnSyncReturns } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, statSync, symlinkSync } from 'node:fs';
import path from 'node:path';

/** A line of a Containerfile that does something. */
export interface Step {
  readonly instruction: string;
  readonly words: string;
}

export interface Stage {
  readonly name: string;
  readonly base: string;
  readonly steps: readonly Step[];
}

/** A stage that was performed: a folder that stands for the root of its file system, and what is set in it. */
export interface Image {
  readonly root: string;
  readonly env: Readonly<Record<string, string>>;
  readonly workdir: string;
  readonly user: string;
  readonly entrypoint: readonly string[];
  readonly command: readonly string[];
}

/** Bases that hold Node; whatever else they hold, a step that needs it is refused. */
const WITH_NODE = new Set(['node:24-slim']);
const BASES = new Set([...WITH_NODE, 'python:3.10.14-slim-bookworm']);
/** What a RUN may call here. */
const PROGRAMS = new Set(['npm', 'node', 'ln', 'cat', 'sha256sum', 'grep', 'cd']);
/** What needs Debian's or Python's package index, and a Python 3.10. */
const NOT_HERE = new Set(['apt-get', 'pip']);
/** The places of an image that steps may name. */
const PLACES = /(?<![\w.@$}/-])\/(?=(?:build|opt|data|usr\/local)\b)/g;

export function parseContainerfile(text: string): Stage[] {
  const lines = text
    .split('\n')
    .filter((line) => !line.trimStart().startsWith('#'))
    .join('\n')
    .replaceAll(/\\\n\s*/g, '')
    .split('\n')
    .filter((line) => line.trim() !== '');
  const stages: { name: string; base: string; steps: Step[] }[] = [];
  for (const line of lines) {
    const [, instruction = '', words = ''] = /^([A-Z]+)\s+(.*)$/.exec(line) ?? [];
    if (instruction === 'FROM') {
      const [, base = words, name = ''] = /^(\S+) AS (\S+)$/.exec(words) ?? [];
      stages.push({ base, name, steps: [] });
    } else if (stages.length === 0 || instruction === '') throw new Error(`expected FROM first, found: ${line}`);
    else stages.at(-1)!.steps.push({ instruction, words });
  }
  return stages;
}

/** Performs the steps of a Containerfile in folders below `folder`, a stage only where a target needs it, and once. */
export class ContainerBuild {
  /** Steps that need what is not here. */
  readonly notPerformed: string[] = [];
  readonly #stages: readonly Stage[];
  readonly #context: string;
  readonly #folder: string;
  readonly #files: readonly string[];
  readonly #images = new Map<Stage, Image>();

  constructor(text: string, context: string, folder: string) {
    this.#stages = parseContainerfile(text);
    this.#context = context;
    this.#folder = folder;
    if (existsSync(path.join(context, '.dockerignore'))) throw new Error('.dockerignore is not understood here yet');
    // What a fresh clone would have, and what is about to be committed.
    const listed = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
      cwd: context,
      encoding: 'utf8',
      maxBuffer: 1 << 26,
    });
    this.#files = listed.split('\0').filter((file) => file !== '' && existsSync(path.join(context, file)));
  }

  /** The image of a stage; without a name the last one, as engines do. */
  image(target?: string): Image {
    const stage = target === undefined ? this.#stages.at(-1) : this.#stages.find(({ name }) => name === target);
    if (stage === undefined) throw new Error(`there is no stage ${target ?? ''}`);
    const known = this.#images.get(stage) ?? this.#perform(stage);
    this.#images.set(stage, known);
    return known;
  }

  #perform({ name, base, steps }: Stage): Image {
    const below = this.#stages.some((stage) => stage.name === base) ? this.image(base) : null;
    if (below === null && !BASES.has(base)) throw new Error(`FROM ${base}: this image is not known here`);
    const root = path.join(this.#folder, name === '' ? 'last' : name);
    const bin = path.join(root, 'usr/local/bin');
    if (below === null) mkdirSync(bin, { recursive: true });
    else copyWhole(below.root, root);
    if (WITH_NODE.has(base)) symlinkSync(process.execPath, path.join(bin, 'node'));
    let image: Image = below === null ? { ...EMPTY, root } : { ...below, root };
    for (const step of steps) {
      try {
        image = this.#step(image, step);
      } catch (error) {
        throw new Error(`${name}: ${step.instruction} ${step.words}\n${String(error)}`, { cause: error });
      }
    }
    return image;
  }

  #step(image: Image, { instruction, words }: Step): Image {
    switch (instruction) {
      case 'WORKDIR':
        mkdirSync(placeIn(image, words), { recursive: true });
        return { ...image, workdir: path.posix.resolve(image.workdir, words) };
      case 'ENV':
        return { ...image, env: { ...image.env, ...variables(words) } };
      case 'USER':
        return { ...image, user: words };
      case 'ENTRYPOINT':
        return { ...image, entrypoint: JSON.parse(words) as string[], command: [] };
      case 'CMD':
        return { ...image, command: JSON.parse(words) as string[] };
      case 'COPY':
        this.#copy(image, words);
        return image;
      case 'RUN':
        this.#run(image, words);
        return image;
      default:
        throw new Error('this instruction is not known here');
    }
  }

  #copy(image: Image, words: string): void {
    const [, from = null, rest = ''] = /^(?:--from=(\S+) )?([^-].*)$/.exec(words) ?? [];
    const sources = rest.split(' ');
    const to = sources.pop()!;
    const intoFolder = to.endsWith('/');
    if (sources.length === 0 || (sources.length > 1 && !intoFolder))
      throw new Error('expected sources and a place, with a slash at its end where there are several');
    for (const source of sources) {
      if (from !== null) copyTo(placeIn(this.image(from), source), placeIn(image, to), intoFolder);
      else this.#copyFromContext(source, placeIn(image, to), intoFolder);
    }
  }

  #copyFromContext(source: string, to: string, intoFolder: boolean): void {
    const files = this.#files.filter((file) => file === source || file.startsWith(`${source}/`));
    if (files.length === 0) throw new Error(`${source} is not in the build context`);
    for (const file of files) {
      const inside = file === source ? (intoFolder ? path.basename(file) : '') : file.slice(source.length + 1);
      cpSync(path.join(this.#context, file), path.join(to, inside));
    }
  }

  #run(image: Image, words: string): void {
    const called = words.split(/&&|\|\||[|;]/).map(
      (part) =>
        part
          .trim()
          .replace(/^(?:\w+=\S+ )+/, '')
          .split(' ')[0]!,
    );
    if (called.some((program) => NOT_HERE.has(program))) {
      // Not performed, but the shell must be able to read it.
      execFileSync('sh', ['-n', '-c', words]);
      this.notPerformed.push(`RUN ${words}`);
      return;
    }
    const unknown = called.filter((program) => !PROGRAMS.has(program));
    if (unknown.length > 0) throw new Error(`programs that are not known here: ${unknown.join(', ')}`);
    const here = words.replaceAll(PLACES, `${image.root}/`);
    const { status, stdout, stderr } = runIn(image, ['sh', '-ec', here]);
    if (status !== 0) throw new Error(`ended with exit code ${String(status)}\n${stdout}${stderr}`);
  }
}

/** What `docker run IMAGE ARGS` would start, as far as an image can be a folder. */
export function runImage(image: Image, args: readonly string[]): SpawnSyncReturns<string> {
  return runIn(image, [...image.entrypoint, ...(args.length === 0 ? image.command : args)]);
}

const EMPTY = { env: {}, workdir: '/', user: 'root', entrypoint: [], command: [] };
/** How packages are reached; nothing else of the outside is seen by a step. */
const PASSED_ON = /^(?:HOME|https?_proxy|no_proxy|NODE_EXTRA_CA_CERTS|npm_config_(?:registry|userconfig|cache))$/i;

function runIn(image: Image, [program = '', ...args]: readonly string[]): SpawnSyncReturns<string> {
  const outside = Object.entries(process.env).filter(([name]) => PASSED_ON.test(name));
  const own = Object.entries(image.env).map(([name, value]) => [name, value.replaceAll(PLACES, `${image.root}/`)]);
  return spawnSync(program, args, {
    cwd: placeIn(image, '.'),
    encoding: 'utf8',
    env: {
      ...Object.fromEntries(outside),
      npm_config_prefer_offline: 'true',
      ...Object.fromEntries(own),
      PATH: `${path.join(image.root, 'usr/local/bin')}:${process.env['PATH'] ?? ''}`,
    },
  });
}

function placeIn(image: Image, place: string): string {
  return path.join(image.root, path.posix.resolve(image.workdir, place));
}

function copyTo(from: string, to: string, intoFolder: boolean): void {
  if (!existsSync(from)) throw new Error(`${from} is not there`);
  if (statSync(from).isDirectory()) copyWhole(from, to);
  else copyWhole(from, intoFolder ? path.join(to, path.basename(from)) : to);
}

/** Keeps links as they are. Files are not written a second time: no step changes one that another stage made. */
function copyWhole(from: string, to: string): void {
  const isFolder = statSync(from).isDirectory();
  mkdirSync(isFolder ? to : path.dirname(to), { recursive: true });
  execFileSync('cp', ['-al', isFolder ? `${from}/.` : from, to]);
}

function variables(words: string): Record<string, string> {
  return Object.fromEntries(
    words.split(' ').map((word) => {
      const [, name, value] = /^(\w+)=(\S+)$/.exec(word) ?? [];
      if (name === undefined || value === undefined) throw new Error(`expected NAME=value, found ${word}`);
      return [name, value];
    }),
  );
}
