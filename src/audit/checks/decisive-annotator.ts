import { isRecord } from '../../data/record-fields.ts';
import type { Measure } from '../../measure/measure.ts';
import { Tally } from '../../measure/tally.ts';
import { unitsWith } from '../../measure/unit-sums.ts';
import type { AuditCase, AuditMaterial, Check, CheckContext, NewFinding } from '../check.ts';
import { NO_EVIDENCE } from '../evidence.ts';
import { leaveOneOut } from '../leave-one-out.ts';
import { halfWidth, overallValues } from '../overall-values.ts';
import { primaryMeasures } from '../primary-sums.ts';
import { isByAnnotator } from '../recipe-parts.ts';
import { counted, figure } from '../../text/figures.ts';
import { knowsPeople, onePersonsGold } from './one-persons-gold.ts';

/** Of two people, each makes half of the figure: that is what few annotators means, and no news. */
const FEWEST_PEOPLE = 3;
/** People are more or less strict: one of three who is half a point off on a scale of five moves a mean by a sixteenth of it. */
const NOTE_MOVE = 0.04;
/** A tenth of the range is more than strictness. */
const WARNING_MOVE = 0.1;

/** Adds up measures with people instead of cases as units. */
interface ByPerson {
  readonly measures: readonly Measure[];
  readonly tally: Tally;
  add(given: AuditCase): void;
}

/** A figure that rests on one person's judgement is that person's opinion. */
export const decisiveAnnotator: Check = {
  name: 'decisive-annotator',
  about:
    'one annotator or reviewer without whom, or with whose gold alone, a figure is another by more than its uncertainty',
  open(context) {
    const people = [...(isByAnnotator(context.recipe) ? [annotators(context)] : []), reviewers(context)];
    return {
      add(given) {
        for (const one of people) one.add(given);
      },
      finish: (material) => {
        if (people.every(({ tally }) => peopleOf(tally).length === 0) && !knowsPeople(material))
          return { skipped: 'the run does not say who judged what' };
        return [
          ...onePersonsGold(material),
          ...people.flatMap(({ measures, tally }) => measures.flatMap((measure) => finding(measure, tally, material))),
        ];
      },
    };
  },
};

/** Cases that are scored once per annotator, by the annotator. */
function annotators({ measures, recipe }: CheckContext): ByPerson {
  const own = primaryMeasures(measures, recipe).slice(0, 1);
  const tally = new Tally(own, []);
  return {
    measures: own,
    tally,
    add({ id, failed, answered, verdicts, slices }) {
      const name =
        verdicts.find(({ gold }) => (gold?.annotator ?? null) !== null)?.gold?.annotator ?? slices?.['annotator'];
      if (name === undefined || name === null) return;
      tally.add({ case: id, failed, answered, slices: null, cluster: name }, null, verdicts);
    },
  };
}

/** Ratings that people gave, by who gave them. Only means of their numbers: these add up item by item. */
function reviewers({ measures, recipe }: CheckContext): ByPerson {
  const forms = isRecord(recipe['measure']) ? recipe['measure'] : {};
  const own = measures.filter(({ name }) => {
    const form = forms[name];
    return isRecord(form) && form['of'] === 'field-mean' && form['kind'] === 'rating';
  });
  const tally = new Tally(own, []);
  return {
    measures: own,
    tally,
    add({ id, failed, answered, verdicts }) {
      const ratings = verdicts.filter(
        ({ kind, predicted }) => kind === 'rating' && (predicted?.annotator ?? null) !== null,
      );
      if (ratings.length === 0) return;
      for (const [name, given] of Map.groupBy(ratings, ({ predicted }) => predicted?.annotator ?? ''))
        tally.add({ case: `${id} ${name}`, failed, answered, slices: null, cluster: name }, null, given);
    },
  };
}

function peopleOf(tally: Tally): readonly string[] {
  return tally.groups()[0]?.table.units ?? [];
}

function finding(measure: Measure, tally: Tally, { run }: AuditMaterial): NewFinding[] {
  const value = overallValues(run).find(({ name }) => name === measure.name);
  const table = tally.groups()[0]?.table;
  const half = value === undefined ? null : halfWidth(value);
  if (value === undefined || value.value === null || table === undefined || half === null) return [];
  const people = unitsWith(table, measure);
  const [low, high] = measure.range;
  if (people < FEWEST_PEOPLE || low === null || high === null) return [];
  let most = { name: '', to: 0, move: 0 };
  for (const { unit, value: to } of leaveOneOut(measure, table)) {
    const move = to === null ? 0 : Math.abs(to - value.value);
    if (to !== null && move > most.move) most = { name: unit.replace('cluster ', ''), to, move };
  }
  if (most.move <= Math.max(half, NOTE_MOVE * (high - low))) return [];
  return [
    {
      severity: most.move > WARNING_MOVE * (high - low) ? 'warning' : 'note',
      title: `Without ${most.name}, ${measure.name} is ${figure(most.to)} instead of ${figure(value.value)}`,
      why: `One of ${counted(people, 'person', 'people')} moves the value by ${figure(most.move)}, which is more than the interval says (± ${figure(half)}); the interval is over cases and knows nothing of who judged them.`,
      todo: 'Look at how this person judged beside the others (assay agree), settle the differences, and quote the value with and without.',
      subjects: [most.name],
      ...NO_EVIDENCE,
    },
  ];
}
