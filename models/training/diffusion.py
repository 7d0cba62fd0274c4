"""Noise schedule, scheduling matrix and per-frame DDIM for v-prediction: what training and quick evaluations need.

The published numbers are made by the TypeScript command line; this is the same mathematics (facts of the paper).
"""

import numpy as np
import torch

T = 1000  # steps of the full process


def alpha_bars():
    """squaredcos_cap_v2 with zero terminal SNR (Lin et al. 2023), float64 [T]."""
    f = lambda u: np.cos((u + 0.008) / 1.008 * np.pi / 2) ** 2
    i = np.arange(T)
    beta = np.minimum(1 - f((i + 1) / T) / f(i / T), 0.999)
    s = np.sqrt(np.cumprod(1 - beta))
    s = (s - s[-1]) * s[0] / (s[0] - s[-1])
    return s**2


def spaced_steps(steps):
    """Base timesteps of the kept steps: a float64 cursor, rounded half to even."""
    stride = (T - 1) / (steps - 1) if steps > 1 else 0.0
    cursor, kept = 0.0, []
    for _ in range(steps):
        kept.append(round(cursor))
        cursor += stride
    return np.array(kept)


def scheduling_matrix(steps, frames, mode):
    """Level indices [rows, frames]: level(r, f) = clamp(S - (r - f L), 0, S)."""
    lag = {"full_sequence": 0, "pyramid": 1, "sequential": steps}[mode]
    rows = np.arange(steps + lag * (frames - 1) + 1)[:, None]
    return np.clip(steps - (rows - np.arange(frames)[None] * lag), 0, steps)


@torch.no_grad()
def rollout(model, context, actions, steps, mode, stabilisation, noise, context_noise):
    """context [B, 1, C, H, W] scaled and clean, noise [B, F, C, H, W] -> latents [B, F, C, H, W], eta = 0."""
    bars, base = alpha_bars(), spaced_steps(steps)
    b, f = noise.shape[:2]
    x = noise.clone()
    context_step = round(stabilisation * (steps - 1)) if stabilisation > 0 else None
    if context_step is None:
        x[:, :1] = context
    else:
        ab = bars[base[context_step]]
        x[:, :1] = float(ab**0.5) * context + float((1 - ab) ** 0.5) * context_noise
    context_time = base[context_step if context_step is not None else 0]
    matrix = scheduling_matrix(steps, f - 1, mode)
    for now, after in zip(matrix[:-1], matrix[1:]):
        times = [context_time] + [base[max(level - 1, 0)] for level in now]
        t = torch.tensor(np.array(times), dtype=torch.float32).expand(b, f)
        v = model(x, t, actions).float()
        for i, (level, level_after) in enumerate(zip(now, after), start=1):
            if level == level_after:
                continue
            ab = bars[base[level - 1]]
            ab_after = bars[base[level_after - 1]] if level_after > 0 else 1.0
            x0 = float(ab**0.5) * x[:, i] - float((1 - ab) ** 0.5) * v[:, i]
            clipped = max(ab, 1e-8)
            eps = (float((1 / clipped) ** 0.5) * x[:, i] - x0) / float((1 / clipped - 1) ** 0.5)
            x[:, i] = float(ab_after**0.5) * x0 + float((1 - ab_after) ** 0.5) * eps
    return x
