"""Finds UMLS concepts with scispaCy for `assay stream`: JSON lines in, JSON lines out.

Needs Python with scispacy, its model (en_core_sci_sm) and, at the first start, the network or the files of its UMLS
linker in the cache. Started by assay; by hand:

    python3 scispacy-server.py '{"model": "en_core_sci_sm"}'

First line out: what is at work ({"ready": true, "model": ..., "scispacy": ..., "spacy": ..., "packages": ...}).
Then, for each line in ({"id": 1, "text": "..."}), one line out:

    {"id": 1, "mentions": [{"surface": "...", "start": 0, "end": 6, "candidates": [["C0004134", 0.98], ...]}]}
    {"id": 1, "error": "..."}

Candidates are what scispaCy's linker gives, unchanged; which of them count is decided by assay. Places are UTF-16
offsets. The program ends with its input.
"""

import hashlib
import json
import os
import re
import sys
from importlib import metadata

DEFAULTS = {
    "model": "en_core_sci_sm",
    "linker": "umls",
    "resolve_abbreviations": True,
    "threshold": 0.7,
    "max_entities": 10,
}


def settings_from(argument):
    """The defaults with what the argument, a JSON object, says otherwise."""
    given = json.loads(argument) if argument else {}
    unknown = sorted(set(given) - set(DEFAULTS))
    if unknown:
        raise ValueError("unknown settings: " + ", ".join(unknown))
    return {**DEFAULTS, **given}


def utf16_places(text, spans):
    """UTF-16 offsets of (start, end) pairs of code points, which is how spaCy counts."""
    wanted = sorted({place for span in spans for place in span})
    places = {}
    unit = 0
    at = 0
    for place in wanted:
        unit += sum(2 if ord(character) > 0xFFFF else 1 for character in text[at:place])
        at = place
        places[place] = unit
    return [(places[start], places[end]) for start, end in spans]


def mentions_of(text, entities):
    """Plain data of entities: objects with text, start_char, end_char and _.kb_ents, as spaCy's spans are."""
    spans = [(entity.start_char, entity.end_char) for entity in entities]
    return [
        {
            "surface": entity.text,
            "start": start,
            "end": end,
            "candidates": [[str(concept), float(score)] for concept, score in entity._.kb_ents],
        }
        for entity, (start, end) in zip(entities, utf16_places(text, spans))
    ]


def answer_to(line, find):
    """The answer to one line of input; a text that fails is answered with the error, and the next one is taken."""
    number = None
    try:
        question = json.loads(line)
        number = question.get("id")
        text = question["text"]
        if not isinstance(text, str):
            raise TypeError("text is not a string")
        return {"id": number, "mentions": find(text)}
    except Exception as error:
        return {"id": number, "error": type(error).__name__ + ": " + str(error)}


def kb_fingerprint(entities):
    """sha256 over ids and names of a knowledge base, whatever order they come in."""
    digest = hashlib.sha256()
    for concept in sorted(entities):
        digest.update((concept + "\t" + entities[concept].canonical_name + "\n").encode("utf-8"))
    return "sha256:" + digest.hexdigest()


def pins_of(lines):
    """Names and versions of a requirements file: `name==version`, or `name @ address/name-version.tar.gz`."""
    pins = {}
    for line in lines:
        pinned = re.match(r"([\w.-]+)\s*(?:==\s*|@\s.*-)(\d[\w.]*?)(?:\.tar\.gz)?$", line.strip())
        if pinned:
            pins[pinned[1]] = pinned[2]
    return pins


def packages_beside(pins):
    """Whether the packages of this Python have the versions that were pinned, and which have not."""
    differ = []
    for name, version in sorted(pins.items()):
        try:
            found = metadata.version(name) or "unknown"
        except metadata.PackageNotFoundError:
            found = "missing"
        if found != version:
            differ.append(name + " " + found + " (" + version + ")")
    return "not as pinned: " + ", ".join(differ) if differ else "as pinned"


def pinned_packages():
    """The same for the requirements that are beside this file."""
    beside = os.path.join(os.path.dirname(os.path.abspath(__file__)), "scispacy-requirements.txt")
    with open(beside, encoding="utf-8") as lines:
        return packages_beside(pins_of(lines))


def load(settings):
    """The finder of mentions and what is to be known of it. The heavy imports happen here."""
    import spacy
    import scispacy
    from scispacy.abbreviation import AbbreviationDetector  # noqa: F401 (registers the pipe)
    from scispacy.linking import EntityLinker  # noqa: F401 (registers the pipe)

    nlp = spacy.load(settings["model"])
    if settings["resolve_abbreviations"]:
        nlp.add_pipe("abbreviation_detector")
    nlp.add_pipe(
        "scispacy_linker",
        config={
            "resolve_abbreviations": settings["resolve_abbreviations"],
            "linker_name": settings["linker"],
            "threshold": settings["threshold"],
            "max_entities_per_mention": settings["max_entities"],
        },
    )
    entities = nlp.get_pipe("scispacy_linker").kb.cui_to_entity
    facts = {
        "ready": True,
        "model": settings["model"],
        "model_version": str(nlp.meta.get("version", "")),
        "scispacy": str(getattr(scispacy, "__version__", "")),
        "spacy": str(spacy.__version__),
        "linker": settings["linker"],
        "kb_concepts": len(entities),
        "kb_sha256": kb_fingerprint(entities),
        "packages": pinned_packages(),
    }
    return (lambda text: mentions_of(text, list(nlp(text).ents))), facts


def main(arguments):
    # Libraries print what they like to standard output; the answers go there alone.
    out = sys.stdout
    sys.stdout = sys.stderr
    out.reconfigure(encoding="utf-8", newline="\n")
    sys.stdin.reconfigure(encoding="utf-8", newline="\n")

    def say(value):
        out.write(json.dumps(value, separators=(",", ":")) + "\n")
        out.flush()

    try:
        find, facts = load(settings_from(arguments[0] if arguments else ""))
    except Exception as error:
        say({"ready": False, "error": type(error).__name__ + ": " + str(error)})
        return 1
    say(facts)
    for line in sys.stdin:
        if line.strip():
            say(answer_to(line, find))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
