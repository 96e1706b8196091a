import { words } from './words.ts';

const ENGLISH = `a about above after again against all also am an and any are as at be because been before being below between
  both but by can could did do does doing down during each few for from further given had has have having he her here hers
  him his how however i if in into is it its just let like may me might more most must my no nor not now of off on once
  one only or other our out over own per same shall she should since so some such than that the their them then there
  these they this those through to too under until up upon us very was we well were what when where which while who
  whom why will with within without would you your`;

const HINDI = `और या का के की को से में पर है हैं था थी थे हो होता होती होते यह वह ये वे इस उस इन उन जो कि भी ही तो ने एक नहीं न ना
  लिए साथ कर करें करना अपने अपनी अपना आप आपके आपकी आपका हम मैं तथा एवं जैसे अगर यदि फिर बाद पहले तक द्वारा कुछ सभी बहुत`;

const FUNCTION_WORDS = new Set(`${ENGLISH} ${HINDI}`.split(/\s+/));

/** Whether a word, in lower case, only holds a sentence together: English and Hindi. */
export function isFunctionWord(word: string): boolean {
  return FUNCTION_WORDS.has(word);
}

/** The other words of a text, in lower case and composed form. */
export function contentWords(text: string): string[] {
  return words(text.normalize('NFC').toLowerCase(), 'unicode').filter((word) => !isFunctionWord(word));
}
