import { counted } from '../../text/figures.ts';
import { damerau } from '../../text/nearest.ts';
import type { CheckContext, NewFinding } from '../check.ts';
import { listed } from '../evidence.ts';
import { pairParts, recordAt, type ResolvedRecipe, rulesOf, stringsAt } from '../recipe-parts.ts';

const BY_LABELS = [
  ['prepare', 'drop'],
  ['judge', 'excuse-missed'],
  ['judge', 'excuse-spurious'],
] as const;

/** Shorter names are one edit apart by chance, and shorter beginnings say nothing. */
const LEAST_LETTERS = 4;
const LEAST_BEGINNING = 3;
/** Letters for each edit that a slip may have. */
const LETTERS_PER_EDIT = 5;
/** What is longer is no name: comparing takes the square of it. */
const LONGEST_NAME = 64;

/** One place of the recipe that is about some labels. */
interface Naming {
  readonly path: string;
  readonly labels: readonly string[];
  /** Maps of labels name whole schemes, most of which a set of cases need not have. */
  readonly isMap: boolean;
}

type Unmet = Readonly<{ label: string; said: string }>;

/**
 * Labels that settings of the recipe name and that occur nowhere: misspelt, they do nothing in silence. Shipped recipes
 * name labels that a set of cases may lack, so one counts if it looks like a label that does occur, or if nothing of what
 * a setting names occurs.
 */
export function misnamedLabels({ recipe, totals }: CheckContext): NewFinding | null {
  if (totals.labels.size === 0) return null;
  const unmet = namingsOf(recipe).flatMap((naming) => unmetBy(naming, totals.labels));
  return unmet.length === 0 ? null : finding(unmet);
}

function namingsOf(recipe: ResolvedRecipe): Naming[] {
  const parts = pairParts(recipe);
  return [
    ...parts.flatMap(({ kind, accept }) =>
      accept.flatMap(({ threshold }) => {
        if (typeof threshold === 'number') return [];
        const labels = Object.keys(threshold).filter((label) => label !== 'default');
        return [{ path: parts.length > 1 ? `pair.${kind}.threshold` : 'pair.threshold', labels, isMap: false }];
      }),
    ),
    ...BY_LABELS.flatMap(([stage, rule]) =>
      rulesOf(recipe, stage, rule).map(({ name, params }) => ({
        path: `${stage}.${name}`,
        labels: stringsAt(params, 'labels'),
        isMap: false,
      })),
    ),
    ...rulesOf(recipe, 'prepare', 'relabel').map(({ name, params }) => ({
      path: `prepare.${name}`,
      labels: Object.keys(recordAt(params, 'map')),
      isMap: true,
    })),
  ];
}

function unmetBy({ path, labels, isMap }: Naming, seen: ReadonlySet<string>): Unmet[] {
  const never = labels.filter((label) => !seen.has(label));
  const isIdle = never.length === labels.length && !isMap;
  return never.flatMap((label) => {
    const meant = [...seen].filter((one) => isSlip(label, one) || (!isMap && begins(label, one))).sort();
    if (meant.length === 0 && !isIdle) return [];
    return [{ label, said: `${label} in ${path}${meant.length === 0 ? '' : ` (there is ${listed(meant, 3)})`}` }];
  });
}

function finding(unmet: readonly Unmet[]): NewFinding {
  const labels = [...new Set(unmet.map(({ label }) => label))];
  return {
    severity: 'note',
    title: `${counted(labels.length, 'label')} that the recipe has a setting for ${labels.length === 1 ? 'occurs' : 'occur'} neither in gold nor in a prediction: ${listed([...new Set(unmet.map(({ said }) => said))])}`,
    why: 'What the recipe says of such a label does nothing. If the name is misspelt, the label that was meant is scored as if the setting were not there.',
    todo: 'Compare the names with those of the data, and take out what this data does not have.',
    subjects: labels,
    only: (some) => finding(unmet.filter(({ label }) => some.has(label))),
  };
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
