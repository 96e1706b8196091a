import { type Case, type Logged, makeCase, variantOf } from '../../data/case.ts';
import { type Item, makeItem } from '../../data/item.ts';
import type { ConsultSection } from '../../recipe/consult-section.ts';
import type { ReviewSection } from '../../recipe/review-section.ts';
import { reviewItems } from '../review-items.ts';
import { type AnswerReviews, type ConsultReviews, expertFields, type SettledClass } from './consult-reviews.ts';
import type { ConsultAnswer, ConsultCase } from './read-consult.ts';

/** How a case is made: the recipe's sections, and whose answers these are. */
export interface ConsultMaking {
  readonly section: ConsultSection;
  readonly form: ReviewSection | null;
  readonly reviews: ConsultReviews;
  readonly system: string;
}

/** Labels that stand for a class that experts have not decided. */
const DISPUTED = 'disputed';
const UNDECIDED = 'undecided';

/**
 * A consultation as a case: gold is its class, predicted the class that the system gave, and logged are its answer, what
 * people rated and ticked, and the claims they labelled. Rules of the recipe add components and readability.
 */
export function consultCase(
  given: ConsultCase,
  answer: ConsultAnswer | null,
  making: ConsultMaking,
  options: { readonly siblings: boolean; readonly missing: 'empty' | 'failed' },
): Case {
  const { system, reviews } = making;
  const language = answer?.language ?? making.section.languages[0]!;
  const reviewed = answer === null ? null : reviews.ofAnswer(given.id, system, answer.language);
  // A review of the case itself counts once, whatever languages it was answered in.
  const withCase = !options.siblings || language === making.section.languages[0];
  const made = makeCase({
    id: given.id,
    text: given.text,
    fields: { ...given.columns, language },
    gold: goldClass(given, making),
    predicted: answer?.predicted == null ? [] : [classItem(answer.predicted, {})],
    failed: answer === null ? (options.missing === 'failed' ? 'there is no answer' : null) : answer.failed,
    answered: answer !== null,
    logged:
      answer === null
        ? []
        : [
            answerLine(answer, making, reviewed),
            ...(reviewed === null ? [] : reviewLines(reviewed)),
            ...reviewItems({ settled: reviews, files: [] }, given.id, { system, language, withCase }),
          ],
  });
  // Answers to one case in several languages are not independent of each other: they are resampled together.
  if (language !== making.section.languages[0]) return variantOf(made, language);
  return options.siblings ? { ...made, from: given.id } : made;
}

function classItem(label: string, fields: Item['fields']): Item {
  return makeItem({ kind: 'class', index: 0, label, text: label, fields });
}

/** Whether the class of a case is the experts' word, or the file's. */
export function isByExperts({ truth }: ConsultSection, { hasClasses }: ConsultReviews): boolean {
  return truth === 'experts' || (truth === 'auto' && hasClasses);
}

function goldClass(given: ConsultCase, { section, reviews }: ConsultMaking): Item[] {
  if (!isByExperts(section, reviews))
    return given.gold === null
      ? [classItem(UNDECIDED, { by: 'given', because: 'the case file gives no class' })]
      : [classItem(given.gold, { by: 'given' })];
  const settled: SettledClass = reviews.classOf(given.id) ?? {
    label: null,
    disputed: false,
    because: 'no expert has said anything of this case',
    votes: [],
  };
  const label = settled.label ?? (settled.disputed ? DISPUTED : UNDECIDED);
  return [classItem(label, { by: 'experts', because: settled.because, ...expertFields(settled.votes) })];
}

function answerLine(answer: ConsultAnswer, { form }: ConsultMaking, reviewed: AnswerReviews | null): Logged {
  const time = answer.fields['processing_time'];
  const sources = answer.fields['sources'];
  return {
    item: makeItem({
      kind: 'answer',
      index: 0,
      label: 'answer',
      text: answer.response,
      fields: {
        language: answer.language,
        ...(typeof time === 'number' ? { processing_time: time } : {}),
        ...(Array.isArray(sources) ? { sources: sources.length } : {}),
        ...expectedRatings(form, answer.language, reviewed?.ratings ?? []),
      },
      line: answer.line,
    }),
    verdict: 'excused',
    rule: 'logged',
  };
}

