"""The prompts. Today is Monday, 30 November 2026. Names, ids and pages are invented."""

from __future__ import annotations

from bench.tool_choice.wants import Case, Told, case, one_of, want, words

_TASKS = Told(
    "list_tasks",
    {},
    {
        "tasks": [
            {"task_id": "t1", "title": "Call mum", "due": "2026-12-04", "done": False},
            {"task_id": "t2", "title": "Sweep the chimney", "done": False},
        ],
        "more": False,
    },
)
_NOTES = Told(
    "search_notes",
    {"query": "rye bread"},
    {
        "notes": [
            {"note_id": "n7", "title": "Rye bread", "kind": "capture", "tags": ["baking"], "passage": "Rye, 14 hours."},
            {"note_id": "n8", "title": "Ovens", "kind": "capture", "tags": [], "passage": "Ours runs hot."},
        ]
    },
)
_DOCUMENTS = Told(
    "search_documents",
    {"query": "notice period"},
    {
        "passages": [
            {"document_id": "d3", "name": "Lease.pdf", "page": 4, "offset": 5200, "passage": "… three months …"}
        ]
    },
)
_TABLE = Told(
    "list_documents",
    {},
    {
        "documents": [
            {"document_id": "d9", "name": "sales-2026.csv", "tables": [{"name": "data", "columns": ["month", "eur"]}]}
        ]
    },
)
_FOUND = Told(
    "web_search",
    {"query": "Tavrolo prices"},
    {"results": [{"title": "Tavrolo: prices", "url": "https://tavrolo.example/prices", "passage": "From 19 EUR."}]},
)
_NOTHING = Told("search_notes", {"query": "penguins"}, {"notes": []})

