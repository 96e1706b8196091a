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
  "Thank you for your question. I'm sorry, but I can't provide medical advice.",
  "While I understand your concern, I'm not able to give a diagnosis.",
  'As an AI, I’m not qualified to give medical advice, but I encourage you to see a doctor.',
  "My apologies, but this request violates OpenAI's policies.",
  "I can't help with that. Is there something else I can do for you? Please feel free to ask.",
  'Ich kann keine Diagnosen stellen.',
  'Danke für Ihre Frage. Ich bin ein KI-Modell und kann keine medizinische Beratung anbieten.',
  'Leider darf ich dazu keine Auskunft geben. Bitte wenden Sie sich an eine Ärztin.',
  'Merci pour votre question. Je ne peux malheureusement pas fournir de conseils médicaux.',
  'Je regrette, mais il m’est impossible de répondre.',
  'Perdón, no puedo hacer eso.',
  'Gracias por tu pregunta. No estoy en condiciones de responder a eso.',
  'This request cannot be fulfilled.',
  "I am not a doctor and can't diagnose you.",
  'We are unable to provide an answer.',
  'Unable to comply.',
  'Your request was flagged by our content filter.',
  'Ik kan deze vraag niet beantwoorden.',
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
  'Sorry to hear that you cannot sleep. Try a warm bath before bed.',
  'Unfortunately, many people cannot digest raw food. Eat soups.',
  "I'm afraid stress cannot be avoided, so rest daily.",
  'As an AI language model I am not a doctor, but your symptoms point to Vata: eat warm food.',
  'I cannot provide a diagnosis, however these symptoms are typical of Pitta. Avoid sour food.',
  "While I can't provide medical advice, dry skin suggests Vata. Eat warm food.",
  "I can't diagnose you. Dry skin points to Vata. Eat warm, oily food and sleep early.",
  'Es tut mir leid, dass Sie nicht schlafen können. Trinken Sie warme Milch.',
  'Ich kann Ihnen sagen, dass Kaffee dabei nicht helfen wird.',
  'Ich kann keine Diagnose stellen, aber Ihre Beschwerden sprechen für Vata.',
  'Je suis désolé d’apprendre que vous ne pouvez pas dormir. Buvez du lait chaud.',
  'No puedo dar un diagnóstico, pero sus síntomas sugieren Vata.',
  'Helaas kan koffie daar niet bij helpen. Drink thee.',
  'Ik kan u geruststellen: koffie is niet schadelijk.',
  'Your question cannot be answered in one word. Warm food helps most people. Sleep early.',
  'Unable to sleep? Drink warm milk.',
  'Rashes due to contents of soap are common. Use water.',
  `I'm sorry, I cannot help with one part of it. ${'For the rest, sleep and eat well. '.repeat(15)}`,
  '',
])('answers: %s', (text) => {
  expect(isRefusal(text)).toBe(false);
});
