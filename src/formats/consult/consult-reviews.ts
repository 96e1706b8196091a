import type { Fields, Item } from '../../data/item.ts';
import { isRecord } from '../../data/record-fields.ts';

/** What people said of consultations, settled as far as it can be: what the measures of people's judgement are made of. */
export interface ConsultReviews {
  /** Whether experts were asked for the class of any case. */
  readonly hasClasses: boolean;
  /** The class of a case by its experts; null where none of them said anything. */
  classOf(caseId: string): SettledClass | null;
  /** The reviews of one system's answer; null if it has none. */
  ofAnswer(caseId: string, system: string, language: string | null): AnswerReviews | null;
  /**
   * The answers to the questions whose measures are the form's own, about one system's answer or, without a system,
   * about the case itself: each person's answer, then what holds.
   */
  said?(caseId: string, system: string | null, language: string | null): readonly ReviewAnswer[];
}

/** One answer to a question of a review form: a person's, or, without a reviewer, what holds after adjudication. */
export interface ReviewAnswer {
  readonly question: string;
  /** The dimension or the ticked thing; null where the question has one answer. */
  readonly part: string | null;
  /** A rating, 1 or 0 for a tick, or the name of an option or a label. */
  readonly value: number | string;
  readonly reviewer: string | null;
}

export interface SettledClass {
  /** Null: disputed, or too few said anything. */
  readonly label: string | null;
  readonly disputed: boolean;
  /** In words: `2 of 3 experts`, `adjudicated by asha: …`, or why it is absent. */
  readonly because: string;
  /** What each expert said, before anybody settled it; names are spelt as they were given. */
  readonly votes: readonly { readonly reviewer: string; readonly label: string }[];
}

export interface AnswerReviews {
  readonly ratings: readonly {
    readonly question: string;
    readonly dimension: string;
    readonly value: number;
    readonly reviewer: string;
  }[];
  readonly ticks: readonly {
    readonly component: string;
    readonly value: boolean | 'na' | null;
    readonly because: string;
  }[];
  readonly claims: readonly {
    readonly text: string;
    readonly part: string;
    readonly label: string | null;
    /** What annotators called it, or its pieces where they cut the text differently; null: one sees nothing here. */
    readonly votes: readonly (string | null)[];
    /** All of them see one and the same claim here. */
    readonly aligned: boolean;
    readonly because: string;
  }[];
}

/** Nobody has been asked. */
export const NO_REVIEWS: ConsultReviews = { hasClasses: false, classOf: () => null, ofAnswer: () => null };

/** What each expert said of a case's class, as its gold item carries it; nothing where nobody said anything. */
export function expertFields(votes: SettledClass['votes']): Fields {
  if (votes.length === 0) return {};
  return { experts: Object.fromEntries(votes.map(({ reviewer, label }) => [reviewer, label])) };
}

/** The class that each expert gave, by name; empty for an item that is not of experts' making. */
export function expertClasses({ kind, fields }: Item): ReadonlyMap<string, string> {
  const { by, experts } = fields;
  if (kind !== 'class' || by !== 'experts' || !isRecord(experts)) return new Map();
  return new Map(
    Object.entries(experts).flatMap(([name, label]): [string, string][] =>
      typeof label === 'string' ? [[name, label]] : [],
    ),
  );
}
