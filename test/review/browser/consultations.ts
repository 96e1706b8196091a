import { parse } from 'yaml';

import { presetText } from '../../../src/recipe/presets.ts';
import { type ReviewSection, reviewSection } from '../../../src/recipe/review-section.ts';
import { createReview } from '../../../src/review/create-review.ts';
import type { ReviewSource } from '../../../src/review/review-sources.ts';
import { linkOf, reviewSecret, tokenOf } from '../../../src/review/review-access.ts';
import type { ReviewPerson, ReviewText } from '../../../src/store/review-records.ts';
import { openStore, type Store } from '../../../src/store/store.ts';

/** Names that nobody but the owner may ever see. */
export const SECRETS = ['MarigoldRAG', 'PlainTurmeric', 'GOLD-kapha-7731', 'AUTO-0.4242'] as const;

/** Markup that would run, or break out of the page, were it anything but text. */
export const HOSTILE =
  'Take rest. <img src=x onerror="globalThis.ran=1"> Then </script><script>globalThis.ran=2</script> drink water. ' +
  '<a href="javascript:globalThis.ran=3">More</a> \u202Eis hidden.';

const HINDI = 'आपके लक्षण वात की ओर संकेत करते हैं। रोज़ सुबह गुनगुना पानी पिएँ। रात में एक चम्मच घी लें। लक्षण बने रहें तो वैद्य से मिलें।';

const CASES = [
  ['C1', 'I sleep badly, my hands are cold and I worry about everything. My weight has gone down.'],
  ['C2', 'I am often hot, get angry quickly, and my stomach burns after spicy food.'],
  ['C3', 'I gain weight easily, feel heavy in the morning and catch colds all winter.'],
  ['C4', 'मुझे रात को नींद नहीं आती, त्वचा रूखी है और हाथ-पैर ठंडे रहते हैं।'],
  ['C5', 'My joints crack, I forget to eat, and travelling makes it all worse.'],
] as const;

const ANSWERS: Readonly<Record<string, readonly [string, string]>> = {
  C1: [
    'Your signs point to Vata. Drink warm milk before bed. Ashwagandha cures insomnia within three days.',
    'This may be Vata. Keep a regular hour for sleep. Ask a practitioner if it lasts.',
  ],
  C2: ['This looks like Pitta. Avoid chillies and fried food. Drink coriander water.', HOSTILE],
  C3: [
    'You may be of Kapha constitution. Walk before breakfast. Honey in warm water helps with mucus.',
    'Kapha is likely. Eat light food in the evening. Dry ginger warms the stomach.',
  ],
  C4: [HINDI, 'यह वात का असंतुलन लगता है। तिल के तेल से मालिश करें। नियमित समय पर भोजन करें।'],
  C5: [
    'Cracking joints speak of Vata. Massage them with sesame oil. Eat at the same hours every day.',
    'Vata is disturbed by travel. Rest on the day after. Cook with a little ghee.',
  ],
};

const PASSAGES = [
  {
    source: 'A handbook of sleep, chapter 2',
    text: 'Warm milk before bed and a regular hour calm vata and bring sleep.',
  },
  { source: 'A handbook of digestion', text: 'Chillies and fried food raise pitta; coriander water cools it.' },
  { source: null, text: 'तिल के तेल की मालिश और गुनगुना पानी वात को शांत करते हैं।' },
];

export interface TestReview {
  readonly store: Store;
  readonly folder: string;
  readonly people: ReadonlyMap<string, ReviewPerson>;
  readonly link: (name: string, url: string) => string;
}

export const NAME = 'pilot';

/** Two reviewers who are asked everything, an adjudicator and an owner, over ten answers to five cases. */
export function makeConsultations(
  folder: string,
  cases = 5,
  alsoReviewing: readonly string[] = [],
  texts: readonly ReviewText[] = [],
): TestReview {
  const store = openStore(folder);
  const secret = reviewSecret(folder);
  const review = createReview(store, {
    name: NAME,
    form: consultForm(),
    task: 'consult',
    seed: 11,
    sources: CASES.slice(0, cases).flatMap(([caseId, text]) => sourcesOf(caseId, text)),
    people: [
      { name: 'Asha', role: 'reviewer', groups: [] },
      { name: 'Ravi', role: 'reviewer', groups: [] },
      ...alsoReviewing.map((name) => ({ name, role: 'reviewer' as const, groups: [] })),
      { name: 'Jo', role: 'adjudicator', groups: [] },
      { name: 'Kim', role: 'owner', groups: [] },
    ],
    origin: {},
    texts,
    secret,
    expiresAt: '2100-01-01T00:00:00.000Z',
  });
  const people = new Map(store.reviews.people(review.id).map((person) => [person.name, person]));
  return { store, folder, people, link: (name, url) => linkOf(url, tokenOf(secret, people.get(name)!)) };
}

function consultForm(): ReviewSection {
  const { review } = parse(presetText('consult/ayurmind')) as { readonly review: unknown };
  return reviewSection.parse(review);
}

function sourcesOf(caseId: string, text: string): ReviewSource[] {
  const language = caseId === 'C4' ? 'hi' : 'en';
  return [SECRETS[0], SECRETS[1]].map((system, index) => ({
    caseId,
    system,
    language,
    texts: { text, response: ANSWERS[caseId]?.[index] ?? '' },
    predicted: [],
    passages: PASSAGES,
    hidden: { gold: SECRETS[2], automatic: SECRETS[3] },
  }));
}
