import type { AlonePerson } from '../../figures/run-figures.ts';
import type { AuditMaterial, NewFinding } from '../check.ts';
import { NO_EVIDENCE } from '../evidence.ts';
import { halfWidth, overallValues } from '../overall-values.ts';
import { rulesOf, stringAt } from '../recipe-parts.ts';
import { count, counted, figure } from '../../text/figures.ts';
import { listed } from '../words.ts';

/** People mark more or less: what is below a tenth of F1 is that, and no news. */
const LEAST_MOVE = 0.1;
/** Fewer cases, or a smaller part of those that several people annotated, say little of a person. */
const FEWEST_CASES = 5;
const LEAST_PART = 0.5;

interface Person extends AlonePerson {
  readonly value: number;
  readonly own: number;
}

/** Whether a run knows what its value would be with the gold of one person alone. */
export function knowsPeople({ ceiling }: AuditMaterial): boolean {
  return (ceiling ?? []).some(({ alone = [] }) => alone.length > 0);
}

/**
 * Where gold is taken from one of several people, or made of all of theirs: one whose gold alone gives about what the run
 * says, while that of everybody else gives something else, and all of them on the same side.
 */
export function onePersonsGold(material: AuditMaterial): NewFinding[] {
  const ceilings = material.ceiling ?? [];
  return ceilings.flatMap(({ measure, cases, alone = [] }) => {
    // A measure over several kinds of items is not what people were compared by.
    if (ceilings.filter((one) => one.measure === measure).length > 1) return [];
    const people = alone.flatMap((person): Person[] => {
      const { value, own } = person;
      const isHeard = person.cases >= FEWEST_CASES && person.cases >= LEAST_PART * cases;
      return value !== null && own !== null && isHeard ? [{ ...person, value, own }] : [];
    });
    return people.length < 2 ? [] : finding(measure, people, material);
  });
}

function finding(measure: string, people: readonly Person[], { run }: AuditMaterial): NewFinding[] {
  const overall = overallValues(run).find(({ name }) => name === measure);
  const half = overall === undefined ? null : halfWidth(overall);
  if (overall === undefined || overall.value === null || half === null) return [];
  const [nearest, ...others] = people.toSorted((a, b) => Math.abs(moveOf(a)) - Math.abs(moveOf(b)));
  const least = Math.max(LEAST_MOVE, half);
  const side = Math.sign(others[0] === undefined ? 0 : moveOf(others[0]));
  const decides = others.every((one) => side * moveOf(one) > least && side * (one.value - nearest!.value) > least);
  if (!decides) return [];
  const all = run.measures.cases.total - run.measures.cases.failed;
  const told = others.reduce((best, one) => (one.cases > best.cases ? one : best));
  const isWhole = told.cases === all;
  // What people were compared by is then not what the run measures.
  if (isWhole && Math.abs(told.own - overall.value) > 1e-9) return [];
  const use = rulesOf(run.manifest.recipe.resolved, 'prepare', 'annotator').map(({ params }) =>
    stringAt(params, 'use'),
  );
  const chosen = use[0] === undefined || use[0] === null ? '' : ` (prepare.annotator: ${use[0]})`;
  const over = isWhole ? '' : ` over the ${counted(told.cases, 'case')} of ${count(all)} that they annotated`;
  const withGold = ({ name, value, cases }: Person): string =>
    `${figure(value)} with ${name}${cases === all ? '' : ` (over ${counted(cases, 'case')})`}`;
  return [
    {
      severity: 'warning',
      title: `With ${told.name} alone, ${measure} would be ${figure(told.value)} instead of ${figure(told.own)}${over}`,
      why: `Of ${counted(people.length, 'person', 'people')} whose gold was given only ${nearest!.name} is near what the run says. With the gold of one of them alone ${measure} is ${listed([nearest!, ...others].map(withGold))}. The interval (± ${figure(half)}) is over cases and knows nothing of whose gold counts${chosen}.`,
      todo: 'Look at where these people differ (assay agree) and settle it; until then quote the value with each of them (prepare.annotator=each, or a name).',
      subjects: [nearest!.name],
      ...NO_EVIDENCE,
    },
  ];
}

/** How far the value moves with this person's gold alone. */
function moveOf({ value, own }: Person): number {
  return value - own;
}
