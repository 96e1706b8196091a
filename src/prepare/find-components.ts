import { z } from 'zod';

import type { Case, Logged, SetAside } from '../data/case.ts';
import { type Item, makeItem } from '../data/item.ts';
import { type DeniedBy, denialFinder, everyMatch } from '../text/phrases.ts';
import { sentenceSpans } from '../text/sentences.ts';
import { lastAtOrBefore, type Span } from '../text/span.ts';
import { answerOf, languageOf } from './answer-of.ts';
import { defineRule } from './rule.ts';
import { unknownName } from './setting-error.ts';
import type { PrepareStep } from './step.ts';

const phrases = z.union([z.array(z.string()), z.record(z.string(), z.array(z.string()))]);

const params = z.strictObject({
  components: z.record(z.string(), phrases).default({}).meta({
    description: 'what an answer should contain, each with the phrases that show it: a list, or one a language',
  }),
  match: z
    .enum(['word', 'substring'])
    .default('word')
    .meta({ description: 'whole words and phrases (eat* for any ending), or any run of letters' }),
  experts: z
    .enum(['override', 'ignore'])
    .default('override')
    .meta({ description: 'whether an expert’s tick stands above the rule' }),
  denials: z
    .union([z.literal('off'), z.strictObject({ before: phrases, after: phrases, ends: phrases }).partial()])
    .default('off')
    .meta({
      description: 'phrases by which an answer says that it does not speak of something: what they deny does not count',
    }),
  needs: z
    .union([z.literal('off'), z.record(z.string(), phrases)])
    .default('off')
    .meta({ description: 'what has to stand near the phrase of a component: foods for a diet' }),
  near: z
    .int()
    .min(0)
    .default(1)
    .meta({ description: 'how many sentences before or after its own count as near for needs' }),
});

type Phrases = z.infer<typeof phrases>;
type Settings = z.infer<typeof params>;

interface PhraseMatch extends Span {
  readonly words: string;
}

/** The answer, cut once for all components. */
interface CutText {
  readonly text: string;
  readonly sentences: readonly Span[];
  readonly deniedBy: DeniedBy;
}

/** The phrase that shows a component, or why those that are there do not count. */
interface Finding {
  readonly found: string | null;
  readonly passedOver: string | null;
}

type Finder = (cut: CutText, language: string | null) => Finding;

/**
 * A checklist: gold is what an answer should contain, predicted what it does contain by the phrases found in it. Where
 * experts ticked, their word counts, and each tick says whether the rule agrees with it.
 */
export const findComponents = defineRule<PrepareStep, Settings>({
  name: 'find-components',
  about: 'what an answer should contain against what it does: by phrases, or by an expert’s tick',
  params,
  // It is what makes the components, gold and predicted.
  needed: {},
  step({ components, match, experts, denials, needs, near }, rule) {
    const needed = new Map(needs === 'off' ? [] : Object.entries(needs));
    for (const name of needed.keys())
      if (!Object.hasOwn(components, name))
        throw unknownName(['prepare', rule, 'needs', name], 'component', name, Object.keys(components));
    const finders = Object.entries(components).map(([name, wanted]) => ({
      name,
      find: finderOf(wanted, match, nearbyOf(needed.get(name) ?? [], near)),
    }));
    const cutText = cutterOf(denials, needed.size > 0);
    return (given) => {
      const answer = answerOf(given);
      const cut = answer === null ? null : cutText(answer.text);
      const gold: Item[] = [];
      const predicted: Item[] = [];
      const setAside: SetAside[] = [];
      const ticks = new Map<Item, Logged>();
      finders.forEach(({ name, find }, index) => {
        const item = makeItem({ kind: 'component', index, label: name, text: name });
        const { found, passedOver } =
          answer === null || cut === null ? { found: null, passedOver: null } : find(cut, languageOf(answer));
        const logged = given.logged?.find(({ item: tick }) => tick.kind === 'tick' && tick.label === name) ?? null;
        const tick = experts === 'ignore' ? null : (logged?.item ?? null);
        if (logged !== null) ticks.set(logged.item, judgedTick(logged, found));
        const value = tick?.fields['value'] ?? null;
        const decided = typeof value === 'boolean' ? value : null;
        const said = tick?.fields['because'];
        const why = typeof said === 'string' ? said : 'experts';
        if (value === 'na') {
          setAside.push({ side: 'gold', item, rule, because: `does not apply: ${why}` });
          return;
        }
        gold.push(passedOver === null ? item : { ...item, fields: { passed_over: passedOver } });
        // Where experts are divided, the rule still decides.
        if (!(decided ?? found !== null)) return;
        const fields = { by: decided === null ? 'rule' : 'expert', ...(found === null ? {} : { found }) };
        predicted.push({ ...item, fields });
      });
      return withComponents(given, gold, predicted, setAside, ticks);
    };
  },
});

