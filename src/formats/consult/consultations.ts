import type { Case } from '../../data/case.ts';
import { unwrapped } from '../../data/dataset-item.ts';
import { noNotices } from '../../data/item-check.ts';
import type { Fields } from '../../data/item.ts';
import { Problems, UsageError } from '../../data/problems.ts';
import type { CaseReader, CaseSources } from '../../data/read-cases.ts';
import type { ReadFile } from '../../data/read-rows.ts';
import { isRecord } from '../../data/record-fields.ts';
import type { Source } from '../../data/source.ts';
import { type ConsultSection, consultSection, PLAIN_CONSULT } from '../../recipe/consult-section.ts';
import type { Plan } from '../../recipe/plan.ts';
import { compareText } from '../../text/compare.ts';
import type { AnsweredCase, CaseFormat, ClassTruth, WrittenAnswer, OpenedSystems } from '../case-format.ts';
import { LanguagePairs } from './bilingual.ts';
import { HALLUCINATED, isByExperts } from './consult-case.ts';
import { type ConsultFiles, consultReader, readConsultFiles } from './consult-reader.ts';
import { type ConsultReviews, NO_REVIEWS } from './consult-reviews.ts';
import { type ConsultCase, type Read, readConsultCases } from './read-consult.ts';

/** What people asked, and what systems answered, in one language or several; experts give the gold annotations. */
export const consultations: CaseFormat = {
  task: 'consult',
  own: { preset: 'consult/ayurmind', cases: 'scenario', predictions: 'response' },
  read: oneSystem,
  async open({ cases, systems }, plan) {
    const answers = systems.flatMap(({ system, source }) => (source === undefined ? [] : [{ system, source }]));
    if (cases === undefined || answers.length < systems.length) throw new UsageError(...NEEDED);
    return openedConsultations(await readConsultFiles(cases, answers, plan), plan);
  },
  /** Cases without an answer too: their own questions are asked anyway. */
  async answered(cases, answers, plan) {
    const files = answers.length === 0 ? [] : await readConsultFiles(cases, answers, plan);
    const answered = files.flatMap(answeredCases);
    const ids = new Set(answered.map(({ caseId }) => caseId));
    const rest = (files[0]?.cases ?? (await casesAlone(cases, plan))).rows.filter(({ id }) => !ids.has(id));
    return [
      ...answered,
      ...rest.map(({ id, text, columns }) => ({
        caseId: id,
        system: null,
        language: null,
        texts: { ...columns, text },
        passages: null,
        hidden: {},
      })),
    ];
  },
  async *texts(source, role, resolved, problems) {
    if (role !== 'cases') return;
    const section = consultSection.safeParse(resolved['consult']).data ?? PLAIN_CONSULT;
    const { rows } = await readConsultCases(source, section, problems);
    yield rows.map(({ id, text }) => ({ id, text }));
  },
  /** The class, components and claims; a claim counts for the rate where one may be called hallucinated. */
  questions({ consult }, form) {
    const { question, ticks, claims } = consult ?? PLAIN_CONSULT;
    const labelled = Object.hasOwn(form.fields, claims) ? form.fields[claims] : undefined;
    const isRated = labelled?.type === 'items' && Object.hasOwn(labelled.labels, HALLUCINATED);
    return [question, ticks, ...(isRated ? [claims] : [])];
  },
  write: consultationLine,
  goldIs: 'the class is in the case file',
  isPaired: true,
  refusals: {},
};

/** The case beside the answer to it; a system's own values for fields of the case do not count. */
function consultationLine(item: Fields, { id, output, error, passages, latencyMs }: WrittenAnswer, plan: Plan): Fields {
  const section = plan.consult ?? PLAIN_CONSULT;
  const given = unwrapped(item, section.id);
  const { expected_output: expected } = item;
  const text = given[section.text] ?? given['text'] ?? given['question'];
  const gold = given[section.gold] ?? (typeof expected === 'string' ? expected : undefined);
  const known: Fields = {
    [section.answered]: id,
    ...(text === undefined ? {} : { [section.text]: text }),
    ...(gold === undefined ? {} : { [section.gold]: gold }),
  };
  if (error !== undefined) return { ...known, error };
  const said: Fields = isRecord(output) ? output : { [section.response]: output };
  return {
    ...known,
    ...said,
    ...(passages === null || section.passages in said ? {} : { [section.passages]: passages }),
    ...('processing_time' in said || latencyMs === null ? {} : { processing_time: latencyMs / 1000 }),
    ...known,
  };
}

