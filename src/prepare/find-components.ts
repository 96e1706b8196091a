import { z } from 'zod';

import type { Case, Logged, SetAside } from '../data/case.ts';
import { type Item, makeItem } from '../data/item.ts';
import { phraseFinder } from '../text/phrase.ts';
import { answerOf, languageOf } from './answer-of.ts';
import { defineRule } from './rule.ts';
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
});

type Finder = (text: string, language: string | null) => string | null;

/**
 * A checklist: gold is what an answer should contain, predicted what it does contain by the phrases found in it. Where
 * experts ticked, their word counts, and each tick says whether the rule agrees with it.
 */
export const findComponents = defineRule<PrepareStep, z.infer<typeof params>>({
  name: 'find-components',
  about: 'what an answer should contain against what it does: by phrases, or by an expert’s tick',
  params,
  // It is what makes the components, gold and predicted.
  needed: {},
  step({ components, match, experts }, rule) {
    const finders = Object.entries(components).map(([name, wanted]) => ({ name, find: finderOf(wanted, match) }));
    return (given) => {
      const answer = answerOf(given);
      const gold: Item[] = [];
      const predicted: Item[] = [];
      const setAside: SetAside[] = [];
      const ticks = new Map<Item, Logged>();
      finders.forEach(({ name, find }, index) => {
        const item = makeItem({ kind: 'component', index, label: name, text: name });
        const found = answer === null ? null : find(answer.text, languageOf(answer));
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
        gold.push(item);
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

function finderOf(wanted: z.infer<typeof phrases>, match: 'word' | 'substring'): Finder {
  const byLanguage = Array.isArray(wanted) ? { '': wanted } : wanted;
  const finders = new Map(
    Object.entries(byLanguage).map(([language, list]) => [language, match === 'word' ? asWords(list) : asParts(list)]),
  );
  const all = [...finders.values()];
  return (text, language) => {
    const composed = text.normalize('NFC');
    // Answers in Hindi borrow English words and the other way round: what is not said of a language holds for all.
    const own = language === null ? undefined : finders.get(language);
    for (const find of own === undefined ? all : [own, ...all.filter((other) => other !== own)]) {
      const found = find(composed);
      if (found !== null) return found;
    }
    return null;
  };
}

function asWords(list: readonly string[]): (text: string) => string | null {
  const finder = phraseFinder(list);
  return (text) => finder?.exec(text)?.[0] ?? null;
}

function asParts(list: readonly string[]): (text: string) => string | null {
  const parts = list.map((part) => part.toLowerCase());
  return (text) => {
    const lower = text.toLowerCase();
    return parts.find((part) => lower.includes(part)) ?? null;
  };
}
