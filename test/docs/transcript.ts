import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';

import { BIN, ROOT } from '../cli/run-assay.ts';
import { blocksOf } from './blocks.ts';

export interface Step {
  /** What stands after `$ `, with the lines that a backslash continues. */
  readonly command: string;
  readonly shown: readonly string[];
}

/**
 * Runs the transcripts of a page of docs/ in a shell, with the files that it shows and, unless they are null, the
 * examples in `examples/`; a problem for each command whose output is not as shown.
 */
export function pageProblems(page: string, shell: Shell, examples: string | null = join(ROOT, 'examples')): string[] {
  const { folder } = shell;
  if (examples !== null) symlinkSync(examples, join(folder, 'examples'));
  const blocks = blocksOf(page);
  for (const { file, content } of blocks) {
    if (file === null) continue;
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    writeFileSync(join(folder, file), content);
  }
  const steps = blocks.flatMap(({ language, content }) => (language === 'console' ? stepsOfBlock(content) : []));
  if (steps.length === 0) throw new Error(`docs/${page} has no transcript`);
  return steps.flatMap(({ command, shown }) => {
    const printed = shell.run(command);
    const missing = notPrinted(shown, printed);
    return missing === '' ? [] : [`${command}\n\n${printed}\nnot as shown:${missing}`];
  });
}

/** The steps of all blocks of a page that begin with a command, in their order. */
export function stepsOf(page: string): Step[] {
  const text = readFileSync(join(ROOT, 'docs', page), 'utf8');
  return [...text.matchAll(/^```(?:console)?\n(\$ [\s\S]*?)^```$/gm)].flatMap(([, block]) => stepsOfBlock(block!));
}

export function stepsOfBlock(block: string): Step[] {
  return block
    .split(/^\$ /m)
    .slice(1)
    .map((step) => {
      const [command] = /^(?:.*\\\n)*.*/.exec(step)!;
      const shown = step.slice(command.length).trimEnd();
      return { command, shown: shown === '' ? [] : shown.slice(1).split('\n') };
    });
}

/**
 * A shell in a folder, in which `assay` and `npx assay` are the program of this checkout, or another one. Variables that
 * would lead elsewhere are not set.
 */
export class Shell {
  readonly #bin: string;
  #folder: string;
  readonly #more: Readonly<Record<string, string>>;
  #code: number | null = 0;

  constructor(
    folder: string,
    environment: Readonly<Record<string, string>> = {},
    { node, script }: { readonly node: string; readonly script: string } = { node: process.execPath, script: BIN },
  ) {
    this.#folder = folder;
    this.#more = environment;
    this.#bin = join(folder, '.bin');
    mkdirSync(join(this.#bin, 'linked'), { recursive: true });
    // Linked as an installation links it: the program calls itself `assay`, so where the checkout is changes no line.
    const linked = join(this.#bin, 'linked/assay');
    symlinkSync(script, linked);
    this.#add('assay', `exec '${node}' '${linked}' "$@"`);
    this.#add('npx', 'exec "$@"');
  }

  #add(name: string, line: string): void {
    const program = join(this.#bin, name);
    writeFileSync(program, `#!/bin/sh\n${line}\n`);
    chmodSync(program, 0o755);
  }

  get folder(): string {
    return this.#folder;
  }

  /** What a step prints: standard output, or errors where there is none. */
  run(command: string): string {
    if (command === 'echo $?') return `${String(this.#code)}\n`;
    const [, into] = /^cd (\S+)$/.exec(command) ?? [];
    if (into !== undefined) {
      this.#folder = join(this.#folder, into);
      return '';
    }
    const done = spawnSync('sh', ['-c', command], { cwd: this.#folder, encoding: 'utf8', env: this.#environment() });
    this.#code = done.status;
    return done.stdout === '' ? done.stderr : done.stdout;
  }

  #environment(): Record<string, string | undefined> {
    const own = Object.entries(process.env).filter(([name]) => !/^(?:LANGFUSE_|ASSAY_|OPENAI_)/.test(name));
    const path = `${this.#bin}${delimiter}${process.env['PATH'] ?? ''}`;
    return { ...Object.fromEntries(own), ...this.#more, PATH: path, NO_COLOR: '1' };
  }
}

/**
 * What is left of a shown text that does not stand in what was printed, in order; empty where all of it does. A line `…`
 * stands for any lines. How long a run took is not looked at.
 */
export function notPrinted(shown: readonly string[], printed: string): string {
  let rest = `\n${plain(printed.trimEnd())}\n`;
  const parts = `\n${plain(shown.join('\n'))}\n`.split(/\n…(?=\n)/);
  for (const [at, part] of parts.entries()) {
    const wanted = at === parts.length - 1 || part === '\n' ? part : `${part}\n`;
    const found = rest.indexOf(wanted);
    if (found === -1 || (at === 0 && found !== 0)) return wanted;
    rest = rest.slice(found + wanted.length - 1);
  }
  return shown.at(-1) === '…' || rest === '\n' ? '' : `the end, but there is more: ${rest}`;
}

function plain(text: string): string {
  return text.replaceAll(/^( *Time +)\d.*? in this session$/gm, '$1some time in this session');
}
