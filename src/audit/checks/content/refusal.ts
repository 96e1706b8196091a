/** Refusals are short; a longer answer that begins with one goes on to answer. */
const MOST_WORDS = 80;
/** A refusal comes at the beginning. */
const OPENING = 240;
/** Sentences after a refusal that refer to nobody else: so many are an answer. */
const ANSWERING = 2;
const SENTENCE_WORDS = 3;

const GERMAN_VERBS =
  '(?:weiter)?(?:helfen|beantworten|antworten|unterstützen|geben|erteilen|erstellen|bearbeiten|anbieten|leisten|machen|sagen|tun|stellen|beraten|nachkommen)';

/**
 * English, German, French, Spanish, Italian, Portuguese and Dutch. Each is about what the writer cannot do: "Sorry that you
 * cannot sleep" is about the reader.
 */
const REFUSALS: readonly RegExp[] = [
  /\b(?:sorry|afraid|apologi[sz]e|apologies|regret|unfortunately)\b[^.!?\n]{0,60}\b(?:I|we)(?:[’']m| am| are| do)?\b[^.!?\n,]{0,15}\b(?:can[’']?t|cannot|can not|won[’']?t|will not|unable|not able|don[’']?t|not)\b(?! (?:imagine|wait|stress|emphasi[sz]e))/i,
  /\b(?:sorry|unfortunately),? (?:but )?(?:can[’']?t|cannot|unable to|not able to) /i,
  /\bI(?:[’']m| am)? (?:just |simply |really )?(?:can[’']?t|cannot|can not|won[’']?t|will not|unable to|not able to|not allowed to|not permitted to|won[’']?t be able to|will not be able to) (?:in good conscience )?(?:help(?! it\b)|assist|provide|answer|comply|fulfil|complete|process|respond|share|discuss|give|offer|engage|generate|create|support|extract|summari[sz]e|continue|diagnose|advise|do (?:that|this))/i,
  /\b(?:we(?:[’']re| are)?|I(?:[’']m| am) [^.!?\n,;]{1,40} and(?: I)?) (?:can[’']?t|cannot|can not|unable to|not able to) (?:help|assist|provide|offer|give|answer|comply|respond|diagnose)\b/i,
  /\b(?:request|prompt)\b[^.!?\n]{0,15}\b(?:can[’']?t|cannot|can not) be (?:fulfilled|completed|processed)\b/i,
  /^\W*unable to (?:comply|help|assist|answer|respond|fulfil)/i,
  /\b(?:violates|flagged by|due to)\b[^.!?\n]{0,15}\b(?:content|usage|safety) (?:polic|filter|guideline)/i,
  /\bI(?:[’']m| am) not (?:comfortable|qualified|authori[sz]ed|in a position)\b/i,
  /\bI (?:do not|don[’']?t) (?:provide|give|offer|feel (?:able|comfortable)|have the (?:ability|expertise))\b/i,
  /\bI (?:must|have to|need to) (?:decline|refuse)\b/i,
  /\bnot (?:be )?appropriate for me to\b/i,
  /\b(?:(?:goes|is) against|violates) (?:my|our|\w+[’']s) (?:guidelines|polic|programming|principles)/i,
  /\bas an? (?:large language|ai(?: language)?|language) (?:model|assistant)\b[^.!?\n]{0,30}\bI(?:[’']m| am| do)? ?(?:can[’']?t|cannot|can not|don[’']?t|not|unable|won[’']?t)\b/i,
  new RegExp(
    `\\b(?:(?:ich|wir)\\b[^.!?\\n,]{0,40}\\b(?:kann|können|darf|dürfen|werde)|(?:kann|können|darf|dürfen|werde) (?:ich|wir))\\b[^.!?\\n,]{0,80}\\b(?:nicht|nichts|keine?[nrm]?)\\b[^.!?\\n,]{0,60}\\b${GERMAN_VERBS}\\b`,
    'i',
  ),
  /\b(?:bin ich|ich bin)\b[^.!?\n,]{0,20}\bnicht (?:in der Lage|befugt|berechtigt|qualifiziert)/i,
  /\bals (?:KI|künstliche Intelligenz|Sprachmodell)\b[^.!?\n]{0,30}\bich\b[^.!?\n]{0,30}\b(?:nicht|kein)/i,
  /\b(?:désolée?|regrette|malheureusement)\b[^.!?\n]{0,60}\bne (?:peux|puis|suis)\b/i,
  /\bje ne (?:peux|puis|suis)(?: malheureusement)? pas (?:malheureusement )?(?:vous |t[’'])?(?:en mesure|habilitée?|autorisée?|qualifiée?|répondre|fournir|aider|donner|proposer|poser|traiter|faire)/i,
  /\b(?:il m[’']est impossible|je suis dans l[’']incapacité) de\b/i,
  /\ben tant (?:qu[’']|que )(?:IA|intelligence artificielle|modèle)[^.!?\n]{0,60}\bne (?:peux|puis|suis)\b/i,
  /\b(?:lo siento|lamento|disculp[ae]|perdón|lamentablemente)\b[^.!?\n]{0,60}\bno (?:puedo|podemos|me es posible)\b/i,
  /\bno (?:puedo|podemos) (?:ayudar|asistir|proporcionar|responder|contestar|ofrecer|cumplir|dar)/i,
  /\bno (?:estoy en condiciones|me es posible|soy capaz)\b/i,
  /\b(?:mi dispiace|purtroppo|spiacente)\b[^.!?\n]{0,60}\bnon (?:posso|possiamo|sono in grado)\b/i,
  /\bnon (?:posso|possiamo|sono in grado di) (?:aiutar|fornir|risponder|assister|dar)/i,
  /\b(?:desculpe|sinto muito|lamento|infelizmente)\b[^.!?\n]{0,60}\bnão (?:posso|podemos|consigo)\b/i,
  /\bnão (?:posso|podemos|consigo) (?:ajudar|fornecer|responder|oferecer|dar)/i,
  /\bik (?:kan|mag)\b[^.!?\n,]{0,40}\b(?:niet|geen)\b[^.!?\n,]{0,30}\b(?:helpen|beantwoorden|geven)\b/i,
  /\b(?:het spijt me|sorry|helaas)\b[^.!?\n]{0,60}\b(?:(?:kan|mag) ik|ik (?:kan|mag))\b[^.!?\n]{0,40}\b(?:niet|geen)\b/i,
];
/** "While I can't diagnose you, …": the answer is in the same sentence. */
const CONCEDES =
  /\b(?:while|although|though|obwohl|auch wenn|bien qu|même si|aunque|si bien|anche se|sebbene|embora|hoewel)[^.!?\n,]*$/i;
/** "I can't diagnose you, but you can take a warm bath." */
const CONTRAST =
  /\b(?:but|however|aber|jedoch|allerdings|mais|cependant|toutefois|pero|sin embargo|tuttavia|ma|mas|maar|echter)\b([^.!?\n]*)/gi;
/** A refusal refers to somebody else, or offers something else. */
const REFERS =
  /\b(?:consult|doctor|physician|professional|specialist|practitioner|expert|emergency|helpline|guidelines?|polic(?:y|ies)|rephrase|feel free|happy to|else|other (?:question|topic|request)s?|sorry|understand|thank|hope|Arzt|Fach|wenden Sie|médecin|professionnel|spécialiste|médico|profesional|especialista|medico|professionista|profissional|arts|deskundige)|Ärzt/i;

/** True if a text only declines to answer. */
export function isRefusal(text: string): boolean {
  const opening = text.slice(0, OPENING);
  const match = REFUSALS.map((pattern) => pattern.exec(opening)).find((found) => found !== null);
  if (match === undefined || text.split(/\s+/, MOST_WORDS + 2).length > MOST_WORDS) return false;
  return !CONCEDES.test(text.slice(0, match.index)) && !goesOn(text.slice(match.index + match[0].length));
}

/** Whether an answer follows what was declined. */
function goesOn(rest: string): boolean {
  const isAnswer = (words: string): boolean => !REFERS.test(words) && !REFUSALS.some((pattern) => pattern.test(words));
  if ([...rest.matchAll(CONTRAST)].some(([, clause = '']) => clause.trim() !== '' && isAnswer(clause))) return true;
  const [, ...sentences] = rest.split(/[.!?\n]+/);
  const answering = sentences.filter((own) => own.trim().split(/\s+/).length >= SENTENCE_WORDS && isAnswer(own));
  return answering.length >= ANSWERING;
}
