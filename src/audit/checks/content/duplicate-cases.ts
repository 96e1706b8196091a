import type { Item } from '../../../data/item.ts';
import { isRecord } from '../../../data/record-fields.ts';
import { canonicalJson } from '../../../score/canonical-json.ts';
import type { ContentHash } from '../../../score/content-hash.ts';
import type { AuditCase, Check, CheckContext, NewFinding } from '../../check.ts';
import { Evidence } from '../../evidence.ts';
import { count, counted, percent } from '../../../text/figures.ts';
import { itemsKey, itemsOf } from './case-items.ts';
import { CaseTexts } from './case-texts.ts';
import { Openings } from './openings.ts';
import { GOLD_KINDS, SlightTexts } from './slight-texts.ts';

/** Texts that share this much of their shingles differ in a few words. */
export const ALIKE = 0.8;
const WARN_EQUAL = 0.02;
const WARN_ALIKE = 0.05;

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
  readonly #slight = new SlightTexts();
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
    this.#slight.add(given, this.#texts);
    this.#gold.push(itemsKey(itemsOf(given, 'gold', GOLD_KINDS), this.#say));
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
    // What has other gold than the first is not there again by right.
    const again = groups.flatMap(([first, ...others]) => others.filter(({ gold }) => gold === first?.gold));
    const { counting, said } = this.#slight.among(again.map(({ place }) => place));
    const alarming = counting + more - again.length;
    return [
      {
        severity: alarming > 1 && alarming >= WARN_EQUAL * all ? 'warning' : 'note',
        title: `${count(more)} of ${counted(all, 'case')} (${percent(more, all)}) ${more === 1 ? 'has' : 'have'} the text of an earlier case${said}`,
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

/** In Latin letters below this every character is in composed form already. */
const LATIN_END = 0x250;
const BETWEEN_WORDS = /[\s\p{P}]+/gu;
const SPACE = 0x20;

/** By code, 1 for what stays as it is: small letters, digits, signs. */
const STAYS = Uint8Array.from({ length: LATIN_END }, (_, code) => {
  const character = String.fromCharCode(code);
  return character.toLowerCase() === character && !/[\s\p{P}]/u.test(character) ? 1 : 0;
});

function plain(text: string): string {
  return isPlain(text) ? text : text.normalize('NFC').toLowerCase().replace(BETWEEN_WORDS, ' ').trim();
}

/** Most quotes are small letters with single spaces between words. */
function isPlain(text: string): boolean {
  // As if a space stood before it: none may begin or end it, nor follow another.
  let afterSpace = true;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    const isSpace = code === SPACE;
    if (isSpace ? afterSpace : code >= LATIN_END || STAYS[code] === 0) return false;
    afterSpace = isSpace;
  }
  return !afterSpace || text === '';
}
