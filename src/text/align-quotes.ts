export interface QuoteAlignment {
  readonly start: number;
  readonly end: number;
  readonly status: 'exact' | 'normalised' | 'fuzzy' | 'missing';
  readonly ambiguous: boolean;
  readonly similarity: number;
}

export function alignQuotes(
  text: string,
  quotes: readonly string[],
  _options?: { readonly fuzzy?: number },
): QuoteAlignment[] {
  return quotes.map((quote) => {
    const start = text.indexOf(quote);
    if (start < 0) return { start: -1, end: -1, status: 'missing', ambiguous: false, similarity: 0 };
    return {
      start,
      end: start + quote.length,
      status: 'exact',
      ambiguous: text.includes(quote, start + 1),
      similarity: 1,
    };
  });
}
