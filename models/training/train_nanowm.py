"""Trains NanoWM on the encoded episodes: python train_nanowm.py (--help for the options).

v-prediction, squaredcos_cap_v2 with zero terminal SNR, logit-normal timesteps, a noise level of its own for each frame.
What a rollout shows to the network is often shown in training: a first frame that is clean or nearly so, clean
predecessors (sequential), equal levels (full_sequence), pure noise. The loss counts frames that are to be predicted.
"""

import argparse
import json
import time

import numpy as np
import torch

from common import WORK, Average, Clock, Curve, Split, learning_rate, save, settle
from diffusion import T, alpha_bars
from nanowm import NanoWM
from sample import evaluate, load_test

# Location and scale of the logit-normal. At the middle of the schedule the ball still shows through the noise and the
# network learns to denoise; what teaches it the dynamics lies above, where only the actions say where the ball went.
LOCATION, SCALE = 1.5, 1.0

# A rollout's own errors move the ball in the noised frame, and a network that has only seen true ones believes what it
# sees (exposure bias: 50 steps drifted further from the truth than 8 did). So (with --displaced) from base timestep DISPLACED_FROM on the
# noised frame can show the ball up to a few DISPLACEMENT away, and the target stays the true frame: only the
# context and the actions can tell where the ball is.
DISPLACED_FROM, DISPLACEMENT = 350, 0.2

FIELDS = ("step", "minutes", "loss", "psnr", "ssim", "ball_first", "ball_third", "rate", "seconds_per_step")


def draw_levels(b, f, generator):
    """-> t [B, F] base timesteps, clean [B, F] bool (no noise, t = 0), counted [B, F] bool (part of the loss)."""
    rand = lambda *shape: torch.rand(*shape, generator=generator)
    logit_normal = lambda *shape: torch.sigmoid(LOCATION + SCALE * torch.randn(*shape, generator=generator)) * (T - 1)
    t = torch.where(rand(b, f) < 0.85, logit_normal(b, f), rand(b, f) * (T - 1))
    t = torch.where(rand(b, f) < 0.1, torch.full((b, f), T - 1.0), t)
    clean = torch.zeros(b, f, dtype=torch.bool)
    index = torch.arange(f)

    kind = rand(b, 1)
    # 45 %: sequential. Frames before a drawn one are clean.
    current = torch.randint(1, f, (b, 1), generator=generator)
    clean |= (kind < 0.45) & (index < current)
    # 20 %: all frames at one level or a small staircase (full_sequence, pyramid).
    stair = (t[:, 1:2] + (index - 1) * rand(b, 1) * 60).clamp(0, T - 1)
    t = torch.where((kind >= 0.45) & (kind < 0.65), stair, t)
    # The first frame: 45 % the stabilised context of 50 steps (base timestep 20), 25 % clean, 15 % low, else as drawn.
    first = rand(b)
    t[:, 0] = torch.where(first < 0.45, torch.tensor(20.0), torch.where(first < 0.85, rand(b) * 60, t[:, 0]))
    clean[:, 0] = (first >= 0.45) & (first < 0.70)
    t = t.round().long()
    t[clean] = 0
    counted = ~clean
    counted[:, 0] &= first >= 0.85
    return t, clean, counted


