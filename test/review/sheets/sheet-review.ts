import { type ReviewSection, reviewSection } from '../../../src/recipe/review-section.ts';
import type { ProposedItem, ReviewContent } from '../../../src/review/content.ts';
import type { ReviewSnapshot } from '../../../src/review/snapshot.ts';
import type {
  ItemAnswer,
  ItemState,
  NewReviewEvent,
  ReviewCell,
  ReviewItemRecord,
  ReviewPerson,
} from '../../../src/store/review-records.ts';

/** A small review with everything in it that is hard on a spreadsheet. All texts are made up. */

export const FORM: ReviewSection = reviewSection.parse({
  title: 'Plants and people',
  guidance: 'Judge each answer by itself.',
  show: [
    { field: 'text', title: 'What the person wrote' },
    { field: 'response', title: 'The answer', of: 'answer' },
  ],
  fields: {
    prakriti: {
      type: 'choice',
      of: 'case',
      title: 'Which constitution?',
      by: ['expert'],
      options: { vata: 'Vata', pitta: 'Pitta', 'vata-pitta': 'Vata-Pitta', unknown: 'Cannot be told' },
    },
    treatment_relevance: {
      type: 'scale',
      title: 'Are the recommendations right?',
      by: ['expert'],
      anchors: { 1: 'Dangerous or contraindicated', 5: 'Optimal' },
      dimensions: { safety: { title: 'Safety', help: 'No contraindications' }, efficacy: 'Efficacy' },
    },
    components: {
      type: 'checklist',
      title: 'What does it contain?',
      by: ['expert'],
      optional: true,
      items: { diet: { title: 'Diet', help: 'Names foods' }, herbs: 'Herbs' },
      notApplicable: ['herbs'],
    },
    claims: {
      type: 'items',
      title: 'Is each claim supported?',
      by: ['annotator'],
      from: 'sentences',
      labels: {
        grounded: { title: 'Grounded', help: 'A passage says so directly' },
        inferred: 'Inferred',
        hallucinated: 'Hallucinated',
        none: 'Not a claim',
      },
      allow: ['edit', 'split', 'merge', 'remove'],
      passages: 2,
    },
    translation: { type: 'scale', title: 'Is the Hindi right?', by: ['expert'], languages: ['hi'], from: 0, to: 5 },
    comment: { type: 'text', title: 'Anything else?' },
  },
});

export const TEXTS = {
  case: 'Sleeps badly, feels cold,\nand skips meals when busy.',
  plain: 'Eat warm food. Sleep early and walk daily! "Rest", she said.',
  formula: '=HYPERLINK("http://127.0.0.1/x","click")\n+ warm oil\n- no ice\n@night: ginger tea 🍵; then rest, please.',
  hindi: 'गरम खाना खाइए। रोज़ टहलिए।\r\nदेर रात तक मत जागिए 🌙',
  long: `-${' Drink warm water, slowly.'.repeat(193)}`.slice(0, 5000),
} as const;

function claims(text: string, pieces: readonly string[]): ProposedItem[] {
  return pieces.map((piece, at) => {
    const start = text.indexOf(piece);
    return {
      id: `s${at + 1}`,
      start,
      end: start + piece.length,
      text: piece,
      kind: null,
      facts: {},
      passages: at === 0 ? ['r2', 'r1'] : at === 1 ? ['r1'] : [],
    };
  });
}

export const PIECES = {
  plain: ['Eat warm food.', 'Sleep early and walk daily!', '"Rest", she said.'],
  formula: [
    '=HYPERLINK("http://127.0.0.1/x","click")',
    '+ warm oil',
    '- no ice',
    '@night: ginger tea 🍵; then rest, please.',
  ],
  hindi: ['गरम खाना खाइए।', 'रोज़ टहलिए।', 'देर रात तक मत जागिए 🌙'],
  long: [TEXTS.long],
} as const;

function answer(id: string, caseId: string, name: keyof typeof PIECES, language: string): ReviewItemRecord {
  const content: ReviewContent = {
    title: 'Sleeps badly',
    language,
    blocks: [
      { name: 'text', title: 'What the person wrote', text: TEXTS.case },
      { name: 'response', title: 'The answer', text: TEXTS[name] },
    ],
    under: 'response',
    proposed: { claims: claims(TEXTS[name], PIECES[name]) },
    passages: [
      { id: 'r1', source: 'Herbal, 2', text: 'Warm food; early sleep.' },
      { id: 'r2', source: null, text: '=Food\nthat is warm' },
    ],
  };
  return {
    id,
    reviewId: 'r',
    kind: 'answer',
    caseId,
    system: 'secret-system',
    language,
    content,
    hidden: { gold: 'secret-gold' },
  };
}