function withComponents(
  given: Case,
  gold: readonly Item[],
  predicted: readonly Item[],
  setAside: readonly SetAside[],
  ticks: ReadonlyMap<Item, Logged>,
): Case {
  return {
    ...given,
    gold: [...given.gold, ...gold],
    predicted: [...given.predicted, ...predicted],
    setAside: [...given.setAside, ...setAside],
    ...(given.logged === undefined ? {} : { logged: given.logged.map((one) => ticks.get(one.item) ?? one) }),
  };
}

/** A tick is a hit where the rule says the same; what does not apply, or is open, the rule cannot agree with. */
function judgedTick(logged: Logged, found: string | null): Logged {
  const { value } = logged.item.fields;
  if (value !== true && value !== false) return logged;
  const agrees = value === (found !== null);
  const said = found === null ? 'the rule finds nothing' : `the rule finds “${found}”`;
  return {
    ...logged,
    verdict: agrees ? 'hit' : 'spurious',
    rule: agrees ? 'rule-agrees' : 'rule-differs',
    because: said,
  };
}

function listOf(given: Phrases): readonly string[] {
  return Array.isArray(given) ? given : Object.values(given).flat();
}

/** Answers in Hindi borrow English words and the other way round: phrases of every language deny. */
function cutterOf(denials: Settings['denials'], hasNeeds: boolean): (text: string) => CutText {
  const { before = [], after = [], ends = [] } = denials === 'off' ? {} : denials;
  const find = denialFinder({ before: listOf(before), after: listOf(after), ends: listOf(ends) });
  const isPlain = denials === 'off' && !hasNeeds;
  return (given) => {
    const text = given.normalize('NFC');
    const sentences = isPlain ? [] : sentenceSpans(text);
    return { text, sentences, deniedBy: find(text, sentences) };
  };
}

/** Whether something that is needed stands in the sentence of a phrase or near it, apart from the phrase itself. */
type Nearby = (cut: CutText) => (span: Span) => boolean;

function nearbyOf(wanted: Phrases, near: number): Nearby | null {
  const every = everyMatch(listOf(wanted));
  if (every === null) return null;
  return ({ text, sentences }) => {
    const places = every(text).map(({ index, 0: words }) => ({ start: index, end: index + words.length }));
    return (span) => {
      const own = lastAtOrBefore(sentences, span.start);
      const from = sentences[Math.max(0, own - near)]?.start ?? 0;
      const until = sentences[Math.min(sentences.length - 1, own + near)]?.end ?? text.length;
      // Places do not overlap each other: few of them can overlap the phrase.
      for (let at = Math.max(0, lastAtOrBefore(places, from)); at < places.length; at += 1) {
        const place = places[at]!;
        if (place.start >= until) return false;
        if (place.start >= from && (place.end <= span.start || place.start >= span.end)) return true;
      }
      return false;
    };
  };
}

function finderOf(wanted: Phrases, match: 'word' | 'substring', nearby: Nearby | null): Finder {
  const byLanguage = Array.isArray(wanted) ? { '': wanted } : wanted;
  const finders = new Map(
    Object.entries(byLanguage).map(([language, list]) => [language, match === 'word' ? asWords(list) : asParts(list)]),
  );
  const all = [...finders.values()];
  return (cut, language) => {
    const isDetailed = nearby?.(cut) ?? null;
    let passedOver: string | null = null;
    // Answers in Hindi borrow English words and the other way round: what is not said of a language holds for all.
    const own = language === null ? undefined : finders.get(language);
    for (const find of own === undefined ? all : [own, ...all.filter((other) => other !== own)])
      for (const place of find(cut.text)) {
        const denied = cut.deniedBy(place);
        if (denied === null && isDetailed?.(place) !== false) return { found: place.words, passedOver: null };
        passedOver ??= `“${place.words}” ${denied === null ? 'stands without what it needs' : `is denied: “${denied}”`}`;
      }
    return { found: null, passedOver };
  };
}

function asWords(list: readonly string[]): (text: string) => Iterable<PhraseMatch> {
  const every = everyMatch(list);
  return (text) =>
    (every?.(text) ?? []).map(({ index, 0: words }) => ({ start: index, end: index + words.length, words }));
}

function asParts(list: readonly string[]): (text: string) => Iterable<PhraseMatch> {
  const parts = list.map((part) => part.toLowerCase()).filter((part) => part !== '');
  return function* (text) {
    const lower = text.toLowerCase();
    for (const words of parts)
      for (let start = lower.indexOf(words); start >= 0; start = lower.indexOf(words, start + words.length))
        yield { start, end: start + words.length, words };
  };
}
