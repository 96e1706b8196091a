import type { ContentPassage, ProposedItem, ReviewContent } from '../content.ts';

/** What a reviewer sees of an item, as one text: the guidance, the texts, what was retrieved. */
export function materialText(guidance: string, { blocks, passages }: ReviewContent): string {
  const parts = [
    ...(guidance.trim() === '' ? [] : [`What all reviewers are told: ${guidance.trim()}`]),
    ...blocks.map(({ title, text }) => section(title, text)),
    ...(passages.length === 0 ? [] : [section('What was retrieved', passages.map(passageText).join('\n\n'))]),
  ];
  return parts.join('\n\n');
}

/** What is to be labelled, one by one, each with the passages that share most words with it. */
export function thingsText(proposed: readonly ProposedItem[]): string {
  return proposed.length === 0 ? '' : section('To be labelled, each by its id', proposed.map(thingText).join('\n'));
}

function section(title: string, text: string): string {
  return `=== ${title} ===\n${text.trim()}`;
}

function passageText({ id, source, text }: ContentPassage): string {
  return `[${id}]${source === null ? '' : ` ${source}`}\n${text.trim()}`;
}

function thingText({ id, text, kind, facts, passages }: ProposedItem): string {
  const known = [
    ...(kind === null ? [] : [`called ${kind}`]),
    ...Object.entries(facts).map(([name, fact]) => `${name}: ${fact}`),
    ...(passages.length === 0 ? [] : [`shares words with ${passages.map((passage) => `[${passage}]`).join(' ')}`]),
  ];
  return `${id}: ${JSON.stringify(text)}${known.length === 0 ? '' : ` (${known.join('; ')})`}`;
}
