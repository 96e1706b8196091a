"""seqeval's report over a JSONL file of cases as tags, one a word. A word has one tag: of spans that overlap, the first counts."""

import json
import sys

import meter  # noqa: F401
from seqeval.metrics import classification_report


def tags(starts, spans):
    row = ["O"] * len(starts)
    for span in spans:
        at = starts[span["start"]]
        while at < len(row) and row[at] == "O" and word_starts[at] < span["end"]:
            row[at] = ("B-" if word_starts[at] == span["start"] else "I-") + span["label"]
            at += 1
    return row


gold, predicted = [], []
with open(sys.argv[1], encoding="utf8") as file:
    for line in file:
        case = json.loads(line)
        word_starts, at = [], 0
        for word in case["text"].split():
            at = case["text"].index(word, at)
            word_starts.append(at)
            at += len(word)
        starts = {start: position for position, start in enumerate(word_starts)}
        gold.append(tags(starts, case["gold"]))
        predicted.append(tags(starts, case["predicted"]))

print(classification_report(gold, predicted, zero_division=0))
