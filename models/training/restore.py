"""Reads a bundle's own graphs back: python restore.py [--bundle ../../public/bundles/maze] [--name restored].

A new machine has the committed bundle but no checkpoint. This makes work/checkpoints/<name>.pt from window.onnx, to
fine-tune with `train_nanowm.py --start <name>`; encode.py and train_nanowm.py take the bundle's folder in place of an
autoencoder's checkpoint. The weights come back as the bundle stores them (matrices rounded to half precision). Only the
timestep network is not in the graph: it holds the table of its 1,000 outputs, to which a new network is fitted.
"""

import argparse
import json
from pathlib import Path

import numpy as np
import onnx
import onnxruntime
import torch
from onnx import numpy_helper

from common import WORK, save, settle
from nanowm import NanoWM

BUNDLE = Path(__file__).parents[2] / "public" / "bundles" / "maze"


class BundleAutoencoder:
    """encode.onnx and decode.onnx of a bundle with the methods of autoencoder.AutoencoderKL."""

    def __init__(self, folder):
        self.manifest = json.loads((Path(folder) / "manifest.json").read_text())
        codec = self.manifest["codec"]
        self.scale = codec["scalingFactor"]
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = 2
        open_graph = lambda part: onnxruntime.InferenceSession(str(Path(folder) / codec["graphs"][part]), options)
        self.encoder, self.decoder = open_graph("encode"), open_graph("decode")

    def encode(self, x):  # [N, 3, S, S] in [-1, 1] -> mean, logvar [N, 4, S/8, S/8], unscaled
        mean, logvar = self.encoder.run(["mean", "logvar"], {"pixels": x.contiguous().numpy()})
        return torch.from_numpy(mean), torch.from_numpy(logvar)

    def decode(self, z):  # [N, 4, S/8, S/8], unscaled -> [N, 3, S, S]
        return torch.from_numpy(self.decoder.run(["pixels"], {"latents": z.contiguous().numpy()})[0])


def stored_tensors(path):
    """Initialisers by name, float32."""
    graph = onnx.load(str(path)).graph
    return {i.name: torch.from_numpy(numpy_helper.to_array(i).astype(np.float32)) for i in graph.initializer}


def state_of(stored, model, depth, width):
    """The state dict of NanoWM, but for its timestep network. Undoes what the graph builder did (models/nanowm)."""
    state = {}
    for name, like in model.state_dict().items():
        if name.startswith("t_embedder."):
            continue
        value = stored[name]
        # Linear layers are stored [inputs, outputs]; the patch embedding is one, [C * p * p, D].
        if name.endswith(".weight") and "norm" not in name:
            value = value.T
        state[name] = value.reshape(like.shape).clone()
    # The 1 of (1 + scale) stands in the bias: parts 1 and 4 of a block's six, part 1 of the last layer's two.
    for block in range(depth):
        for part in (1, 4):
            state[f"blocks.{block}.adaLN_modulation.1.bias"][part * width : (part + 1) * width] -= 1
    state["final_layer.adaLN_modulation.1.bias"][width : 2 * width] -= 1
    return state


def fit_timesteps(model, table, steps):
    """Fits t_embedder to table [1000, D]; -> the largest difference that is left."""
    t = torch.arange(len(table))[None]
    network = model.t_embedder
    optimiser = torch.optim.Adam(network.parameters(), lr=3e-3)
    schedule = torch.optim.lr_scheduler.CosineAnnealingLR(optimiser, steps, eta_min=1e-6)
    for _ in range(steps):
        loss = (model.embed_time(t)[0] - table).pow(2).mean()
        optimiser.zero_grad(set_to_none=True)
        loss.backward()
        optimiser.step()
        schedule.step()
    with torch.no_grad():
        return (model.embed_time(t)[0] - table).abs().max().item()


@torch.no_grad()
def difference(model, path):
    """Largest difference of the restored network and the graph on one input, and the largest value."""
    config = model.config
    generator = torch.Generator().manual_seed(0)
    shape = (2, config["frames"], config["channels"], config["side"], config["side"])
    x = torch.randn(shape, generator=generator)
    t = torch.randint(1000, shape[:2], generator=generator)
    actions = torch.randn(*shape[:2], config["action_width"], generator=generator)
    feeds = {"x": x.numpy(), "timesteps": t.float().numpy(), "actions": actions.numpy()}
    (expected,) = onnxruntime.InferenceSession(str(path)).run(["output"], feeds)
    return np.abs(model(x, t, actions).numpy() - expected).max(), np.abs(expected).max()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--bundle", type=Path, default=BUNDLE)
    parser.add_argument("--name", default="restored")
    parser.add_argument("--steps", type=int, default=8000, help="of fitting the timestep network")
    args = parser.parse_args()
    settle(0)
    denoiser = json.loads((args.bundle / "manifest.json").read_text())["denoiser"]
    said, path = denoiser["architecture"], args.bundle / denoiser["graphs"]["window"]
    model = NanoWM(side=said["latentHeight"], channels=said["channels"], frames=said["frames"], patch=said["patch"],
                   width=said["width"], depth=said["depth"], heads=said["heads"], action_width=said["actionWidth"],
                   causal=said["causal"]).eval()
    stored = stored_tensors(path)
    model.load_state_dict(state_of(stored, model, said["depth"], said["width"]), strict=False)
    table = stored["t_embedder.table"]
    left = fit_timesteps(model, table, args.steps)
    print(f"timestep network: largest difference {left:.2e} of {table.abs().max():.2f}")
    apart, largest = difference(model, path)
    print(f"network and graph: largest difference {apart:.2e} of {largest:.2f}")
    weights = model.state_dict()
    save(WORK / "checkpoints" / f"{args.name}.pt", model=weights, average=weights, step=0, elapsed=0.0,
         config=model.config)


if __name__ == "__main__":
    main()
