import { annotator } from './annotator.ts';
import { measureReadability } from './answer.ts';
import { ground, relabel, trim } from './change-items.ts';
import { findComponents } from './find-components.ts';
import { merge, mergeContinued, mergeInOrder } from './merge.ts';
import { readClass } from './read-class.ts';
import { resolveRefs } from './resolve-refs.ts';
import type { Rule } from './rule.ts';
import { dedupe, drop, leaveOutGold, minConfidence } from './set-aside.ts';
import type { PrepareStep } from './step.ts';

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
