"""What both trainings share: data, schedule, moving average, checkpoints, curve, measures."""

import csv
import ctypes
import json
import time
from pathlib import Path

import numpy as np
import torch
import torch.nn.functional as F

WORK = Path(__file__).parent / "work"
MAZE_UNITS = 5.0  # side of the pictured maze in maze units (five cells)


def settle(seed):
    """Two threads, the seed, and memory that is kept: giving pages back to the system after every step costs up to
    half of the time at 128 x 128 (measured). glibc only; elsewhere nothing happens."""
    torch.set_num_threads(2)
    torch.manual_seed(seed)
    try:
        mallopt = ctypes.CDLL("libc.so.6").mallopt
    except (OSError, AttributeError):
        return
    for parameter, value in ((-4, 0), (-1, -1), (-2, 1 << 28)):  # M_MMAP_MAX, M_TRIM_THRESHOLD (-1: never), M_TOP_PAD
        mallopt(parameter, value)


class Split:
    """One split of the data that `npm run maze:data` makes; frames stay on disk (memory map).

    A folder without splits (the trials of other frame sizes) gives its last 500 episodes as val, the others as train.
    """

    def __init__(self, data, split):
        folder, part = Path(data) / split, slice(None)
        if not folder.exists():
            folder, part = Path(data), slice(-500, None) if split == "val" else slice(None, -500)
        self.frames = np.load(folder / "frames.npy", mmap_mode="r")[part]  # uint8 [N, 4, S, S, 3]
        self.states = np.load(folder / "states.npy")[part]  # [N, 4, 4]: x, y and their velocities
        self.actions = np.load(folder / "actions.npy")[part]  # float32 [N, 4, 10] as recorded
        train = Path(data) / "train"
        self.meta = json.loads(((train if train.exists() else folder) / "meta.json").read_text())

    def pixels(self, episodes, frame):
        """-> float32 [len(episodes), 3, S, S] in [-1, 1]"""
        picked = np.stack([self.frames[e, f] for e, f in zip(episodes, frame)])
        return torch.from_numpy(picked).permute(0, 3, 1, 2).float() / 127.5 - 1

    def network_actions(self):
        """z-normalised over the 2-D actions of the training split, which repeat five times -> [N, 4, 10]"""
        mean = np.tile(np.asarray(self.meta["action_mean"], np.float32), 5)
        deviation = np.tile(np.asarray(self.meta["action_std"], np.float32), 5)
        return torch.from_numpy((self.actions - mean) / (deviation + 1e-6)).float()


class Clock:
    """How far the training is, 0 to 1: by steps, or by minutes where `--minutes` is given."""

    def __init__(self, steps, minutes, elapsed=0.0):
        self.steps, self.minutes, self.start = steps, minutes, time.time() - elapsed

    def elapsed(self):
        return time.time() - self.start

    def progress(self, step):
        return min(1.0, self.elapsed() / 60 / self.minutes if self.minutes else step / self.steps)


def learning_rate(step, progress, peak, warm_up=100, floor=0.01):
    """Linear warm-up by steps, then a cosine from peak to floor * peak by progress."""
    cosine = floor + (1 - floor) * 0.5 * (1 + np.cos(np.pi * progress))
    return peak * min(1.0, (step + 1) / warm_up) * float(cosine)


class Average:
    """Exponential moving average of the weights; young averages forget faster."""

    def __init__(self, model, decay):
        self.decay = decay
        self.weights = {name: tensor.detach().clone() for name, tensor in model.state_dict().items()}

    @torch.no_grad()
    def update(self, model, step):
        decay = min(self.decay, (1 + step) / (10 + step))
        for name, tensor in model.state_dict().items():
            self.weights[name].lerp_(tensor, 1 - decay)


def save(path, **state):
    """Written beside and renamed, so that an interrupted run never leaves half a checkpoint."""
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_suffix(".part")
    torch.save(state, part)
    part.rename(path)


class Curve:
    """A CSV with one row per report; continued on resume."""

    def __init__(self, path, fields, resume):
        path.parent.mkdir(parents=True, exist_ok=True)
        new = not (resume and path.exists())
        self.file = open(path, "w" if new else "a", newline="")
        self.writer = csv.DictWriter(self.file, fields)
        if new:
            self.writer.writeheader()

    def row(self, **values):
        self.writer.writerow({k: f"{v:.6g}" if isinstance(v, float) else v for k, v in values.items()})
        self.file.flush()
        print("  ".join(f"{k} {v:.5g}" if isinstance(v, float) else f"{k} {v}" for k, v in values.items()), flush=True)


def psnr(a, b):
    """Per frame, [..., 3, S, S] in [-1, 1] -> [...]; on [0, 1] with epsilon 1e-8, as piqa does."""
    mse = ((a.clamp(-1, 1) - b.clamp(-1, 1)).double() / 2).pow(2).mean(dim=(-3, -2, -1))
    return 10 * torch.log10((1 + 1e-8) / (mse + 1e-8))


def ssim(a, b):
    """Per frame, [N, 3, S, S] in [-1, 1] -> [N]; 11 x 11 Gaussian window, sigma 1.5, valid area, float64."""
    a, b = ((x.clamp(-1, 1).double() + 1) / 2 for x in (a, b))
    g = torch.exp(-((torch.arange(11).double() - 5) ** 2) / (2 * 1.5**2))
    g = g / g.sum()

    def blur(x):  # [N, 3, S, S] -> [N, 3, S-10, S-10]
        x = x.flatten(0, 1)[:, None]
        return F.conv2d(F.conv2d(x, g.view(1, 1, 11, 1)), g.view(1, 1, 1, 11)).view(*a.shape[:2], a.shape[2] - 10, -1)

    ma, mb = blur(a), blur(b)
    va, vb, cov = blur(a * a) - ma**2, blur(b * b) - mb**2, blur(a * b) - ma * mb
    index = (2 * ma * mb + 0.01**2) * (2 * cov + 0.03**2) / ((ma**2 + mb**2 + 0.01**2) * (va + vb + 0.03**2))
    return index.mean(dim=(1, 2, 3))


def ball_centre(frames):
    """Centroid of what is greener than red and blue, [N, 3, S, S] in [-1, 1] -> [N, 2] as (column, row) in maze units."""
    frames = frames.clamp(-1, 1)
    weight = (frames[:, 1] - torch.maximum(frames[:, 0], frames[:, 2])).clamp_min(0)  # [N, S, S]
    side = frames.shape[-1]
    at = (torch.arange(side) + 0.5) / side * MAZE_UNITS
    total = weight.sum(dim=(1, 2)).clamp_min(1e-6)
    return torch.stack([(weight * at).sum(dim=(1, 2)), (weight * at[:, None]).sum(dim=(1, 2))], dim=1) / total[:, None]
