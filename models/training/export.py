"""Writes the averaged weights in the published layout: python export.py [--what autoencoder|nanowm|both].

work/export/autoencoder/{config.json, diffusion_pytorch_model.safetensors}: as diffusers writes an AutoencoderKL.
work/export/nanowm/{config.yaml, model.safetensors}: as the paper's checkpoints. Both float32.
The action statistics, which the published layout leaves to the data set, go to nanowm/actions.json.
"""

import argparse
import json
import math
from pathlib import Path

import numpy as np
import torch
from safetensors.torch import save_file

from common import WORK, Split

CONFIG = """\
model:
  arch: {arch}
  name: maze
  num_frames: {frames}
  n_context_frames: 1
  scheduling_mode: sequential
  num_sampling_steps: 50
  use_action: true
  action_injection:
    type: additive
  causal: true
  image_size: {image_size}
  latent_size: {side}
  latent_channels: {channels}
latent_codec:
  kind: sd_vae
  latent_channels: {channels}
dataset:
  name: point_maze
  frame_interval: 5
  spec:
    action_dim: 2
  loader:
    normalize_action: true
    resize_mode: stretch
experiment:
  name: train
  training:
    max_steps: {steps}
  diffusion:
    noise_schedule: squaredcos_cap_v2
    diffusion_steps: 1000
    pred_name: v
    mode: diffusion_forcing
    zero_terminal_snr: true
    timestep_sampling: logit_normal
    history_stabilization_level: 0.02
"""


def plain(weights):
    return {name: tensor.detach().float().contiguous() for name, tensor in weights.items()}


def export_autoencoder(state, scale, size, out):
    config, weights = state["config"], plain(state["average"])
    # The posterior is a fixed one: what the decoder was trained to bear, as a constant log-variance.
    channels = config["latent_channels"]
    weights["quant_conv.weight"][channels:] = 0
    weights["quant_conv.bias"][channels:] = 2 * math.log(state["noise"] / scale)
    widths = list(config["channels"])
    out.mkdir(parents=True, exist_ok=True)
    save_file(weights, out / "diffusion_pytorch_model.safetensors")
    (out / "config.json").write_text(json.dumps({
        "_class_name": "AutoencoderKL",
        "act_fn": "silu",
        "block_out_channels": widths,
        "down_block_types": ["DownEncoderBlock2D"] * len(widths),
        "in_channels": 3,
        "latent_channels": channels,
        "layers_per_block": config["layers"],
        "mid_block_add_attention": True,
        "norm_num_groups": config["groups"],
        "out_channels": 3,
        "sample_size": size,
        "scaling_factor": scale,
        "up_block_types": ["UpDecoderBlock2D"] * len(widths),
        "use_post_quant_conv": True,
        "use_quant_conv": True,
    }, indent=2) + "\n")
    return weights


def export_nanowm(state, split, image_size, out):
    config, weights = state["config"], plain(state["average"])
    out.mkdir(parents=True, exist_ok=True)
    save_file(weights, out / "model.safetensors")
    arch = f"NanoWM-{config['width']}x{config['depth']}/{config['patch']}"
    (out / "config.yaml").write_text(CONFIG.format(arch=arch, image_size=image_size, steps=state["step"], **config))
    (out / "actions.json").write_text(json.dumps({key: split.meta[key] for key in ("action_mean", "action_std")}) + "\n")
    return weights


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--what", default="both", choices=("autoencoder", "nanowm", "both"))
    parser.add_argument("--data", default=WORK / "data")
    parser.add_argument("--latents", default=WORK / "latents")
    parser.add_argument("--autoencoder", default=WORK / "checkpoints" / "autoencoder.pt")
    parser.add_argument("--nanowm", default=WORK / "checkpoints" / "nanowm.pt")
    parser.add_argument("--out", default=WORK / "export")
    args = parser.parse_args()
    split = Split(args.data, "train")
    size = split.frames.shape[2]
    written = []
    if args.what != "nanowm":
        scale = json.loads((Path(args.latents) / "scale.json").read_text())["scaling_factor"]
        state = torch.load(args.autoencoder, weights_only=False)
        written.append(("autoencoder", state, export_autoencoder(state, scale, size, Path(args.out) / "autoencoder")))
    if args.what != "autoencoder":
        state = torch.load(args.nanowm, weights_only=False)
        written.append(("nanowm", state, export_nanowm(state, split, size, Path(args.out) / "nanowm")))
    for name, state, weights in written:
        count = sum(np.prod(tensor.shape) for tensor in weights.values())
        print(f"{name}: {count / 1e6:.2f} M parameters, step {state['step']}, {4 * count / 2**20:.1f} MiB as float32")


if __name__ == "__main__":
    main()
