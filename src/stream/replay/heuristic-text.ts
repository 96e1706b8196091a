import { isFunctionWord, words } from '../../plugin.ts';

/** Word lists of the stand-in for a model: English, short, and good for examples only. */

const CLINICAL_WORDS = new Set(
  `abnormal acute anemia antibiotic antibody artery biopsy bleeding blood brain breath cancer cardiac cell chest chronic
  cough culture deficiency diagnosis diagnoses diagnostic differential disease disorder dose drug edema examination
  fatigue fever findings fluid fracture genetic glucose headache heart hepatic history hospital imaging immune infection
  inflammation injury kidney laboratory lesion liver lung malignancy marker mass medication metabolic mri muscle nausea
  nerve neurological nodule oxygen pain pathogen patient pneumonia pregnancy pressure protein pulmonary pulse rash renal
  respiratory scan seizure serum shock sign signs skin spinal stroke surgery surgical swelling symptom symptoms syndrome
  test tests therapy thyroid tissue toxic trauma treatment tumor tumour ultrasound urine vaccine vascular vein viral
  virus vomiting weakness weight wound x-ray`.split(/\s+/),
);

const CLINICAL_ENDINGS =
  /(?:itis|osis|emia|aemia|oma|omas|opathy|pathic|ectomy|ostomy|algia|uria|scopy|(?<!pr)ogram|ography|plasty|penia|trophy|plegia|rrhea|rrhage|cyte|cytes|cillin|mycin|azole|sartan|statin|pril|olol|mab)$/;

/** Words that carry content, in lower case, each once, in order. */
export function contentWords(text: string): ReadonlySet<string> {
  return new Set(words(text.toLowerCase(), 'unicode').filter((word) => word.length > 2 && !isFunctionWord(word)));
}

/** How many different words look clinical. */
export function clinicalWords(text: string): number {
  let found = 0;
  for (const word of contentWords(text)) {
    if (CLINICAL_WORDS.has(word) || (word.length > 5 && CLINICAL_ENDINGS.test(word))) found += 1;
  }
  return found;
}

/** What a sentence is about, by words that are frequent in such sentences. */
export const CUES = {
  differential_rationale:
    /\b(?:differentials?|diagnos[ei]s|likely|unlikely|suggest(?:s|ive|ing)?|consistent with|because|due to|points? to|rather than|explains?|rule[sd]? out|argues?)\b/gi,
  uncertainty_confidence:
    /\b(?:uncertain(?:ty)?|unclear|unknown|possibl[ey]|probabl[ey]|perhaps|may|might|could|confident|confidence|confirm(?:s|ed|ation)?|cannot|sure|doubt)\b/gi,
  recommendation_next_step:
    /\b(?:recommend(?:s|ed|ation|ations)?|should|suggest to|order|obtain|perform|start|begin|stop|refer(?:ral)?|consult|consider|monitor|repeat|next step|follow[- ]up|further (?:tests?|testing|evaluation|work-?up|investigations?)|plan)\b/gi,
} as const;

const SHIFT =
  /^[\s*#>\d.)-]*(?:turning to|moving on|next|in summary|to summari[sz]e|in conclusion|on another|separately|as for|regarding the|with regard to|differential diagnos[ei]s|recommend(?:ed|ations?)|treatment|management|conclusion|next steps?)\b/i;

const ALERT =
  /\b(?:cardiac arrest|septic shock|anaphyla(?:xis|ctic)|respiratory arrest|unresponsive|no pulse|pulseless|life-threatening emergency|act immediately|call (?:for )?(?:an ambulance|help|emergency)|code blue)\b/i;
const WEIGHED =
  /\b(?:no|not|without|den(?:y|ies|ied)|rule[sd]? out|if|risk|could|may|might|prevent|history of|avoid)\b/i;

/** Whether a text opens as one that turns to something else. */
export function opensTopic(text: string): boolean {
  return SHIFT.test(text);
}

/** Whether a sentence warns of danger now; one that weighs, denies or recalls it does not. */
export function isAlert(sentence: string): boolean {
  return ALERT.test(sentence) && !WEIGHED.test(sentence);
}

/** A sentence and who said it. */
export interface Sentence {
  readonly agent: string;
  readonly text: string;
}

// A separate line with an agent's name; headings of a text begin with a capital.
const AGENT_LINE = /^([a-z][\w.-]*):$/;
const FIRST_LINE = /^(\S[^\n]*):$/;
const LIST_MARK = /^\s*(?:#{1,6}\s+|[-*+•>]\s+|\(?\d{1,3}[.)]\s+)+/;
// What is left of a list or a heading that was cut in two.
const LOOSE_START = /^[^\p{L}\p{N}("'“‘]+/u;
const EMPHASIS = /\*{1,3}|_{2,3}|`+/g;
// A mark, closers, then white space and something that can begin a sentence.
const BETWEEN = /(?<=[.!?…][)\]"'”’]*)\s+(?=["'“‘([]?[\p{Lu}\p{N}])/u;
const ABBREVIATED = /(?:^|\s)(?:[Dd]r|[Mm]rs?|[Mm]s|[Pp]rof|vs|e\.g|i\.e|etc|approx|[Nn]o|[Ff]ig|cf|St)\.$/;

/** The sentences of text as it was rendered for a prompt, without Markdown's marks; headings are left out. */
export function sentencesOf(rendered: string): Sentence[] {
  const found: Sentence[] = [];
  let agent = '';
  for (const [at, line] of rendered.split('\n').entries()) {
    const name = (at === 0 ? FIRST_LINE : AGENT_LINE).exec(line)?.[1];
    if (name !== undefined) {
      agent = name;
      continue;
    }
    if (/^\s*#/.test(line)) continue;
    const plain = line
      .replace(LIST_MARK, '')
      .replaceAll(EMPHASIS, '')
      .replaceAll(/\s+/g, ' ')
      .replace(LOOSE_START, '')
      .trim();
    for (const text of split(plain)) if (/[\p{L}\p{N}]/u.test(text)) found.push({ agent, text });
  }
  return found;
}

function split(line: string): string[] {
  const found: string[][] = [];
  for (const part of line.split(BETWEEN)) {
    const last = found.at(-1);
    if (last !== undefined && ABBREVIATED.test(last.at(-1)!)) last.push(part);
    else found.push([part]);
  }
  return found.map((parts) => parts.join(' '));
}
