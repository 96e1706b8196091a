import { annotator } from './annotator.ts';
import { dedupe } from './dedupe.ts';
import { drop } from './drop.ts';
import { findComponents } from './find-components.ts';
import { ground } from './ground.ts';
import { leaveOutGold } from './leave-out-gold.ts';
import { measureReadability } from './measure-readability.ts';
import { mergeContinued } from './merge-continued.ts';
import { mergeInOrder } from './merge-in-order.ts';
import { merge } from './merge.ts';
import { minConfidence } from './min-confidence.ts';
import { readClass } from './read-class.ts';
import { relabel } from './relabel.ts';
import { resolveRefs } from './resolve-refs.ts';
import type { Rule } from './rule.ts';
import type { PrepareStep } from './step.ts';
import { trim } from './trim.ts';

/** Every rule that may stand under `prepare`. */
export const PREPARE_RULES: readonly Rule<PrepareStep>[] = [
  annotator,
  drop,
  dedupe,
  minConfidence,
  relabel,
  trim,
  merge,
  mergeInOrder,
  mergeContinued,
  ground,
  resolveRefs,
  readClass,
  leaveOutGold,
  findComponents,
  measureReadability,
];
