"""What a user of Langfuse's Python SDK does in a day, against the server that the LANGFUSE_ variables name.

record.ts runs this and keeps what goes over the wire. It fails where the SDK reads something else than expected.
"""

import datetime
import json
import struct
import zlib

from langfuse import Evaluation, Langfuse, propagate_attributes
from langfuse.api.core import ApiError
from langfuse.media import LangfuseMedia

ALWAYS = datetime.datetime(2020, 1, 1, tzinfo=datetime.timezone.utc)
CAPITALS = {"Peru": "Lima", "Kenya": "Nairobi", "Chad": "N'Djamena"}
FROM_MEMORY = {"Peru": "Lima", "Kenya": "Mombasa"}

langfuse = Langfuse()
assert langfuse.auth_check()

# Prompts: one within another, by label and by version.
tone = langfuse.create_prompt(name="tone", prompt="Answer in one word.", labels=["production"])
langfuse.create_prompt(
    name="capital",
    prompt="@@@langfusePrompt:name=tone|label=production@@@ What is the capital of {{country}}?",
    labels=["production", "staging"],
    tags=["geography"],
    config={"model": "m-1", "temperature": 0},
    commit_message="first",
)
langfuse.create_prompt(
    name="capital-chat",
    type="chat",
    prompt=[
        {"role": "system", "content": "@@@langfusePrompt:name=tone|version=1@@@"},
        {"type": "placeholder", "name": "history"},
        {"role": "user", "content": "The capital of {{country}}?"},
    ],
)
capital = langfuse.get_prompt("capital", label="staging")
assert capital.compile(country="Peru") == "Answer in one word. What is the capital of Peru?", capital.prompt
chat = langfuse.get_prompt("capital-chat", type="chat", version=1)
assert chat.compile(country="Peru", history=[])[0]["content"] == "Answer in one word."
langfuse.update_prompt(name="capital-chat", version=1, new_labels=["production"])
try:
    langfuse.create_prompt(name="tone", type="chat", prompt=[{"role": "user", "content": "x"}])
    raise AssertionError("the type of a prompt was changed")
except ApiError as error:
    assert error.status_code == 400, error.status_code
assert [one.name for one in langfuse.api.prompts.list().data] == ["capital", "capital-chat", "tone"]

# A dataset, with a picture in one item.
langfuse.create_dataset(name="capitals/small", description="three of them", metadata={"source": "memory"})
for country, city in CAPITALS.items():
    langfuse.create_dataset_item(
        dataset_name="capitals/small",
        id=f"item-{country}",
        input={"country": country},
        expected_output=city,
        metadata={"continent": "America" if country == "Peru" else "Africa"},
    )


def chunk(kind, data):
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


PIXEL = (
    b"\x89PNG\r\n\x1a\n"
    + chunk(b"IHDR", struct.pack(">IIBBBBB", 1, 1, 8, 2, 0, 0, 0))
    + chunk(b"IDAT", zlib.compress(b"\x00\xff\x00\x00"))
    + chunk(b"IEND", b"")
)
langfuse.create_dataset_item(
    dataset_name="capitals/small",
    id="item-picture",
    input={"picture": LangfuseMedia(content_bytes=PIXEL, content_type="image/png")},
    status="ARCHIVED",
)
dataset = langfuse.get_dataset("capitals/small")
assert sorted(item.id for item in dataset.items) == ["item-Chad", "item-Kenya", "item-Peru"], dataset.items
picture = langfuse.api.dataset_items.get("item-picture")
assert picture.media_references[0].json_path == "$['picture']", picture.media_references

# A trace with a generation, and scores of every kind.
with langfuse.start_as_current_observation(name="question", as_type="span", input={"q": "Peru?"}) as root:
    with propagate_attributes(
        user_id="u-1", session_id="s-1", tags=["geography"], metadata={"tenant": "acme"}, version="v-1"
    ):
        with langfuse.start_as_current_observation(
            name="call",
            as_type="generation",
            model="m-1",
            model_parameters={"temperature": 0},
            prompt=capital,
            input=[{"role": "user", "content": "Peru?"}],
            usage_details={"input": 12, "output": 3},
            cost_details={"input": 0.012, "output": 0.006},
        ) as call:
            call.update(output="Lima")
            langfuse.score_current_span(name="sure", value=True, data_type="BOOLEAN")
        langfuse.update_current_span(
            metadata={"picture": LangfuseMedia(content_bytes=PIXEL + b"2", content_type="image/png")}
        )
    root.update(output={"a": "Lima"})
    langfuse.score_current_trace(name="helpful", value=0.75, comment="nearly")
