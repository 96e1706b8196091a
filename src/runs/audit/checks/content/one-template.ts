import type { Check } from '../../check.ts';
import { CaseTexts } from './case-texts.ts';
import { Phrases } from './placeholder-phrases.ts';
import { RepeatedAnswers } from './repeated-answers.ts';
import { RepeatedItems } from './repeated-items.ts';
import { RepeatedPlaces } from './repeated-places.ts';

/** One answer for everything: a stand-in that was scored as if it were a system. */
export const oneTemplate: Check = {
  name: 'one-template',
  about: 'one answer, one list of items or the same places given to many cases; words of a placeholder in answers',
  open(context) {
    const phrases = new Phrases();
    const answers = new RepeatedAnswers(phrases, CaseTexts.of(context));
    const items = new RepeatedItems();
    const places = new RepeatedPlaces();
    return {
      add(given) {
        answers.add(given);
        items.add(given);
        places.add(given);
      },
      finish() {
        const repeated = answers.findings();
        return [...repeated, ...items.findings(), ...places.findings(), ...phrases.findings(repeated.length > 0)];
      },
    };
  },
};
