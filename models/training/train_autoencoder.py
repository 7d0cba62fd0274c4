"""Trains the AutoencoderKL on single frames: python train_autoencoder.py --data work/data (--help for the rest).

Loss: 4 mse + l1 + 1e-5 mean(latent^2), on frames in [-1, 1]. The latents get a little noise before decoding, so that
the decoder forgives small errors of the world model. The posterior's variance is fixed, not learned: rollouts use the
mean.
"""

import argparse
import time
from pathlib import Path

import numpy as np
import torch
import torch.nn.functional as F

from autoencoder import AutoencoderKL
from common import WORK, Average, Clock, Curve, Split, learning_rate, psnr, save, settle

FIELDS = ("step", "minutes", "loss", "psnr_train", "psnr_val", "latent_std", "rate", "seconds_per_step")


@torch.no_grad()
def evaluate(model, split, episodes=64):
    """Mean PSNR over frames 0 and 3 of the first episodes, in dB."""
    model.eval()
    values = []
    for frame in (0, 3):
        x = split.pixels(np.arange(episodes), np.full(episodes, frame)).contiguous(memory_format=torch.channels_last)
        values.append(psnr(model.decode(model.encode(x)[0]), x))
    model.train()
    return torch.cat(values).mean().item()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--data", default=WORK / "data")
    parser.add_argument("--name", default="autoencoder")
    parser.add_argument("--channels", default="16,32,64,64")
    parser.add_argument("--steps", type=int, default=5000)
    parser.add_argument("--minutes", type=float, help="end by time instead of steps")
    parser.add_argument("--batch", type=int, default=32)
    parser.add_argument("--rate", type=float, default=1e-3)
    parser.add_argument("--noise", type=float, default=0.02, help="on the latents, relative to their deviation")
    parser.add_argument("--decay", type=float, default=0.998)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--resume", action="store_true")
    args = parser.parse_args()

    settle(args.seed)
    generator = np.random.default_rng(args.seed)
    train, val = Split(args.data, "train"), Split(args.data, "val")
    model = AutoencoderKL([int(width) for width in args.channels.split(",")])
    model = model.to(memory_format=torch.channels_last)
    optimiser = torch.optim.AdamW(model.parameters(), lr=args.rate, betas=(0.9, 0.95), weight_decay=1e-4)
    average, step, elapsed, deviation = Average(model, args.decay), 0, 0.0, 1.0

    path = WORK / "checkpoints" / f"{args.name}.pt"
    if args.resume and path.exists():
        state = torch.load(path, weights_only=False)
        model.load_state_dict(state["model"])
        optimiser.load_state_dict(state["optimiser"])
        average.weights, step, elapsed, deviation = state["average"], state["step"], state["elapsed"], state["deviation"]
        generator.bit_generator.state = state["generator"]
        torch.set_rng_state(state["torch_generator"])
    clock = Clock(args.steps, args.minutes, elapsed)
    curve = Curve(WORK / "logs" / f"{args.name}.csv", FIELDS, args.resume)
    shadow = AutoencoderKL(**model.config).to(memory_format=torch.channels_last)  # holds the average for evaluation
    n, last_saved, last_report, losses = len(train.frames), time.time(), time.time(), []

    while (progress := clock.progress(step)) < 1:
        rate = learning_rate(step, progress, args.rate)
        for group in optimiser.param_groups:
            group["lr"] = rate
        x = train.pixels(generator.integers(n, size=args.batch), generator.integers(4, size=args.batch))
        x = x.contiguous(memory_format=torch.channels_last)  # [batch, 3, S, S]
        z, _ = model.encode(x)  # [batch, 4, S/8, S/8]
        deviation = 0.99 * deviation + 0.01 * z.detach().std().item() if step else z.detach().std().item()
        y = model.decode(z + args.noise * deviation * torch.randn_like(z))
        loss = 4 * F.mse_loss(y, x) + F.l1_loss(y, x) + 1e-5 * z.pow(2).mean()
        optimiser.zero_grad(set_to_none=True)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimiser.step()
        average.update(model, step)
        losses.append(loss.item())
        step += 1
        ended = clock.progress(step) >= 1
        if step % 100 == 0 or ended:
            shadow.load_state_dict(average.weights)
            curve.row(step=step, minutes=clock.elapsed() / 60, loss=float(np.mean(losses)),
                      psnr_train=psnr(y.detach(), x).mean().item(), psnr_val=evaluate(shadow, val),
                      latent_std=deviation, rate=rate,
                      seconds_per_step=(time.time() - last_report) / len(losses))
            last_report, losses = time.time(), []
        if time.time() - last_saved > 120 or ended:
            save(path, model=model.state_dict(), optimiser=optimiser.state_dict(), average=average.weights, step=step,
                 elapsed=clock.elapsed(), deviation=deviation, generator=generator.bit_generator.state,
                 torch_generator=torch.get_rng_state(), config=model.config, noise=args.noise)
            last_saved = time.time()


if __name__ == "__main__":
    main()
