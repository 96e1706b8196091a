import { isModulePath } from '../pair/similarity.ts';
import { loadRecipe } from './load.ts';

/** Paths of the code that a recipe names. Nothing of it is loaded. */
export function recipeModules(...call: Parameters<typeof loadRecipe>): string[] {
  const { recipe } = loadRecipe(...call);
  return [...(recipe.modules ?? []), ...similaritiesIn(recipe).filter(isModulePath)];
}

function similaritiesIn(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]: [string, unknown]) =>
    key === 'similarity' && typeof inner === 'string' ? [inner] : similaritiesIn(inner),
  );
}
