import { Argument, Command, Option } from 'commander';

import {
  type Document,
  renderMarkdown,
  renderTerminal,
  safeText,
  type Style,
  terminalStyle,
  UsageError,
} from '../plugin.ts';
import { defined, flagName, kebab, type Flag, type Flags, type FlagValues } from './flags.ts';
import { Progress } from './progress.ts';
import { refuseAddress, refusePlaces, writeWhole } from './write-whole.ts';

/** What a command has to show for itself. The flags `--json`, `--out`, `--markdown` and `--quiet` are dealt with here. */
export interface CommandResult {
  /** The result as people read it; several are parted by a line. */
  readonly document?: (on: 'terminal' | 'page') => Document | readonly Document[];
  /** The result as programs read it, for `--json` and for a `--out` that writes JSON. */
  readonly json?: () => string;
  /** Texts of further files, by the name of the flag that names the file; null: the command has written it itself. */
  readonly files?: Readonly<Record<string, (() => string) | null>>;
  /** 0 if left out. */
  readonly exit?: number;
  /** Last, once everything has been written and printed. */
  readonly after?: () => void;
}

/** Where a command writes besides its outcome. */
export interface Terminal {
  /** Of the stream that `print` writes to. */
  readonly style: Style;
  readonly stream: typeof process.stdout | typeof process.stderr;
  readonly quiet: boolean;
  /** On standard error, ended by itself before anything else is written. */
  readonly progress: Progress;
  /** To standard output, or to standard error if that has JSON; nothing with `--quiet` or a `--json` that is alone. */
  readonly print: (text: string) => void;
  /** Lines of plain text, likewise; they may come from data. */
  readonly say: (...lines: readonly string[]) => void;
  /** A line on standard error; nothing with `--quiet`. */
  readonly note: (line: string) => void;
}

export interface CommandSpec<A extends Flags, F extends Flags> {
  readonly name: string;
  readonly arguments?: A;
  readonly flags: F;
  /** Below the flags: what else to know, and examples. */
  readonly help: string | (() => string);
  run(
    values: FlagValues<A & F>,
    terminal: Terminal,
  ): Promise<CommandResult | number | void> | CommandResult | number | void;
}

/** A command whose values are typed by the declaration of its flags. */
export function command<F extends Flags, A extends Flags = {}>(spec: CommandSpec<A, F>) {
  return (end: (code: number) => void): Command => {
    const made = new Command(spec.name).addHelpText('after', () =>
      typeof spec.help === 'string' ? spec.help : spec.help(),
    );
    const words = Object.entries<Flag<unknown>>(spec.arguments ?? {});
    for (const [key, flag] of words) made.addArgument(argumentOf(key, flag));
    addFlags(made, spec.flags);
    return made.action(async (...given: unknown[]) => {
      const written: Record<string, unknown> = { ...options(given[words.length]) };
      for (const [at, [key]] of words.entries()) written[key] = given[at];
      const values = valuesOf<A & F>({ ...spec.arguments, ...spec.flags }, written);
      refuseAddresses(spec.arguments ?? {}, values, (key) => key.toUpperCase());
      refuseAddresses(spec.flags, values, flagName);
      refusePlaces([
        ...places(spec.arguments ?? {}, values, (key) => key.toUpperCase()),
        ...places(spec.flags, values, flagName),
      ]);
      const terminal = terminalOf(spec.flags, values);
      let outcome: CommandResult | number | void;
      try {
        outcome = await spec.run(values, terminal);
      } finally {
        terminal.progress.end();
      }
      end(typeof outcome === 'object' ? show(outcome, spec.flags, values, terminal) : (outcome ?? 0));
    });
  };
}

function addFlags(made: Command, flags: Flags): Command {
  for (const [key, flag] of Object.entries(flags)) made.addOption(optionOf(key, flag));
  return made;
}

function argumentOf(key: string, { about, value, read }: Flag<unknown>): Argument {
  const name = kebab(key) + (value!.includes('...') ? '...' : '');
  const made = new Argument(value!.startsWith('<') ? `<${name}>` : `[${name}]`, about);
  return read === undefined ? made : made.argParser((written) => read(written, name));
}

function optionOf(key: string, flag: Flag<unknown>): Option {
  const isSwitchOff = flag.value === null && flag.fallback === true;
  const long = `--${isSwitchOff ? 'no-' : ''}${kebab(key)}`;
  const option = new Option(
    `${flag.alias === undefined ? '' : `--${flag.alias}, `}${long}${flag.value === null ? '' : ` ${flag.value}`}`,
    flag.about,
  );
  if (flag.choices !== undefined) option.choices(flag.choices);
  if (flag.preset !== undefined) option.preset(flag.preset);
  const { fallback, environment } = flag;
  // An empty variable is none. The help names the variable, never its value.
  if (environment !== undefined && process.env[environment] !== '') option.env(environment);
  const read = flag.choices === undefined ? flag.read : undefined;
  const parse = option.parseArg;
  let isGiven = false;
  if (flag.value !== null)
    option.argParser((written, before) => {
      const value = read === undefined ? (parse?.(written, before) ?? written) : read(written, long);
      if (isList(value) && isList(before)) return [...before, ...value];
      if (isGiven && !isList(value)) throw new UsageError(`${long} was given twice`, 'pass it once');
      isGiven = true;
      return value;
    });
  // Lists and switches begin empty and off, which the help need not show.
  if (typeof fallback === 'string' || typeof fallback === 'number') option.default(fallback);
  return option.makeOptionMandatory(flag.required === true);
}

