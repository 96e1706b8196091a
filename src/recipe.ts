/** The recipe language: YAML documents with places, settings and their faults, planned recipes and their measures. */
export { buildMeasures } from './measure/measures.ts';
export type { CaseResult } from './measure/results.ts';
export { Tally } from './measure/tally.ts';
export { schemaProblems } from './prepare/schema-problems.ts';
export { checkPlain } from './recipe/check-plain.ts';
export { mergeRecipe } from './recipe/merge-recipe.ts';
export { placeIn } from './recipe/place-in.ts';
export { applyAssignment, type Assignment, parseAssignment } from './recipe/set-value.ts';
export { parseYaml, type YamlDocument } from './recipe/yaml-document.ts';