const NEEDED = ['consultations need the cases and the answers', 'give --cases FILE and --predictions FILE'] as const;

export function openedConsultations(files: readonly ConsultFiles[], given: Plan): OpenedSystems {
  const { plan, left } = withSliceColumns(given, files);
  return {
    plan,
    systems: files.map((own) => ({
      system: own.system,
      read: (scored, reviews) => consultReader(own, scored, reviews?.settled, reviews?.files),
      figures: (scored) => new LanguagePairs(scored),
    })),
    leftColumns: left,
    held: files,
    hold: async () => files,
    truth: (reviews) =>
      classTruth(files[0]?.cases.rows ?? [], plan.consult ?? PLAIN_CONSULT, reviews?.settled ?? NO_REVIEWS),
  };
}

function classTruth(cases: readonly ConsultCase[], section: ConsultSection, settled: ConsultReviews): ClassTruth {
  const byExperts = isByExperts(section, settled);
  const without = cases.flatMap(({ id, gold }) => {
    if (!byExperts) return gold === null ? [{ caseId: id, because: 'the case file gives no class' }] : [];
    const own = settled.classOf(id);
    if (own !== null && own.label !== null) return [];
    return [{ caseId: id, because: own?.because ?? 'no expert has said anything of this case' }];
  });
  return { by: byExperts ? 'experts' : 'given', without };
}

async function casesAlone(cases: Source, plan: Plan): Promise<Read<ConsultCase>> {
  const problems = new Problems();
  const read = await readConsultCases(cases, plan.consult ?? PLAIN_CONSULT, problems);
  problems.throwIfAny();
  return read;
}

/** There is nothing to judge of an answer that never came. */
export function answeredCases({ system, cases, answers }: ConsultFiles): (AnsweredCase & ConsultOrigin)[] {
  const byId = new Map(cases.rows.map((one) => [one.id, one]));
  return answers.rows.flatMap(({ caseId, failed, language, response, passages, predicted }) => {
    const given = byId.get(caseId);
    if (given === undefined || failed !== null) return [];
    const texts = { ...given.columns, text: given.text, response };
    return [{ caseId, system, language, texts, passages, hidden: { gold: given.gold, predicted } }];
  });
}

interface ConsultOrigin {
  readonly system: string;
  readonly language: string;
}

/** One system's consultations, without anybody's reviews. */
function oneSystem({ cases, gold, predictions }: CaseSources, plan: Plan): CaseReader {
  const notices = noNotices();
  let files: readonly ReadFile[] = [];
  async function* read(): AsyncGenerator<Case> {
    const driver = cases ?? gold;
    if (driver === undefined || predictions === undefined) throw new UsageError(...NEEDED);
    const [own] = await readConsultFiles(driver, [{ system: predictions.name, source: predictions }], plan);
    const reader = consultReader(own!, plan);
    yield* reader;
    files = reader.files();
    Object.assign(notices, reader.notices);
  }
  return { [Symbol.asyncIterator]: read, files: () => files, notices };
}

const EVERY_COLUMN = '*';
/** A column with more values than this identifies cases rather than groups them. */
const MOST_VALUES = 20;

/**
 * The plan with `*` among its slices replaced by the columns that group cases: those with at least two values, one of
 * which two cases share, and not too many of them. Columns that do not (notes, free text) are named in `left`.
 */
function withSliceColumns(plan: Plan, files: readonly ConsultFiles[]): { plan: Plan; left: readonly string[] } {
  if (!plan.slices.includes(EVERY_COLUMN)) return { plan, left: [] };
  const rows = files[0]?.cases.rows ?? [];
  // In text order, so that the order of the rows, some of which lack a value, changes nothing.
  const names = [...new Set(rows.flatMap(({ columns }) => Object.keys(columns)))].sort(compareText);
  const languages = new Set(files.flatMap(({ answers }) => answers.rows.map(({ language }) => language)));
  const groups = (name: string): boolean => {
    const values = rows.flatMap(({ columns }) => columns[name] ?? []);
    const different = new Set(values).size;
    return different > 1 && different <= MOST_VALUES && different < values.length;
  };
  const chosen = [...names.filter(groups), ...(languages.size > 1 ? ['language'] : [])];
  const slices = plan.slices.flatMap((slice) => (slice === EVERY_COLUMN ? chosen : [slice]));
  return {
    plan: { ...plan, slices, resolved: { ...plan.resolved, slice: slices } },
    left: names.filter((name) => !groups(name)),
  };
}
