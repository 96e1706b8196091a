/** Refusals are short; a longer answer that begins with one goes on to answer. */
const MOST_WORDS = 80;
/** A refusal comes at the beginning. */
const OPENING = 240;

/** English, German, French, Spanish, Italian, Portuguese and Dutch. */
const REFUSALS: readonly RegExp[] = [
  /\b(?:sorry|afraid|apologi[sz]e|regret|unfortunately)\b[^.!?\n]{0,60}\b(?:can[’']?t|cannot|can not|won[’']?t|unable|not able)\b/i,
  /\bI(?:[’']m| am)? (?:just |simply )?(?:can[’']?t|cannot|can not|won[’']?t|will not|unable to|not able to|not allowed to|not permitted to) (?:help(?! it\b)|assist|provide|answer|comply|fulfil|complete|process|respond|share|discuss|give|offer|engage|generate|create|support|extract|summari[sz]e|continue|do (?:that|this))/i,
  /\bI (?:must|have to|need to) (?:decline|refuse)\b/i,
  /\b(?:goes|is) against (?:my|our) (?:guidelines|polic|programming|principles)/i,
  /\bas an? (?:large language|ai(?: language)?|language) (?:model|assistant)\b[^.!?\n]{0,30}\bI(?:[’']m| am| do)? ?(?:can[’']?t|cannot|can not|don[’']?t|not|unable|won[’']?t)\b/i,
  /\b(?:tut mir leid|bedau(?:e)?re)\b[^.!?\n]{0,60}\b(?:nicht|kein)/i,
  /\b(?:ich|wir) (?:kann|können|darf|dürfen|werde)\b[^.!?\n]{0,40}\bnicht (?:weiter)?(?:helfen|beantworten|unterstützen|geben|erstellen|bearbeiten)/i,
  /\b(?:kann|können|darf|dürfen|werde) (?:ich|wir)\b[^.!?\n]{0,60}\bnicht (?:weiter)?(?:helfen|beantworten|unterstützen|geben|erstellen|bearbeiten)/i,
  /\bals (?:KI|künstliche Intelligenz|Sprachmodell)\b[^.!?\n]{0,60}\b(?:nicht|kein)/i,
  /\b(?:désolée?|regrette|malheureusement)\b[^.!?\n]{0,60}\bne (?:peux|puis|suis)\b/i,
  /\bje ne (?:peux|puis|suis) pas (?:vous |t[’']|en mesure|répondre|fournir|aider|autorisé)/i,
  /\ben tant (?:qu[’']|que )(?:IA|intelligence artificielle|modèle)[^.!?\n]{0,60}\bne (?:peux|puis|suis)\b/i,
  /\b(?:lo siento|lamento|disculp[ae]|lamentablemente)\b[^.!?\n]{0,60}\bno (?:puedo|podemos|me es posible)\b/i,
  /\bno (?:puedo|podemos) (?:ayudar|asistir|proporcionar|responder|ofrecer|cumplir|dar)/i,
  /\b(?:mi dispiace|purtroppo|spiacente)\b[^.!?\n]{0,60}\bnon (?:posso|possiamo|sono in grado)\b/i,
  /\bnon (?:posso|possiamo|sono in grado di) (?:aiutar|fornir|risponder|assister|dar)/i,
  /\b(?:desculpe|sinto muito|lamento|infelizmente)\b[^.!?\n]{0,60}\bnão (?:posso|podemos|consigo)\b/i,
  /\bnão (?:posso|podemos|consigo) (?:ajudar|fornecer|responder|oferecer|dar)/i,
  /\b(?:het spijt me|sorry|helaas)\b[^.!?\n]{0,60}\b(?:kan|mag) (?:ik )?[^.!?\n]{0,30}\b(?:niet|geen)\b/i,
];
/** An answer may follow the excuse: "I can't diagnose you, but you can take a warm bath." */
const GOES_ON =
  /\b(?:but|however)\b[^.!?\n]{0,20}\b(?:I can(?![’']?t|not| not)|here(?: is| are|[’']s)|you (?:can|could|may|might|should)|try)\b/i;

/** True if a text only declines to answer. */
export function isRefusal(text: string): boolean {
  const opening = text.slice(0, OPENING);
  if (!REFUSALS.some((pattern) => pattern.test(opening)) || GOES_ON.test(text)) return false;
  return text.split(/\s+/, MOST_WORDS + 2).length <= MOST_WORDS;
}
