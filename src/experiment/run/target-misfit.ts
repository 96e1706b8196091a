import { isRecord } from '../../data/record-fields.ts';
import { suggestion } from '../../prepare/setting-error.ts';
import { targetSchema } from '../targets/target-kinds.ts';

/**
 * What is wrong with a setting that the kind of target does not have, though another may; null where it has it, or where
 * the kind is not known. `path` is that of the setting in the experiment.
 */
export function targetMisfit(
  path: readonly string[],
  target: unknown,
): { readonly message: string; readonly next: string | null } | null {
  const [section, key] = path;
  if (section !== 'target' || key === undefined || path.length !== 2 || !isRecord(target)) return null;
  const { use } = target;
  const kind = targetSchema.options.find(({ shape }) => shape.use.value === use);
  if (kind === undefined || Object.hasOwn(kind.shape, key)) return null;
  const names = Object.keys(kind.shape);
  const article = /^[aeiou]/.test(String(use)) ? 'an' : 'a';
  const isElsewhere = targetSchema.options.some(({ shape }) => Object.hasOwn(shape, key));
  return {
    message: `${article} ${String(use)} target has no ${isElsewhere ? key : `setting called ${key}`}`,
    next: suggestion(key, names, 'settings', ['target']),
  };
}
