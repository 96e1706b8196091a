import { count, plural, percent, levelText } from '../../../text/figures.ts';
import { LEAST_WORDS } from '../../../text/near-texts.ts';
import { maskCopies, SLOT } from '../../../text/shingles.ts';
import { wordHashes } from '../../../text/text-scan.ts';
import type { AuditCheck, NewFinding, OpenContext } from '../../check.ts';
import { entryOf, Evidence } from '../../evidence.ts';
import type { FindingItem } from '../../finding.ts';
import { isRefusal } from './refusal.ts';
import { SAME_TEXT, repeatedAnswers } from './repeated-answers.ts';
import { repeatedItems, SAME_SETS, SURE_ITEMS } from './repeated-items.ts';

const LEAST_SHARE = 0.3;
const LEAST_CASES = 5;
/** An answer repeats a text where it has so much of it. */
const REPEATED = 0.8;
/** "You asked:" before the text is no answer. A longer frame is found as a template. */
const MOST_FRAME_WORDS = 4;

const ERROR_SHARE = 0.2;
const WARNING_SHARE = 0.05;
const LEAST_ANSWERS = 3;

export const repeatedAnswersCheck: AuditCheck = {
  name: 'repeated-answers',
  about: 'one answer, list of items or set of places for many cases; answers that repeat the case; placeholder words',
  severity: `Answers: error at ${levelText(SAME_TEXT.error)} that are one text, warning at ${levelText(SAME_TEXT.warning)} (${SAME_TEXT.fewest}+ cases) or at ${levelText(LEAST_SHARE)} that repeat their case, note for one text per class. Lists (${SAME_SETS.fewest}+ cases): warning at ${levelText(SAME_SETS.items)} of one list that is not in the text or ${levelText(SAME_SETS.places)} of the same places with other words, error at ${levelText(SAME_SETS.error)} of one list or with ${SURE_ITEMS} places. Placeholder words (${LEAST_ANSWERS}+): warning at ${levelText(WARNING_SHARE)}, error at ${levelText(ERROR_SHARE)}; fewer are a note`,
  scoredOnly: true,
  open(context) {
    const phrases = tellTalePhrases(context);
    const answers = repeatedAnswers(context);
    const echoes = echoedTexts(context);
    const items = repeatedItems(context);
    return {
      case: (given) => items.add(given),
      spans: (given) => items.addSpans(given),
      kinds: ['answer', 'summary'],
      verdict({ predicted }, given) {
        if (predicted === null || predicted.text.trim() === '') return;
        phrases.add(given.case, predicted.text, given.text);
        answers.add(given, predicted);
        if (predicted.kind === 'answer') echoes.add(given.case, predicted.text);
      },
      find() {
        const repeated = answers.finding(phrases.modelPhrase());
        return [repeated, ...echoes.findings(), ...items.findings(), ...phrases.findings(repeated !== null)];
      },
    };
  },
};

/** Answers that are the text they were to answer. Quotes, spans and summaries are made of it by right. */
function echoedTexts({ index, keep }: OpenContext) {
  const [bare, framed] = [keep(new Evidence()), keep(new Evidence())];
  /** The words that are added, hashed. Where they vary they may be an answer. */
  const frames = keep(new Set<string>());
  const seen = keep({ all: 0 });
  const finding = (evidence: Evidence, how: string): NewFinding | null => {
    const [n, cases, { all }] = [evidence.items.total, evidence.cases.total, seen];
    if (cases < LEAST_CASES || n < LEAST_SHARE * all) return null;
    return {
      severity: 'warning',
      title: `${count(n)} of ${plural(all, 'answer')} (${percent(n, all)}) to ${plural(cases, 'case')} only repeat the text of the case${how}`,
      words: 'template-answers/echo',
      evidence,
    };
  };
  return {
    add(id: string, answer: string): void {
      seen.all += 1;
      const own = ownOfEcho(wordHashes(answer), index.words);
      if (own === null) return;
      // Two that differ say as much as more of them.
      if (own.length > 0 && frames.size < 2) frames.add(own.join(' '));
      const evidence = own.length === 0 ? bare : framed;
      evidence.addItem({ case: id, side: 'predicted', label: null, text: answer, note: null });
    },
    findings(): (NewFinding | null)[] {
      const [frame = ''] = frames;
      const words = frame.split(' ').length;
      const how = `, with the same ${plural(words, 'word added', 'words added')} each time`;
      return [finding(bare, ''), frames.size === 1 ? finding(framed, how) : null];
    },
  };
}

