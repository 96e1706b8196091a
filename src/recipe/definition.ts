import { hash } from 'node:crypto';

import type { Case } from '../data/case.ts';
import type { ReadContext } from '../data/format.ts';
import type { Fields, Item, Side } from '../data/item.ts';
import { UsageError } from '../data/problems.ts';
import type { Verdict } from '../judge/verdict.ts';
import type { Measure } from '../measure/measure.ts';
import type { CustomSimilarity } from '../pair/criterion.ts';

/** Settings that a recipe may change, by their defaults. */
export type Params = Readonly<Record<string, unknown>>;

/** What all definitions share. */
interface Described<P> {
  /** What a recipe calls it. */
  readonly name: string;
  /** What it does, in one line: reports show it. */
  readonly about: string;
  /** Settings with their defaults: plain JSON, which a recipe, `--set` and a sweep can change. */
  readonly params?: P;
}

export type MeasureInit<P> = Described<P> &
  Partial<Pick<Measure, 'direction' | 'range' | 'unit' | 'best'>> & {
    /** Why there is no value, if nothing is below the line, or no case has a value. */
    readonly nothing?: string;
  } & (
    | {
        /** What a verdict adds above the line, */
        over(verdict: Verdict, params: P): number;
        /** and below it. */
        under(verdict: Verdict, params: P): number;
      }
    | {
        /** The value of one case, null if it has none; the measure is the mean over cases. */
        ofCase(verdicts: readonly Verdict[], params: P): number | null;
      }
  );

export type CustomRuleInit<P> = Described<P> &
  (
    | {
        readonly stage: 'prepare';
        /** Why an item leaves before pairing (the ledger keeps it as excused); null: it stays. */
        setAside?(item: Item, params: P, side: Side, given: Case): string | null;
        /** The item as it is compared: another label, text or place. */
        change?(item: Item, params: P, side: Side, given: Case): Item;
      }
    | {
        readonly stage: 'judge';
        /** What becomes of a verdict, with the reason; null: it stays as it is. */
        judge(verdict: Verdict, params: P, given: Case): Ruling | null;
      }
  );

/**
 * What a rule of `judge` makes of a verdict: excused; of a hit, wrong (its gold is missed, its prediction spurious), or
 * worth less than 1.
 */
export type Ruling =
  | { readonly verdict: 'excused' | 'wrong'; readonly because: string }
  | { readonly credit: number; readonly because: string };

export type SimilarityInit = Omit<Described<never>, 'params'> & { readonly compare: CustomSimilarity };

export interface FormatInit extends Omit<Described<never>, 'params'> {
  /** One short record, shown by messages. */
  readonly example: string;
  /** The built-in format whose records it gives: `spans`, `graph`, `journal` … */
  readonly as: string;
  /** Whether the first record of a file looks like this format. */
  detects(record: Fields): boolean;
  /** The record in the built-in format: one, or several cases; null: the record holds no case. */
  convert(record: Fields, context: Pick<ReadContext, 'role' | 'file'>): Fields | readonly Fields[] | null;
}

/** Also known to another copy of Assay that a module was written against. */
const MARK = Symbol.for('assay.definition');

interface Base<Kind extends string> {
  readonly defines: Kind;
  readonly name: string;
  /** What it does, in one line. */
  readonly about: string;
  /** Hash of its functions and settings; for a module, of the whole file. */
  readonly sha256: string;
  /** The module it comes from; null for a definition made in code. */
  readonly module: string | null;
}

/** What user code adds to the recipe language, made by `defineMeasure`, `defineRule` and the others. */
export type Definition =
  | (Base<'measure'> & { readonly init: MeasureInit<Params> })
  | (Base<'rule'> & { readonly init: CustomRuleInit<Params> })
  | (Base<'similarity'> & { readonly compare: CustomSimilarity })
  | (Base<'format'> & { readonly init: FormatInit })
  // What a check is, src/audit knows.
  | (Base<'check'> & { readonly check: object });

/** What all definitions share; `init` is what the user wrote, whose text joins the signature. */
export function describeDefinition<Of extends Definition['defines']>(
  defines: Of,
  init: { readonly name: string; readonly about: string },
) {
  const { name, about } = init;
  if (!/^[A-Za-z][\w-]*$/.test(name))
    throw new UsageError(`${defines} ${JSON.stringify(name)}: a name is letters, digits, - and _`, 'rename it');
  return { [MARK]: true, defines, name, about, sha256: hash('sha256', sourceOf(init)), module: null } as const;
}

export function isDefinition(value: unknown): value is Definition {
  return typeof value === 'object' && value !== null && Reflect.get(value, MARK) === true;
}

/** Functions as they are written, everything else as JSON, in the order of the names. */
function sourceOf(value: unknown): string {
  if (typeof value === 'function') return value.toString();
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? String(value);
  const parts = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return `{${parts.map(([key, part]) => `${key}:${sourceOf(part)}`).join(',')}}`;
}

/** Calls user code: what it throws is the user's to fix, and the message names the definition and the case. */
export function callCustom<T>(what: string, where: string, call: () => T): T {
  try {
    return call();
  } catch (error) {
    throw customFailure(what, where, error);
  }
}

export function customFailure(what: string, where: string, error: unknown): UsageError {
  if (error instanceof UsageError) return error;
  return new UsageError(
    `the custom ${what} failed${where} (${error instanceof Error ? error.message : String(error)})`,
    'fix its code, or remove it from the recipe',
  );
}

/** As the manifest lists them, in the order of their names; all of it joins the signature. */
export function definitionFacts(definitions: readonly Definition[]) {
  return definitions
    .map(({ defines, name, about, sha256, module }) => ({
      defines,
      name,
      about,
      ...(module === null ? {} : { module }),
      sha256,
    }))
    .toSorted((a, b) => (`${a.defines} ${a.name}` < `${b.defines} ${b.name}` ? -1 : 1));
}