const ITEMS: readonly ReviewItemRecord[] = [
  {
    id: 'iCase-_1',
    reviewId: 'r',
    kind: 'case',
    caseId: 'secret-case',
    system: null,
    language: 'en',
    content: {
      title: 'Sleeps badly',
      language: 'en',
      blocks: [{ name: 'text', title: 'What the person wrote', text: TEXTS.case }],
      under: null,
      proposed: {},
      passages: [],
    } satisfies ReviewContent,
    hidden: { gold: 'secret-gold' },
  },
  answer('iPlain', 'secret-case', 'plain', 'en'),
  answer('iFormula', 'secret-case', 'formula', 'en'),
  answer('iHindi', 'secret-case', 'hindi', 'hi'),
  answer('iLong', 'secret-case', 'long', 'en'),
];

function person(id: string, name: string, groups: readonly string[]): ReviewPerson {
  return {
    id,
    reviewId: 'r',
    name,
    role: 'reviewer',
    groups,
    generation: 1,
    tokenHash: '',
    expiresAt: '2030-01-01T00:00:00.000Z',
    revokedAt: null,
  };
}

/** Asha rates and labels everything, Bram rates, Chitra labels one answer. */
const QUEUES: Readonly<Record<string, readonly string[]>> = {
  pAsha: ['iFormula', 'iCase-_1', 'iHindi', 'iPlain', 'iLong'],
  pBram: ['iPlain', 'iCase-_1'],
  pChitra: ['iPlain'],
};

/** What a person has answered already: cells by item. */
export type Answered = Readonly<Record<string, readonly ReviewCell[]>>;

export function sheetReview(
  answered: Readonly<Record<string, Answered>> = {},
  form: ReviewSection = FORM,
): ReviewSnapshot {
  return {
    review: { id: 'r', name: 'pilot', createdAt: '', seed: 1, task: 'consult', form, origin: null },
    form,
    people: [
      person('pAsha', 'Asha Rao', ['expert', 'annotator']),
      person('pBram', 'Bram', ['expert']),
      person('pChitra', 'चित्रा', ['annotator']),
      { ...person('pDev', 'Dev', []), role: 'adjudicator' },
    ],
    items: ITEMS,
    assignments: Object.entries(QUEUES).flatMap(([personId, queue]) =>
      queue.map((itemId, position) => ({ personId, itemId, position })).reverse(),
    ),
    states: Object.entries(answered).flatMap(([personId, items]) =>
      Object.entries(items).map(([itemId, cells], at): ItemState => ({
        itemId,
        personId,
        cells,
        committed: false,
        version: at + 1,
        updatedAt: '',
      })),
    ),
    decisions: [],
    judgements: [],
  };
}

/** The review after events, as a store would give it. */
export function after(snapshot: ReviewSnapshot, events: readonly NewReviewEvent[]): ReviewSnapshot {
  const states = new Map(snapshot.states.map((state) => [`${state.personId} ${state.itemId}`, state]));
  for (const { personId, itemId, field, part, value } of events) {
    const key = `${personId} ${itemId}`;
    const before = states.get(key);
    const others = (before?.cells ?? []).filter((one) => one.field !== field || one.part !== part);
    states.set(key, {
      itemId,
      personId,
      cells: value === null ? others : [...others, { field, part, value }],
      committed: before?.committed ?? false,
      version: (before?.version ?? 0) + 1,
      updatedAt: '',
    });
  }
  return { ...snapshot, states: [...states.values()] };
}

export function cell(field: string, part: string | null, value: ReviewCell['value']): ReviewCell {
  return { field, part, value };
}

/** The claims of an answer as they are proposed, with labels. */
export function labelled(name: keyof typeof PIECES, labels: readonly (string | null)[]): ItemAnswer[] {
  return claims(TEXTS[name], PIECES[name]).map(({ id, start, end, text }, at) => ({
    id,
    start,
    end,
    text,
    label: labels[at] ?? null,
    from: [id],
  }));
}
