import type { Check } from '../../check.ts';
import { CaseTexts } from './case-texts.ts';
import { EchoedTexts } from './echoed-texts.ts';
import { Phrases } from './placeholder-phrases.ts';
import { RepeatedAnswers } from './repeated-answers.ts';
import { RepeatedItems } from './repeated-items.ts';
import { RepeatedPlaces } from './repeated-places.ts';

/** One answer for everything: a stand-in that was scored as if it were a system. */
export const oneTemplate: Check = {
  name: 'one-template',
  about:
    'one answer, one list of items or the same places given to many cases; answers that repeat the case; words of a placeholder',
  open(context) {
    const phrases = new Phrases();
    const texts = CaseTexts.of(context);
    const answers = new RepeatedAnswers(phrases, texts);
    const echoes = new EchoedTexts(texts);
    const items = new RepeatedItems();
    const places = new RepeatedPlaces();
    return {
      add(given) {
        answers.add(given);
        echoes.add(given);
        items.add(given);
        places.add(given);
      },
      finish() {
        const repeated = answers.findings();
        return [
          ...repeated,
          ...echoes.findings(),
          ...items.findings(),
          ...places.findings(),
          ...phrases.findings(repeated.length > 0),
        ];
      },
    };
  },
};
