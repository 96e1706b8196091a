import type { Rule } from '../prepare/rule.ts';
import { excuseMissed, excuseSpurious } from './excuse-labels.ts';
import { excuseOverlap } from './excuse-overlap.ts';
import { incorrect } from './incorrect.ts';
import { locInOrg } from './loc-in-org.ts';
import type { JudgeStep } from './step.ts';
import { wrongClass } from './wrong-class.ts';

/** Every rule that may stand under `judge`. */
export const JUDGE_RULES: readonly Rule<JudgeStep>[] = [
  locInOrg,
  excuseMissed,
  excuseSpurious,
  excuseOverlap,
  incorrect,
  wrongClass,
];
