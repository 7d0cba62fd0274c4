"""Encodes every frame once: work/latents/{train,val,test}.npy, float32 [N, 4, 4, S/8, S/8], and the scaling factor.

The latents are posterior means, scaled so that their standard deviation over the training split is 1.
"""

import argparse
import json
from pathlib import Path

import numpy as np
import torch

from autoencoder import AutoencoderKL
from common import WORK, Split, settle
from restore import BundleAutoencoder


def load_autoencoder(path):
    """The averaged weights of a checkpoint, or a bundle's folder -> model in evaluation mode, and the checkpoint."""
    if Path(path).is_dir():
        return BundleAutoencoder(path), None
    state = torch.load(path, weights_only=False)
    model = AutoencoderKL(**state["config"])
    model.load_state_dict(state["average"])
    return model.eval().to(memory_format=torch.channels_last), state


@torch.no_grad()
def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--data", default=WORK / "data")
    parser.add_argument("--autoencoder", default=WORK / "checkpoints" / "autoencoder.pt")
    parser.add_argument("--out", default=WORK / "latents")
    parser.add_argument("--only", help="one folder of the data, such as perturbed, with the scale that is known already")
    args = parser.parse_args()
    settle(0)
    model, state = load_autoencoder(args.autoencoder)
    out = Path(args.out)
    out.mkdir(parents=True, exist_ok=True)
    scale = json.loads((out / "scale.json").read_text())["scaling_factor"] if args.only else None
    scale = model.scale if state is None else scale  # a bundle's latents keep their scale
    for name in (args.only,) if args.only else ("train", "val", "test"):
        split = Split(args.data, name)
        n, frames = split.frames.shape[:2]
        parts = []
        for start in range(0, n, 32):
            x = torch.from_numpy(split.frames[start : start + 32].copy()).flatten(0, 1)  # [32 * 4, S, S, 3]
            x = (x.permute(0, 3, 1, 2).float() / 127.5 - 1).contiguous(memory_format=torch.channels_last)
            parts.append(model.encode(x)[0].contiguous())
        latents = torch.cat(parts)
        scale = scale or 1 / latents.std().item()
        latents = (latents * scale).view(n, frames, *latents.shape[1:])
        np.save(out / f"{name}.npy", latents.numpy())
        print(name, tuple(latents.shape), f"deviation {latents.std():.4f} largest {latents.abs().max():.2f}", flush=True)
    (out / "scale.json").write_text(json.dumps({"scaling_factor": scale}))


if __name__ == "__main__":
    main()
