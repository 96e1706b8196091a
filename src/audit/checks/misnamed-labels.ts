import { damerau } from '../../text/closest-names.ts';
import { plural } from '../../text/figures.ts';
import type { NewFinding } from '../check.ts';
import { divisible, formatList } from '../evidence.ts';
import { namedRules, pairParts, recordAt, type ResolvedRecipe, stringsAt } from '../recipe-parts.ts';

/** Shorter names are one edit apart by chance, and shorter beginnings say nothing. */
const LEAST_LETTERS = 4;
const LEAST_BEGINNING = 3;
/** Letters for each edit that a slip may have. */
const LETTERS_PER_EDIT = 5;
/** What is longer is not a name: comparing takes the square of it. */
const LONGEST_NAME = 64;

/** One place of the recipe that is about some labels. Maps name whole schemes, most of which a set of cases need not have. */
type Naming = Readonly<{ path: string; labels: readonly string[]; isMap: boolean }>;

/**
 * Labels that settings of the recipe name and that occur nowhere: misspelt, they do nothing in silence. Shipped recipes
 * name labels that a set of cases may lack, so one counts if it looks like a label that does occur, or if nothing of what
 * a setting names occurs.
 */
export function misnamedLabels(recipe: ResolvedRecipe, seen: ReadonlySet<string>): NewFinding[] {
  const all = (seen.size === 0 ? [] : namingsOf(recipe)).flatMap(({ path, labels, isMap }) => {
    const never = labels.filter((label) => !seen.has(label));
    const isIdle = never.length === labels.length && !isMap;
    return never.flatMap((subject) => {
      const meant = [...seen].filter((one) => isSlip(subject, one) || (!isMap && begins(subject, one))).sort();
      const said = `${subject} in ${path}${meant.length === 0 ? '' : ` (there is ${formatList(meant, 3)})`}`;
      return meant.length === 0 && !isIdle ? [] : [{ subject, said }];
    });
  });
  return divisible(all, (unmet) => {
    const n = new Set(unmet.map(({ subject }) => subject)).size;
    return {
      severity: 'note',
      title: `${plural(n, 'label')} that the recipe has a setting for ${n === 1 ? 'occurs' : 'occur'} neither in gold nor in a prediction: ${formatList([...new Set(unmet.map(({ said }) => said))])}`,
      words: 'never-gold/misnamed',
    };
  });
}

function namingsOf(recipe: ResolvedRecipe): Naming[] {
  const parts = pairParts(recipe);
  const ofRules = (stage: 'prepare' | 'judge', rule: string, isMap = false): Naming[] =>
    namedRules(recipe, stage, rule).map(({ name, params }) => {
      const labels = isMap ? Object.keys(recordAt(params, 'map')) : stringsAt(params, 'labels');
      return { path: `${stage}.${name}`, labels, isMap };
    });
  return [
    ...parts.flatMap(({ kind, accept }) =>
      accept.flatMap(({ threshold }) => {
        if (typeof threshold === 'number') return [];
        const labels = Object.keys(threshold).filter((label) => label !== 'default');
        return [{ path: parts.length > 1 ? `pair.${kind}.threshold` : 'pair.threshold', labels, isMap: false }];
      }),
    ),
    ...ofRules('prepare', 'drop'),
    ...ofRules('judge', 'excuse-missed'),
    ...ofRules('judge', 'excuse-spurious'),
    ...ofRules('prepare', 'relabel', true),
  ];
}

/** Whether one is the other with a slip in it. */
function isSlip(label: string, seen: string): boolean {
  const [a, b] = [label.toLowerCase(), seen.toLowerCase()];
  if (a === b) return true;
  const longer = Math.max(a.length, b.length);
  const allowed = Math.floor(longer / LETTERS_PER_EDIT);
  if (longer > LONGEST_NAME || Math.min(a.length, b.length) < LEAST_LETTERS) return false;
  return Math.abs(a.length - b.length) <= allowed && damerau(a, b) <= allowed;
}

/** ORG and ORGANISATION. */
function begins(label: string, seen: string): boolean {
  const [a, b] = [label.toLowerCase(), seen.toLowerCase()];
  return Math.min(a.length, b.length) >= LEAST_BEGINNING && (a.startsWith(b) || b.startsWith(a));
}
