import { shortNames } from '../../score/short-names.ts';
import { signatureDifferences } from '../../compare/signature-differences.ts';
import type { Check } from '../check.ts';
import { counted } from '../../text/figures.ts';

/** Two numbers that were made in different ways differ for reasons that have nothing to do with the systems. */
export const otherSignatures: Check = {
  name: 'other-signatures',
  about: 'runs that are compared although they were not scored alike',
  needs: ['others'],
  open: () => ({
    finish({ run, others }) {
      // A folder is often called after what it holds, `run`, and tells nothing by its last name.
      const [, ...names] = shortNames([run, ...others].map(({ folder }) => folder));
      return others.flatMap((other, at) => {
        const apart = signatureDifferences(run.manifest, other.manifest);
        if (apart.length === 0) return [];
        const name = names[at] ?? other.folder;
        return [
          {
            severity: 'error' as const,
            title: `${name} was not scored like the baseline: ${counted(apart.length, 'difference')}`,
            why: 'A difference between their values may come from the rules or the cases instead of the systems.',
            todo: 'Score both with the same recipe and the same cases, then compare.',
            subjects: [name],
            cases: { total: 0, shown: [] },
            items: {
              total: apart.length,
              shown: apart.slice(0, 10).map((text) => ({ case: null, side: null, label: null, text, note: null })),
            },
          },
        ];
      });
    },
  }),
};
