"""Token counters: how many tokens of a model a text has.

``make_counter`` takes what a setting or a caller can give: the name of a counter that is built
in, an encoding of tiktoken, a tokenizer file, or any function.
"""

from collections.abc import Callable
from dataclasses import dataclass
from os import PathLike
from pathlib import Path
from typing import TypeAlias

from backstory.core.text import clean
from backstory.core.tokens import count_bytes
from backstory.errors import ConfigurationError, MissingDependencyError
from backstory.models.line_counter import LineCounter
from backstory.packing.packer import checked_count

CounterSpec: TypeAlias = str | PathLike[str] | Callable[[str], int]

_CHOICES = (
    'use "bound", "bytes", "tiktoken:<encoding>", the path of a tokenizer.json file, '
    "or a function from text to int"
)


@dataclass(frozen=True, slots=True)
class TokenCounter:
    """A function that counts tokens, with a name to show.

    Calling it raises ConfigurationError when the function fails or returns anything but an int of
    at least 0.
    """

    name: str
    count: Callable[[str], int]

    def __call__(self, text: str) -> int:
        """Tokens of ``text``."""
        return checked_count(self.count, text)

    def of_one_call(self) -> Callable[[str], int]:
        """The same counter for the texts of one call, which have most of their lines in common."""
        return self.count.of_one_call() if isinstance(self.count, LineCounter) else self


def make_counter(spec: CounterSpec = "bound") -> TokenCounter:
    """The counter that ``spec`` names.

    Args:
        spec: One of

            - ``"bound"``: ``token_upper_bound``, above the count of common tokenizers, with
              a published failure rate; needs no model;
            - ``"bytes"``: UTF-8 bytes, which no byte-level tokenizer exceeds;
            - ``"tiktoken:o200k_base"`` or another encoding of tiktoken: exact;
            - the path of a Hugging Face ``tokenizer.json``, as a path or as text that ends in
              ``.json``: exact, without the special tokens that begin and end a prompt;
            - a function from text to int.

    Raises:
        MissingDependencyError: tiktoken is not installed.
        ConfigurationError: The name, file or encoding cannot be used.
    """
    if isinstance(spec, TokenCounter):
        return spec
    if isinstance(spec, PathLike):
        return _from_file(Path(spec))
    if isinstance(spec, str):
        return _from_name(spec)
    if callable(spec):
        return TokenCounter(getattr(spec, "__name__", type(spec).__name__), spec)
    message = f"{spec!r} is not a token counter; {_CHOICES}"
    raise ConfigurationError(message)


def _from_name(name: str) -> TokenCounter:
    if name == "bound":
        return TokenCounter(name, LineCounter())
    if name == "bytes":
        return TokenCounter(name, count_bytes)
    if name.startswith("tiktoken:"):
        return _from_tiktoken(name.removeprefix("tiktoken:"))
    if name.endswith(".json"):
        return _from_file(Path(name))
    message = f"there is no token counter {name!r}; {_CHOICES}"
    raise ConfigurationError(message)


def _from_tiktoken(encoding_name: str) -> TokenCounter:
    try:
        import tiktoken  # noqa: PLC0415 - optional
    except ImportError as error:
        message = (
            "the token counter needs tiktoken, which is not installed: "
            'pip install "backstory[tiktoken]"'
        )
        raise MissingDependencyError(message) from error
    try:
        encoding = tiktoken.get_encoding(encoding_name)
    except ValueError as error:
        known = ", ".join(tiktoken.list_encoding_names())
        message = f"tiktoken cannot use the encoding {encoding_name!r} ({known}): {error}"
        raise ConfigurationError(message) from error
    except OSError as error:
        message = (
            f"tiktoken could not load the encoding {encoding_name!r}: {error}. It fetches the "
            "encoding once: connect for the first use, or set TIKTOKEN_CACHE_DIR to a filled cache"
        )
        raise ConfigurationError(message) from error

    def count(text: str) -> int:
        # Text that spells a special token is counted as the plain text that it is.
        return len(encoding.encode_ordinary(text))

    return TokenCounter(f"tiktoken:{encoding_name}", count)


def _from_file(path: Path) -> TokenCounter:
    from tokenizers import Tokenizer  # noqa: PLC0415 - costs 20 ms, used by few

    try:
        content = path.read_text("utf-8")
    except (OSError, ValueError) as error:
        message = f"the tokenizer file {str(path)!r} cannot be read: {error}"
        raise ConfigurationError(message) from error
    try:
        tokenizer = Tokenizer.from_str(content)
    except Exception as error:
        if type(error) is not Exception:  # tokenizers raises the bare class for a bad file
            raise
        message = f"{str(path)!r} is not a Hugging Face tokenizer file: {error}"
        raise ConfigurationError(message) from error
    # A file may ask for 512 tokens at most, or for padding: both would make counts untrue.
    tokenizer.no_truncation()
    tokenizer.no_padding()

    def count(text: str) -> int:
        return len(tokenizer.encode(clean(text), add_special_tokens=False))

    return TokenCounter(path.name, count)
