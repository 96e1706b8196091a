import { z } from 'zod';

import type { Logged, SetAside } from '../data/case.ts';
import { type Item, makeItem } from '../data/item.ts';
import { denialFinder, everyMatch, phraseFinder, type PhraseMatch } from '../text/phrases.ts';
import { sentenceSpans } from '../text/sentences.ts';
import { lastAtOrBefore, type Span } from '../text/span.ts';
import { answerLanguage, loggedAnswer } from './answer.ts';
import { unknownName } from './setting-error.ts';
import { prepareRule } from './step.ts';

const phrases = z.union([z.array(z.string()), z.record(z.string(), z.array(z.string()))]);

const params = z.strictObject({
  components: z
    .record(z.string(), phrases)
    .default({})
    .describe('what an answer should contain, each with the phrases that show it: a list, or one a language'),
  match: z
    .enum(['word', 'substring'])
    .default('word')
    .describe('whole words and phrases (eat* for any ending), or any run of letters'),
  experts: z
    .enum(['override', 'ignore'])
    .default('override')
    .describe('whether an expert’s tick stands above the rule'),
  denials: z
    .union([z.literal('off'), z.strictObject({ before: phrases, after: phrases, ends: phrases }).partial()])
    .default('off')
    .describe('phrases of denial: what they deny does not count'),
  lookalikes: z
    .union([z.literal('off'), phrases])
    .default('off')
    .describe('phrases that hold a word of a component and mean something else: “exercise caution” is no lifestyle'),
  questions: z
    .enum(['count', 'ignore'])
    .default('count')
    .describe('whether a phrase in a question counts: “Do you exercise?” recommends nothing'),
  needs: z
    .union([z.literal('off'), z.record(z.string(), phrases)])
    .default('off')
    .describe('what has to stand near the phrase of a component: foods for a diet'),
  near: z.int().min(0).default(1).describe('how many sentences before or after its own count as near for needs'),
});

type Phrases = z.infer<typeof phrases>;
type Settings = z.infer<typeof params>;

/** The answer, cut once for all components. `reject` returns why a phrase at a place does not count, or null. */
type CutText = Readonly<{
  text: string;
  sentences: readonly Span[];
  reject: (place: PhraseMatch) => string | null;
  isLookalike: (place: Span) => boolean;
}>;

/** The phrase that shows a component and what it needed nearby, or why the phrases present do not count. */
type Finding = Readonly<{ found: string | null; detail: string | null; passedOver: string | null }>;

/**
 * A checklist: gold is what an answer should contain, predicted what it does contain by the phrases found in it. If
 * experts ticked, their word counts, and each tick shows whether the rule agrees with it.
 */
export const findComponents = prepareRule({
  name: 'find-components',
  about: 'what an answer should contain against what it does: by phrases, or by an expert’s tick',
  params,
  // It is what makes the components, gold and predicted.
  needed: {},
  step({ components, match, experts, needs, near, ...context }, rule) {
    const needed = new Map(needs === 'off' ? [] : Object.entries(needs));
    for (const name of needed.keys())
      if (!Object.hasOwn(components, name))
        throw unknownName(['prepare', rule, 'needs', name], 'component', name, Object.keys(components));
    const finders = Object.entries(components).map(([name, wanted]) => {
      const find = finderOf(wanted, match, nearbyOf(needed.get(name) ?? [], near));
      return { name, find };
    });
    const cutText = cutterOf(context, needed.size > 0);
    return (given) => {
      const answer = loggedAnswer(given);
      const cut = answer === null ? null : cutText(answer.text);
      const [gold, predicted, setAside]: [Item[], Item[], SetAside[]] = [[], [], []];
      const ticks = new Map<Logged, Logged>();
      finders.forEach(({ name, find }, index) => {
        const item = makeItem({ kind: 'component', index, label: name, text: name });
        const { found, detail, passedOver } =
          answer === null || cut === null ? NOTHING : find(cut, answerLanguage(answer));
        const tick = given.logged?.find((one) => one.item.kind === 'tick' && one.item.label === name);
        if (tick !== undefined) ticks.set(tick, judgedTick(tick, found));
        const { value, because } = experts === 'ignore' ? {} : (tick?.item.fields ?? {});
        if (value === 'na') {
          const why = typeof because === 'string' ? because : 'experts';
          setAside.push({ side: 'gold', item, rule, because: `does not apply: ${why}` });
          return;
        }
        gold.push(passedOver === null ? item : { ...item, fields: { passed_over: passedOver } });
        // If experts are divided, the rule still decides.
        const isDecided = typeof value === 'boolean';
        if (!(isDecided ? value : found !== null)) return;
        predicted.push({
          ...item,
          fields: {
            by: isDecided ? 'expert' : 'rule',
            ...(found === null ? {} : { found }),
            ...(detail === null ? {} : { with: detail }),
          },
        });
      });
      return {
        ...given,
        gold: [...given.gold, ...gold],
        predicted: [...given.predicted, ...predicted],
        setAside: [...given.setAside, ...setAside],
        ...(given.logged === undefined ? {} : { logged: given.logged.map((one) => ticks.get(one) ?? one) }),
      };
    };
  },
});

