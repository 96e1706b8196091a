import type { Item, ItemKind } from '../../../data/item.ts';
import { END, START } from '../../../data/span-list.ts';
import { compareText } from '../../../text/compare.ts';
import { count, levelText, percent } from '../../../text/figures.ts';
import type { AuditCheck } from '../../check.ts';
import { Evidence } from '../../evidence.ts';
import type { Severity } from '../../finding.ts';

/** Kinds whose gold can be written down as a key; the ends of a relationship are in any text about it. */
const KEYED: ReadonlySet<ItemKind> = new Set<ItemKind>(['span', 'object', 'entity', 'class']);
/** A key gives most of the gold of its case; a single name beside a word that is also a label is chance. */
const MOST_OF_CASE = 0.5;
const LIMITS = { warning: 0.02, error: 0.2, fewest: 3 };
/** Limits on the work per case. */
const MOST_ITEMS = 30;
const MOST_PLACES = 20;
/** A shorter text is anywhere. */
const SHORTEST = 2;
/** Distance between a name and its label; the label of a list may be farther from its last name. */
const BESIDE = 80;
const LIST = 1000;
const SHOWN = 30;

/** Between a name and its label: signs, and perhaps the word "label". */
const BETWEEN = /^[^\p{L}\p{N}\n]{1,4}(?:(?:label|type|tag|class|category)[^\p{L}\p{N}\n]{1,5})?$/u;
/** One of the signs has to join the two: "Berlin, a location" is ordinary text, "Berlin,LOC" and ("Berlin", "LOC") are not. */
const JOINS = /[=:|([<{→⇒>/\t_]|\s[-–—]\s|^,$|["'`]\s?,\s?["'`]/u;
const LABEL_AFTER = /^(?:label|type|tag|class|category)/i;
const LABEL_BEFORE = /(?:label|type|tag|class|category)$/i;
const LETTER = /\p{L}/u;
const SPACE = 0x20;
/** Between both in a JSON record: further fields, and the name of the second one. In a line of a table or of brat: numbers. */
const FIELD = `["'][\\p{L}_]+["']\\s*:\\s*`;
const IN_RECORD = new RegExp(
  `^["']\\s*,\\s*(?:${FIELD}(?:[\\p{L}\\d.-]+|["'][^"'\\n]{0,30}["'])\\s*,\\s*)*${FIELD}["']$`,
  'u',
);
const IN_LINE = /^[\t ,;|]\s?\d+[\t ,;|]\d+[\t,;|]\s?$/u;
/** Sign before a name that is not the first of a list. */
const IN_A_ROW = /[,;|"'] ?$/;
/** Between the label of a list and a name: {"person": ["Ann", "Bo"]}, "Persons: Ann, Bo". */
const IN_JSON_LIST = /^s?["']\s?:\s?\[[^\]]*["']$/u;
const IN_PLAIN_LIST = /^s?["'*]{0,3}\s{0,2}[:=][^\n:=]*[,;|]\s?["']?$/u;
/**
 * Between an annotated name and its label in a text with markup: <PER>Ann</PER>, [Ann](PER), Ann [PER], Ann/PER. A label in
 * small letters may be a word of the text behind other signs: "Amazon (river)".
 */
const MARKUP = /^(?:<\/|\]\(|["'*]{0,2}\s?[[{<|])$/;
const SIGN = /^["'*]{0,2}\s?[(/_]$/;
const HEADINGS =
  'answers?(?: key)?|(?:correct|expected|reference|gold) (?:answers?|labels?|output|entities)|(?:named )?entities|annotations?|labels|ground[ _-]truth|gold(?:[ _-](?:standard|annotations?))?|expected|target|solutions?|antwort(?:en)?|(?:muster)?lösung(?:en)?|entitäten|erwartet|réponses?(?: attendues?)?|entités|respuestas?|soluci(?:ón|ones)|entidades|rispost[ae]|soluzion[ei]|entità|respostas?';
/** A heading at the start of a line or sentence; its list ends with a paragraph or a sentence. */
const HEADING = new RegExp(`(?:^|[\\n.!?;|>\\]}])[\\s"'*#[<({-]{0,9}(?:${HEADINGS})["'*\\])>]{0,3}\\s{0,2}[:=]`, 'giu');
const END_OF_LIST = /\n\s*\n|(?<=\p{Ll}{4})[.!?]\s/gu;
const WORD = /[\p{L}\p{N}]/u;

/** One gold item; `start` is -1 if it has no place. */
type Gold = Readonly<Pick<Item, 'kind' | 'label' | 'text' | 'start' | 'end'>>;

export const goldInText: AuditCheck = {
  name: 'gold-in-text',
  about: 'an answer key in the text: gold beside its label or after a heading such as "ANSWER:"',
  severity: `Warning: ${levelText(MOST_OF_CASE)} of the gold of a case in ${levelText(LIMITS.warning)} of the cases (${LIMITS.fewest}+); error: in ${levelText(LIMITS.error)}`,
  needs: ['texts'],
  open({ index, keep }) {
    const seen = keep({ cases: 0, leaked: 0 });
    const evidence = keep(new Evidence());
    const add = (id: string, text: string, gold: readonly Gold[]): void => {
      if (gold.length === 0) return;
      seen.cases += 1;
      const pieceOf = keyIn(text, gold);
      const items = gold.slice(0, MOST_ITEMS);
      const pieces: (string | null)[] = [];
      let hidden = 0;
      for (const item of items) {
        const piece = pieceOf(item);
        pieces.push(piece);
        if (piece === null) hidden += 1;
        // Most texts have no key, and no more than half of them is searched.
        if (hidden > (1 - MOST_OF_CASE) * items.length) return;
      }
      seen.leaked += 1;
      for (const [at, piece] of pieces.entries()) {
        if (piece === null) continue;
        const { label, text: own } = gold[at]!;
        evidence.addItem({ case: id, side: 'gold', label, text: own, note: `the text has "${piece}"` });
      }
    };
    return {
      case({ case: id, text }) {
        if (text !== null) add(id, text, index.items('gold', KEYED).toSorted(byPlace));
      },
      spans(given) {
        const { gold } = given;
        if (gold.count === 0) return;
        const items = Array.from({ length: gold.count }, (_, at): Gold => {
          const [start, end] = [gold.get(at, START), gold.get(at, END)];
          return { kind: 'span', label: given.labelOf(gold, at), text: given.slice(gold, at), start, end };
        });
        add(given.case, given.text, items);
      },
      find() {
        const { cases, leaked } = seen;
        const severity = severityOf(leaked, cases);
        if (severity === null) return null;
        return {
          severity,
          title: `In ${count(leaked)} of ${count(cases)} cases with gold (${percent(leaked, cases)}) the text has gold written in it: ${count(evidence.items.total)} items stand beside their label or in a list of answers, and not only where they are annotated`,
          words: 'gold-in-text/key',
          evidence,
        };
      },
    };
  },
};

function severityOf(leaked: number, cases: number): Severity | null {
  if (leaked < LIMITS.fewest || leaked < LIMITS.warning * cases) return null;
  return leaked >= LIMITS.error * cases ? 'error' : 'warning';
}

function byPlace(a: Gold, b: Gold): number {
  return a.start - b.start || a.end - b.end || compareText(a.label, b.label);
}

/** Finds the piece of the text that gives an item away; null if none does. */
function keyIn(text: string, gold: readonly Gold[]): (item: Gold) => string | null {
  let lists: readonly (readonly [from: number, to: number])[] | null = null;
  const isGivenAway = (item: Gold, at: number, end: number): boolean => {
    if (isBesideLabel(item, text, at, end)) return true;
    // Most texts are never searched: whatever is in them is annotated.
    return (lists ??= listsOf(text)).some(([from, to]) => from <= at && end <= to);
  };
  const isAnnotated = (from: number, to: number): boolean =>
    gold.some(({ start, end }) => start >= 0 && start < to && end > from);
  return (item) => {
    const { kind, text: own, start, end: last } = item;
    if (start >= 0 && isMarked(item, text)) return text.slice(Math.max(0, start - SHOWN), last + SHOWN).trim();
    if (own.length < SHORTEST) return null;
    let [key, others] = [null as string | null, 0];
    for (let at = text.indexOf(own), n = 0; at >= 0 && n < MOST_PLACES; at = text.indexOf(own, at + own.length)) {
      const end = at + own.length;
      n += 1;
      if (at === start) continue;
      if (key === null && isGivenAway(item, at, end) && !isAnnotated(at, end))
        key = text.slice(Math.max(0, at - SHOWN), end + SHOWN).trim();
      else others += 1;
      if (key !== null && start >= 0) return key;
    }
    // Without a place, the only mention may be the one that the annotator meant; a class needs no mention.
    return kind === 'class' || others > 0 ? key : null;
  };
}

/** What comes after the headings of a text. */
function listsOf(text: string): [from: number, to: number][] {
  const headings = text.matchAll(HEADING).take(MOST_PLACES);
  return Array.from(headings, ({ 0: heading, index }) => {
    const from = index + heading.length;
    END_OF_LIST.lastIndex = from;
    return [from, END_OF_LIST.exec(text)?.index ?? text.length];
  });
}

function isBesideLabel({ kind, label, start }: Gold, text: string, at: number, end: number): boolean {
  if (kind === 'class') return false;
  if (mayJoin(text, end, 1)) {
    const name = label.toLowerCase();
    const after = text.slice(end, end + BESIDE).toLowerCase();
    const next = after.indexOf(name);
    if (next > 0 && isJoined(after.slice(0, next)) && isWhole(after, next + name.length, name)) return true;
  }
  if (!mayJoin(text, at - 1, -1)) return false;
  const name = label.toLowerCase();
  const reach = IN_A_ROW.test(text.slice(Math.max(0, at - 2), at)) ? LIST : BESIDE;
  const before = text.slice(Math.max(0, at - reach), at).toLowerCase();
  const last = before.lastIndexOf(name);
  if (last < 0 || (last > 0 && WORD.test(before[last - 1]!))) return false;
  const between = before.slice(last + name.length);
  // "Total: 12.00" is a form, and without a place it may be what was annotated.
  if (IN_JSON_LIST.test(between)) return true;
  return start < 0 ? IN_RECORD.test(between) : isJoined(between) || IN_PLAIN_LIST.test(between);
}

/** Whether markup around the annotated place names its label. */
function isMarked({ label, end }: Gold, text: string): boolean {
  if (!mayJoin(text, end, 1)) return false;
  const after = text.slice(end, end + 4 + label.length);
  const at = after.toLowerCase().indexOf(label.toLowerCase());
  const between = after.slice(0, at);
  if (at > 0 && MARKUP.test(between)) return true;
  return at > 0 && SIGN.test(between) && after.startsWith(label, at) && label !== label.toLowerCase();
}

/** Whether a sign, a number or a word such as "label" is beside a name, on its way to a label: mostly another word is. */
function mayJoin(text: string, from: number, step: 1 | -1): boolean {
  let at = from;
  while (text.charCodeAt(at) === SPACE) at += step;
  if (!LETTER.test(text[at] ?? '')) return true;
  return step > 0
    ? LABEL_AFTER.test(text.slice(at, at + 8))
    : LABEL_BEFORE.test(text.slice(Math.max(0, at - 7), at + 1));
}

function isJoined(between: string): boolean {
  return (BETWEEN.test(between) && JOINS.test(between)) || IN_RECORD.test(between) || IN_LINE.test(between);
}

/** Whether the label ends there; a label of three letters or more may be short for the word: LOC for "location". */
function isWhole(text: string, end: number, label: string): boolean {
  return label.length > 2 || end >= text.length || !WORD.test(text[end]!);
}
