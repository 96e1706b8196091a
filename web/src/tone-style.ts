/** One of the eight colours of the page by its number; nothing for none. */
export function toneStyle(tone: number | null): Readonly<Record<string, string>> {
  return tone === null || tone < 0 ? {} : { '--tone': `var(--tone-${tone % 8})` };
}
