"""Compares both networks, the schedule and the sampler with golden data: python check.py [FOLDER]."""

import json
import sys
from pathlib import Path

import numpy as np
import torch
from safetensors.torch import load_file

from autoencoder import AutoencoderKL
from diffusion import alpha_bars, rollout, spaced_steps
from nanowm import NanoWM

HERE = Path(__file__).parent
FOLDER = Path(sys.argv[1]) if len(sys.argv) > 1 else HERE.parents[2] / "shared" / "reference"


def same(name, ours, theirs, tolerance=2e-5):
    theirs = torch.as_tensor(theirs)
    error = ((ours - theirs).abs().max() / theirs.abs().max()).item()
    print(f"{name}: {error:.1e} of the largest value (allowed {tolerance:.0e})")
    if not error <= tolerance:
        sys.exit(f"invalid result: {name} differs")


def load_nanowm(folder):
    weights = load_file(folder / "model.safetensors")
    channels, patch = weights["x_embedder.proj.weight"].shape[1], weights["x_embedder.proj.weight"].shape[2]
    width = weights["pos_embed"].shape[2]
    model = NanoWM(
        side=int(weights["pos_embed"].shape[1] ** 0.5) * patch,
        channels=channels,
        frames=weights["temp_embed"].shape[1],
        patch=patch,
        width=width,
        depth=1 + max(int(name.split(".")[1]) for name in weights if name.startswith("blocks.")),
        heads=width // weights["blocks.0.attn.q_norm.weight"].shape[0],
        action_width=weights["action_embedder.mlp.0.weight"].shape[1],
    )
    model.load_state_dict(weights)
    return model.eval()


@torch.no_grad()
def main():
    folder = FOLDER / "autoencoder" / "sd-like"
    config, io = json.loads((folder / "config.json").read_text()), np.load(folder / "io.npz")
    model = AutoencoderKL(config["block_out_channels"], config["layers_per_block"], config["norm_num_groups"])
    model.load_state_dict(load_file(folder / "diffusion_pytorch_model.safetensors"))
    mean, logvar = model.encode(torch.tensor(io["pixels"]))
    same("autoencoder mean", mean, io["mean"])
    same("autoencoder logvar", logvar, io["logvar"])
    same("autoencoder decoded", model.decode(torch.tensor(io["latents"])), io["decoded"])

    for name in ("additive", "csgo"):
        model, io = load_nanowm(FOLDER / "nanowm" / name), np.load(FOLDER / "nanowm" / name / "io.npz")
        same(f"nanowm {name}", model(*(torch.tensor(io[key]) for key in ("x", "timesteps", "actions"))), io["output"])

    schedules = np.load(FOLDER / "diffusion" / "schedules.npz")
    for steps in (1, 2, 8, 21, 27, 31, 50, 250, 1000):
        kept, theirs = spaced_steps(steps), schedules[f"squaredcos_cap_v2_zt_{steps}_map"]
        assert (kept == theirs).all(), f"invalid spacing: {steps} steps"
        error = abs(alpha_bars()[kept] - schedules[f"squaredcos_cap_v2_zt_{steps}_alphas_cumprod"]).max()
        assert error < 1e-12, f"invalid alpha bars: {steps} steps differ by {error}"

    model = load_nanowm(FOLDER / "nanowm" / "additive")
    for case in json.loads((FOLDER / "rollout" / "cases.json").read_text()):
        if case["model"] != "nanowm/additive" or case["eta"] or case["keep_frames"]:
            continue
        io = np.load(FOLDER / "rollout" / f"{case['case']}.npz")
        tensors = {key: torch.tensor(io[key]) for key in io.files}
        latents = rollout(model, tensors["context"], tensors["actions"], case["steps"], case["mode"],
                          case["history_stabilization_level"], tensors["noise_initial"], tensors.get("noise_context"))
        same(f"rollout {case['case']}", latents, tensors["latents"], 1e-4)


if __name__ == "__main__":
    main()
