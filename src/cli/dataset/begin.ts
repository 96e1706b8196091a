/** The next step of whoever has no dataset yet. */
export const BEGIN = 'assay dataset import NAME FILE makes one';
