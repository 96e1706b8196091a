import { isRecord } from '../../data/record-fields.ts';
import type { Item } from '../../data/item.ts';
import type { MeasureValue } from '../../measure/results.ts';
import type { AuditCase, CheckContext, NewFinding } from '../check.ts';
import { Evidence, ITEMS_SHOWN } from '../evidence.ts';
import { stringAt, stringsAt } from '../recipe-parts.ts';
import { count, figure } from '../../text/figures.ts';
import { listed } from '../words.ts';
import { folded } from './simple-slips.ts';

interface Attribute {
  readonly kind: string;
  readonly name: string;
  right: number;
  wrong: number;
  /** Of the wrong ones, those that differ in nothing but case and white space. */
  spelled: number;
  readonly evidence: Evidence;
}

/** Measures at the worst end of their range, with what they count. */
export interface WorstMeasure {
  readonly value: MeasureValue & { readonly value: number };
  readonly form: Readonly<Record<string, unknown>>;
}

export interface Limits {
  readonly share: number;
  readonly least: number;
  readonly why: string;
}

/** Attributes of paired items that are wrong in all of them: polarity, a bucket, an entity's type. */
export class WrongAttributes {
  readonly #attributes = new Map<string, Attribute>();
  /** The field that an attribute is read from. */
  readonly #fields: ReadonlyMap<string, string>;

  constructor({ recipe }: CheckContext) {
    const settings = isRecord(recipe['attributes']) ? recipe['attributes'] : {};
    this.#fields = new Map(
      Object.entries(settings).map(([name, setting]) => [name, stringAt(setting, 'field') ?? name] as const),
    );
  }

  add({ id, verdicts }: AuditCase): void {
    for (const { kind, attributes, gold, predicted, label } of verdicts) {
      if (attributes === null || gold === null || predicted === null) continue;
      for (const [name, isRight] of Object.entries(attributes)) {
        const own = this.#of(kind, name);
        if (isRight) own.right += 1;
        else {
          const [wanted, given] = [this.#value(name, gold), this.#value(name, predicted)];
          if (folded(wanted) === folded(given)) own.spelled += 1;
          own.wrong += 1;
          // From there on they are only counted.
          const note = own.wrong > ITEMS_SHOWN ? null : `${name}: ${wanted} in gold, ${given} predicted`;
          own.evidence.addItem({ case: id, side: 'predicted', label, text: predicted.text, note });
        }
      }
    }
  }

  /** About attributes that some of the measures look at: a value of several together may be 0 by right. */
  findings(worst: readonly WorstMeasure[], { share, least, why }: Limits): NewFinding[] {
    return [...this.#attributes.values()].flatMap((own) => {
      const { kind, name, right, wrong, spelled, evidence } = own;
      const n = right + wrong;
      if (n < least || right > share * n) return [];
      const about = worst.filter(
        ({ form }) =>
          (typeof form['kind'] !== 'string' || form['kind'] === kind) &&
          [...stringsAt(form, 'attributes'), ...stringsAt(form, 'require')].includes(name),
      );
      const main = about.find(({ form }) => stringsAt(form, 'attributes').length === 1) ?? about[0];
      if (main === undefined) return [];
      const others = about.filter((one) => one !== main).map(({ value }) => `${value.name} ${figure(value.value)}`);
      return [
        {
          severity: 'warning',
          title: `${main.value.name} is ${figure(main.value.value)}${others.length === 0 ? '' : ` (and ${listed(others)})`}: ${name} is right in ${right === 0 ? 'none' : count(right)} of ${count(n)} matched pairs that have it${spelled >= wrong / 2 ? `; ${count(spelled)} would be if neither upper and lower case nor white space counted` : ''}`,
          why,
          todo: `Look at the values of ${name} below: are the two sides written in the same words, and is it the field that the recipe compares (attributes)?`,
          subjects: about.map(({ value }) => value.name),
          cases: evidence.cases,
          items: evidence.items,
        } satisfies NewFinding,
      ];
    });
  }

  #of(kind: string, name: string): Attribute {
    const key = `${kind} ${name}`;
    let own = this.#attributes.get(key);
    if (own === undefined)
      this.#attributes.set(key, (own = { kind, name, right: 0, wrong: 0, spelled: 0, evidence: new Evidence() }));
    return own;
  }

  #value(name: string, item: Item): string {
    const field = this.#fields.get(name) ?? name;
    const value = field === 'label' ? item.label : item.fields[field];
    if (value === undefined || value === null || value === '') return 'nothing';
    return typeof value === 'string' ? value : JSON.stringify(value);
  }
}