/** What an answer that repeats the text adds to it; null for any other answer. */
function ownOfEcho(words: Uint32Array, text: Uint32Array): Uint32Array | null {
  // Most answers have another length: they need not be compared.
  if (text.length < LEAST_WORDS || words.length < REPEATED * text.length) return null;
  if (words.length > text.length / REPEATED + MOST_FRAME_WORDS) return null;
  const own = maskCopies(text)(words).filter((word) => word !== SLOT);
  return own.length <= MOST_FRAME_WORDS && words.length - own.length >= REPEATED * text.length ? own : null;
}

/** What stands where somebody meant to put something. */
const PLACEHOLDERS: readonly RegExp[] = [
  /\bTODO\b/g,
  /\bFIXME\b/g,
  /\blorem ipsum\b/gi,
  /\bplaceholder\b/gi,
  /\bnot (?:yet )?implemented\b/gi,
  /\bdummy (?:answer|response|output|text|summary)\b/gi,
  /\bmock(?:ed)? (?:answer|response|output|summary)\b/gi,
  /\b(?:your|insert) (?:text|answer|response) here\b/gi,
];
/** What models say of themselves, and people who write a stand-in for one. */
const MODEL = /\bas an? (?:large language|ai(?: language)?|language) (?:model|assistant)\b/i;

const MOST_OPENINGS = 0.5;
/** Of an answer, what is shown before the words that tell. */
const SHOWN_BEFORE = 40;

/** Counts tell-tale phrases in answers; those that the case's own text has do not tell. */
function tellTalePhrases({ keep }: OpenContext) {
  const seen = keep({ all: 0 });
  /** By the words in small letters: as the first answer that has them writes them, and how many answers have them. */
  const told = keep(new Map<string, { readonly words: string; answers: number }>());
  const [placeholders, model] = [keep(new Evidence()), keep(new Evidence())];
  return {
    add(id: string, answer: string, text: string | null): void {
      seen.all += 1;
      const named = answer.search(MODEL);
      // The check `refused-answers` reports those that only decline.
      if (named >= 0 && !isRefusal(answer)) model.addItem(itemAt(id, answer, named));
      const found = PLACEHOLDERS.flatMap((pattern) =>
        answer.search(pattern) < 0 || (text !== null && text.search(pattern) >= 0) ? [] : [...answer.matchAll(pattern)],
      );
      if (found.length === 0) return;
      placeholders.addItem(itemAt(id, answer, Math.min(...found.map(({ index }) => index))));
      for (const [key, [first]] of Map.groupBy(found, ([words]) => words.toLowerCase()))
        entryOf(told, key, () => ({ words: first![0], answers: 0 })).answers += 1;
    },
    /** A sentence for a finding about a template; null where the answers do not say so of themselves. */
    modelPhrase(): string | null {
      const n = model.items.total;
      const which = `${count(n)} of ${count(seen.all)} say that they are from a language model`;
      return n === 0 ? null : `${which}, which placeholders do too.`;
    },
    findings(hasTemplate: boolean): NewFinding[] {
      const [n, named, { all }] = [placeholders.items.total, model.items.total, seen];
      const share = n < LEAST_ANSWERS ? 0 : n / all;
      const names = [...told.values()]
        .sort((a, b) => b.answers - a.answers)
        .map(({ words, answers }) => `"${words}" (${count(answers)})`);
      const isSelfNamed = !hasTemplate && named >= LEAST_ANSWERS && named >= MOST_OPENINGS * all;
      const held: NewFinding = {
        severity: share >= ERROR_SHARE ? 'error' : share >= WARNING_SHARE ? 'warning' : 'note',
        title: `${count(n)} of ${plural(all, 'answer')} (${percent(n, all)}) hold words of a placeholder: ${names.join(', ')}`,
        words: 'template-answers/placeholder',
        evidence: placeholders,
      };
      const selfNamed: NewFinding = {
        severity: 'note',
        title: `${count(named)} of ${plural(all, 'answer')} say that they are from a language model`,
        words: 'template-answers/model',
        evidence: model,
      };
      return [...(n === 0 ? [] : [held]), ...(isSelfNamed ? [selfNamed] : [])];
    },
  };
}

/** An answer from shortly before the words that tell: they may stand far from its beginning. */
function itemAt(id: string, answer: string, at: number): FindingItem {
  const [word] = at > SHOWN_BEFORE ? (/(?<=\s)\S.*$/su.exec(answer.slice(at - SHOWN_BEFORE, at)) ?? ['']) : [null];
  const text = word === null ? answer : `…${word}${answer.slice(at)}`;
  return { case: id, side: 'predicted', label: null, text, note: null };
}