function isList(value: unknown): value is readonly unknown[] {
  return Array.isArray(value);
}

/** Commander's own record of the flags. */
function options(parsed: unknown): object {
  return typeof parsed === 'object' && parsed !== null ? parsed : {};
}

/** What was written, with the fallbacks of what was not. */
function valuesOf<F extends Flags>(flags: Flags, written: Readonly<Record<string, unknown>>): FlagValues<F>;
function valuesOf(flags: Flags, written: Readonly<Record<string, unknown>>): object {
  return defined(
    Object.fromEntries(
      Object.entries(flags).map(([key, { fallback }]) => [key, written[key] === undefined ? fallback : written[key]]),
    ),
  );
}

type Place = [name: string, file: string, use: 'read' | 'write'];

function places(flags: Flags, values: Readonly<Record<string, unknown>>, nameOf: (key: string) => string): Place[] {
  return Object.entries(flags)
    .flatMap(([key, { file: use }]) =>
      use === undefined
        ? []
        : [values[key]]
            .flat()
            .filter((file) => typeof file === 'string' && file !== '-')
            .map((file): Place => [nameOf(key), String(file), use]),
    )
    .toSorted((a, b) => Number(a[2] === 'write') - Number(b[2] === 'write'));
}

/** Arguments that may be any text. */
const TEXTS: ReadonlySet<string> = new Set(['name', 'text', 'sql', 'labels']);

function refuseAddresses(
  flags: Flags,
  values: Readonly<Record<string, unknown>>,
  nameOf: (key: string) => string,
): void {
  for (const [key, { value, file }] of Object.entries(flags)) {
    const isArgument = /^[<[](?:\.\.\.)?[>\]]$/.test(value ?? '');
    if (isArgument ? TEXTS.has(key) : file === undefined && !/file|folder/.test(value ?? '')) continue;
    const use = file ?? (key === 'out' ? 'write' : undefined);
    for (const word of [values[key]].flat()) if (typeof word === 'string') refuseAddress(nameOf(key), word, use);
  }
}

function terminalOf(flags: Flags, values: Readonly<Record<string, unknown>>): Terminal {
  // Standard output belongs to the JSON, or to a file called -.
  const isTaken = Object.entries(flags).some(([key, { file }]) => file === 'write' && values[key] === '-');
  const stream = values['json'] === true || isTaken ? process.stderr : process.stdout;
  const quiet = values['quiet'] === true;
  const isSilent = quiet || Object.entries(flags).some(([key, { alone }]) => alone === true && values[key] === true);
  return {
    style: terminalStyle(stream),
    stream,
    quiet,
    progress: new Progress(process.stderr, quiet),
    print: (text) => void (isSilent || stream.write(text)),
    say: (...lines) => void (isSilent || stream.write(lines.map((line) => `${safeText(line)}\n`).join(''))),
    note: (line) => void (quiet || process.stderr.write(`${safeText(line)}\n`)),
  };
}

function show(
  { document, json, files = {}, exit = 0, after }: CommandResult,
  flags: Flags,
  values: Readonly<Record<string, unknown>>,
  terminal: Terminal,
): number {
  const writers: Readonly<Record<string, (() => string) | null | undefined>> = {
    out: json,
    markdown: document && (() => [document('page')].flat().map(renderMarkdown).join('\n')),
    ...files,
  };
  // All of it is made before anything is written: a fault leaves nothing behind.
  const texts = Object.entries(writers).flatMap(([key, make]) => {
    const file = values[key];
    return typeof file === 'string' && flags[key]?.file === 'write' && make != null
      ? [{ file, flag: flagName(key), text: make() }]
      : [];
  });
  const printed = values['json'] === true ? json?.() : undefined;
  for (const { file, flag, text } of texts)
    if (file === '-') process.stdout.write(text);
    else writeWhole(file, text, flag);
  if (printed !== undefined) process.stdout.write(printed);
  if (document !== undefined) terminal.print(terminalText([document('terminal')].flat(), terminal.style));
  after?.();
  return exit;
}

function terminalText(documents: readonly Document[], style: Style): string {
  const line = `\n${style.paint('─'.repeat(style.width), 'quiet')}\n`;
  return documents.map((document) => renderTerminal(document, style)).join(line);
}

/** A problem in one line, which also `--quiet` shows. */
export function writeError(line: string): void {
  process.stderr.write(`assay: ${safeText(line)}\n`);
}
