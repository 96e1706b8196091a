import type { Plan } from '../../recipe/plan.ts';
import type { Environment } from '../models/access.ts';
import type { ResolvedPrompt } from './resolved-prompt.ts';

/** What a target is opened with. */
export interface TargetContext {
  /** Where relative paths start: the folder of the experiment. */
  readonly folder: string;
  readonly environment: Environment;
  /** The stored prompt that the target asks for; null where it asks for none. */
  readonly prompt: ResolvedPrompt | null;
  /** What scores the outputs, for targets that take from it what they look for; null or absent where nothing does. */
  readonly plan?: Plan | null;
  /** Longest wait for one answer. */
  readonly timeoutMs: number;
  /** It is looked at and never asked: a module of the user's is not loaded. */
  readonly lookOnly?: boolean;
}
