"""Small exports, written by hand in the forms that services give out."""

from typing import Any

START = 1_714_550_400.25  # 2024-05-01 08:00:00.25 UTC


def node(
    name: str, parent: str | None, message: dict[str, Any] | None, *children: str
) -> dict[str, Any]:
    """One node of ChatGPT's tree."""
    return {"id": name, "parent": parent, "message": message, "children": list(children)}


def gpt(name: str, role: str, *parts: Any, at: float | None = START, **more: Any) -> dict[str, Any]:
    """One message of ChatGPT."""
    return {
        "id": name,
        "author": {"role": role, "name": None, "metadata": {}},
        "create_time": at,
        "content": {"content_type": "text", "parts": list(parts)},
        "status": "finished_successfully",
        "weight": 1.0,
        "recipient": "all",
        "metadata": {},
        **more,
    }


def kind(content_type: str, **content: Any) -> dict[str, Any]:
    """Another kind of content."""
    return {"content": {"content_type": content_type, **content}}


def chatgpt() -> dict[str, Any]:
    """A conversation with a hidden message, an edited question, a tool and a picture."""
    hidden = {"metadata": {"is_visually_hidden_from_conversation": True}}
    picture = {"content_type": "image_asset_pointer", "asset_pointer": "sediment://file_1"}
    return {
        "title": "Sourdough",
        "create_time": START - 1,
        "update_time": START + 60,
        "conversation_id": "c-1",
        "id": "c-1",
        "current_node": "n6",
        "mapping": {
            "root": node("root", None, None, "n0"),
            "n0": node("n0", "root", gpt("m0", "system", "", at=None, weight=0), "n1"),
            "n1": node("n1", "n0", gpt("m1", "system", "Be kind.", at=None, **hidden), "n2", "n2b"),
            "n2": node("n2", "n1", gpt("m2", "user", "My starter is called Bubbles."), "n3"),
            "n2b": node("n2b", "n1", gpt("m2b", "user", "My starter is dead.")),
            "n3": node(
                "n3", "n2", gpt("m3", "assistant", at=None, **kind("thoughts", thoughts=[])), "n4"
            ),
            "n4": node(
                "n4",
                "n3",
                gpt(
                    "m4",
                    "assistant",
                    at=None,
                    recipient="python",
                    **kind("code", language="python", text="print(0.8 * 500)"),
                ),
                "n5",
            ),
            "n5": node(
                "n5",
                "n4",
                gpt("m5", "tool", at=START + 9, **kind("execution_output", text="400.0")),
                "n6",
            ),
            "n6": node(
                "n6",
                "n5",
                gpt(
                    "m6",
                    "assistant",
                    at=START + 10,
                    metadata={"model_slug": "a-model", "attachments": [{"name": "loaf.jpg"}]},
                    **kind("multimodal_text", parts=[picture, "Use 400 g of water."]),
                ),
            ),
        },
    }


def claude() -> dict[str, Any]:
    """A conversation with blocks, a pasted text, a file and a second answer."""
    root = "00000000-0000-4000-8000-000000000000"

    def said(name: str, parent: str, sender: str, text: str, **more: Any) -> dict[str, Any]:
        return {
            "uuid": name,
            "text": text,
            "content": [{"type": "text", "text": text}] if text else [],
            "sender": sender,
            "created_at": "2025-02-03T10:00:00.500000+01:00",
            "updated_at": "2025-02-03T10:00:00.500000+01:00",
            "attachments": [],
            "files": [],
            "parent_message_uuid": parent,
            **more,
        }

    blocks = [
        {"type": "thinking", "thinking": "They row."},
        {"type": "text", "text": "A quad has four rowers."},
        {"type": "tool_use", "name": "search", "input": {"q": "quad"}},
        {"type": "tool_result", "content": [{"type": "text", "text": "a long page"}]},
    ]
    pasted = [{"file_name": "", "extracted_content": "Bow: Iris. Stroke: Hedda."}]
    named = [{"file_name": "plan.pdf", "extracted_content": "Row a lot."}]
    return {
        "uuid": "k-1",
        "name": "Rowing",
        "created_at": "2025-02-03T09:59:59Z",
        "updated_at": "2025-02-03T10:01:00Z",
        "account": {"uuid": "a-1"},
        "current_leaf_message_uuid": "u4",
        "chat_messages": [
            said("u1", root, "human", "I row in a quad."),
            said("u2", "u1", "assistant", "This cannot be shown.", content=blocks),
            said("u3", "u2", "human", "", attachments=pasted),
            said("u3b", "u2", "human", "I row alone."),
            said("u4", "u3", "human", "", attachments=named, created_at=None),
        ],
    }


def locomo() -> dict[str, Any]:
    """Two people, two sessions and a picture."""
    return {
        "sample_id": "pair-1",
        "qa": [{"question": "What does Tove bake?", "answer": "rye bread", "evidence": ["D1:1"]}],
        "conversation": {
            "speaker_a": "Tove",
            "speaker_b": "Anselm",
            "session_10_date_time": "12:05 am on 1 March, 2024",
            "session_10": [{"speaker": "Anselm", "dia_id": "D10:1", "text": "Happy spring!"}],
            "session_2_date_time": "4:30 pm on 9 February, 2024",
            "session_2": [
                {"speaker": "Tove", "dia_id": "D2:1", "text": "I bake rye bread on Fridays."},
                {
                    "speaker": "Anselm",
                    "dia_id": "D2:2",
                    "text": "Look at mine.",
                    "img_url": ["https://example.org/loaf.jpg"],
                    "blip_caption": "a dark loaf on a board",
                    "query": "loaf",
                },
            ],
        },
    }


MESSAGES: list[dict[str, Any]] = [
    {
        "role": "user",
        "content": "I keep bees.",
        "id": "b1",
        "session_id": "hive",
        "speaker": "Ulla",
        "timestamp": "2025-06-01T08:00:00+02:00",
        "metadata": {"place": "garden"},
    },
    {"role": "assistant", "content": "How many hives?", "session_id": "hive"},
    {"role": "user", "content": "Three.", "session_id": "hive"},
]
