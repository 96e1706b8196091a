import type { Item, Side } from '../../data/item.ts';
import { count, counted } from '../../text/figures.ts';
import type { Check, CheckContext } from '../check.ts';
import { addTo, Evidence, listed } from '../evidence.ts';
import { recordAt, stringAt, stringsAt } from '../recipe-parts.ts';

const MOST_NAMED = 5;

/** A field that attributes judge for some labels only. */
interface OwnedField {
  readonly field: string;
  readonly labels: ReadonlySet<string>;
  /** Values that stand for a missing one. */
  readonly missing: ReadonlySet<unknown>;
}

export const strayFields: Check = {
  name: 'stray-fields',
  about: 'items with a field that the recipe has for other labels, such as an emotion with an intensity',
  open(context) {
    const owned = ownedFields(context);
    const evidence = new Evidence();
    const counts = new Map<string, number>();
    const sides = new Set<Side>();
    let saysSomething = false;
    return {
      item(item, side, _, { case: id }) {
        const stray = owned.filter(({ field, labels }) => !labels.has(item.label) && hasValue(item, field));
        if (stray.length === 0) return;
        sides.add(side);
        for (const { field, missing } of stray) {
          addTo(counts, `${field} of ${item.label}`);
          if (!missing.has(item.fields[field])) saysSomething = true;
        }
        const note = stray.map(({ field }) => `${field}: ${textOf(item.fields[field])}`).join(', ');
        evidence.addItem({ case: id, side, label: item.label, text: item.text, note });
      },
      find() {
        if (owned.length === 0) return { skipped: 'the recipe has no attribute that is for some labels only' };
        if (counts.size === 0) return null;
        const named = [...counts].sort(([, a], [, b]) => b - a).slice(0, MOST_NAMED);
        const shown = named.map(([what, n]) => `${what} (${count(n)})`);
        const more = counts.size > named.length ? [`${count(counts.size - named.length)} more`] : [];
        return {
          severity: saysSomething ? 'warning' : 'note',
          title: `${counted(evidence.items.total, 'item has a field that its', 'items have a field that their')} label does not have: ${listed([...shown, ...more])}`,
          words: 'stray-fields/found',
          subjects: [...sides],
          evidence,
        };
      },
    };
  },
};

/** By field, the labels that have it; fields of every label are nobody's alone. */
function ownedFields({ recipe }: CheckContext): OwnedField[] {
  const settings = Object.entries(recordAt(recipe, 'attributes')).map(([name, setting]) => ({
    field: stringAt(setting, 'field') ?? name,
    labels: stringsAt(setting, 'labels'),
    missing: stringAt(setting, 'missing'),
  }));
  return [...Map.groupBy(settings, ({ field }) => field)].flatMap(([field, own]) => {
    if (field === 'label' || own.some(({ labels }) => labels.length === 0)) return [];
    const missing = new Set(own.flatMap((one) => one.missing ?? []));
    return [{ field, labels: new Set(own.flatMap(({ labels }) => labels)), missing }];
  });
}

function hasValue({ fields }: Item, field: string): boolean {
  const value = Object.hasOwn(fields, field) ? fields[field] : undefined;
  return value !== undefined && value !== null && value !== '';
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}