const NOTHING: Finding = { found: null, detail: null, passedOver: null };

/** A tick is a hit if the rule agrees; what does not apply, or is open, the rule cannot agree with. */
function judgedTick(tick: Logged, found: string | null): Logged {
  const { value } = tick.item.fields;
  if (typeof value !== 'boolean') return tick;
  const because = found === null ? 'the rule finds nothing' : `the rule finds “${found}”`;
  return value === (found !== null)
    ? { ...tick, verdict: 'hit', rule: 'rule-agrees', because }
    : { ...tick, verdict: 'spurious', rule: 'rule-differs', because };
}

function listOf(given: Phrases): readonly string[] {
  return Array.isArray(given) ? given : Object.values(given).flat();
}

/** Answers in Hindi borrow English words and the other way round: phrases of every language deny. */
function cutterOf(
  { denials, lookalikes, questions }: Pick<Settings, 'denials' | 'lookalikes' | 'questions'>,
  hasNeeds: boolean,
): (text: string) => CutText {
  const { before = [], after = [], ends = [] } = denials === 'off' ? {} : denials;
  const findDenials = denialFinder({ before: listOf(before), after: listOf(after), ends: listOf(ends) });
  const findLookalikes = everyMatch(lookalikes === 'off' ? [] : listOf(lookalikes));
  const needsSentences = denials !== 'off' || questions === 'ignore' || hasNeeds;
  return (given) => {
    const text = given.normalize('NFC');
    const sentences = needsSentences ? sentenceSpans(text) : [];
    const deniedBy = findDenials(text, sentences);
    const others = findLookalikes(text);
    const lookalikeAt = ({ start, end }: Span): PhraseMatch | null => {
      const other = others[lastAtOrBefore(others, start)];
      return other !== undefined && end <= other.end ? other : null;
    };
    const asks = questions === 'ignore' ? sentences.map(({ start, end }) => QUESTION.test(text.slice(start, end))) : [];
    return {
      text,
      sentences,
      isLookalike: (place) => lookalikeAt(place) !== null,
      reject(place) {
        const other = lookalikeAt(place);
        if (other !== null) return `“${place.words}” is part of “${other.words}”`;
        if (asks[lastAtOrBefore(sentences, place.start)] === true) return `“${place.words}” is in a question`;
        const denial = deniedBy(place);
        return denial === null ? null : `“${place.words}” is denied: “${denial}”`;
      },
    };
  };
}

const QUESTION = /[?？؟]["'”’»›)\]}*_`]*$/u;

/** The words that a phrase needs in its sentence or near it, beyond the phrase itself; '' if it needs none. */
type Nearby = (cut: CutText) => (span: Span) => string | null;

function nearbyOf(wanted: Phrases, near: number): Nearby {
  const every = everyMatch(listOf(wanted));
  if (phraseFinder(listOf(wanted)) === null) return () => () => '';
  return ({ text, sentences, isLookalike }) => {
    const places = every(text).filter((place) => !isLookalike(place));
    return (span) => {
      const own = lastAtOrBefore(sentences, span.start);
      const from = sentences[Math.max(0, own - near)]?.start ?? 0;
      const until = sentences[Math.min(sentences.length - 1, own + near)]?.end ?? text.length;
      // Places do not overlap each other: few of them can overlap the phrase.
      for (let at = Math.max(0, lastAtOrBefore(places, from)); at < places.length; at += 1) {
        const place = places[at]!;
        if (place.start >= until) return null;
        if (place.start >= from && (place.start < span.start || place.end > span.end)) return place.words;
      }
      return null;
    };
  };
}

function finderOf(wanted: Phrases, match: Settings['match'], nearby: Nearby) {
  const byLanguage = Object.entries(Array.isArray(wanted) ? { '': wanted } : wanted);
  const makeFinder = match === 'word' ? everyMatch : everyPart;
  const finders = byLanguage.map(([language, list]) => ({ language, find: makeFinder(list) }));
  return (cut: CutText, language: string | null): Finding => {
    const detailOf = nearby(cut);
    let passedOver: string | null = null;
    // Answers in Hindi borrow English words and the other way round: what is not said of a language holds for all.
    const ofLanguage = finders.filter((finder) => finder.language === language);
    for (const { find } of new Set([...ofLanguage, ...finders]))
      for (const place of find(cut.text)) {
        const rejection = cut.reject(place);
        const detail = rejection === null ? detailOf(place) : null;
        if (detail !== null) return { found: place.words, detail: detail === '' ? null : detail, passedOver: null };
        passedOver ??= rejection ?? `“${place.words}” stands without what it needs`;
      }
    return { found: null, detail: null, passedOver };
  };
}

function everyPart(list: readonly string[]): (text: string) => Iterable<PhraseMatch> {
  const parts = list.map((part) => part.toLowerCase()).filter((part) => part !== '');
  return function* (text) {
    const lower = text.toLowerCase();
    for (const words of parts)
      for (let start = lower.indexOf(words); start >= 0; start = lower.indexOf(words, start + words.length))
        yield { start, end: start + words.length, words };
  };
}
