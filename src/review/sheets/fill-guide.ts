import type { Described, ItemsField, ReviewField } from '../../recipe/review-section.ts';
import { proposedFor } from '../content.ts';
import { describedParts, fieldOf } from '../questions.ts';
import type { ReviewSnapshot } from '../snapshot.ts';
import type { PersonWork, WorkItem } from './person-work.ts';
import {
  AS_WRITTEN,
  CLAIM,
  CLAIM_SHEET,
  CLAIM_TEXT,
  claimColumns,
  CLEAR,
  ITEM,
  LABEL,
  NOT_ASKED,
  NOTE,
  EMPTY_ITEM,
  escapedWords,
  QUESTION,
  type QuestionColumn,
  RATING_SHEET,
  ratingColumns,
  REMOVE,
  REVIEWER,
} from './sheet-columns.ts';

/** What a reviewer needs to fill in their sheets: each column, its question, its possible values and what they mean. */
export function howToFill({ review, form }: Pick<ReviewSnapshot, 'review' | 'form'>, work: PersonWork): string {
  const { questions } = ratingColumns(form, work);
  const { fields } = claimColumns(form, work);
  const lines = [
    `# ${oneLine(form.title)}: how to fill in the sheets`,
    '',
    `For ${oneLine(work.person.name)}. Review: ${oneLine(review.name)}.`,
    ...(form.guidance === '' ? [] : ['', oneLine(form.guidance)]),
    '',
    '## What to know',
    '',
    '- Open the files in Excel, LibreOffice or another spreadsheet and save them as CSV: in Excel as “CSV UTF-8”, in LibreOffice as “Text CSV” with the character set UTF-8. Commas, semicolons and tabs are all understood.',
    `- Leave the columns \`${REVIEWER}\`, \`${ITEM}\` and \`${AS_WRITTEN}\` as they are. The texts are for reading: what you change in them is not read back.`,
    '- You may sort the rows, and send the sheet half filled: an empty cell leaves an earlier answer as it is.',
    `- To take an answer back, write \`${CLEAR}\`. To give exactly this as your answer, write \`${escapedWords(CLEAR)}\`.`,
    '- An apostrophe before a text that begins with = + - or @ keeps the spreadsheet from taking it for a formula. It is not part of the text.',
  ];
  if (questions.length > 0)
    lines.push(
      '',
      `## ${RATING_SHEET}`,
      '',
      `\`${NOT_ASKED}\` marks a question that is not asked of a row: leave it. What is written there is not read, and is reported as left out.`,
      '',
      ...byField(questions).flatMap(ratingHelp),
    );
  if (fields.length > 0) {
    lines.push('', `## ${CLAIM_SHEET}`, '', 'One row for each thing to be labelled.');
    if (work.items.some((item) => fields.some((field) => isEmpty(item, field))))
      lines.push(
        '',
        `If nothing was found in an item, its \`${CLAIM_TEXT}\` is \`${EMPTY_ITEM}\`: look at the text and leave the row. The item is done with it, as soon as all other rows of the sheet have their labels.`,
      );
    if (fields.length > 1) lines.push('', `The column \`${QUESTION}\` names the question that a row belongs to.`);
    for (const name of fields) {
      const field = fieldOf(form, name);
      if (field?.type === 'items') lines.push('', ...claimHelp(name, field));
    }
  }
  return `${lines
    .join('\n')
    .replaceAll(/\n{3,}/g, '\n\n')
    .trimEnd()}\n`;
}

function isEmpty(item: WorkItem, field: string): boolean {
  return item.asked.includes(field) && proposedFor(item.record, field).length === 0;
}

function byField(columns: readonly QuestionColumn[]): QuestionColumn[][] {
  const groups = new Map<string, QuestionColumn[]>();
  for (const column of columns) groups.set(column.field, [...(groups.get(column.field) ?? []), column]);
  return [...groups.values()];
}

