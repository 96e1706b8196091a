import type { ExplainedMention, ExplainingExtractor, SurfaceExtractor } from './explained-mentions.ts';
import { linkText, type LinkOptions } from './linker/link-text.ts';
import { linkerExtractor } from './linker/linker-extractor.ts';
import type { LinkerIndex } from './linker/linker-index.ts';
import { isEmptyStoplist, type Stoplist, stoplistHash } from './stoplist-files.ts';

/** The linker behind the port, with the reasons for its answers. */
export async function explainingLinker(
  index: LinkerIndex,
  settings: Pick<LinkOptions, 'threshold' | 'maxK' | 'minEntityLength'>,
  stoplist: Stoplist | null,
): Promise<ExplainingExtractor & SurfaceExtractor> {
  const stops =
    stoplist === null || isEmptyStoplist(stoplist)
      ? {}
      : { stopConcepts: stoplist.concepts, stopSurfaces: stoplist.surfaces, stoplistHash: stoplistHash(stoplist) };
  const linker = await linkerExtractor({ index, ...settings, ...stops });
  return {
    ...linker,
    explain: async (text) =>
      linkText(index, text, { ...settings, ...stops }).mentions.map(
        ({ surface, text: searched, start, end, isStopped, candidates }): ExplainedMention => ({
          surface,
          lookedUp: searched === surface || isStopped ? null : searched,
          start,
          end,
          dropped: isStopped ? 'stoplist' : null,
          candidates: candidates.map(({ id, name, alias, score, dropped }) => ({ id, name, alias, score, dropped })),
        }),
      ),
  };
}
