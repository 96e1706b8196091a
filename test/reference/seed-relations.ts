/** The relationship types that the graph seed lists. */

export const INVERSES = [
  ['parent_of', 'child_of'],
  ['employs', 'employed_by'],
  ['contains', 'contained_in'],
  ['owns', 'owned_by'],
  ['manages', 'managed_by'],
  ['created', 'created_by'],
  ['supervises', 'supervised_by'],
  ['leads', 'led_by'],
  ['member_of', 'has_member'],
  ['located_in', 'contains_location'],
  ['lived_in', 'was_residence_of'],
  ['born_in', 'birthplace_of'],
  ['died_in', 'deathplace_of'],
  ['originated_from', 'origin_of'],
] as const;

export const SYMMETRIC = [
  'married_to',
  'sibling_of',
  'related_to',
  'colleague_of',
  'friend_of',
  'neighbor_of',
  'connected_to',
  'associated_with',
  'partnered_with',
] as const;