class Neighbours:
    """Finds frames in which the ball is near a wanted place: one frame for each cell of a 0.02 unit grid."""

    def __init__(self, positions):  # [frames, 2] maze units
        self.positions, self.low, self.side = positions, positions.min(0).values, 256
        self.table = torch.full((self.side * self.side,), -1)
        self.table[self.cell(positions)] = torch.arange(len(positions))

    def cell(self, at):
        column, row = ((at - self.low) / 0.02).long().clamp(0, self.side - 1).unbind(-1)
        return column * self.side + row

    def displaced(self, index, share, generator):
        """index: frames, of any shape -> frames with the ball displaced (the same one where no such place was seen)."""
        rand = torch.rand(*index.shape, 1, generator=generator)
        at = self.positions[index] + DISPLACEMENT * rand * torch.randn(*index.shape, 2, generator=generator)
        found = self.table[self.cell(at)]
        keep = (found < 0) | (torch.rand(index.shape, generator=generator) >= share)
        return torch.where(keep, index, found)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--data", default=WORK / "data")
    parser.add_argument("--latents", default=WORK / "latents")
    parser.add_argument("--autoencoder", default=WORK / "checkpoints" / "autoencoder.pt")
    parser.add_argument("--name", default="nanowm")
    parser.add_argument("--width", type=int, default=192)
    parser.add_argument("--depth", type=int, default=8)
    parser.add_argument("--heads", type=int, default=6)
    parser.add_argument("--patch", type=int, default=2)
    parser.add_argument("--steps", type=int, default=4000)
    parser.add_argument("--minutes", type=float, help="end by time instead of steps")
    parser.add_argument("--batch", type=int, default=64)
    parser.add_argument("--rate", type=float, default=1e-3)
    parser.add_argument("--decay", type=float, default=0.998)
    parser.add_argument("--evaluate-every", type=int, default=400)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--compile", action="store_true", help="fuse small operations; needs a C++ compiler")
    parser.add_argument("--resume", action="store_true")
    parser.add_argument("--start", help="name of a checkpoint whose averaged weights to begin with (fine-tuning)")
    parser.add_argument("--perturbed", type=float, default=0.0,
                        help="share of clean predecessors shown a little off their place (latents/perturbed.npy)")
    parser.add_argument("--displaced", type=float, default=0.0,
                        help="share of much noised frames that show the ball a little off its place")
    args = parser.parse_args()

    settle(args.seed)
    generator = torch.Generator().manual_seed(args.seed)
    latents = torch.from_numpy(np.load(f"{args.latents}/train.npy"))  # [N, F, 4, h, w]
    split = Split(args.data, "train")
    actions = split.network_actions()  # [N, F, 10]
    neighbours = Neighbours(torch.from_numpy(split.states[:, :, :2]).float().flatten(0, 1))
    n, f, channels, side, _ = latents.shape
    model = NanoWM(side, channels, f, args.patch, args.width, args.depth, args.heads, actions.shape[-1])
    decayed = [p for name, p in model.named_parameters() if p.ndim > 1 and "embed" not in name]
    others = [p for name, p in model.named_parameters() if not (p.ndim > 1 and "embed" not in name)]
    optimiser = torch.optim.AdamW([{"params": decayed, "weight_decay": 0.01}, {"params": others, "weight_decay": 0.0}],
                                  lr=args.rate, betas=(0.9, 0.98), fused=True)
    average, step, elapsed = Average(model, args.decay), 0, 0.0

    path = WORK / "checkpoints" / f"{args.name}.pt"
    if args.resume and path.exists():
        state = torch.load(path, weights_only=False)
        model.load_state_dict(state["model"])
        optimiser.load_state_dict(state["optimiser"])
        average.weights, step, elapsed = state["average"], state["step"], state["elapsed"]
        generator.set_state(state["generator"])
    elif args.start:
        model.load_state_dict(torch.load(WORK / "checkpoints" / f"{args.start}.pt", weights_only=False)["average"])
        average = Average(model, args.decay)
    off = torch.from_numpy(np.load(f"{args.latents}/perturbed.npy", mmap_mode="r")) if args.perturbed else None
    clock = Clock(args.steps, args.minutes, elapsed)
    curve = Curve(WORK / "logs" / f"{args.name}.csv", FIELDS, args.resume)
    test = load_test(args.data, args.latents, args.autoencoder, "val", clips=64)
    shadow = NanoWM(**model.config).eval()
    network = torch.compile(model) if args.compile else model
    bars = torch.from_numpy(alpha_bars()).float()
    last_saved = last_report = time.time()
    losses = []

    while (progress := clock.progress(step)) < 1:
        rate = learning_rate(step, progress, args.rate)
        for group in optimiser.param_groups:
            group["lr"] = rate
        picked = torch.randint(n, (args.batch,), generator=generator)
        x0, a = latents[picked], actions[picked]  # [B, F, 4, h, w], [B, F, 10]
        t, clean, counted = draw_levels(args.batch, f, generator)
        ab = torch.where(clean, torch.ones(()), bars[t])[..., None, None, None]  # [B, F, 1, 1, 1]
        noise = torch.randn(x0.shape, generator=generator)
        if off is not None:
            # A rollout shows its own predictions as clean; one that trusts them blindly adds error to error.
            shown = clean & (torch.rand(args.batch, 1, generator=generator) < args.perturbed)
            shown[:, 0] = False
            x0 = torch.where(shown[..., None, None, None], off[picked], x0)
        seen = x0
        if args.displaced:
            index = picked[:, None] * f + torch.arange(f)  # [B, F], frame by frame through the split
            near = latents.flatten(0, 1)[neighbours.displaced(index, args.displaced, generator)]
            seen = torch.where((t >= DISPLACED_FROM)[..., None, None, None], near, x0)
        x = ab.sqrt() * seen + (1 - ab).sqrt() * noise
        # The v that leads from x to the true x0; sqrt(ab) noise - sqrt(1 - ab) x0 where the true frame is seen.
        v = (ab.sqrt() * x - x0) / (1 - ab).sqrt().clamp_min(1e-4)  # clean frames: 0 by the first factor, not counted
        error = (network(x, t, a) - v).pow(2).mean(dim=(2, 3, 4))  # [B, F]
        loss = (error * counted).sum() / counted.sum()
        optimiser.zero_grad(set_to_none=True)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimiser.step()
        average.update(model, step)
        losses.append(loss.item())
        step += 1
        ended = clock.progress(step) >= 1
        if step % 100 == 0 or ended:
            seconds, measured = (time.time() - last_report) / len(losses), {}
            if step % args.evaluate_every == 0 or ended:
                shadow.load_state_dict(average.weights)
                measured = evaluate(shadow, test, steps=8)
            row = {"psnr": "", "ssim": "", "ball_first": "", "ball_third": "", **measured}
            curve.row(step=step, minutes=clock.elapsed() / 60, loss=float(np.mean(losses)),
                      **{key: row[key] for key in FIELDS[3:7]}, rate=rate, seconds_per_step=seconds)
            losses, last_report = [], time.time()
        if time.time() - last_saved > 120 or ended:
            save(path, model=model.state_dict(), optimiser=optimiser.state_dict(), average=average.weights, step=step,
                 elapsed=clock.elapsed(), generator=generator.get_state(), config=model.config)
            last_saved = time.time()


if __name__ == "__main__":
    main()
