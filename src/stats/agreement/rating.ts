/** What a rater said of an item: a class, a point on a scale, yes or no. */
export type Rating = string | number | boolean;

/** One row per item, one column per rater, null where a rater gave no rating. */
export type Ratings = readonly (readonly (Rating | null)[])[];
