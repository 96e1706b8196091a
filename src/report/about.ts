import type { GitCommit } from '../score/git-commit.ts';
import type { RunAbout } from '../score/run-about.ts';
import type { Block } from './document.ts';

/** The note of a run, line by line, and its tags. */
export function namingBlocks({ note, tags }: Pick<RunAbout, 'note' | 'tags'>): Block[] {
  const lines = note?.split('\n').filter((line) => line.trim() !== '') ?? [];
  const pairs = tagTexts(tags);
  return [
    ...lines.map((text): Block => ({ text: text.replaceAll('\t', ' ') })),
    ...(pairs.length === 0 ? [] : [{ text: `Tags: ${pairs.join(', ')}` }]),
  ];
}

/** `1a2b3c4d5e6f`, or `1a2b3c4d5e6f (dirty)` if tracked files had changes. */
export function commitText({ hash, dirty }: GitCommit): string {
  return `${hash}${dirty === true ? ' (dirty)' : ''}`;
}

/** `model=gliner`, `prompt=v3`. */
export function tagTexts(tags: RunAbout['tags']): string[] {
  return Object.entries(tags).map(([key, value]) => `${key}=${value}`);
}

/** "2026-11-20 10:15 UTC at 1a2b3c4d5e6f (dirty)"; empty if neither is known. */
export function scoredText({ date, commit }: Pick<RunAbout, 'date' | 'commit'>): string {
  const day = date === null ? [] : [`${date.slice(0, 10)} ${date.slice(11, 16)} UTC`];
  return [...day, ...(commit === null ? [] : [`at commit ${commitText(commit)}`])].join(' ');
}
