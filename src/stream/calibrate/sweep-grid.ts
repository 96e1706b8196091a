import { basename } from 'node:path';

import { z } from 'zod';

import { readText, SettingError } from '../../plugin.ts';
import {
  applyAssignment,
  type Assignment,
  checkPlain,
  parseAssignment,
  parseYaml,
  placeIn,
  schemaProblems,
  type YamlDocument,
} from '../../recipe.ts';
import { OBJECTIVE_NAMES } from './scores.ts';

/** Values of one parameter: each is tried with each of the others. */
function values(defaults: readonly number[], unit: string): z.ZodDefault<z.ZodArray<z.ZodInt>> {
  return z
    .array(z.int().min(1).max(1_000_000_000))
    .min(1)
    .max(1000)
    .refine((all) => new Set(all).size === all.length, { error: 'a value is there twice' })
    .default([...defaults])
    .meta({ description: unit });
}

function most(value: number | null): z.ZodDefault<z.ZodNullable<z.ZodNumber>> {
  return z.number().min(0).nullable().default(value);
}

function least(value: number): z.ZodDefault<z.ZodNumber> {
  return z.number().min(0).default(value);
}

const derived = z.strictObject({ enabled: z.boolean().default(true), safety_factor: z.number().positive() });

/**
 * What a sweep tries and how it chooses, with the defaults filled in. Sections that other programs read from such a
 * file are ignored.
 */
const sweepGrid = z.strictObject({
  parameter_grid: z
    .strictObject({
      min_words: values([30, 40, 50, 60, 70], 'words'),
      max_words: values([80, 100, 120, 140, 160], 'words'),
      silence_timer_ms: values([1000, 1500, 2000, 2500, 3000], 'milliseconds'),
      max_wait_timeout_ms: values([4000, 5000, 6000, 7000, 8000], 'milliseconds'),
    })
    .prefault({}),
  max_wait: z
    .enum(['every-buffer', 'first-buffer-only'])
    .default('every-buffer')
    .meta({ description: 'first-buffer-only: the wait starts once for an agent, as in the published logs' }),
  validity_constraints: z
    .strictObject({
      min_words_lt_max_words: z.boolean().default(true),
      max_wait_gte_silence: z.boolean().default(true),
      min_gap_between_min_max: z.int().min(0).nullable().default(10).meta({ description: 'words' }),
    })
    .prefault({}),
  constraints: z
    .strictObject({
      ttff_content_p95_ms: most(null),
      spam_pct_mean: most(10),
      timer_under_min_pct_mean: most(20),
      chunk_size_p50_min_ratio: most(0.6).meta({ description: 'least median chunk, as a share of min_words' }),
      chunk_size_p95_max: most(180).meta({ description: 'words' }),
      worst_wait_p95_ms: most(null),
      flush_count_mean: most(100),
      chunk_size_p50_min: most(50).meta({ description: 'words' }),
      cases_without_flush: most(null).meta({ description: 'cases that get no update before their end' }),
    })
    .prefault({}),
  derived_constraints: z
    .strictObject({
      ttff_content_p95_ms: derived
        .extend({ safety_factor: derived.shape.safety_factor.default(3) })
        .prefault({})
        .meta({ description: 'times the p95 of the time until min_words have come' }),
      worst_wait_p95_ms: derived
        .extend({ safety_factor: derived.shape.safety_factor.default(1.5) })
        .prefault({})
        .meta({ description: 'times the longest max wait of the grid' }),
    })
    .prefault({}),
  spam: z
    .strictObject({
      alpha_default: z
        .number()
        .min(0)
        .max(1)
        .default(0.7)
        .meta({ description: 'smaller than this share of min_words' }),
      exclude_end_of_trace: z.literal(true).default(true),
      alpha_sensitivity: z.unknown().optional(),
    })
    .prefault({}),
  selection: z
    .strictObject({
      objectives: z
        .array(z.enum(OBJECTIVE_NAMES))
        .min(1)
        .max(8)
        .refine((all) => new Set(all).size === all.length, { error: 'an objective is there twice' })
        .default(['flush_count_mean', 'ttff_content_p50_ms', 'worst_wait_p95_ms']),
      least_spread: z
        .strictObject({ ms: least(5), flushes: least(2), words: least(2), pct: least(2) })
        .prefault({})
        .meta({ description: 'an objective in which policies differ by less is left out of the choice' }),
      resamples: z
        .int()
        .min(0)
        .max(100_000)
        .default(1000)
        .meta({ description: '0: how sure the choice is, is not asked' }),
      seed: z.int().min(0).max(0xffffffff).default(42),
      pareto: z.unknown().optional(),
      weighted_score: z.unknown().optional(),
    })
    .prefault({}),
  reproducibility: z.unknown().optional(),
  safety: z.unknown().optional(),
  output: z.unknown().optional(),
  literature_sources: z.unknown().optional(),
});

type Written = z.infer<typeof sweepGrid>;

export type SweepGrid = Omit<Written, (typeof UNUSED)[number] | 'spam' | 'selection'> & {
  readonly spam: Pick<Written['spam'], 'alpha_default' | 'exclude_end_of_trace'>;
  readonly selection: Pick<Written['selection'], 'objectives' | 'least_spread' | 'resamples' | 'seed'>;
};

const UNUSED = ['reproducibility', 'safety', 'output', 'literature_sources'] as const;

/** The settings that have an effect, and the names of those in the file that have none. */
function effectiveGrid(written: Written): { readonly grid: SweepGrid; readonly unused: readonly string[] } {
  const { reproducibility, safety, output, literature_sources, spam, selection, ...rest } = written;
  const { alpha_sensitivity, ...ownSpam } = spam;
  const { pareto, weighted_score, ...ownSelection } = selection;
  const sections = {
    reproducibility,
    safety,
    output,
    literature_sources,
    'spam.alpha_sensitivity': alpha_sensitivity,
    'selection.pareto': pareto,
    'selection.weighted_score': weighted_score,
  };
  const unused = Object.entries(sections).flatMap(([name, value]) => (value === undefined ? [] : [name]));
  return { grid: { ...rest, spam: ownSpam, selection: ownSelection }, unused };
}

const MOST_BYTES = 1 << 20;

interface ReadGrid {
  readonly grid: SweepGrid;
  /** File name without its folder; null for the default grid. */
  readonly name: string | null;
  readonly unused: readonly string[];
}

/** The default grid, or one from a file, with `--set` lines applied. */
export async function readGrid(file: string | null, set: readonly string[] = []): Promise<ReadGrid> {
  const written: YamlDocument =
    file === null
      ? { value: {}, lineOf: () => null }
      : parseYaml((await readText(file, MOST_BYTES)).text, file, 'a calibration grid');
  checkPlain(written.value);
  const assignments: Assignment[] = [];
  const whole = set.reduce<unknown>((base, line) => {
    const assignment = parseAssignment(base, longName(line));
    assignments.push(assignment);
    return applyAssignment(base, assignment);
  }, written.value ?? {});
  checkPlain(whole);
  const parsed = sweepGrid.safeParse(whole);
  if (!parsed.success) {
    const layers = file === null ? [] : [{ name: file, lineOf: written.lineOf }];
    throw new SettingError(schemaProblems(sweepGrid, whole, parsed.error, []), (path) =>
      placeIn(layers, assignments, path),
    );
  }
  return { ...effectiveGrid(parsed.data), name: file === null ? null : basename(file) };
}

/** The one setting that replay knows by a short name, too. */
function longName(line: string): string {
  return line.replace(/^\s*maxWait\s*=/, 'max_wait=');
}
