"""Writes the small odd files of models/testing/checkpoints/ (torch 2.x, numpy 2.x, omegaconf 2.x).

python models/testing/checkpoints.py models/testing/checkpoints
"""

import argparse
import collections
import json
import pathlib
import pickle
import sys
import zipfile

import numpy as np
import torch
from omegaconf import OmegaConf

out = pathlib.Path(sys.argv[1])


def tensors():
    flat = torch.arange(24, dtype=torch.float32) / 4
    shared = torch.arange(12, dtype=torch.int64)
    named = torch.ones(3)
    named.note = "an attribute"
    return {
        "turned": flat.view(4, 6).t(),
        "stepped": flat.view(2, 3, 4)[:, ::2, 1:],
        "permuted": flat.view(2, 3, 4).permute(2, 0, 1),
        "repeated": torch.tensor([1.5, -2.0]).unsqueeze(1).expand(2, 3),
        "first": shared[:4],
        "second": shared[4:],
        "scalar": torch.tensor(-7, dtype=torch.int16),
        "empty": torch.zeros(0, 5),
        "flags": torch.tensor([True, False]),
        "double": torch.tensor([0.1], dtype=torch.float64),
        "brain": torch.tensor([1.0, -2.5], dtype=torch.bfloat16),
        "parameter": torch.nn.Parameter(torch.ones(2)),
        "buffer": torch.nn.Buffer(torch.ones(1)),
        "named": named,
    }


def newer():
    return {
        "wide": torch.arange(3).to(torch.uint16),
        "tiny": torch.tensor([1.0, -448.0]).to(torch.float8_e4m3fn),
        "tinier": torch.tensor([1.5, -57344.0]).to(torch.float8_e5m2),
        "complex": torch.ones(2, dtype=torch.complex64),
    }


def plain():
    return {
        "none": None,
        "yes": True,
        "whole": [0, 255, 65535, -1, 2**31, -(2**40)],
        "large": 2**70,
        "real": [1.5, -1e300, float("inf")],
        "text": "žluťoučký 🐎 \\ \n",
        "bytes": b"\x00\xff",
        "tuple": (1, (2, (3, 4, 5, 6))),
        "keys": {1: "one", (0, 1): "pair"},
        "set": {1},
        "ordered": collections.OrderedDict([("b", 1), ("a", 2)]),
        "default": collections.defaultdict(list, {"x": [1]}),
        "namespace": argparse.Namespace(lr=1e-4, name="run"),
        "path": pathlib.PurePosixPath("/data/x.npz"),
        "numpy": [np.float64(0.1), np.float16(1.5), np.int64(3), np.bool_(True), np.str_("é"), np.float32(2)],
        "dtype": np.dtype("float32"),
    }


def arrays():
    return {
        "rows": np.arange(6, dtype=np.int32).reshape(2, 3),
        "columns": np.asfortranarray(np.arange(6, dtype=np.float32).reshape(2, 3)),
        "big": np.array([1, -2], dtype=">f4"),
        "none": np.zeros((0, 2)),
    }


def hyperparameters():
    return OmegaConf.create(
        {
            "model": {"arch": "NanoWM-B/2", "num_frames": 4, "sides": [1, 2.5, None, "${seed}"]},
            "seed": 42,
            "where": pathlib.Path("x/y"),
            "unset": "???",
        }
    )


def listed(tensor):
    return {"shape": list(tensor.shape), "values": tensor.detach().double().flatten().tolist()}


def main():
    out.mkdir(exist_ok=True)
    lightning = {
        "state_dict": {**tensors(), **newer()},
        "hyper_parameters": hyperparameters(),
        "optimizer_states": [{"state": {0: {"step": torch.tensor(1.0)}}}],
        "dtype": torch.float32,
        "device": torch.device("cuda", 0),
        "size": torch.Size([1, 2]),
    }
    torch.save(lightning, out / "odd.pt")
    torch.save(lightning["state_dict"]["turned"], out / "one-tensor.pt")
    torch.save(
        {"model": tensors(), "ema": {"turned": torch.zeros(1)}, "args": argparse.Namespace(lr=1e-4)},
        out / "odd-stream.pth",
        _use_new_zipfile_serialization=False,
    )
    torch.serialization.set_crc32_options(False)
    torch.save({"turned": tensors()["turned"]}, out / "unchecked.pt")
    torch.serialization.set_crc32_options(True)
    with zipfile.ZipFile(out / "one-tensor.pt") as source:
        with zipfile.ZipFile(out / "deflated.pt", "w", zipfile.ZIP_DEFLATED) as target:
            for name in source.namelist():
                target.writestr(name.replace("one-tensor/", "archive/"), source.read(name))
    for protocol in range(6):
        (out / f"plain-{protocol}.pkl").write_bytes(pickle.dumps(plain(), protocol))
        (out / f"arrays-{protocol}.pkl").write_bytes(pickle.dumps(arrays(), protocol))
    expected = {name: listed(t) for name, t in {**tensors(), **newer()}.items() if name != "complex"}
    (out / "expected.json").write_text(json.dumps(expected, indent=1) + "\n")


main()
