import { existsSync } from 'node:fs';
import { join } from 'node:path';

import type { Audit } from '../audit/finding.ts';
import type { RunFigures } from '../figures/run-figures.ts';
import { ledgerFileOf } from '../score/ledger-format.ts';
import type { Run } from '../score/run.ts';
import { count, plural, NONE, percent } from '../text/figures.ts';
import { namingBlocks, scoredText } from './about.ts';
import { auditNotices, findingNotices } from './audit.ts';
import {
  type Block,
  commandTable,
  type Document,
  numberColumns,
  type Piece,
  type Section,
  type Table,
  type Text,
  textColumns,
} from './document.ts';
import { figureSections } from './figure-tables.ts';
import { noticesOf } from './notices.ts';
import { programName } from './program-name.ts';
import { recipeFacts, type RecipeFacts } from './recipe-facts.ts';
import { recipeYaml } from './recipe-yaml.ts';
import { groupSection, labelSections } from './run-measures.ts';
import { measureNotes, measureTable, partSection } from './run-measures.ts';
import { fieldTables, inputTable, partTables, schemeTable, verdictSources } from './run-tables.ts';
import { caseOption, shellWord } from './shell-word.ts';
import { VERDICT_LOOKS } from './style.ts';

const VALUES_SHOWN = 8;
const WORST_SHOWN = 3;
const CONFUSIONS_SHOWN = 20;
const right = { align: 'right' } as const;

export interface RunDocumentOptions {
  readonly audit?: Audit | null;
  readonly figures?: RunFigures | null;
  /** Whether a terminal shows the signature and the notes on the measures too. */
  readonly verbose?: boolean;
}

/**
 * What to mind first, then the measures, where they come from, and where to look next. A page holds no time and no path,
 * so that a run elsewhere gives the same bytes.
 */
export function runDocument(
  run: Run,
  { audit = null, figures = null, verbose = false }: RunDocumentOptions = {},
): Document {
  const facts = recipeFacts(run);
  const { name, about, set, resolved } = run.manifest.recipe;
  const called = run.about?.name ?? null;
  const scored = run.about === undefined ? '' : scoredText(run.about);
  const notices = noticesOf(run, facts, audit);
  const notes = measureNotes(run);
  const schemes = schemeTable(run, facts);
  const detail = verbose ? {} : ({ on: 'page' } as const);
  return {
    title: `${called === null ? name : `${called} (${name})`}: ${plural(run.measures.cases.total, 'case')}`,
    ...(about === '' ? {} : { about }),
    sections: [
      {
        blocks: [
          ...(run.about === undefined ? [] : namingBlocks(run.about)),
          typeof resolved['limits'] === 'string' ? { text: resolved['limits'], tone: 'strong' } : null,
          customNote(facts),
          set.length === 0 ? null : { text: `Changed with ${set.map((line) => `--set ${line}`).join(' ')}` },
        ],
      },
      {
        on: 'terminal',
        blocks: [...(audit === null ? [] : auditNotices(audit, run.folder)), { list: notices, mark: 'warning' }],
      },
      {
        title: 'Before you read the numbers',
        on: 'page',
        blocks: [{ list: [...(audit === null ? [] : findingNotices(audit)), ...notices] }],
      },
      { title: 'Measures', blocks: [measureTable(run, facts), { list: notes, tone: 'quiet', ...detail }] },
      ...labelSections(run, facts),
      ...partTables(run, facts).map(partSection),
      ...(schemes === null ? [] : [groupSection(schemes)]),
      ...fieldTables(run, facts).map((table) => groupSection(table, VALUES_SHOWN)),
      ...sourceSections(run, facts),
      { title: 'Labels taken for others', on: 'page', blocks: [confusionTable(run)] },
      { title: 'Quotes that are not in the text', on: 'page', blocks: [ungroundedTable(run)] },
      { title: 'Worst cases', on: 'terminal', blocks: [worstTable(run.worst.slice(0, WORST_SHOWN))] },
      { title: 'Worst cases', on: 'page', blocks: [worstTable(run.worst)] },
      ...(figures === null ? [] : figureSections(figures)),
      { title: 'Inputs', on: 'page', blocks: [inputTable([{ run, system: null }])] },
      { title: 'Custom code', on: 'page', blocks: [customTable(facts)] },
      {
        title: 'Signature',
        ...detail,
        blocks: [
          {
            text: 'It names everything that affects a number. Numbers whose signatures differ in more than the predictions are not comparable.',
            on: 'page',
          },
          { code: run.manifest.signature },
        ],
      },
      // A page is the same on every day; a terminal shows what is asked for.
      { title: 'Scored', on: 'terminal', blocks: [verbose && scored !== '' ? { text: scored } : null] },
      ...howToRead(run),
      {
        title: 'Recipe in force',
        on: 'page',
        // A terminal does not ask for it.
        blocks: [
          {
            get code() {
              return recipeYaml(run.manifest.recipe.resolved);
            },
            language: 'yaml',
          },
        ],
      },
      { on: 'terminal', blocks: [verbose ? null : { text: hiddenText(notes.length), tone: 'quiet' }] },
      { on: 'terminal', blocks: [run.folder === '' ? null : nextCommands(run)] },
    ],
  };
}

function hiddenText(notes: number): string {
  return notes === 0
    ? 'Signature hidden; --verbose shows it'
    : `Signature and ${plural(notes, 'note')} hidden; --verbose shows them`;
}

const code = (text: string): Piece => ({ text, code: true });

