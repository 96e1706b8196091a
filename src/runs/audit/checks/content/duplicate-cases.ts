import { ITEM_KINDS, type Item, type ItemKind, PAIRED_KINDS } from '../../../../data/item.ts';
import { isRecord } from '../../../../data/record-fields.ts';
import { canonicalJson } from '../../../canonical-json.ts';
import type { ContentHash } from '../../../content-hash.ts';
import type { AuditCase, Check, CheckContext, NewFinding } from '../../check.ts';
import { Evidence } from '../../evidence.ts';
import { count, counted, percent } from '../../words.ts';
import { itemsKey, itemsOf } from './case-items.ts';
import { CaseTexts } from './case-texts.ts';
import { Openings } from './openings.ts';

/** Texts that share this much of their shingles differ in a few words. */
export const ALIKE = 0.8;
const WARN_EQUAL = 0.02;
const WARN_ALIKE = 0.05;
/** Texts shorter than this with nothing to find in them ("OK", "Thank you!") are written again and again. */
const LEAST_WORDS = 4;
const LEAST_LENGTH = 30;

const PAIRED: ReadonlySet<ItemKind> = new Set<ItemKind>(
  ITEM_KINDS.filter((kind) => PAIRED_KINDS.some((one) => one === kind)),
);

const KEEP_ONE =
  'Keep one of each, or name a column that they share as interval.cluster, so that they are resampled together.';

/** Cases that are there more than once count more than once, and intervals take them for independent. */
export const duplicateCases: Check = {
  name: 'duplicate-cases',
  about: 'cases whose texts are equal or nearly so, and equal texts with different gold',
  needs: ['texts'],
  open(context) {
    const seen = new SeenCases(context);
    return { add: (given) => seen.add(given), finish: () => seen.findings() };
  },
};

interface Seen {
  readonly id: string;
  readonly cluster: string | null;
  readonly gold: number;
  /** Its place, and so that of how its text begins. */
  readonly place: number;
}

class SeenCases {
  readonly #texts: CaseTexts;
  /** By the places of the texts. */
  readonly #gold: number[] = [];
  /** Places of texts that may well be there again. */
  readonly #slight = new Set<number>();
  readonly #openings = new Openings();
  readonly #attributes: readonly string[];

  constructor(context: CheckContext) {
    this.#texts = CaseTexts.of(context);
    const { attributes } = context.recipe;
    this.#attributes = isRecord(attributes)
      ? Object.values(attributes).flatMap((one) =>
          isRecord(one) && typeof one['field'] === 'string' ? [one['field']] : [],
        )
      : [];
  }

