import { NumberLog } from '../../../data/fold-state.ts';
import type { Item } from '../../../data/item.ts';
import { END, START } from '../../../data/span-list.ts';
import { canonicalJson, type ContentHash } from '../../../score/fingerprint.ts';
import { count, plural, percent, levelText } from '../../../text/figures.ts';
import { wordHashes } from '../../../text/text-scan.ts';
import type { AuditCheck, AuditMaterial, CheckResult, NewFinding } from '../../check.ts';
import { entryOf, Evidence } from '../../evidence.ts';
import { recordAt, stringAt } from '../../recipe-parts.ts';
import { ContentSum, GOLD_KINDS, itemsKey, type TextIndex } from '../../text-index.ts';

/** Texts that share this much of their shingles differ in a few words. */
const ALIKE = 0.8;
const WARN_EQUAL = 0.02;
const WARN_ALIKE = 0.05;
const ERROR_TRAINED = 0.01;

export const duplicateCases: AuditCheck = {
  name: 'duplicate-cases',
  about: 'cases with equal or nearly equal texts, and equal texts with different gold',
  severity: `Warning: ${levelText(WARN_EQUAL)} equal (more than one), ${levelText(WARN_ALIKE)} nearly equal, any with other gold; otherwise a note`,
  needs: ['texts'],
  open({ recipe, index, keep }) {
    const attributes = Object.values(recordAt(recipe, 'attributes')).flatMap((one) => stringAt(one, 'field') ?? []);
    /** The gold of each text, by its place. */
    const gold = keep(new NumberLog()).values;
    const sum = new ContentSum();
    const sayOwn = (item: Item, to: ContentHash): void => sayGold(item, attributes, to);
    return {
      leftOut: () => sampledText(index),
      case() {
        if (index.place === null) return;
        gold.push(itemsKey(index.items('gold', GOLD_KINDS), sayOwn));
      },
      spans(given) {
        if (index.place === null) return;
        const { gold: spans, text } = given;
        for (let at = 0; at < spans.count; at += 1) {
          sum.hash.resume(given.said(spans, at));
          sayPlain(text, spans.get(at, START), spans.get(at, END), sum.hash);
          sum.add();
        }
        gold.push(sum.take());
      },
      find() {
        if (index.ids.length === 0) return null;
        const equal = index.near.equal().map((places) => apart(places, index));
        const near = index.near.near(ALIKE).map((places) => apart(places, index));
        return [equalTexts(equal, gold, index), otherGold(equal, gold, index), alikeTexts(near, index)];
      },
    };
  },
};

/** Of one origin, such as an answer in each of two languages, or one annotator each, only the first counts. */
function apart(places: readonly number[], { clusters }: TextIndex): number[] {
  const firsts = new Map<string, number>();
  return places.filter((place) => {
    const cluster = clusters.get(place);
    return cluster === undefined || entryOf(firsts, cluster, () => place) === place;
  });
}

type Groups = readonly (readonly number[])[];

function equalTexts(groups: Groups, gold: readonly number[], index: TextIndex): NewFinding | null {
  const { evidence, more } = gathered(groups, index, (first) => `the same text as ${first}`);
  // What has other gold than the first is not there again by right.
  const again = groups.flatMap(([first, ...others]) => others.filter((place) => gold[place] === gold[first!]));
  const { counting, said } = index.metAgain(again);
  const alarming = counting + more - again.length;
  const severity = alarming > 1 && alarming >= WARN_EQUAL * index.ids.length ? 'warning' : 'note';
  const title = shareThatHas(more, index.ids.length, `the text of an earlier case${said}`);
  return more === 0 ? null : { severity, title, words: 'duplicate-cases/equal', evidence };
}

function alikeTexts(groups: Groups, index: TextIndex): NewFinding | null {
  const { evidence, more } = gathered(groups, index, (first) => `nearly the text of ${first}`);
  const { compared, long } = index.near;
  const all = compared < long ? compared : index.ids.length;
  const severity = more >= WARN_ALIKE * all ? 'warning' : 'note';
  const sampled = sampledText(index);
  const title = `${shareThatHas(more, all, 'nearly the text of an earlier case')}${sampled === null ? '' : `; ${sampled}`}`;
  return more === 0 ? null : { severity, title, words: 'duplicate-cases/alike', evidence };
}

/** Of how many texts nearly equal ones were looked for, where these were not all. */
function sampledText({ near: { compared, long } }: TextIndex): string | null {
  if (compared === long) return null;
  return `nearly equal texts were looked for in a sample of ${count(compared)} of ${count(long)}`;
}

/** "3 of 40 cases (8 %) have the text of …" */
function shareThatHas(n: number, all: number, what: string): string {
  return `${count(n)} of ${plural(all, 'case')} (${percent(n, all)}) ${n === 1 ? 'has' : 'have'} ${what}`;
}

/** The same text can have one right answer: whichever the system gives, it is wrong once. */
function otherGold(groups: Groups, gold: readonly number[], index: TextIndex): NewFinding | null {
  const differing = groups.filter((group) => group.some((place) => gold[place] !== gold[group[0]!]));
  const { evidence } = gathered(differing, index, (first) => `the text of ${first} with other gold`);
  if (evidence.cases.total === 0) return null;
  return {
    severity: 'warning',
    title: `Gold contradicts itself: ${plural(differing.length, 'text')} in ${plural(evidence.cases.total, 'case')} ${differing.length === 1 ? 'has' : 'have'} different gold in different cases`,
    words: 'duplicate-cases/otherGold',
    evidence,
  };
}

