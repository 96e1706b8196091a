// Text functions: sentences, syllables, readability, passages that share words with a claim.
// Run it from the root of a checkout: node tools/runtime/run.js examples/library/texts.ts
import { readability, sentenceSpans, syllables } from 'assay/stats';
import { suggestPassages } from 'assay/review';

console.log(sentenceSpans('Ask Dr. Rao. It helps.').length); // 2
console.log(syllables('platypus')); // 3
console.log(readability('The cat sat on the mat.', 'en')); // words 6, … reading ease 116.145, grade -1.45
console.log(readability('गर्म दूध पिएँ।', 'hi')); // { undefined: 'Flesch is defined for English only', words: 3, sentences: 1 }
console.log(suggestPassages(['Ghee calms vata'], ['Salt is heating', 'Vata is calmed by ghee'], 3)); // [ [ 1 ] ]
