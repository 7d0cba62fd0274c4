"""Rolls out the test clips and measures: python sample.py [--steps 50 --mode sequential] (quick checks while training).

The published table is made by the TypeScript command line on the exported bundle.
"""

import argparse
import json
from pathlib import Path

import numpy as np
import torch

from common import WORK, Split, ball_centre, psnr, settle, ssim
from diffusion import rollout
from encode import load_autoencoder
from nanowm import NanoWM


@torch.no_grad()
def decode(autoencoder, latents, scale):  # scaled [B, F, 4, h, w] -> [B, F, 3, S, S] in [-1, 1]
    b, f = latents.shape[:2]
    frames = [autoencoder.decode(part) for part in (latents / scale).flatten(0, 1).split(64)]
    return torch.cat(frames).clamp(-1, 1).contiguous().view(b, f, 3, *frames[0].shape[-2:])


def load_test(data, latents, autoencoder, split="test", clips=64):
    """What an evaluation needs: latents, actions, pixels, reconstructions, the decoder, noise from a fixed seed."""
    part = Split(data, split)
    scale = json.loads((Path(latents) / "scale.json").read_text())["scaling_factor"]
    truth = torch.from_numpy(np.load(Path(latents) / f"{split}.npy")[:clips])  # [B, F, 4, h, w]
    pixels = torch.from_numpy(np.array(part.frames[:clips])).permute(0, 1, 4, 2, 3).float() / 127.5 - 1
    model, _ = load_autoencoder(autoencoder)
    generator = torch.Generator().manual_seed(42)
    return dict(latents=truth, actions=part.network_actions()[:clips], pixels=pixels, autoencoder=model, scale=scale,
                reconstruction=decode(model, truth, scale), states=part.states[:clips],
                context_noise=torch.randn(truth[:, :1].shape, generator=generator),
                noise=torch.randn(truth.shape, generator=generator))


def measure(frames, reconstruction, pixels):
    """Predicted frames [B, n, 3, S, S] -> per clip and frame [B, n]: psnr, ssim, psnr_pixels, ball (maze units)."""
    b, n = frames.shape[:2]
    flat = lambda x: x.flatten(0, 1)
    values = {
        "psnr": psnr(frames, reconstruction),
        "ssim": ssim(flat(frames), flat(reconstruction)).view(b, n),
        "psnr_pixels": psnr(frames, pixels),
        "ball": (ball_centre(flat(frames)) - ball_centre(flat(pixels))).norm(dim=1).view(b, n),
    }
    return {key: value.double() for key, value in values.items()}


@torch.no_grad()
def predict(model, test, steps, mode="sequential", stabilisation=0.02):
    latents = rollout(model, test["latents"][:, :1], test["actions"], steps, mode, stabilisation, test["noise"],
                      test["context_noise"])
    return decode(test["autoencoder"], latents, test["scale"])


def evaluate(model, test, steps, mode="sequential"):
    frames = predict(model, test, steps, mode)
    got = measure(frames[:, 1:], test["reconstruction"][:, 1:], test["pixels"][:, 1:])
    ball = got["ball"].mean(dim=0)
    return dict(psnr=got["psnr"].mean().item(), ssim=got["ssim"].mean().item(),
                ball_first=ball[0].item(), ball_third=ball[2].item())


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--data", default=WORK / "data")
    parser.add_argument("--latents", default=WORK / "latents")
    parser.add_argument("--autoencoder", default=WORK / "checkpoints" / "autoencoder.pt")
    parser.add_argument("--nanowm", default=WORK / "checkpoints" / "nanowm.pt")
    parser.add_argument("--steps", type=int, default=50)
    parser.add_argument("--mode", default="sequential", choices=("sequential", "pyramid", "full_sequence"))
    parser.add_argument("--stabilisation", type=float, default=0.02)
    parser.add_argument("--picture", help="write truth, prediction and difference of four clips as a PPM")
    args = parser.parse_args()
    settle(0)
    state = torch.load(args.nanowm, weights_only=False)
    model = NanoWM(**state["config"]).eval()
    model.load_state_dict(state["average"])
    test = load_test(args.data, args.latents, args.autoencoder)
    frames = predict(model, test, args.steps, args.mode, args.stabilisation)
    reconstruction, pixels = test["reconstruction"][:, 1:], test["pixels"][:, 1:]
    ours = measure(frames[:, 1:], reconstruction, pixels)
    copy = measure(test["reconstruction"][:, :1].expand_as(reconstruction), reconstruction, pixels)
    print(f"{len(pixels)} clips, {args.mode}, {args.steps} steps, stabilisation {args.stabilisation}")
    print(f"autoencoder alone: {psnr(test['reconstruction'], test['pixels']).mean():.2f} dB against pixels")
    for name, values in (("model", ours), ("copy of the last frame", copy)):
        for key, value in values.items():
            print(f"  {name}: {key} {value.mean():.4f}, per frame {[round(x, 4) for x in value.mean(dim=0).tolist()]}, "
                  f"worst clip {(value.mean(dim=1).max() if key == 'ball' else value.mean(dim=1).min()):.4f}")
    moved = torch.from_numpy(np.abs(test["states"][:, 1:, :2] - test["states"][:, :1, :2]).max(axis=(1, 2)) > 0.05)
    better = {k: ((ours[k] - copy[k]).mean(dim=1) * (-1 if k == "ball" else 1) > 0)[moved] for k in ours}
    wins = torch.stack([better[k] for k in ("psnr", "ssim", "psnr_pixels", "ball")]).all(dim=0)
    print(f"the ball moves in {int(moved.sum())} clips; better than the copy on all measures in {int(wins.sum())}")
    if args.picture:
        rows = [torch.cat([*test["pixels"][i], *frames[i], *(frames[i] - test["pixels"][i]).abs().sub(1)], dim=2)
                for i in range(4)]
        picture = ((torch.cat(rows, dim=1) + 1) * 127.5).clamp(0, 255).byte().permute(1, 2, 0).numpy()
        header = f"P6 {picture.shape[1]} {picture.shape[0]} 255\n".encode()
        Path(args.picture).write_bytes(header + picture.tobytes())


if __name__ == "__main__":
    main()
