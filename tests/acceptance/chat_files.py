"""Files of past chats as services give them out."""

import json
import zipfile
from pathlib import Path
from typing import Any

from tests.unit.core.foreign.exports import MESSAGES, chatgpt, claude, locomo

FILES: dict[str, Any] = {
    "chatgpt": [chatgpt()],
    "claude": [claude()],
    "locomo": [locomo()],
    "messages": MESSAGES,
}
MESSAGE_COUNTS = {"chatgpt": 4, "claude": 4, "locomo": 3, "messages": 3}


def put(folder: Path, data: Any, name: str = "conversations.json") -> Path:
    path = folder / name
    path.write_text(json.dumps(data), encoding="utf-8")
    return path


def zipped(folder: Path, members: dict[str, Any]) -> Path:
    path = folder / "export.zip"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in members.items():
            raw = data if isinstance(data, bytes) else json.dumps(data)
            archive.writestr(name, raw)
    return path
