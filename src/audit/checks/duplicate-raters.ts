import { z } from 'zod';

import type { Foldable } from '../../data/fold-state.ts';
import { everyTwo } from '../../stats/aligned-lists.ts';
import { rankCorrelation } from '../../stats/ranks.ts';
import { compareText } from '../../text/compare.ts';
import { count, plural, figure } from '../../text/figures.ts';
import type { Behind, AuditCheck, NewFinding } from '../check.ts';
import { addTo, entryOf, Evidence, formatList } from '../evidence.ts';
import { parseSaved } from '../saved-shape.ts';
import { type CaseRating, caseRatings, scalesOf } from './incomplete-ratings.ts';

/** Of people who agree in nine of ten ratings, one pair in eight is the same over 20: it takes more than that. */
const SAME_THINGS = 20;
const SAME_VALUES = 3;
/** If nearly everything is a 5, two people who agree on it are no surprise. */
const NOT_THE_USUAL = 10;
/** A scale taken the wrong way round, beyond what chance does: 3 standard errors of a correlation of 0. */
const OPPOSED_THINGS = 15;
const OPPOSED = -0.5;
const STANDARD_ERRORS = 3;
/** Cells of all tables together; a pair that would need more of them is not looked at. */
const MOST_CELLS = 200_000;
/** Everybody is compared with everybody: of a crowd, those who rate first have to do. */
const MOST_PEOPLE = 30;

export const duplicateRaters: AuditCheck = {
  name: 'duplicate-raters',
  about: 'people whose ratings are the same throughout, or run against those of others',
  severity: `Warning: the same in ${SAME_THINGS}+ shared ratings (${SAME_VALUES} different values, ${NOT_THE_USUAL} other than the commonest), or a rank correlation under ${OPPOSED} over ${OPPOSED_THINGS}+`,
  open(context) {
    const forms = scalesOf(context);
    const compared = context.keep(new ComparedRatings(context.isPart));
    return {
      spans: null,
      case(given) {
        if (!context.index.kinds.has('rating')) return;
        for (const [name, ratings] of Map.groupBy(caseRatings(given), ({ question }) => question))
          compared.add(name, given.case, ratings);
      },
      find() {
        const { questions } = compared;
        if (questions.size === 0) return { skipped: 'nobody has rated anything' };
        const found = [...questions].map(([name, question]) => ({ name, question, pairs: pairsOf(question) }));
        if (found.every(({ pairs }) => pairs.length === 0)) return { skipped: 'no two people rated the same thing' };
        return found.flatMap(({ name, question, pairs }) => [
          ...alike(name, question, pairs),
          opposed(name, question, pairs, forms.get(name)?.ends),
        ]);
      },
    };
  },
};

type ThingRating = Omit<CaseRating, 'question'>;

/** Who rated the same things as whom under one question: counts of values, not the ratings; cases with such a thing. */
type Question = Readonly<{ evidence: Evidence; people: Set<string>; tables: Map<string, Table> }>;

interface Table {
  readonly people: readonly [string, string];
  /** How often each pair of values occurred. */
  readonly cells: Map<number, Map<number, number>>;
  cases: number;
  isWhole: boolean;
}

const savedRatings = z.array(
  z.object({
    question: z.string(),
    case: z.string(),
    ratings: z.array(z.object({ dimension: z.string(), person: z.string(), value: z.number() })),
  }),
);

/** The ratings of people by question. Those of a part are kept one by one: who rated first depends on the parts before. */
class ComparedRatings implements Foldable {
  readonly questions = new Map<string, Question>();
  readonly #isPart: boolean;
  readonly #log: z.infer<typeof savedRatings> = [];
  readonly #room = { cells: MOST_CELLS };

  constructor(isPart: boolean) {
    this.#isPart = isPart;
  }

