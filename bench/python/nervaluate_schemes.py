"""nervaluate's four schemes over a JSONL file of cases: read, converted, evaluated. Prints the counts and writes nothing."""

import json
import sys

import meter  # noqa: F401
from nervaluate import Evaluator


def entities(spans):
    # nervaluate takes the end as the last character.
    return [{"label": span["label"], "start": span["start"], "end": span["end"] - 1} for span in spans]


gold, predicted, labels = [], [], set()
with open(sys.argv[1], encoding="utf8") as file:
    for line in file:
        case = json.loads(line)
        gold.append(entities(case["gold"]))
        predicted.append(entities(case["predicted"]))
        labels.update(span["label"] for span in case["gold"])
        labels.update(span["label"] for span in case["predicted"])

results = Evaluator(gold, predicted, tags=sorted(labels), loader="dict").evaluate()
for name, scheme in results["overall"].items():
    print(name, scheme.correct, scheme.incorrect, scheme.partial, scheme.missed, scheme.spurious)
