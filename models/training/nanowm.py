"""NanoWM (arXiv 2605.23993): a diffusion-forcing transformer over video latents. Additive action injection only.

x [B, F, C, H, W] noised latents, t [B, F] base timesteps, actions [B, F, A] -> prediction [B, F, C, H, W].
Parameter names are those of the published checkpoints. Even blocks attend inside a frame, odd ones over the
frames of one patch. Modulation depends on the frame alone, so it is computed once per frame, not per patch.
"""

import math

import torch
import torch.nn as nn
import torch.nn.functional as F


def mlp(inputs, width):
    return nn.ModuleDict({"mlp": nn.Sequential(nn.Linear(inputs, width), nn.SiLU(), nn.Linear(width, width))})


def rotary_angles(positions, width):  # [L] -> [L, width], angle_i = position * 10000^(-i / width)
    return positions[:, None] * 10000.0 ** (-torch.arange(width) / width)


def spatial_angles(side, head_dim):  # row-major square grid -> [side * side, head_dim / 2]
    row = torch.arange(side).repeat_interleave(side).float()
    column = torch.arange(side).repeat(side).float()
    return torch.cat([rotary_angles(row, head_dim // 4), rotary_angles(column, head_dim // 4)], dim=1)


def rotate(x, cos, sin):  # x [N, heads, L, d], cos and sin [L, d / 2]
    a, b = x.chunk(2, dim=-1)
    return torch.cat([a * cos - b * sin, a * sin + b * cos], dim=-1)


class RMSNorm(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.weight = nn.Parameter(torch.ones(width))

    def forward(self, x):
        return F.rms_norm(x, (x.shape[-1],), self.weight.to(x.dtype), eps=1e-6)


class Attention(nn.Module):
    def __init__(self, width, heads):
        super().__init__()
        self.heads = heads
        self.qkv = nn.Linear(width, 3 * width)
        self.proj = nn.Linear(width, width)
        self.q_norm = RMSNorm(width // heads)
        self.k_norm = RMSNorm(width // heads)

    def forward(self, x, cos, sin, causal):  # [N, L, D]
        n, length, width = x.shape
        qkv = self.qkv(x).view(n, length, 3, self.heads, width // self.heads)
        q, k, v = qkv.permute(2, 0, 3, 1, 4)  # each [N, heads, L, d]
        q, k = rotate(self.q_norm(q), cos, sin), rotate(self.k_norm(k), cos, sin)
        y = F.scaled_dot_product_attention(q, k, v, is_causal=causal)
        return self.proj(y.transpose(1, 2).reshape(n, length, width))


class SwiGLU(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.w1 = nn.Linear(width, 4 * width, bias=False)
        self.w2 = nn.Linear(width, 4 * width, bias=False)
        self.w3 = nn.Linear(4 * width, width, bias=False)

    def forward(self, x):
        return self.w3(F.silu(self.w1(x)) * self.w2(x))


class Block(nn.Module):
    def __init__(self, width, heads):
        super().__init__()
        self.attn = Attention(width, heads)
        self.mlp = SwiGLU(width)
        self.adaLN_modulation = nn.Sequential(nn.SiLU(), nn.Linear(width, 6 * width))

    def forward(self, x, c, e, temporal, causal, cos, sin):
        """x [B, F, P, D], c [B, F, D] timestep vectors, e [B, F, D] action embeddings, shifted by one frame."""
        b, f, p, d = x.shape
        x = x + e[:, :, None]
        parts = self.adaLN_modulation(c)[:, :, None].chunk(6, dim=-1)  # each [B, F, 1, D]
        shift_msa, scale_msa, gate_msa, shift_mlp, scale_mlp, gate_mlp = parts
        y = F.layer_norm(x, (d,), eps=1e-6) * (1 + scale_msa) + shift_msa
        if temporal:
            y = y.transpose(1, 2).reshape(b * p, f, d)  # the same patch over frames
            y = self.attn(y, cos, sin, causal).view(b, p, f, d).transpose(1, 2)
        else:
            y = self.attn(y.reshape(b * f, p, d), cos, sin, False).view(b, f, p, d)
        x = x + gate_msa * y
        y = F.layer_norm(x, (d,), eps=1e-6) * (1 + scale_mlp) + shift_mlp
        return x + gate_mlp * self.mlp(y)


class NanoWM(nn.Module):
    def __init__(self, side=8, channels=4, frames=4, patch=2, width=192, depth=8, heads=6, action_width=10, causal=True):
        super().__init__()
        self.config = dict(side=side, channels=channels, frames=frames, patch=patch, width=width, depth=depth,
                           heads=heads, action_width=action_width, causal=causal)
        grid, head_dim = side // patch, width // heads
        self.x_embedder = nn.ModuleDict({"proj": nn.Conv2d(channels, width, patch, stride=patch)})
        self.t_embedder = mlp(256, width)
        self.action_embedder = mlp(action_width, width)
        self.pos_embed = nn.Parameter(0.02 * torch.randn(1, grid * grid, width))
        self.temp_embed = nn.Parameter(0.02 * torch.randn(1, frames, width))
        self.blocks = nn.ModuleList([Block(width, heads) for _ in range(depth)])
        self.final_layer = nn.ModuleDict({
            "linear": nn.Linear(width, patch * patch * channels),
            "adaLN_modulation": nn.Sequential(nn.SiLU(), nn.Linear(width, 2 * width)),
        })
        space, time = spatial_angles(grid, head_dim), rotary_angles(torch.arange(frames).float(), head_dim // 2)
        for name, angles in (("space", space), ("time", time)):
            self.register_buffer(f"{name}_cos", angles.cos(), persistent=False)
            self.register_buffer(f"{name}_sin", angles.sin(), persistent=False)
        self.initialise()

    def initialise(self):
        """Every block starts as the identity and the output as zero (Peebles and Xie 2023, adaLN-zero)."""
        for block in self.blocks:
            nn.init.zeros_(block.adaLN_modulation[1].weight)
            nn.init.zeros_(block.adaLN_modulation[1].bias)
        for layer in (self.final_layer["linear"], self.final_layer["adaLN_modulation"][1]):
            nn.init.zeros_(layer.weight)
            nn.init.zeros_(layer.bias)

    def embed_time(self, t):  # [B, F] -> [B, F, D]
        angles = t[..., None].float() * torch.exp(-math.log(10000.0) * torch.arange(128) / 128)
        return self.t_embedder["mlp"](torch.cat([angles.cos(), angles.sin()], dim=-1))

    def forward(self, x, t, actions):
        b, f, c, h, w = x.shape
        patch, width = self.config["patch"], self.config["width"]
        tokens = self.x_embedder["proj"](x.reshape(b * f, c, h, w)).flatten(2).transpose(1, 2)  # [B*F, P, D]
        tokens = (tokens + self.pos_embed).view(b, f, -1, width)
        time = self.embed_time(t)
        # Frame f is moved by action f - 1; frame 0 gets zeros, not the embedding of a zero action.
        e = F.pad(self.action_embedder["mlp"](actions[:, :-1]), (0, 0, 1, 0))  # [B, F, D]
        for i, block in enumerate(self.blocks):
            temporal = i % 2 == 1
            if i == 1:
                tokens = tokens + self.temp_embed[:, :, None]
            cos, sin = (self.time_cos, self.time_sin) if temporal else (self.space_cos, self.space_sin)
            tokens = block(tokens, time, e, temporal, self.config["causal"], cos, sin)
        shift, scale = self.final_layer["adaLN_modulation"](time)[:, :, None].chunk(2, dim=-1)
        y = F.layer_norm(tokens, (width,), eps=1e-6) * (1 + scale) + shift
        y = self.final_layer["linear"](y)  # [B, F, P, patch * patch * C]
        y = y.view(b, f, h // patch, w // patch, patch, patch, c)  # rows, columns, row in patch, column in patch, C
        return y.permute(0, 1, 6, 2, 4, 3, 5).reshape(b, f, c, h, w)