  add(given: AuditCase): void {
    if (given.text === null || !this.#texts.add(given)) return;
    const gold = itemsOf(given, 'gold', PAIRED);
    const isShort = given.text.length < LEAST_LENGTH && this.#texts.wordsOf(given).length < LEAST_WORDS;
    if (isShort && gold.length === 0) this.#slight.add(this.#gold.length);
    this.#gold.push(itemsKey(gold, this.#say));
    this.#openings.add(given.text);
  }

  findings(): NewFinding[] {
    const equal = this.#texts.near.equal().map((places) => this.#apart(places));
    const near = this.#texts.near.near(ALIKE).map(({ places }) => this.#apart(places));
    return [...this.#equalTexts(equal), ...this.#otherGold(equal), ...this.#alike(near)];
  }

  #equalTexts(groups: readonly (readonly Seen[])[]): NewFinding[] {
    const { evidence, more } = this.#gathered(groups, (first) => `the same text as ${first.id}`);
    if (more === 0) return [];
    const all = this.#gold.length;
    const slight = groups.flatMap((group) => group.slice(1)).filter(({ place }) => this.#slight.has(place)).length;
    return [
      {
        severity: more - slight >= WARN_EQUAL * all && more > slight ? 'warning' : 'note',
        title: `${count(more)} of ${counted(all, 'case')} (${percent(more, all)}) ${more === 1 ? 'has' : 'have'} the text of an earlier case${slight === 0 ? '' : `; ${count(slight)} of them ${slight === 1 ? 'is' : 'are'} of fewer than ${LEAST_WORDS} words without gold`}`,
        why: 'What is there twice counts twice, and intervals are narrower than the data allows.',
        todo: KEEP_ONE,
        subjects: [],
        ...evidence,
      },
    ];
  }

  /** The same text can have one right answer: whichever the system gives, it is wrong once. */
  #otherGold(groups: readonly (readonly Seen[])[]): NewFinding[] {
    const differing = groups.filter((group) => group.some(({ gold }) => gold !== group[0]!.gold));
    const { evidence } = this.#gathered(differing, (first) => `the text of ${first.id} with other gold`);
    if (evidence.cases.total === 0) return [];
    return [
      {
        severity: 'warning',
        title: `Gold contradicts itself: ${counted(differing.length, 'text')} in ${counted(evidence.cases.total, 'case')} ${differing.length === 1 ? 'has' : 'have'} different gold in different cases`,
        why: 'A system that answers the same text in the same way is wrong on one of them whatever it says.',
        todo: 'Settle what is right for these texts, and keep one case of each.',
        subjects: [],
        ...evidence,
      },
    ];
  }

  #alike(groups: readonly (readonly Seen[])[]): NewFinding[] {
    const { evidence, more } = this.#gathered(groups, (first) => `nearly the text of ${first.id}`);
    if (more === 0) return [];
    const all = this.#gold.length;
    return [
      {
        severity: more >= WARN_ALIKE * all ? 'warning' : 'note',
        title: `${count(more)} of ${counted(all, 'case')} (${percent(more, all)}) ${more === 1 ? 'has' : 'have'} nearly the text of an earlier case`,
        why: 'Cases that differ in a few words are not independent: intervals are narrower than the data allows.',
        todo: KEEP_ONE,
        subjects: [],
        ...evidence,
      },
    ];
  }

  /** Of one origin, such as an answer in each of two languages, or one annotator each, only the first counts. */
  #apart(places: readonly number[]): Seen[] {
    const clusters = new Set<string>();
    return places
      .map((place): Seen => ({
        id: this.#texts.ids[place]!,
        cluster: this.#texts.clusterOf(place),
        gold: this.#gold[place]!,
        place,
      }))
      .filter(({ cluster }) => {
        if (cluster === null) return true;
        if (clusters.has(cluster)) return false;
        clusters.add(cluster);
        return true;
      });
  }

  /** Without places, and without what texts that count as equal may differ in. */
  readonly #say = ({ kind, label, text, source, target, fields }: Item, to: ContentHash): void => {
    to.text(kind);
    to.text(label);
    to.text(plain(text));
    to.text(source === null ? '' : plain(source));
    to.text(target === null ? '' : plain(target));
    for (const field of this.#attributes) {
      const value = fields[field] ?? null;
      // Words are quoted in JSON, and all else begins otherwise.
      if (typeof value === 'string') to.number(0x22);
      to.text(typeof value === 'string' ? value : canonicalJson(value));
    }
  };

  /** The cases of groups, and how many there are beyond the first of each. */
  #gathered(
    groups: readonly (readonly Seen[])[],
    noteOf: (first: Seen) => string,
  ): { readonly evidence: Pick<NewFinding, 'cases' | 'items'>; readonly more: number } {
    const evidence = new Evidence();
    let more = 0;
    for (const [first, ...others] of groups) {
      if (first === undefined || others.length === 0) continue;
      more += others.length;
      evidence.addCase(first.id);
      for (const { id, place } of others)
        evidence.addItem({ case: id, side: null, label: null, text: this.#openings.at(place), note: noteOf(first) });
    }
    return { evidence: { cases: evidence.cases, items: evidence.items }, more };
  }
}

/** What most quotes are: small letters and digits with single spaces, which stay as they are. */
const PLAIN = /^[a-z0-9]+(?: [a-z0-9]+)*$/;
const BETWEEN_WORDS = /[\s\p{P}]+/gu;

function plain(text: string): string {
  return PLAIN.test(text) ? text : text.normalize('NFC').toLowerCase().replace(BETWEEN_WORDS, ' ').trim();
}
