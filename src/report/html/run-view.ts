import type { Audit } from '../../audit/finding.ts';
import type { RunFigures } from '../../figures/run-figures.ts';
import { namingOf } from '../../score/run-about.ts';
import type { Run } from '../../score/run.ts';
import { noticesOf } from '../notices.ts';
import { recipeFacts, type RecipeFacts } from '../recipe-facts.ts';
import { recipeYaml } from '../recipe-yaml.ts';
import { overall } from '../run-tables.ts';
import type { RunView } from './report-data.ts';

const MOST_PRIMARY = 4;

/** A run as the viewer shows it. */
export function runView(name: string, run: Run, audit: Audit | null, figures: RunFigures | null): RunView {
  const facts = recipeFacts(run);
  // The hashes are not known yet while a run is scored.
  const { files: _, ...manifest } = run.manifest;
  const naming = run.about === undefined ? {} : namingOf(run.about);
  return {
    name,
    ...(Object.keys(naming).length === 0 ? {} : { naming }),
    manifest,
    measures: run.measures,
    notices: noticesOf(run, facts, audit),
    recipe: recipeYaml(run.manifest.recipe.resolved),
    primary: columnMeasures(
      overall(run).map((value) => value.name),
      facts,
    ),
    attributes: Object.fromEntries(
      Object.entries(facts.attributes).map(([attribute, { field }]) => [attribute, field]),
    ),
    audit,
    figures,
  };
}

/** What the list of cases has columns for: what the recipe puts first, else its F1s, else whatever it has. */
export function columnMeasures(names: readonly string[], facts: Pick<RecipeFacts, 'primary' | 'measures'>): string[] {
  const chosen = facts.primary.filter((name) => names.includes(name));
  const own = names.filter((name) => facts.measures[name]?.of === 'f1');
  return (chosen.length > 0 ? chosen : own.length > 0 ? own : names).slice(0, MOST_PRIMARY);
}