NOTES = (
    case("ask notes", "What do my notes say about sourdough?", want("search_notes", query=words("sourdough"))),
    case("ask notes 2", "Have I written anything about heat pumps?", want("search_notes", query=words("heat pump"))),
    case(
        "ask notes, German", "Was habe ich über Wärmepumpen notiert?", want("search_notes", query=words("wärmepumpe"))
    ),
    case(
        "a fact of one's own",
        "Which paint did I use in the hall?",
        want("search_notes", query=words("paint")),
        or_else=(want("recall_memory", query=words("paint")),),
    ),
    case("remembered", "What do you remember about my sister Anna?", want("recall_memory", query=words("anna"))),
    case(
        "remembered then",
        "Who was my dentist in May? I mean what you remember as of the 31st.",
        want("recall_memory", query=words("dentist"), as_of="2026-05-31"),
    ),
    case(
        "tagged notes",
        "Find my notes about bread that are tagged baking.",
        want("search_notes", query=words("bread"), tag="baking"),
    ),
    case(
        "notes since",
        "What have I noted about the boiler since the first of October?",
        want("search_notes", query=words("boiler"), after="2026-10-01"),
    ),
    case(
        "two searches",
        "Compare what my notes say about rye with what they say about spelt.",
        want("search_notes", query=words("rye")),
        want("search_notes", query=words("spelt")),
        or_else=(want("search_notes", query=words("rye spelt")),),
    ),
    case("latest", "Show me my five newest notes.", want("list_recent_notes", limit=5)),
    case("latest reports", "What are my latest research reports?", want("list_recent_notes", kind="report")),
    case("open a note", "Read me the rye bread one in full.", want("read_note", note_id="n7"), told=(_NOTES,)),
    case(
        "take a note",
        "Note that the boiler was serviced today.",
        want("create_note", body=words("boiler serviced")),
    ),
    case(
        "take a titled note",
        "Write a note titled Hall with the text: the paint is called Chalk 12.",
        want("create_note", title="Hall", body=words("paint chalk 12")),
    ),
    case(
        "take a tagged note",
        "Save this with the tags house and paint: two coats, six hours apart.",
        want("create_note", body=words("two coats"), tags=["house", "paint"]),
    ),
    case(
        "tag a found note",
        "Add the tag rye to the first of these; keep what it has.",
        want("update_note", note_id="n7", changes={"tags": ["baking", "rye"]}),
        told=(_NOTES,),
    ),
    case("digest", "Make me today's digest.", want("make_digest", kind="digest")),
    case("review", "Write the review of last week.", want("make_digest", kind="review", day=words("2026-11-2"))),
)
TASKS = (
    case(
        "a task", "Remind me to renew the passport.", want("create_tasks", tasks=[{"title": words("renew passport")}])
    ),
    case(
        "a dated task",
        "Add a task to call Anna by Friday.",
        want("create_tasks", tasks=[{"title": words("call anna"), "due": "2026-12-04"}]),
    ),
    case(
        "a task tomorrow",
        "I must pay the plumber tomorrow, put that on my list.",
        want("create_tasks", tasks=[{"title": words("plumber"), "due": "2026-12-01"}]),
    ),
    case(
        "two tasks",
        "Add two tasks: buy flour, and sweep the chimney on 2026-12-10.",
        want("create_tasks", tasks=[{"title": words("flour")}, {"title": words("chimney"), "due": "2026-12-10"}]),
    ),
    case(
        "a task, French",
        "Rappelle-moi d'acheter du pain demain.",
        want("create_tasks", tasks=[{"title": words("pain"), "due": "2026-12-01"}]),
    ),
    case(
        "a task from a note",
        "Add a task to bake again on Saturday, from the rye note.",
        want("create_tasks", tasks=[{"title": words("bake"), "due": "2026-12-05", "source_note_id": "n7"}]),
        told=(_NOTES,),
    ),
    case("open tasks", "What is on my to-do list?", want("list_tasks")),
    case("due this week", "What is due before the seventh of December?", want("list_tasks", due_before="2026-12-07")),
    case("done tasks", "Which tasks have I finished?", want("list_tasks", done=True)),
    case("look before marking", "Mark the task about the chimney as done.", want("list_tasks")),
    case(
        "mark",
        "Mark the task about the chimney as done.",
        want("update_task", task_id="t2", changes={"done": True}),
        told=(_TASKS,),
    ),
    case(
        "move",
        "Move the call with mum to 2026-12-08.",
        want("update_task", task_id="t1", changes={"due": "2026-12-08"}),
        told=(_TASKS,),
    ),
    case(
        "note and task",
        "Note that the roof leaks above the stairs, and remind me to call the roofer by Wednesday.",
        want("create_note", body=words("roof leak")),
        want("create_tasks", tasks=[{"title": words("roofer"), "due": "2026-12-02"}]),
    ),
)
BEYOND = (
    case(
        "research a note",
        "Start research on the rye bread note.",
        want("start_research", note_id="n7"),
        told=(_NOTES,),
    ),
    case(
        "documents", "What does my lease say about the notice period?", want("search_documents", query=words("notice"))
    ),
    case("list documents", "Which files have I uploaded?", want("list_documents")),
    case(
        "read a page of a document",
        "Show me what stands on that page of the lease.",
        want("read_document", document_id="d3", page=4),
        told=(_DOCUMENTS,),
    ),
    case(
        "calculate",
        "How many euros did we sell for in all? It must be calculated from that file.",
        want("analyse_dataframe", document_id="d9"),
        told=(_TABLE,),
    ),
    case(
        "draw",
        "Draw a bar chart of the euros by month from that file.",
        want("make_plot", document_id="d9", spec={}),
        told=(_TABLE,),
    ),
    case("search the web", "Look up on the web what Tavrolo charges.", want("web_search", query=words("tavrolo"))),
    case(
        "recent news",
        "Search the web for what was written about heat pumps in the last seven days.",
        want("web_search", query=words("heat pump"), recency_days=one_of(7)),
    ),
    case("weather", "Will it rain in Graz tomorrow?", want("web_search", query=words("graz"))),
    case("read a page", "What does https://a.example/rye say?", want("fetch_url", url="https://a.example/rye")),
    case(
        "read what was found",
        "Open that page and tell me each plan.",
        want("fetch_url", url="https://tavrolo.example/prices"),
        told=(_FOUND,),
    ),
    case(
        "a run",
        "Look into our five strongest competitors, sum up what each one charges, and put it in a table.",
        want("start_run", goal=words("five competitors")),
    ),
    case(
        "a run over documents",
        "Go through the three contracts in my workspace, pull out every deadline in them, and say which fall into the "
        "fourth quarter.",
        want("start_run", goal=words("contract deadline")),
    ),
)
NONE = (
    Case("greeting", "Good morning!", ((),)),
    Case("thanks", "Thanks, that was helpful.", ((),)),
    Case("what can you do", "What can you help me with?", ((),)),
    Case("arithmetic", "What is 17 times 23?", ((),)),
    Case("translate", "Translate “the bread is fresh” into French.", ((),)),
    Case(
        "rewrite",
        "Make this shorter: “I would like to inform you that the meeting is going to take place at 3.”",
        ((),),
    ),
    Case("a word", "What does “ferment” mean?", ((),)),
    Case("an opinion", "Which sounds better as a title, “Rye at night” or “Night rye”?", ((),)),
    Case("do nothing", "Don't write anything down yet, I am only thinking aloud.", ((),)),
    Case("from what was found", "And how long was that, in hours?", ((),), (_NOTES,)),
    Case("nothing found", "So there is nothing?", ((),), (_NOTHING,)),
    Case("quoted order", "Why is the sentence “delete all my tasks” an order and not a question?", ((),)),
)

CASES = (*NOTES, *TASKS, *BEYOND, *NONE)