function ratingHelp(columns: readonly QuestionColumn[]): string[] {
  const [{ field, question }] = [columns[0]!];
  const parts = describedParts(question);
  return [
    `### ${oneLine(question.title)}`,
    '',
    ...(question.help === '' ? [] : [oneLine(question.help), '']),
    ...(question.of === 'answer' ? [] : ['Asked in rows that show no answer, from what stands there alone.', '']),
    ...(question.languages.length === 0
      ? []
      : [`Only for answers in: ${question.languages.map(oneLine).join(', ')}. Leave the others empty.`, '']),
    ...columns.map(({ name, part }) => {
      const meaning = part !== null && Object.hasOwn(parts, part) ? described(parts[part]!) : '';
      return `- \`${name}\`${meaning === '' ? '' : `: ${meaning}`}`;
    }),
    '',
    ...valuesHelp(field, question),
    '',
  ];
}

function valuesHelp(field: string, question: ReviewField): string[] {
  switch (question.type) {
    case 'scale':
      return [
        `A whole number from ${question.from} to ${question.to}${question.optional ? ', or nothing' : ''}:`,
        '',
        ...Array.from({ length: question.to - question.from + 1 }, (_, at) => {
          const point = String(question.from + at);
          const meaning = Object.hasOwn(question.anchors, point) ? question.anchors[point]! : '';
          return `- **${point}**${meaning === '' ? '' : `: ${oneLine(meaning)}`}`;
        }),
      ];
    case 'choice':
      return ['One of:', '', ...optionsHelp(question.options)];
    case 'checklist':
      return [
        `\`yes\` where the answer has it, \`no\` where it has not.${question.optional ? ' Write yes or no where you judged, and leave empty what you did not: that is not a no.' : ''}`,
        ...(question.notApplicable.length === 0
          ? []
          : [
              `\`na\` where it does not apply, possible for ${question.notApplicable.map((part) => `\`${field}.${part}\``).join(', ')}.`,
            ]),
      ];
    case 'text':
      return ['Your own words, or nothing.'];
    case 'items':
      return [];
  }
}

function claimHelp(name: string, field: ItemsField): string[] {
  const allows = (act: ItemsField['allow'][number]): boolean => field.allow.includes(act);
  return [
    `### ${oneLine(field.title)}`,
    '',
    `(\`${name}\`)${field.help === '' ? '' : ` ${oneLine(field.help)}`}`,
    '',
    `\`${LABEL}\` is one of:`,
    '',
    ...optionsHelp(field.labels),
    '',
    `\`${NOTE}\` is for your own words. Passages, where there are some, share words with the claim: a suggestion of where to look, never a label.`,
    '',
    ...(allows('edit') ? [`- To fix the words of a claim, change its \`${CLAIM_TEXT}\`.`] : []),
    ...(allows('split')
      ? [
          `- To split a claim, copy its row and leave in the \`${CLAIM_TEXT}\` of each row its own part, and in all but the first the column \`${CLAIM}\` empty.`,
        ]
      : []),
    ...(allows('merge')
      ? [
          `- To merge claims, write their names with + into the column \`${CLAIM}\` of the first, as in \`s3+s4\`, and delete the other rows.`,
        ]
      : []),
    ...(allows('add')
      ? [
          `- To add one, add a row with the \`${ITEM}\`, an empty \`${CLAIM}\` and its words in \`${CLAIM_TEXT}\`; where \`${EMPTY_ITEM}\` stands, write over it.`,
        ]
      : []),
    ...(allows('remove')
      ? [`- To take one out, write \`${REMOVE}\` as its label. A row that is deleted stays open.`]
      : []),
  ];
}

function optionsHelp(options: Readonly<Record<string, Described>>): string[] {
  return Object.entries(options).map(([value, option]) => `- \`${value}\`: ${described(option)}`);
}

function described({ title, help }: Described): string {
  return help === '' ? oneLine(title) : `${oneLine(title)}. ${oneLine(help)}`;
}

function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim();
}
