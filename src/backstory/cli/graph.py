"""A graph as a tree in the terminal: what is one step further stands one level deeper."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Final

from rich.text import Text
from rich.tree import Tree

from backstory.api import GraphEntity, GraphView, Relation
from backstory.api.graph_words import relation_words
from backstory.cli.output import Screen
from backstory.cli.plain import fitted

_USER: Final = "user"
_DEEPEST: Final = 4
_WIDEST: Final = 40


class GraphTree:
    """Draws a graph; each entity is opened once, each relation shown once."""

    def __init__(self, screen: Screen, view: GraphView) -> None:
        self._screen = screen
        self._entities: Mapping[str, GraphEntity] = {e.id: e for e in view.entities}
        self._beside: dict[str, list[Relation]] = {}
        for relation in view.relations:
            for end in dict.fromkeys((relation.subject_id, relation.object_id)):
                self._beside.setdefault(end, []).append(relation)
        self._names = [entity.label.casefold() for entity in view.entities]
        self._opened: set[str] = set()
        self._shown: set[str] = set()

    def draw(self, first: Sequence[str]) -> None:
        """Print a tree for each entity that no earlier tree holds, these first."""
        rest = sorted(self._entities, key=lambda name: -len(self._beside.get(name, ())))
        for name in dict.fromkeys([*first, *rest]):
            if name in self._entities and name not in self._opened:
                tree = Tree(self._label(name, whole=True), guide_style="dim")
                self._open(tree, name, 1)
                self._screen.print(tree)

    def _open(self, tree: Tree, name: str, depth: int) -> None:
        self._opened.add(name)
        ends: list[tuple[Tree, str]] = []
        for relation in self._beside.get(name, ()):
            if relation.id in self._shown:
                continue
            self._shown.add(relation.id)
            leads = relation.subject_id == name
            other = relation.object_id if leads else relation.subject_id
            line = Text.assemble((relation_words(relation, name), "cyan"), " ")
            line.append_text(self._label(other)).append(_period(relation), "dim")
            ends.append((tree.add(line), other))
        for branch, other in ends:
            if other not in self._opened and depth < _DEEPEST:
                self._open(branch, other, depth + 1)

    def _label(self, name: str, *, whole: bool = False) -> Text:
        entity = self._entities[name]
        label = fitted(entity.label, _WIDEST, self._screen.signs.ellipsis)
        shared = self._names.count(entity.label.casefold()) > 1
        kind = "the user" if name == _USER else entity.role or entity.kind
        said = whole or shared
        if label == kind or (name == _USER and label == _USER):
            return Text(f"the user's {label}" if name != _USER else "the user", "bold")
        return Text.assemble((label, "bold"), (f" ({kind})" if said else "", "dim"))


def _period(relation: Relation) -> str:
    notes = []
    if relation.valid_from is not None:
        notes.append(f"since {_day(relation.valid_from)}")
    if relation.valid_until is not None:
        notes.append(f"until {_day(relation.valid_until)}")
    if str(relation.status) != "active":
        notes.append(str(relation.status))
    return f"  {', '.join(notes)}" if notes else ""


def _day(moment: datetime) -> str:
    return moment.date().isoformat()
