"""Seconds of one maze rollout in PyTorch on the CPU, for the ratio that `npm run bench` prints: python bench.py --steps 8.

The same work as the command line's: encode four frames, decode them (the reconstruction), sample sequentially with
history stabilisation, decode the result. Speed does not depend on the weights' values, so they are random.
"""

import argparse
import statistics
import time

import torch

from autoencoder import AutoencoderKL
from diffusion import rollout
from nanowm import NanoWM

FRAMES, SIZE, CHANNELS = 4, 64, 4


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--steps", type=int, default=8)
    parser.add_argument("--repeats", type=int, default=5)
    args = parser.parse_args()
    torch.manual_seed(0)
    autoencoder = AutoencoderKL([16, 32, 64, 64]).eval()
    model = NanoWM(SIZE // 8, CHANNELS, FRAMES, 2, 192, 8, 6, 10).eval()
    pixels = torch.rand(FRAMES, 3, SIZE, SIZE) * 2 - 1
    actions = torch.randn(1, FRAMES, 10)

    @torch.no_grad()
    def once():
        latents = autoencoder.encode(pixels)[0][None]  # [1, F, 4, h, w]
        autoencoder.decode(latents[0])
        noise = torch.randn(latents.shape)
        sampled = rollout(model, latents[:, :1], actions, args.steps, "sequential", 0.02, noise, noise[:, :1])
        autoencoder.decode(sampled[0])

    once()
    times = []
    for _ in range(args.repeats):
        start = time.perf_counter()
        once()
        times.append(time.perf_counter() - start)
    print(statistics.median(times))


if __name__ == "__main__":
    main()
