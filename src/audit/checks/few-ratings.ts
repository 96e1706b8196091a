import type { AuditCase, Check, NewFinding } from '../check.ts';
import { Evidence } from '../evidence.ts';
import type { Finding, Severity } from '../finding.ts';
import { count, counted, percent } from '../../text/figures.ts';
import { listed } from '../words.ts';
import { answerOf, type Rating, ratingsOf, type ScaleForm, scalesOf } from './rating-forms.ts';

/** With fewer than a quarter of the answers, or of the ratings, a mean is about those that somebody happened to rate. */
const WARNING_BELOW = 0.25;
/** A form that is half filled in is one that people are still at. */
const NOTE_BELOW = 0.5;
const EXPECTED = 'expected_';

/** A mean over a few ratings looks like one over all of them. */
export const fewRatings: Check = {
  name: 'few-ratings',
  about: 'ratings by people of a part of the answers only, or by fewer people than the form asks for',
  open(context) {
    const forms = scalesOf(context);
    const questions = new Map<string, Rated>();
    /** Answers for which no form says what is expected: any question may be about them. */
    let formless = 0;
    let total = 0;
    return {
      add(given) {
        if (given.failed !== null || !given.answered) return;
        const ratings = ratingsOf(given);
        const expected = expectedOf(given);
        total += ratings.length;
        if (expected.size === 0) formless += 1;
        const own = Map.groupBy(ratings, ({ question }) => question);
        for (const question of new Set([...expected.keys(), ...own.keys()])) {
          let rated = questions.get(question);
          if (rated === undefined) questions.set(question, (rated = new Rated(question, forms.get(question) ?? null)));
          // What is rated though the form does not ask for it is one more answer, none of whose ratings is expected.
          const wanted = expected.get(question) ?? (expected.size === 0 ? null : 0);
          rated.add(given.id, wanted, own.get(question) ?? []);
        }
      },
      finish: () =>
        total === 0
          ? { skipped: 'nobody has rated anything' }
          : findings([...questions.values()].flatMap((rated) => rated.shortage(formless) ?? [])),
    };
  },
};

interface Shortage {
  readonly question: string;
  readonly severity: Severity;
  /** What its value rests on. */
  readonly rests: string;
  readonly alone: boolean;
  readonly cases: Finding['cases'];
}

function findings(shortages: readonly Shortage[]): NewFinding[] {
  const alike = Map.groupBy(shortages, ({ rests, cases }) => JSON.stringify([rests, cases]));
  return [...alike.values()].map(finding);
}

/** How many ratings the form wants for the answer, by question. */
function expectedOf(given: AuditCase): Map<string, number> {
  const expected = new Map<string, number>();
  for (const [field, value] of Object.entries(answerOf(given)?.fields ?? {}))
    if (field.startsWith(EXPECTED) && typeof value === 'number') expected.set(field.slice(EXPECTED.length), value);
  return expected;
}

/** The ratings of one question. */
class Rated {
  readonly #question: string;
  readonly #form: ScaleForm | null;
  readonly #evidence = new Evidence();
  readonly #people = new Set<string>();
  /** Answers that the form wants rated. */
  #answers = 0;
  #rated = 0;
  #given = 0;
  #expected = 0;
  /** Things that two people or more rated. */
  #shared = 0;

  constructor(question: string, form: ScaleForm | null) {
    this.#question = question;
    this.#form = form;
  }

  add(id: string, expected: number | null, ratings: readonly Rating[]): void {
    if (expected !== null) {
      this.#answers += 1;
      this.#expected += expected;
    }
    if (ratings.length === 0) return;
    this.#evidence.addCase(id);
    this.#rated += 1;
    this.#given += ratings.length;
    for (const { person } of ratings) this.#people.add(person);
    for (const same of Map.groupBy(ratings, ({ dimension }) => dimension).values())
      if (same.length > 1) this.#shared += 1;
  }

  /** How much of it there is; null where that is enough. */
  shortage(formless: number): Shortage | null {
    if (this.#given === 0) return null;
    const answers = this.#answers + formless;
    const share = Math.min(this.#rated / answers, this.#expected === 0 ? 1 : this.#given / this.#expected);
    const raters = this.#form?.raters ?? 0;
    const alone = this.#shared === 0 && raters > 1;
    if (share >= NOTE_BELOW && !alone) return null;
    return {
      question: this.#question,
      severity: share < WARNING_BELOW || alone ? 'warning' : 'note',
      rests: this.#rests(answers, alone ? raters : null),
      alone,
      cases: this.#evidence.cases,
    };
  }

  #rests(answers: number, raters: number | null): string {
    const given =
      this.#expected === 0
        ? ''
        : `${count(this.#given)} of the ${counted(this.#expected, 'rating')} that the form asks for (${percent(this.#given, this.#expected)})`;
    const rated = `ratings of ${count(this.#rated)} of ${counted(answers, 'answer')} (${percent(this.#rated, answers)})`;
    const parts = [...(this.#rated < answers || given === '' ? [rated] : []), ...(given === '' ? [] : [given])];
    const people = [...this.#people].sort();
    const by =
      people.length === 1 ? `all by ${people[0]!}` : `by ${listed(people)}, no two of whom rated the same thing`;
    return `${parts.join(': ')}${raters === null ? '' : `, ${by}, instead of by ${count(raters)} people`}`;
  }
}

/** Questions that lack the same are told in one: a form is mostly filled in as a whole. */
function finding(shortages: readonly Shortage[]): NewFinding {
  const { severity, rests, alone, cases } = shortages[0]!;
  const questions = shortages.map(({ question }) => question);
  const rest = questions.length === 1 ? 'rests' : 'each rest';
  return {
    severity,
    title: `${listed(questions)} ${rest} on ${rests}`,
    why: `A mean over the ratings that there are reads like one over all answers.${
      alone ? ' Since no two people rated the same thing, nobody can tell how far another would agree.' : ''
    }`,
    todo: alone
      ? 'Have a second person rate at least some of the same answers; until then say beside the value who rated what.'
      : 'Have the rest rated, or a part of the answers that was drawn by lot; until then quote the value with how many answers were rated.',
    subjects: questions,
    cases,
    items: { total: 0, shown: [] },
    only: (subjects) => finding(shortages.filter(({ question }) => subjects.has(question))),
  };
}