/** The cases of groups, and how many there are beyond the first of each. */
function gathered(groups: Groups, index: TextIndex, note: (first: string) => string) {
  const evidence = new Evidence();
  const { ids } = index;
  for (const [first, ...others] of groups) {
    if (first === undefined || others.length === 0) continue;
    const id = ids[first]!;
    evidence.addCase(id);
    for (const place of others)
      evidence.addItem({ case: ids[place]!, side: null, label: null, text: index.openingAt(place), note: note(id) });
  }
  return { evidence, more: evidence.items.total };
}

/** Without places, and without what texts that count as equal may differ in. */
function sayGold(item: Item, attributes: readonly string[], to: ContentHash): void {
  const { kind, label, text, source, target, fields } = item;
  to.text(kind);
  to.text(label);
  sayPlain(text, 0, text.length, to);
  if (source !== null || target !== null) {
    for (const end of [source ?? '', target ?? '']) sayPlain(end, 0, end.length, to);
  }
  for (const field of attributes) {
    const value = fields[field] ?? null;
    // Words are quoted in JSON, and all else begins otherwise.
    if (typeof value === 'string') to.number(0x22);
    to.text(typeof value === 'string' ? value : canonicalJson(value));
  }
}

const BETWEEN_WORDS = /[\s\p{P}]+/gu;
/** For units of Latin texts: the small letter or digit that it counts as, 0 for what may stand between words. */
const SMALL = new Uint16Array(0x300);
for (let unit = 0; unit < SMALL.length; unit += 1) {
  const character = String.fromCharCode(unit);
  SMALL[unit] = character.replace(BETWEEN_WORDS, '') === '' ? 0 : character.toLowerCase().charCodeAt(0);
}
/** Its small letter is two units. */
const DOTTED_I = 0x130;

/** A text without upper case, and with one space for all that stands between two words. */
function sayPlain(text: string, from: number, end: number, to: ContentHash): void {
  let a = 0;
  let b = 0;
  let isBetween = false;
  let length = 0;
  for (let at = from; at < end; at += 1) {
    const unit = text.charCodeAt(at);
    if (unit >= SMALL.length || unit === DOTTED_I) {
      const plain = text.slice(from, end).normalize('NFC').toLowerCase().replace(BETWEEN_WORDS, ' ').trim();
      [a, b, length] = [0, 0, plain.length];
      for (let place = 0; place < length; place += 1) {
        a = Math.imul(a, 31) + plain.charCodeAt(place);
        b = Math.imul(b ^ plain.charCodeAt(place), 0x5bd1e995);
      }
      break;
    }
    const small = SMALL[unit]!;
    if (small === 0) {
      isBetween = length > 0;
      continue;
    }
    if (isBetween) {
      a = Math.imul(a, 31) + 0x20;
      b = Math.imul(b ^ 0x20, 0x5bd1e995);
      length += 1;
      isBetween = false;
    }
    a = Math.imul(a, 31) + small;
    b = Math.imul(b ^ small, 0x5bd1e995);
    length += 1;
  }
  to.number(a);
  to.number(b);
  to.number(length);
}

type Leak = Readonly<{ train: string; file: string; similarity: number }>;

export const trainingDataInTest: AuditCheck = {
  name: 'training-data-in-test',
  about: 'cases whose text the system may have been trained on',
  severity: `Error: ${levelText(ERROR_TRAINED)} equal; otherwise a warning; note if all have no gold or a few words`,
  needs: ['texts', 'train'],
  open: ({ index }) => ({ leftOut: () => sampledText(index), find: leaksFrom }),
};

async function leaksFrom({ index, train }: AuditMaterial): Promise<CheckResult> {
  if (train === null) return { skipped: 'no training cases were given' };
  const leaks = new Map<number, Leak>();
  let trained = 0;
  for await (const given of train) {
    const words = given.text === null ? null : wordHashes(given.text);
    if (words === null || words.length === 0) continue;
    trained += 1;
    const found = index.near.match(words, ALIKE);
    if (found === null || (leaks.get(found.place)?.similarity ?? 0) >= found.similarity) continue;
    leaks.set(found.place, { train: given.id, file: given.file, similarity: found.similarity });
  }
  if (trained === 0) return { skipped: 'no training case has a text' };
  for (const places of index.near.equal()) {
    const leak = leaks.get(places[0]!);
    if (leak !== undefined) for (const place of places) leaks.set(place, leak);
  }
  const sorted = [...leaks].sort(([a], [b]) => a - b);
  const equal = sorted.filter(([, { similarity }]) => similarity === 1);
  const near = sorted.filter(([, { similarity }]) => similarity < 1);
  return [leaked(equal, trained, index, true), leaked(near, trained, index, false)];
}

function leaked(
  leaks: readonly (readonly [place: number, leak: Leak])[],
  trained: number,
  index: TextIndex,
  isEqual: boolean,
): NewFinding | null {
  if (leaks.length === 0) return null;
  const evidence = new Evidence();
  for (const [place, { train, file, similarity }] of leaks) {
    const note = `${isEqual ? 'equal to' : `${percent(similarity, 1)} like`} ${train} of ${file}`;
    evidence.addItem({ case: index.ids[place]!, side: null, label: null, text: '', note });
  }
  const text = `the text of one of ${plural(trained, 'training case')}`;
  const { counting, said } = index.metAgain(leaks.map(([place]) => place));
  return {
    severity: counting === 0 ? 'note' : isEqual && counting >= ERROR_TRAINED * index.ids.length ? 'error' : 'warning',
    title: shareThatHas(leaks.length, index.ids.length, `${isEqual ? '' : 'nearly '}${text}${said}`),
    words: counting === 0 ? 'train-in-test/slight' : 'train-in-test/leak',
    subjects: [...new Set(leaks.map(([, { file }]) => file))].sort(),
    evidence,
  };
}