const VERDICT_MEANINGS: readonly (readonly [verdict: string, meaning: string])[] = [
  ['hit', 'true positive: a gold and a predicted item that go together'],
  ['missed', 'false negative: gold that nothing was paired with'],
  ['spurious', 'false positive: a prediction that goes with no gold'],
  ['excused', 'set aside by a rule of the recipe: it counts neither for nor against the system'],
];

const howToRead = ({ manifest }: Run): readonly Section[] => [
  {
    title: 'How to read this',
    on: 'page',
    blocks: [
      {
        text: [
          {
            text: 'Every item, gold or predicted, gets one verdict, and every number here is a sum over these verdicts (',
          },
          code(ledgerFileOf(manifest)),
          { text: '):' },
        ],
      },
      {
        list: VERDICT_MEANINGS.map(([verdict, meaning]) => [
          { text: verdict, tone: 'strong' },
          { text: `: ${meaning}` },
        ]),
      },
      {
        text: [
          { text: 'The rule is what decided: ' },
          code('pair'),
          { text: ' is plain pairing, ' },
          code('no-match'),
          { text: ' means that no candidate was accepted, any other name is a rule of the recipe. ' },
          code(NONE),
          { text: ' is undefined: there was nothing to divide by. n is what a measure was computed over. ' },
          code('assay explain'),
          { text: ' shows each verdict with its reason.' },
        ],
      },
    ],
  },
];

/** Which rules made the verdicts. */
function sourceSections(run: Run, facts: RecipeFacts): Section[] {
  const unit = facts.unit(null);
  const sources = verdictSources(run).filter(({ n }) => n > 0);
  const hasKinds = new Set(sources.flatMap(({ by }) => by.map(({ kind }) => kind))).size > 1;
  const rows = sources.map(({ verdict, n, by }): Text[] => {
    const { symbol, tone } = VERDICT_LOOKS[verdict];
    const parts = by.map(({ kind, rule, n: own }) => {
      const share = own === n || hasKinds ? '' : ` (${percent(own, n)})`;
      return `${hasKinds ? `${kind} ` : ''}${rule} ${count(own)}${share}`;
    });
    return [{ text: `${symbol} ${verdict}`, tone }, count(n), parts.join(', ')];
  });
  return [
    {
      title: unit === 'item' ? 'Verdicts by rule' : `Verdicts by rule, in ${unit}s`,
      on: 'terminal',
      blocks: [{ columns: [{ title: '' }, { title: '', ...right }, { title: '', wraps: true }], rows }],
    },
    {
      title: 'Verdicts by rule',
      on: 'page',
      blocks: [
        {
          columns: [
            ...textColumns('verdict', 'kind', 'rule'),
            ...numberColumns(unit === 'item' ? 'count' : `${unit}s`, 'share of the verdict'),
          ],
          rows: sources.flatMap(({ verdict, by, n }) =>
            by.map(({ kind, rule, n: own }) => [verdict, kind, rule, count(own), percent(own, n)]),
          ),
        },
      ],
    },
  ];
}

/** Which label was taken for which, if a pair or a linked error shows it. */
function confusionTable(run: Run): Table {
  const mixed = run.measures.confusion
    .filter(
      ({ scheme, gold, predicted }) => scheme === null && gold !== null && predicted !== null && gold !== predicted,
    )
    .toSorted((a, b) => b.n - a.n);
  return {
    columns: [...textColumns('gold', 'predicted'), ...numberColumns('count')],
    rows: mixed.slice(0, CONFUSIONS_SHOWN).map(({ gold, predicted, n }) => [gold ?? '', predicted ?? '', count(n)]),
    total: mixed.length,
    rest: ' in measures.json',
  };
}

/** Quotes to look at before believing what they are evidence for. */
function ungroundedTable({ manifest, measures: { ungrounded } }: Run): Table {
  return {
    columns: textColumns('case', 'label', 'quote', 'what keeps it from being verbatim'),
    rows: ungrounded.shown.map((item) => [item.case, item.label, item.text, item.why]),
    total: ungrounded.total,
    rest: ` in ${ledgerFileOf(manifest)}`,
  };
}

function worstTable(worst: Run['worst']): Table {
  const columns = [...textColumns('case'), ...numberColumns('missed', 'spurious', 'hit')];
  return { columns, rows: worst.map((one) => [one.case, count(one.missed), count(one.spurious), count(one.hit)]) };
}

/** Numbers that depend on custom code are marked as such. */
function customNote({ custom }: RecipeFacts): Block | null {
  if (custom.length === 0) return null;
  return { text: `Custom code: ${custom.map(({ defines, name }) => `${defines} ${name}`).join(', ')}` };
}

function customTable({ custom }: RecipeFacts): Table {
  return {
    columns: textColumns('kind', 'name', 'what it does', 'module', 'sha256'),
    rows: custom.map(({ defines, name, about, module, sha256 }) => [defines, name, about, module ?? '', sha256]),
  };
}

function nextCommands({ folder, worst }: Run): Table {
  const place = shellWord(folder);
  const option = worst[0] === undefined ? '--all' : caseOption(worst[0].case);
  const page = existsSync(join(folder, 'report.html'))
    ? (['All of it, in a browser', 'report.html'] as const)
    : (['All labels and the recipe', 'report.md'] as const);
  return commandTable([
    ['Every verdict, in its text', `${programName()} explain ${place} ${option}`],
    [page[0], `${place.replace(/\/$/, '')}/${page[1]}`],
  ]);
}
