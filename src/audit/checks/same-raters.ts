import type { Check, NewFinding } from '../check.ts';
import { NO_EVIDENCE } from '../evidence.ts';
import type { Finding } from '../finding.ts';
import { count, counted, figure } from '../../text/figures.ts';
import { listed } from '../words.ts';
import { type RaterPair, RaterPairs } from './rater-pairs.ts';
import { ratingsOf, type ScaleForm, scalesOf } from './rating-forms.ts';

/** Of people who agree in nine of ten ratings, one pair in eight is the same over 20: it takes more than that. */
const SAME_THINGS = 20;
const SAME_VALUES = 3;
/** Where nearly everything is a 5, two people who say so are no wonder. */
const NOT_THE_USUAL = 10;
/** A scale taken the wrong way round, beyond what chance does: 3 standard errors of a correlation of 0. */
const OPPOSED_THINGS = 15;
const OPPOSED = -0.5;
const STANDARD_ERRORS = 3;

interface Question {
  readonly name: string;
  readonly form: ScaleForm | null;
  readonly pairs: readonly RaterPair[];
  readonly cases: Finding['cases'];
}

/** People differ, and by and large in one direction: ratings in which they do not are no second opinion. */
export const sameRaters: Check = {
  name: 'same-raters',
  about: 'people whose ratings are the same throughout, or run against those of others',
  open(context) {
    const forms = scalesOf(context);
    const room = RaterPairs.room();
    const questions = new Map<string, RaterPairs>();
    return {
      add(given) {
        for (const [name, ratings] of Map.groupBy(ratingsOf(given), ({ question }) => question)) {
          let pairs = questions.get(name);
          if (pairs === undefined) questions.set(name, (pairs = new RaterPairs(room)));
          pairs.add(given.id, ratings);
        }
      },
      finish: () => {
        if (questions.size === 0) return { skipped: 'nobody has rated anything' };
        const found = Array.from(questions, ([name, pairs]): Question => ({
          name,
          form: forms.get(name) ?? null,
          pairs: pairs.list(),
          cases: pairs.cases,
        }));
        if (found.every(({ pairs }) => pairs.length === 0)) return { skipped: 'no two people rated the same thing' };
        return found.flatMap((question) => [...alike(question), ...opposed(question)]);
      },
    };
  },
};

function isAlike({ shared, same, values }: RaterPair): boolean {
  return (
    shared >= SAME_THINGS &&
    same === shared &&
    values.size >= SAME_VALUES &&
    shared - highest(values.values()) >= NOT_THE_USUAL
  );
}

function alike(question: Question): NewFinding[] {
  const pairs = question.pairs.filter(isAlike);
  return groupsOf(pairs).flatMap((people) => {
    const within = question.pairs.filter((pair) => pair.people.every((name) => people.includes(name)));
    // Two who differ may each be the same as a third in other things: then no sentence is true of all of them.
    if (within.every(({ same, shared }) => same === shared)) return [alikeFinding(question, people, within)];
    return within.filter(isAlike).map((pair) => alikeFinding(question, [...pair.people], [pair]));
  });
}

function alikeFinding({ name, cases }: Question, people: readonly string[], pairs: readonly RaterPair[]): NewFinding {
  const shared = pairs.map((pair) => pair.shared);
  const [least, most] = [Math.min(...shared), Math.max(...shared)];
  const each = least === most ? count(most) : `${count(least)} to ${count(most)}`;
  const things = `all ${each} ratings of ${name} that ${people.length === 2 ? 'they' : 'any two of them'} share`;
  return {
    severity: 'warning',
    title: `${listed(people)} gave the same value in ${things}`,
    why: 'People who rate by themselves never agree that often on a scale. If one copied from another, or one person filled in all of it, there is one opinion where several are counted, and agreement and intervals claim too much.',
    todo: 'Ask how these ratings came about, and look at the files they were read from; if they are copies, leave all but one out.',
    subjects: [...people],
    ...NO_EVIDENCE,
    // Only where the cases are known to be those of these people.
    ...(Math.max(...pairs.map((pair) => pair.cases)) === cases.total ? { cases } : {}),
  };
}

function highest(counts: Iterable<number>): number {
  let most = 0;
  for (const one of counts) most = Math.max(most, one);
  return most;
}

/** People who are linked by pairs, in the order of the pairs. */
function groupsOf(pairs: readonly RaterPair[]): string[][] {
  const groups: Set<string>[] = [];
  for (const { people } of pairs) {
    const met = groups.filter((group) => people.some((name) => group.has(name)));
    const joined = new Set([...met.flatMap((group) => [...group]), ...people]);
    for (const group of met) groups.splice(groups.indexOf(group), 1);
    groups.push(joined);
  }
  return groups.map((group) => [...group].sort());
}

function opposed({ name, form, pairs, cases }: Question): NewFinding[] {
  const against = pairs.filter(
    ({ shared, correlation }) =>
      correlation !== null &&
      shared >= OPPOSED_THINGS &&
      correlation < OPPOSED &&
      correlation * Math.sqrt(shared - 1) < -STANDARD_ERRORS,
  );
  if (against.length === 0) return [];
  const people = [...new Set(against.flatMap((pair) => pair.people))].sort();
  const one =
    against.length < 2 ? undefined : people.find((person) => against.every((pair) => pair.people.includes(person)));
  const told = (pair: RaterPair): string => {
    const who = one === undefined ? pair.people.join(' and ') : pair.people.find((person) => person !== one)!;
    return `${figure(pair.correlation ?? 0)} ${one === undefined ? 'for' : 'with'} ${who} (${counted(pair.shared, 'rating')})`;
  };
  const turned = form?.ends == null ? '' : ` (${form.ends} - value)`;
  return [
    {
      severity: 'warning',
      title: `${one === undefined ? `${listed(people)} rate ${name} in opposite directions` : `${one} rates ${name} against the others`}: rank correlation ${listed(against.map(told), 3)}`,
      why: 'What is good for one of them is bad for the other. Most likely somebody took the scale the wrong way round, the highest value for the worst; a mean over both says nothing of either, and pulls all answers to the middle.',
      todo: `Ask ${one ?? listed(people)} which end of the scale is the good one. Where it was taken the wrong way round, turn the values round${turned} and score again.`,
      subjects: one === undefined ? people : [one],
      ...NO_EVIDENCE,
      ...(Math.max(...against.map((pair) => pair.cases)) === cases.total ? { cases } : {}),
    },
  ];
}