trace_id = root.trace_id
langfuse.create_score(name="tone", value="dry", data_type="CATEGORICAL", trace_id=trace_id)
langfuse.create_score(name="note", value="a remark", data_type="TEXT", trace_id=trace_id)
langfuse.create_score(name="mood", value=0.5, session_id="s-1")
langfuse.flush()


# An experiment: the task fails on one item, and is wrong on another.
def task(*, item, **_):
    with langfuse.start_as_current_observation(name="model", as_type="generation", model="m-1") as generation:
        generation.update(output=FROM_MEMORY[item.input["country"]], usage_details={"input": 5, "output": 1})
    return FROM_MEMORY[item.input["country"]]


def exact(*, output, expected_output, **_):
    return Evaluation(name="exact", value=1.0 if output == expected_output else 0.0)


def mean(*, item_results, **_):
    values = [one.evaluations[0].value for one in item_results]
    return Evaluation(name="mean_exact", value=sum(values) / len(values), comment=f"{len(values)} items")


result = dataset.run_experiment(
    name="from memory",
    run_name="from memory, first try",
    description="how much is known",
    task=task,
    evaluators=[exact],
    run_evaluators=[mean],
    metadata={"model": "m-1", "settings": {"temperature": 0}},
    max_concurrency=1,
)
assert len(result.item_results) == 2, result
assert result.run_evaluations[0].value == 0.5

# Read back as Langfuse 4 has it.
api = langfuse.api
(experiment,) = api.experiments.list(from_start_time=ALWAYS, fields="core,metadata,scores").data
assert (experiment.id, experiment.item_count) == (result.dataset_run_id, 3), experiment
assert [one.value for one in experiment.scores] == [0.5], experiment.scores
items = api.experiments.list_items(
    from_start_time=ALWAYS,
    experiment_id=experiment.id,
    fields="core,dataset,io,metadata,itemMetadata,experimentMetadata,scores",
).data
by_item = {one.experiment_item_id: one for one in items}
assert by_item["item-Peru"].output == "Lima" and json.loads(by_item["item-Peru"].input) == {"country": "Peru"}, by_item
assert by_item["item-Peru"].experiment_metadata == {"model": "m-1", "settings.temperature": "0"}, by_item
assert by_item["item-Chad"].level.value == "ERROR"
assert by_item["item-Kenya"].scores[0].value == 0.0
observations = api.observations.get_many(
    trace_id=trace_id, fields="core,basic,io,metadata,model,usage,prompt,metrics,trace_context"
).data
(generation,) = [one for one in observations if one.type == "GENERATION"]
assert generation.usage_details == {"input": 12, "output": 3, "total": 15}, generation.usage_details
assert generation.user_id == "u-1" and generation.metadata["tenant"] == "acme", generation
scores = api.scores_v3.get_many_v3(trace_id=trace_id).data
assert sorted(one.name for one in scores) == ["helpful", "note", "sure", "tone"], scores
# And as Langfuse 3 has it.
assert [one.name for one in langfuse.get_dataset_runs(dataset_name="capitals/small").data] == ["from memory, first try"]
run = langfuse.get_dataset_run(dataset_name="capitals/small", run_name="from memory, first try")
assert len(run.dataset_run_items) == 3
trace = api.trace.get(trace_id)
assert trace.tags == ["geography"] and len(trace.observations) == 2 and len(trace.scores) == 4, trace

# Media and comments.
(question,) = [one for one in observations if one.name == "question"]
reference = question.metadata["picture"].strip('"')
resolved = langfuse.resolve_media_references(obj={"p": reference}, resolve_with="base64_data_uri")
assert resolved["p"].startswith("data:image/png;base64,"), resolved
comment = api.comments.create(project_id="assay", object_type="TRACE", object_id=trace_id, content="Looks right.")
assert api.comments.get_by_id(comment.id).content == "Looks right."
assert [one.id for one in api.comments.get(object_type="TRACE", object_id=trace_id).data] == [comment.id]
