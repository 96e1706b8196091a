import { expect, test } from 'vitest';

import { checklistOf } from './checklist.ts';

/* What the word lists of consult/ayurmind tick. Lifestyle needs a time or frequency, herbs a preparation. */

const ticks = await checklistOf('consult/ayurmind');

test('the example of the evaluation document has lifestyle and herbs', () => {
  expect(ticks('Walk every morning for 30 minutes. Take trikatu powder with warm water.')).toEqual([
    'lifestyle',
    'herbs',
  ]);
});

test.each([
  ['Go for a brisk walk after dinner.'],
  ['Take two short walks daily.'],
  ['Do ten rounds of surya namaskar at sunrise.'],
  ['Practise anulom vilom for 10 minutes.'],
  ['Pranayama twice a day calms the mind.'],
  ['Try breathing exercises every evening.'],
  ['Go to bed by 10 pm and wake up at 6 am.'],
  ['Sleep by 10pm.'],
  ['Aim for seven hours of sleep every night.'],
  ['Rise before sunrise.'],
  ['Be in bed by 10.'],
  ['Sleep by 10 and wake up by 6.'],
  ['A warm bath, and massage before bathing.'],
  ['Give yourself an oil massage each day.'],
  ['सुबह 30 मिनट टहलें।', 'hi'],
  ['रोज़ प्राणायाम और अनुलोम विलोम करें।', 'hi'],
  ['रात 10 बजे तक सो जाएं और सुबह उठें।', 'hi'],
  ['Subah 30 minute tahlen.', 'hi'],
  ['Roz pranayam karen.', 'hi'],
])('lifestyle: %s', (response, language = 'en') => {
  expect(ticks(response, language)).toEqual(['lifestyle']);
});

test.each([
  ['Take one teaspoon of triphala churna.'],
  ['A decoction of guduchi, boiled down to half.'],
  ['Dashamoola kwath with warm water helps.'],
  ['Mix half a spoon of powder into honey.'],
  ['Drink tulsi tea.'],
  ['Drink a decoction of ginger and coriander.'],
  ['Massage with warm coconut oil.'],
  ['Shatavari, 500 mg with milk.'],
  ['Rub warm sesame oil into the feet.'],
  ['Massage your scalp with bhringraj oil: rub five drops in.'],
  ['गिलोय का काढ़ा पिएं।', 'hi'],
  ['त्रिकटु चूर्ण शहद के साथ लें।', 'hi'],
  ['Giloy ka kadha gungune pani se lein.', 'hi'],
])('herbs: %s', (response, language = 'en') => {
  expect(ticks(response, language)).toContain('herbs');
});

test.each([
  ['Let me walk you through your daily options.'],
  ['I will walk through this every time.'],
  ['Exercise caution every day.'],
  ['I sleep badly every night.'],
  ['Sleep disturbances at night are common.'],
  ['You wake up at 3 am every night.'],
  ['Your breathing is shallow in the morning.'],
  ['Do you walk every morning?'],
  ['Yoga is popular.'],
  ['Avoid oily food in the evening.'],
  ['Drink milk powder with warm water.'],
  ['Herbs may help.'],
  ['Do you take triphala powder with milk?'],
  ['Feel free to ask follow-up questions.'],
  ['Choose Ashtanga Yoga.'],
  ['Eat locally sourced rice.'],
])('neither lifestyle nor herbs, follow-up nor sources: %s', (response) => {
  expect(ticks(response).filter((name) => name !== 'diet')).toEqual([]);
});

test('the original program counts as it did', async () => {
  const asCoded = await checklistOf('consult/as-coded');
  // "eat" in "treatment", and words in questions.
  expect(asCoded('Is the treatment part of your daily follow-up?')).toEqual(['diet', 'lifestyle', 'follow_up']);
});
