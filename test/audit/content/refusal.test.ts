import { expect, test } from 'vitest';

import { isRefusal } from '../../../src/audit/checks/content/refusal.ts';

test.each([
  "I'm sorry, but I can't help with that.",
  'I’m sorry, I cannot assist with this request.',
  'I cannot provide medical advice. Please see a doctor.',
  'Unfortunately, I am unable to answer that.',
  'As an AI, I cannot do that; as an AI language model, I am not able to diagnose.',
  'I must decline to answer this question.',
  'Leider kann ich dabei nicht helfen.',
  'En tant qu’IA, je ne peux pas donner de conseil.',
  'No puedo ayudar con eso.',
  'Purtroppo non posso rispondere.',
  'Infelizmente, não consigo responder.',
  'Helaas kan ik deze vraag niet beantwoorden.',
])('declines: %s', (text) => {
  expect(isRefusal(text)).toBe(true);
});

test.each([
  'Eat warm meals. I cannot stress enough how much sleep helps.',
  "I'm sorry to hear that. Take a warm bath in the evening.",
  "I can't diagnose you, but you can take a warm bath in the evening.",
  'As a large language model, I can provide some general information.',
  'Do not take it if you are unable to sleep.',
  'Sie können nicht schlafen: trinken Sie Tee.',
  'The patient said "I can\'t help it" twice.',
  `I'm sorry, I cannot help with one part of it. ${'For the rest, sleep and eat well. '.repeat(15)}`,
  '',
])('answers: %s', (text) => {
  expect(isRefusal(text)).toBe(false);
});
