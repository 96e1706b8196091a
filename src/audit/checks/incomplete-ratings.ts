import { reviewSection } from '../../recipe/review-section.ts';
import { count, plural, percent, levelText } from '../../text/figures.ts';
import type { AuditCheck, CheckContext, NewFinding } from '../check.ts';
import { divisible, entryOf, Evidence, formatList } from '../evidence.ts';
import type { AuditCase } from '../audit-case.ts';

/** With fewer than a quarter of the answers, or of the ratings, a mean is about those that somebody happened to rate. */
const WARNING_BELOW = 0.25;
/** A form that is half filled in is one that people are still at. */
const NOTE_BELOW = 0.5;
const EXPECTED = 'expected_';

export const incompleteRatings: AuditCheck = {
  name: 'incomplete-ratings',
  about: 'ratings of only a part of the answers, or by fewer people than the form asks for',
  severity: `Warning: under ${levelText(WARNING_BELOW)} of the answers or of the ratings asked for, or no two ratings of the same thing though the form asks for them; note: under ${levelText(NOTE_BELOW)}`,
  scoredOnly: true,
  open(context) {
    const { index, keep } = context;
    const forms = scalesOf(context);
    const questions = keep(new Map<string, Rated>(), noRatings);
    /** Answers for which no form states what is expected: any question may be about them. */
    const seen = keep({ formless: 0 });
    return {
      spans: () => void (seen.formless += 1),
      case(given) {
        if (given.answered === false) return;
        if (!index.kinds.has('answer') && !index.kinds.has('rating')) {
          seen.formless += 1;
          return;
        }
        const expected = expectedOf(given);
        if (expected.size === 0) seen.formless += 1;
        const own = Map.groupBy(caseRatings(given), ({ question }) => question);
        for (const question of new Set([...expected.keys(), ...own.keys()])) {
          // What is rated though the form does not ask for it is one more answer, none of whose ratings is expected.
          const wanted = expected.get(question) ?? (expected.size === 0 ? null : 0);
          addRatings(entryOf(questions, question, noRatings), given.case, wanted, own.get(question) ?? []);
        }
      },
      find() {
        if ([...questions.values()].every(({ given }) => given === 0)) return { skipped: 'nobody has rated anything' };
        const shortages = [...questions].flatMap(
          ([question, rated]) => shortage(question, rated, seen.formless, forms.get(question)?.raters ?? 0) ?? [],
        );
        // Questions that lack the same are one finding: a form is mostly filled in as a whole.
        const alike = Map.groupBy(shortages, ({ rests, cases }) => JSON.stringify([rests, cases]));
        return [...alike.values()].flatMap((own) => divisible(own, finding));
      },
    };
  },
};

/** How many ratings the form wants for the answer, by question, according to the line of the answer. */
function expectedOf({ verdicts }: AuditCase): Map<string, number> {
  const expected = new Map<string, number>();
  const answer = verdicts.find(({ kind }) => kind === 'answer')?.predicted ?? null;
  for (const [field, value] of Object.entries(answer?.fields ?? {}))
    if (field.startsWith(EXPECTED) && typeof value === 'number') expected.set(field.slice(EXPECTED.length), value);
  return expected;
}

type Rated = ReturnType<typeof noRatings>;

/** The ratings of one question. */
function noRatings() {
  return {
    evidence: new Evidence(),
    people: new Set<string>(),
    /** Answers that the form wants rated, and those that are. */
    answers: 0,
    rated: 0,
    given: 0,
    expected: 0,
    /** Things that two people or more rated. */
    shared: 0,
  };
}

function addRatings(to: Rated, id: string, expected: number | null, ratings: readonly CaseRating[]): void {
  if (expected !== null) to.answers += 1;
  to.expected += expected ?? 0;
  if (ratings.length === 0) return;
  to.evidence.addCase(id);
  to.rated += 1;
  to.given += ratings.length;
  for (const { person } of ratings) to.people.add(person);
  const things = Map.groupBy(ratings, ({ dimension }) => dimension).values();
  to.shared += things.filter((same) => same.length > 1).toArray().length;
}

type Shortage = NonNullable<ReturnType<typeof shortage>>;

/** What a question's value rests on; null where that is enough. */
function shortage(question: string, own: Rated, formless: number, raters: number) {
  const { given, expected, rated } = own;
  const answers = own.answers + formless;
  const share = Math.min(rated / answers, expected === 0 ? 1 : given / expected);
  const alone = own.shared === 0 && raters > 1;
  if (given === 0 || (share >= NOTE_BELOW && !alone)) return null;
  const parts = [
    ...(rated < answers || expected === 0
      ? [`ratings of ${count(rated)} of ${plural(answers, 'answer')} (${percent(rated, answers)})`]
      : []),
    ...(expected === 0
      ? []
      : [`${count(given)} of the ${plural(expected, 'rating')} that the form asks for (${percent(given, expected)})`]),
  ].join(': ');
  const people = [...own.people].sort();
  const by =
    people.length === 1 ? `all by ${people[0]!}` : `by ${formatList(people)}, no two of whom rated the same thing`;
  const rests = `${parts}${alone ? `, ${by}, instead of by ${count(raters)} people` : ''}`;
  return { subject: question, isGrave: share < WARNING_BELOW || alone, rests, alone, cases: own.evidence.cases };
}

function finding(shortages: readonly Shortage[]): NewFinding {
  const { isGrave, rests, alone, cases } = shortages[0]!;
  const questions = shortages.map(({ subject }) => subject);
  return {
    severity: isGrave ? 'warning' : 'note',
    title: `${formatList(questions)} ${questions.length === 1 ? 'rests' : 'each rest'} on ${rests}`,
    words: alone ? 'few-ratings/alone' : 'few-ratings/few',
    evidence: { cases },
  };
}

/** One person's rating of one thing: an answer under one question, by one of its dimensions. */
export interface CaseRating {
  readonly question: string;
  readonly dimension: string;
  readonly person: string;
  readonly value: number;
}

/** What the form sets for a question: people who are to rate each answer, and what the ends of its scale add up to. */
export type ScaleForm = Readonly<{ raters: number; ends: number }>;

/** The ratings of a case that say who gave them; a person who rated a thing again counts with what came last. */
export function caseRatings({ failed, verdicts }: AuditCase): CaseRating[] {
  const ratings = new Map<string, CaseRating>();
  if (failed !== undefined) return [];
  for (const { kind, predicted } of verdicts) {
    if (kind !== 'rating' || predicted === null) continue;
    const { annotator: person, fields, label } = predicted;
    const { question, value } = fields;
    if (person === null || typeof value !== 'number') continue;
    const rating = { question: typeof question === 'string' ? question : label, dimension: label, person, value };
    ratings.set(JSON.stringify([rating.question, label, person]), rating);
  }
  return [...ratings.values()];
}

/** The scales of the recipe's form, by question; none where it has no form. */
export function scalesOf({ recipe }: CheckContext): ReadonlyMap<string, ScaleForm> {
  const { people = {}, fields = {} } = reviewSection.safeParse(recipe['review']).data ?? {};
  return new Map(
    Object.entries(fields).flatMap(([name, field]): [string, ScaleForm][] => {
      if (field.type !== 'scale') return [];
      const raters = field.by.reduce((sum, group) => sum + (people[group]?.raters ?? 0), 0);
      return [[name, { raters, ends: field.from + field.to }]];
    }),
  );
}
