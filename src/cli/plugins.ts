import type { Shape } from '../experiment.ts';
import type { GroupEntry } from './group.ts';

type Shapes = Readonly<Record<string, Shape>>;

/** What a plugin adds to the command line. Help and other commands load nothing of it. */
export interface Plugin {
  /** Of its group of commands. */
  readonly name: string;
  readonly commands: GroupEntry;
  /** For `assay schema`. */
  readonly shapes: () => Promise<{ readonly inputs: Shapes; readonly outputs: Shapes }>;
}

export const PLUGINS: readonly Plugin[] = [
  {
    name: 'stream',
    commands: [
      'summaries of a running conversation: record, validate, replay, measure, compare',
      () => import('./stream.ts'),
    ],
    async shapes() {
      const { STREAM_INPUTS: inputs, STREAM_OUTPUTS: outputs } = await import('../stream.ts');
      return { inputs, outputs };
    },
  },
];
