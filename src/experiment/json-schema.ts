import { createContext, Script } from 'node:vm';

import { Ajv, type ErrorObject, type Options, type ValidateFunction } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';

import { describe, isRecord } from '../data/record-fields.ts';
import { shorten } from '../data/visible.ts';

export type JsonSchema = Readonly<Record<string, unknown>>;

export class UnusableSchema extends Error {}

/** Schemas are written by people or by their types; a bigger one is a mistake or an attack. */
const MOST_LENGTH = 1 << 20;
/** Making it and each check by it. A good schema needs a thousandth of this; what needs more may need for ever. */
const MOST_MS = 1000;
/** Of values with more parts than this only the first error is reported: each would cost an object. */
const MOST_VALUE_PARTS = 100_000;

const OPTIONS: Options = {
  // Keywords of other tools are no mistake.
  strict: false,
  // `format` is a note for readers: there is no agreement on what its names accept.
  validateFormats: false,
  // What an object inherits is no field of it.
  ownProperties: true,
  verbose: true,
  logger: false,
};
const DRAFT_7 = /^https?:\/\/json-schema\.org\/draft-07\/schema#?$/;
const DRAFT_2020 = /^https:\/\/json-schema\.org\/draft\/2020-12\/schema#?$/;

/** Compiles a schema from outside; references must stay inside it. Compiling and checking throw UnusableSchema. */
export function compileJsonSchema(schema: unknown): (value: unknown) => readonly ErrorObject[] {
  if (typeof schema !== 'boolean' && !isRecord(schema))
    throw new UnusableSchema(`expected a JSON Schema (an object), found ${describe(schema)}`);
  const compiled = (allErrors: boolean): ValidateFunction =>
    guarded(() => workWithin(() => dialectOf(schema, { ...OPTIONS, allErrors }).compile(schema), MOST_MS));
  const first = guarded(() => {
    if (JSON.stringify(schema).length > MOST_LENGTH) throw new UnusableSchema('it is longer than 1 MiB');
    // Ajv's own word, for checks that answer later: they would pass everything here.
    if (isRecord(schema) && '$async' in schema) throw new UnusableSchema('$async is not JSON Schema');
    return compiled(false);
  });
  // Patterns and references can keep a processor busy for years with a schema of a few lines.
  const errorsBy = (validate: ValidateFunction, value: unknown): readonly ErrorObject[] =>
    guarded(
      () => (workWithin(() => validate(value), MOST_MS) ? [] : (validate.errors ?? [])),
      'it refers to itself without end',
    );
  let all: ValidateFunction | null = null;
  return (value) => {
    const errors = errorsBy(first, value);
    if (errors.length === 0 || partsOf(value) >= MOST_VALUE_PARTS) return errors;
    return errorsBy((all ??= compiled(true)), value);
  };
}

function guarded<T>(work: () => T, tooDeep = 'it is nested too deeply'): T {
  try {
    return work();
  } catch (error) {
    if (error instanceof UnusableSchema) throw error;
    if (error instanceof OutOfTime)
      throw new UnusableSchema(
        `checking by it takes longer than ${MOST_MS / 1000} s; look at its patterns, such as (a+)+, and at references that branch`,
      );
    if (error instanceof RangeError) throw new UnusableSchema(tooDeep);
    const message = error instanceof Error ? error.message : String(error);
    const [, reference] = /^can't resolve reference (\S+)/.exec(message) ?? [];
    throw new UnusableSchema(
      reference === undefined
        ? shorten(message.replace(/^schema is invalid: /, ''), 200)
        : `it refers to ${shorten(reference, 100)}, which is not in it; only references such as #/$defs/name are followed`,
    );
  }
}

function dialectOf(schema: unknown, options: Options): Ajv | Ajv2020 {
  const named = isRecord(schema) ? schema['$schema'] : undefined;
  // One instance a schema: two that give themselves the same $id would be in each other's way.
  if (named === undefined) return hasItemLists(schema) ? new Ajv(options) : new Ajv2020(options);
  if (typeof named === 'string' && DRAFT_2020.test(named)) return new Ajv2020(options);
  if (typeof named === 'string' && DRAFT_7.test(named)) return new Ajv(options);
  throw new UnusableSchema(`its $schema is ${describe(named)}, expected JSON Schema 2020-12 or draft-07`);
}

/** Only draft-07 has lists under `items`. Langfuse takes that dialect for granted and refuses the name of another. */
function hasItemLists(part: unknown): boolean {
  if (typeof part !== 'object' || part === null) return false;
  return Object.entries(part).some(([key, inner]) => (key === 'items' && Array.isArray(inner)) || hasItemLists(inner));
}

/** How many values a value contains, counted up to the limit. */
function partsOf(value: unknown): number {
  let parts = 0;
  const open = [value];
  while (open.length > 0 && parts + open.length < MOST_VALUE_PARTS) {
    const at = open.pop();
    parts += 1;
    if (typeof at === 'object' && at !== null) for (const inner of Object.values(at)) open.push(inner);
  }
  return parts + open.length;
}

/** What a JSON pointer (RFC 6901) leads to, or null: `/a/0/b~1c` in { a: [{ 'b/c': 1 }] } leads to { value: 1 }. */
export function atPointer(value: unknown, pointer: string): { readonly value: unknown } | null {
  return valueAt(value, pointerParts(pointer));
}

/** The same for the names on the way: own fields of objects, and places of lists. */
export function valueAt(value: unknown, path: readonly string[]): { readonly value: unknown } | null {
  let at = value;
  for (const name of path) {
    if (typeof at !== 'object' || at === null || !Object.hasOwn(at, name)) return null;
    if (Array.isArray(at) && name === 'length') return null;
    at = Reflect.get(at, name);
  }
  return { value: at };
}

export function pointerParts(pointer: string): string[] {
  const parts = pointer.split('/').slice(1);
  return parts.map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'));
}

export class OutOfTime extends Error {
  constructor(milliseconds: number) {
    super(`it took longer than ${milliseconds} ms`);
    this.name = 'OutOfTime';
  }
}

/** What it runs is ours, not the text of a script: the context is only how Node sets a limit to work that never waits. */
const room = { work: (): void => undefined };
const context = createContext(room);
const script = new Script('work()');
let isWithin = false;

/** While other programs hold the processor, the clock runs on without us: this many times the time, and no more. */
const MOST_PATIENCE = 16;
/** The part of the time that counts as all of it. What is good is done in far less, so that nobody waits for a second try. */
const ENOUGH = 0.3;

/**
 * Work without a promise, ended after that much processor time wherever it is, also within a regular expression. Node
 * starts a thread for it, which takes up to half a millisecond: if there is much to do, many things go into one call.
 * Inside another call, the limit is that of the other. On a busy machine the work may be started again.
 */
export function workWithin<T>(work: () => T, milliseconds: number): T {
  if (isWithin) return work();
  const before = processorMilliseconds();
  for (let patience = 1; ; patience *= 4) {
    const done: T[] = [];
    room.work = () => void done.push(work());
    isWithin = true;
    try {
      script.runInContext(context, { timeout: milliseconds * patience });
      return done[0]!;
    } catch (error) {
      // The error is of the context, and so no Error here.
      if (!isRecord(error) || error['code'] !== 'ERR_SCRIPT_EXECUTION_TIMEOUT') throw error;
      const ran = processorMilliseconds() - before;
      if (ran >= milliseconds * ENOUGH || patience >= MOST_PATIENCE) throw new OutOfTime(milliseconds);
    } finally {
      isWithin = false;
    }
  }
}

/** Of all threads: the others only sweep up after this one. */
function processorMilliseconds(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}
