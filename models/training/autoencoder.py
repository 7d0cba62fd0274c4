"""AutoencoderKL with the parameter names of diffusers, so that the exported file is in the published layout.

Geometry and order of operations: Rombach et al. 2022 (latent diffusion). Frames are in [-1, 1].
With four levels the side shrinks by 8: pixels [N, 3, S, S] <-> latents [N, 4, S/8, S/8].
"""

import torch
import torch.nn as nn
import torch.nn.functional as F


class Resnet(nn.Module):
    def __init__(self, inputs, outputs, groups):
        super().__init__()
        self.norm1 = nn.GroupNorm(groups, inputs, eps=1e-6)
        self.conv1 = nn.Conv2d(inputs, outputs, 3, padding=1)
        self.norm2 = nn.GroupNorm(groups, outputs, eps=1e-6)
        self.conv2 = nn.Conv2d(outputs, outputs, 3, padding=1)
        if inputs != outputs:
            self.conv_shortcut = nn.Conv2d(inputs, outputs, 1)

    def forward(self, x):  # [N, inputs, h, w] -> [N, outputs, h, w]
        y = self.conv1(F.silu(self.norm1(x)))
        y = self.conv2(F.silu(self.norm2(y)))
        return y + (self.conv_shortcut(x) if hasattr(self, "conv_shortcut") else x)


class Attention(nn.Module):
    """One head over the h * w positions."""

    def __init__(self, channels, groups):
        super().__init__()
        self.group_norm = nn.GroupNorm(groups, channels, eps=1e-6)
        self.to_q = nn.Linear(channels, channels)
        self.to_k = nn.Linear(channels, channels)
        self.to_v = nn.Linear(channels, channels)
        self.to_out = nn.ModuleList([nn.Linear(channels, channels)])

    def forward(self, x):  # [N, C, h, w]
        n, c, h, w = x.shape
        tokens = self.group_norm(x).flatten(2).transpose(1, 2)  # [N, h*w, C]
        q, k, v = self.to_q(tokens), self.to_k(tokens), self.to_v(tokens)
        mixed = torch.softmax(q @ k.transpose(1, 2) * c**-0.5, dim=-1) @ v  # [N, h*w, C]
        return x + self.to_out[0](mixed).transpose(1, 2).reshape(n, c, h, w)


class Middle(nn.Module):
    def __init__(self, channels, groups):
        super().__init__()
        self.resnets = nn.ModuleList([Resnet(channels, channels, groups) for _ in range(2)])
        self.attentions = nn.ModuleList([Attention(channels, groups)])

    def forward(self, x):
        return self.resnets[1](self.attentions[0](self.resnets[0](x)))


class Downsample(nn.Module):
    def __init__(self, channels):
        super().__init__()
        self.conv = nn.Conv2d(channels, channels, 3, stride=2)

    def forward(self, x):  # zeros at the right and the bottom only
        return self.conv(F.pad(x, (0, 1, 0, 1)))


class Upsample(nn.Module):
    def __init__(self, channels):
        super().__init__()
        self.conv = nn.Conv2d(channels, channels, 3, padding=1)

    def forward(self, x):
        return self.conv(F.interpolate(x, scale_factor=2.0, mode="nearest"))


class Level(nn.Module):
    """Some resnets at one resolution, then perhaps a change of resolution (`downsamplers` or `upsamplers`)."""

    def __init__(self, inputs, outputs, layers, groups, resample_name=None, resample=None):
        super().__init__()
        self.resnets = nn.ModuleList([Resnet(inputs if i == 0 else outputs, outputs, groups) for i in range(layers)])
        self.resample_name = resample_name
        if resample_name:
            setattr(self, resample_name, nn.ModuleList([resample]))

    def forward(self, x):
        for resnet in self.resnets:
            x = resnet(x)
        return getattr(self, self.resample_name)[0](x) if self.resample_name else x


class Encoder(nn.Module):
    def __init__(self, channels, layers, groups, latent_channels):
        super().__init__()
        self.conv_in = nn.Conv2d(3, channels[0], 3, padding=1)
        self.down_blocks = nn.ModuleList()
        for i, width in enumerate(channels):
            down = ("downsamplers", Downsample(width)) if i < len(channels) - 1 else (None, None)
            self.down_blocks.append(Level(channels[max(i - 1, 0)], width, layers, groups, *down))
        self.mid_block = Middle(channels[-1], groups)
        self.conv_norm_out = nn.GroupNorm(groups, channels[-1], eps=1e-6)
        self.conv_out = nn.Conv2d(channels[-1], 2 * latent_channels, 3, padding=1)

    def forward(self, x):  # [N, 3, S, S] -> [N, 2 * latent_channels, S/8, S/8]
        x = self.conv_in(x)
        for block in self.down_blocks:
            x = block(x)
        return self.conv_out(F.silu(self.conv_norm_out(self.mid_block(x))))


class Decoder(nn.Module):
    def __init__(self, channels, layers, groups, latent_channels):
        super().__init__()
        widths = list(reversed(channels))
        self.conv_in = nn.Conv2d(latent_channels, widths[0], 3, padding=1)
        self.mid_block = Middle(widths[0], groups)
        self.up_blocks = nn.ModuleList()
        for i, width in enumerate(widths):
            up = ("upsamplers", Upsample(width)) if i < len(widths) - 1 else (None, None)
            self.up_blocks.append(Level(widths[max(i - 1, 0)], width, layers + 1, groups, *up))
        self.conv_norm_out = nn.GroupNorm(groups, widths[-1], eps=1e-6)
        self.conv_out = nn.Conv2d(widths[-1], 3, 3, padding=1)

    def forward(self, z):  # [N, latent_channels, S/8, S/8] -> [N, 3, S, S]
        x = self.mid_block(self.conv_in(z))
        for block in self.up_blocks:
            x = block(x)
        return self.conv_out(F.silu(self.conv_norm_out(x)))


class AutoencoderKL(nn.Module):
    def __init__(self, channels=(32, 64, 64, 64), layers=1, groups=8, latent_channels=4):
        super().__init__()
        self.config = dict(channels=tuple(channels), layers=layers, groups=groups, latent_channels=latent_channels)
        self.encoder = Encoder(channels, layers, groups, latent_channels)
        self.decoder = Decoder(channels, layers, groups, latent_channels)
        self.quant_conv = nn.Conv2d(2 * latent_channels, 2 * latent_channels, 1)
        self.post_quant_conv = nn.Conv2d(latent_channels, latent_channels, 1)

    def encode(self, pixels):  # [N, 3, S, S] -> mean, logvar: each [N, 4, S/8, S/8], unscaled
        mean, logvar = self.quant_conv(self.encoder(pixels)).chunk(2, dim=1)
        return mean, logvar

    def decode(self, latents):  # unscaled [N, 4, S/8, S/8] -> [N, 3, S, S]
        return self.decoder(self.post_quant_conv(latents))
