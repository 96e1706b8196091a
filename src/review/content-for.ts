import type { ReviewSection } from '../recipe/review-section.ts';
import type { ReviewContent } from './content.ts';
import { fieldOf } from './questions.ts';

/**
 * What of an item's content the given questions need. What belongs to others' questions stays behind: a system that
 * retrieves nothing is known by an answer without passages, and one that finds little by how little it proposes.
 */
export function contentFor(form: ReviewSection, fields: readonly string[], content: ReviewContent): ReviewContent {
  const shown = new Set(form.show.map(({ field }) => field));
  const things = fields.flatMap((name) => {
    const field = fieldOf(form, name);
    return field?.type === 'items' ? [{ name, field }] : [];
  });
  const wantsPassages = things.some(({ field }) => field.passages > 0);
  return {
    ...content,
    blocks: content.blocks.filter(({ name }) => shown.has(name)),
    proposed: Object.fromEntries(
      things.flatMap(({ name }) => (Object.hasOwn(content.proposed, name) ? [[name, content.proposed[name]!]] : [])),
    ),
    passages: wantsPassages ? content.passages : [],
  };
}