/**
 * How many ratings each scale of the form is to get for an answer: people of its groups x dimensions. Where more people
 * than that rate a dimension, all of them are expected: they make up for nobody who is missing elsewhere.
 */
function expectedRatings(
  form: ReviewSection | null,
  language: string,
  ratings: AnswerReviews['ratings'],
): Record<string, number> {
  const expected: Record<string, number> = {};
  for (const [name, field] of Object.entries(form?.fields ?? {})) {
    if (field.type !== 'scale' || field.of !== 'answer') continue;
    if (field.languages.length > 0 && !field.languages.includes(language)) continue;
    const raters = field.by.reduce((sum, group) => sum + (form?.people[group]?.raters ?? 0), 0);
    if (raters === 0) continue;
    const dimensions = Math.max(1, Object.keys(field.dimensions).length);
    const own = ratings.filter(({ question }) => question === name);
    const given = [...Map.groupBy(own, ({ dimension }) => dimension).values()];
    const beyond = given.reduce((sum, all) => sum + Math.max(0, all.length - raters), 0);
    expected[`expected_${name}`] = raters * dimensions + beyond;
  }
  return expected;
}

function reviewLines({ ratings, ticks, claims }: AnswerReviews): Logged[] {
  return [
    ...ratings.map(({ question, dimension, value, reviewer }, index): Logged => ({
      item: makeItem({
        kind: 'rating',
        index,
        label: dimension,
        annotator: reviewer,
        fields: { question, dimension, value, given: 1, reviewer },
      }),
      verdict: 'excused',
      rule: 'logged',
    })),
    ...ticks.map(({ component, value, because }, index): Logged => ({
      item: makeItem({ kind: 'tick', index, label: component, fields: { value, because } }),
      verdict: 'excused',
      rule: 'logged',
      because,
    })),
    ...claims.map((claim, index): Logged => {
      const { text, part, label, because } = claim;
      const judged = claimVerdict(claim);
      const fields = { part, ...claimNumbers(judged, claim.votes) };
      return { item: makeItem({ kind: 'claim', index, label: label ?? DISPUTED, text, fields }), ...judged, because };
    }),
  ];
}

export const HALLUCINATED = 'hallucinated';
const NOT_A_CLAIM = 'none';
const NO_CLAIM = 'not-a-claim';
const OPEN_CLAIM = 'not-settled';

type Claim = AnswerReviews['claims'][number];
type Judged = Pick<Logged, 'verdict' | 'rule'>;

/**
 * A claim that nothing supports is spurious; what is no claim, or not settled, counts neither way. Where annotators only
 * differ in how it is supported, it is supported whatever the adjudicator will say.
 */
function claimVerdict({ label, votes, aligned }: Claim): Judged {
  if (label === null) {
    const isSupported = aligned && votes.length > 1 && votes.every((vote) => vote !== HALLUCINATED && isClaim(vote));
    return isSupported ? { verdict: 'hit', rule: 'supported-either-way' } : { verdict: 'excused', rule: OPEN_CLAIM };
  }
  if (label === NOT_A_CLAIM) return { verdict: 'excused', rule: NO_CLAIM };
  return label === HALLUCINATED ? { verdict: 'spurious', rule: label } : { verdict: 'hit', rule: label };
}

function isClaim(vote: string | null): boolean {
  return vote !== null && vote !== NOT_A_CLAIM;
}

/**
 * What the rate and its bounds add up: a settled claim is hallucinated or not, an open one by the share of its votes, and
 * is a claim by the share of votes for that. Open claims are all hallucinated in `high` and none of them in `low`.
 */
function claimNumbers({ verdict, rule }: Judged, votes: Claim['votes']): Record<string, number | string> {
  if (rule === NO_CLAIM) return {};
  const isOpen = rule === OPEN_CLAIM;
  const shareOf = (test: (vote: string | null) => boolean): number =>
    votes.length === 0 ? 0 : votes.filter(test).length / votes.length;
  const settled = verdict === 'spurious' ? 1 : 0;
  return {
    state: isOpen ? 'open' : 'settled',
    counted: 1,
    settled: isOpen ? 0 : 1,
    hallucinated: isOpen ? shareOf((vote) => vote === HALLUCINATED) : settled,
    claim: isOpen ? shareOf(isClaim) : 1,
    low: settled,
    high: isOpen ? 1 : settled,
  };
}