  add(question: string, id: string, ratings: readonly ThingRating[]): void {
    const none = (): Question => ({ evidence: new Evidence(), people: new Set(), tables: new Map() });
    add(entryOf(this.questions, question, none), id, ratings, this.#room);
    const plain = ({ dimension, person, value }: ThingRating) => ({ dimension, person, value });
    if (this.#isPart) this.#log.push({ question, case: id, ratings: ratings.map(plain) });
  }

  save(): unknown {
    return this.#log;
  }

  merge(saved: unknown): void {
    for (const { question, case: id, ratings } of parseSaved(savedRatings, saved)) this.add(question, id, ratings);
  }
}

/** The ratings of one answer. `room` is what all questions share. */
function add(to: Question, id: string, ratings: readonly ThingRating[], room: { cells: number }): void {
  const { evidence, people, tables } = to;
  const met = new Set<Table>();
  for (const things of Map.groupBy(ratings, ({ dimension }) => dimension).values()) {
    for (const { person } of things) if (people.size < MOST_PEOPLE) people.add(person);
    const sorted = things.filter(({ person }) => people.has(person)).sort((a, b) => compareText(a.person, b.person));
    for (const [a, b] of everyTwo(sorted.length)) {
      const [first, second] = [sorted[a]!, sorted[b]!];
      const both = [first.person, second.person] as const;
      const key = JSON.stringify(both);
      if (!tables.has(key) && room.cells === 0) continue;
      const table = entryOf(tables, key, (): Table => ({ people: both, cells: new Map(), cases: 0, isWhole: true }));
      met.add(table);
      const row = entryOf(table.cells, first.value, () => new Map<number, number>());
      if (row.has(second.value) || room.cells > 0) {
        if (!row.has(second.value)) room.cells -= 1;
        addTo(row, second.value);
      } else table.isWhole = false;
    }
  }
  if (met.size > 0) evidence.addCase(id);
  for (const table of met) table.cases += 1;
}

type RaterPair = ReturnType<typeof pairsOf>[number];
type Pairs = readonly RaterPair[];

/**
 * Two people who rated the same things, in the order of the names: how many things they share, in how many cases, how often
 * the first gave each value to one, and Spearman's correlation, null where one of them gave everything the same value.
 */
function pairsOf({ tables }: Question) {
  return [...tables.values()]
    .filter(({ isWhole }) => isWhole)
    .map(({ people, cells, cases }) => {
      const [first, second]: [number[], number[]] = [[], []];
      const values = new Map<number, number>();
      let same = 0;
      for (const [a, row] of cells)
        for (const [b, n] of row) {
          if (a === b) same += n;
          addTo(values, a, n);
          for (let times = 0; times < n; times += 1) {
            first.push(a);
            second.push(b);
          }
        }
      return { people, shared: first.length, same, cases, values, correlation: rankCorrelation(first, second) };
    })
    .sort((a, b) => compareText(a.people[0], b.people[0]) || compareText(a.people[1], b.people[1]));
}

function isAlike({ shared, same, values }: RaterPair): boolean {
  const rest = shared - Math.max(0, ...values.values());
  return shared >= SAME_THINGS && same === shared && values.size >= SAME_VALUES && rest >= NOT_THE_USUAL;
}

function alike(name: string, question: Question, pairs: Pairs): NewFinding[] {
  return groupsOf(pairs.filter(isAlike)).flatMap((people) => {
    const within = pairs.filter((pair) => pair.people.every((person) => people.includes(person)));
    // Two who differ may each be the same as a third in other things: then no sentence is true of all of them.
    if (within.every(({ same, shared }) => same === shared)) return [alikeFinding(name, question, people, within)];
    return within.filter(isAlike).map((pair) => alikeFinding(name, question, [...pair.people], [pair]));
  });
}

function alikeFinding(name: string, question: Question, people: readonly string[], pairs: Pairs): NewFinding {
  const shared = pairs.map((pair) => pair.shared);
  const [least, most] = [Math.min(...shared), Math.max(...shared)];
  const each = least === most ? count(most) : `${count(least)} to ${count(most)}`;
  const things = `all ${each} ratings of ${name} that ${people.length === 2 ? 'they' : 'any two of them'} share`;
  return {
    severity: 'warning',
    title: `${formatList(people)} gave the same value in ${things}`,
    words: 'same-raters/alike',
    subjects: people,
    evidence: casesOf(question, pairs),
  };
}

/** Only where the cases are known to be those of these people. */
function casesOf({ evidence: { cases } }: Question, pairs: Pairs): Behind {
  return Math.max(...pairs.map((pair) => pair.cases)) === cases.total ? { cases } : {};
}

/** People who are linked by pairs, in the order of the pairs. */
function groupsOf(pairs: Pairs): string[][] {
  let groups: Set<string>[] = [];
  for (const { people } of pairs) {
    const met = groups.filter((group) => people.some((name) => group.has(name)));
    const joined = new Set([...met.flatMap((group) => [...group]), ...people]);
    groups = [...groups.filter((group) => !met.includes(group)), joined];
  }
  return groups.map((group) => [...group].sort());
}

/** `ends` is what the lowest and the highest value of the scale add up to. */
function opposed(name: string, question: Question, pairs: Pairs, ends?: number): NewFinding | null {
  const against = pairs.filter(
    ({ shared, correlation }) =>
      correlation !== null &&
      shared >= OPPOSED_THINGS &&
      correlation < OPPOSED &&
      correlation * Math.sqrt(shared - 1) < -STANDARD_ERRORS,
  );
  if (against.length === 0) return null;
  const people = [...new Set(against.flatMap((pair) => pair.people))].sort();
  const one =
    against.length < 2 ? undefined : people.find((person) => against.every((pair) => pair.people.includes(person)));
  const told = (pair: RaterPair): string => {
    const who = one === undefined ? pair.people.join(' and ') : pair.people.find((person) => person !== one)!;
    return `${figure(pair.correlation ?? 0)} ${one === undefined ? 'for' : 'with'} ${who} (${plural(pair.shared, 'rating')})`;
  };
  const turned = ends === undefined ? '' : ` (${ends} - value)`;
  return {
    severity: 'warning',
    title: `${one === undefined ? `${formatList(people)} rate ${name} in opposite directions` : `${one} rates ${name} against the others`}: rank correlation ${formatList(against.map(told), 3)}`,
    why: 'What is good for one of them is bad for the other. Most likely somebody took the scale the wrong way round, the highest value for the worst; a mean over both describes neither, and pulls all answers to the middle.',
    todo: `Ask ${one ?? formatList(people)} which end of the scale is the good one. If it was taken the wrong way round, turn the values round${turned} and score again.`,
    subjects: one === undefined ? people : [one],
    evidence: casesOf(question, against),
  };
}
