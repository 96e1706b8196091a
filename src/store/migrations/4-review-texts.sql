-- The texts that reviewers of a review may look things up in.
CREATE TABLE review_texts (
  seq INTEGER PRIMARY KEY,
  review_seq INTEGER NOT NULL REFERENCES reviews (seq),
  name TEXT NOT NULL,
  text TEXT NOT NULL,
  UNIQUE (review_seq, name)
);

CREATE TRIGGER review_texts_hold BEFORE UPDATE ON review_texts
BEGIN SELECT RAISE(ABORT, 'review_texts: what is there is not changed'); END;
