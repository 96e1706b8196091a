import type { OffsetMap } from '../text/offsets.ts';
import type { Span } from '../text/span.ts';
import type { DataOptions } from './data-options.ts';
import type { Fields, Item, Side } from './item.ts';

/** An item that left before pairing, with the rule that took it out: nothing disappears without a line in the ledger. */
export interface SetAside {
  readonly side: Side;
  readonly item: Item;
  readonly rule: string;
  readonly because: string;
}

/** What the system's own rules took out of a model's answer: read from its output, not done here. */
export const REJECTED_BY_SYSTEM = 'rejected-by-system';

/** Something that a system did, with what became of it: a line of the ledger that needs no pairing. */
export interface Logged {
  readonly item: Item;
  readonly verdict: 'hit' | 'spurious' | 'excused';
  readonly rule: string;
  readonly because?: string;
  readonly attributes?: Readonly<Record<string, boolean>>;
}

/** One unit that is evaluated: an entry, a document, a dataset item. */
export interface Case {
  readonly id: string;
  readonly text: string | null;
  /** Places of the tokens that the files cut the text into; null where they do not cut it alike. */
  readonly tokens?: readonly Span[] | null;
  readonly fields: Fields;
  readonly gold: readonly Item[];
  readonly predicted: readonly Item[];
  /** Why the system gave no output for this case; null when it did. A failed case is counted, never averaged. */
  readonly failed: string | null;
  /** Why the system gave no output, if the case counts as an empty answer anyway (`data.failed: empty`). */
  readonly failedAsEmpty?: string;
  /** False when no prediction record named this case: it is scored as an empty prediction and counted. */
  readonly answered: boolean;
  readonly setAside: readonly SetAside[];
  /** What else is known of it, already judged: it joins the verdicts of the recipe's own pairing. */
  readonly logged?: readonly Logged[];
  /** Other annotators' gold that the recipe does not use: counted by rule, since it was never part of the question. */
  readonly notCounted?: readonly { readonly rule: string; readonly count: number }[];
  /** The id in the files of the case that this is a variant of: one per annotator, or per language. */
  readonly from?: string;
  /** Turns UTF-16 back into the unit the files use; null when the two agree for this text. */
  readonly offsets: OffsetMap | null;
}

export type CaseInit = Pick<Case, 'id'> &
  Partial<
    Pick<Case, 'text' | 'fields' | 'gold' | 'predicted' | 'failed' | 'answered' | 'setAside' | 'logged' | 'offsets'>
  > & {
    readonly tokens?: Case['tokens'] | undefined;
  };

export function makeCase(init: CaseInit): Case {
  return {
    id: init.id,
    text: init.text ?? null,
    ...(init.tokens === undefined ? {} : { tokens: init.tokens }),
    fields: init.fields ?? {},
    gold: init.gold ?? [],
    predicted: init.predicted ?? [],
    failed: init.failed ?? null,
    answered: init.answered ?? true,
    setAside: init.setAside ?? [],
    ...(init.logged === undefined ? {} : { logged: init.logged }),
    offsets: init.offsets ?? null,
  };
}

/** One of several cases that are made from one, told apart by a name. Its id is never taken apart: that is what `from` is for. */
export function variantOf(given: Case, name: string): Case {
  return { ...given, id: `${given.id} (${name})`, from: given.id };
}

/** A failed case as it counts: left out as it is, or an empty answer, with what there is of an output set aside. */
export function withFailure(given: Case, policy: DataOptions['failed']): Case {
  const { failed, logged = [], ...rest } = given;
  if (failed === null || policy === 'leave-out') return given;
  const setAside = [...given.predicted, ...logged.map(({ item }) => item)].map((item): SetAside => ({
    side: 'predicted',
    item,
    rule: 'failed',
    because: failed,
  }));
  return { ...rest, predicted: [], failed: null, failedAsEmpty: failed, setAside: [...given.setAside, ...setAside] };
}
