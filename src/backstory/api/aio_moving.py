"""The calls that move a whole memory, or forget it."""

from __future__ import annotations

import os
from pathlib import Path, PurePath

from backstory.api.aio_opened import _Opened
from backstory.core.model.moving import (
    EachItem,
    ExportResult,
    ForgetReceipt,
    ImportRequest,
    ImportResult,
    Progress,
)
from backstory.errors import InvalidInputError

FORMATS = (
    "auto",
    "backstory",
    "document",
    "messages",
    "chatgpt",
    "claude",
    "locomo",
    "mem0",
    "langmem",
    "zep",
)


class _Moving(_Opened):
    """Export, import, and forgetting."""

    async def export_user(
        self, user_id: str, path: str | PurePath, *, progress: Progress | None = None
    ) -> ExportResult:
        """Write everything that is stored of a user to a file, as of one moment.

        The file is JSON Lines: sessions, messages with their versions, facts with their states
        and evidence, the log, contradictions, collisions, and vectors. It is written beside its
        place and takes it when it is whole, readable by its owner only.

        Args:
            user_id: Whose.
            path: The file; one that is there is replaced.
            progress: Called on the event loop with how many records are written, and how many
                there are.

        Raises:
            FileError: It cannot be written; a file that was there is still there.
        """
        scope = self._scope(user_id)
        services = await self._open()
        return await services.exporting.export(scope, _path_of(path), progress)

    async def import_file(
        self,
        path: str | PurePath,
        format: str = "auto",
        *,
        user_id: str | None = None,
        infer: bool = True,
        dry_run: bool = False,
        progress: Progress | None = None,
        each: EachItem | None = None,
    ) -> ImportResult:
        """Read a file that ``export_user`` wrote, past chats, or an export of another memory.

        What is there already is skipped: an import that was stopped can be run again. One bad
        record costs no other. Large files of conversations are read piece by piece.

        Args:
            path: The file.
            format: "backstory"; "messages" (JSON or JSON Lines); "chatgpt" or "claude"
                (``conversations.json``, or the archive that it came in); "locomo"; "mem0",
                "langmem" or "zep"; "document" (what ``AsyncDocument.export`` wrote: it is stored
                whole or not at all, under its id, and ``user_id`` is not read). "auto" tells them
                apart by what is in the file.
            user_id: Whose memory it becomes. None = the user that the file names, where it names
                one.
            infer: Of messages from elsewhere: whether facts are read in them. Memories become
                facts in any case.
            dry_run: Store nothing, and count what would be stored. Of backstory's own format,
                what is there already is counted as if it were not.
            progress: Called with how many records are done, and how many there are.
            each: Called with what became of each item.

        Raises:
            FileError: The file cannot be read.
            InvalidInputError: The format is unknown or cannot be told, the file is not of it or of
                a newer version, or a user must be named; nothing was stored.
        """
        if format not in FORMATS:
            raise InvalidInputError(f"format must be one of {', '.join(FORMATS)}, not {format!r}")
        user = self._optional_user(user_id)
        services = await self._open()
        place = _path_of(path)
        asked = ImportRequest(
            user_id=user, infer=infer, dry_run=dry_run, progress=progress, each=each
        )
        if format == "document" or (
            format == "auto" and await services.document_moving.is_one(place)
        ):
            return await services.document_moving.load(place, asked)
        name = await services.foreign.format_of(place) if format == "auto" else format
        if name == "backstory":
            return await services.importing.run(place, asked)
        return await services.foreign.run(place, name, asked)

    async def forget_user(self, user_id: str) -> ForgetReceipt:
        """Remove everything of a user: from every table, index and cache, for good.

        What was erased earlier may be stated anew afterwards: the marks of it go too. A message
        that is added at the same time is either removed as well or begins a new memory.

        Args:
            user_id: Whose. Of an unknown user the receipt says that nothing was removed.
        """
        scope = self._scope(user_id)
        services = await self._open()
        return await services.forgetting.forget(scope)


def _path_of(path: object) -> Path:
    if not isinstance(path, (str, PurePath)) or not str(path) or not _is_name(str(path)):
        raise InvalidInputError(f"path must be the path of a file, not {path!r}")
    return Path(path).expanduser()


def _is_name(path: str) -> bool:
    """Whether a path can be given to the system: no NUL, and what it can encode."""
    try:
        return b"\0" not in os.fsencode(path)
    except UnicodeEncodeError:
        return False
