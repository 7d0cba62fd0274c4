"""Draws the two training curves from the logs: python curve.py -> curve.svg (no drawing library)."""

import csv
from pathlib import Path

from common import WORK

WIDTH, HEIGHT, LEFT, TOP = 330, 190, 52, 34  # of one panel's plot, and its margins


def read(path, column):
    """-> [(step, value)] where the column is filled"""
    with open(path) as file:
        return [(int(row["step"]), float(row[column])) for row in csv.DictReader(file) if row[column]]


def panel(title, points, left):
    """One chart: step to the right, dB upwards, gridlines every 5 dB."""
    last = points[-1][0]
    low = 5 * (min(v for _, v in points) // 5)
    high = 5 * (max(v for _, v in points) // 5 + 1)
    x = lambda step: left + LEFT + WIDTH * step / last
    y = lambda value: TOP + HEIGHT * (high - value) / (high - low)
    parts = [f'<text x="{left + LEFT}" y="18" font-weight="bold">{title}</text>']
    for value in range(int(low), int(high) + 1, 5):
        parts.append(f'<path d="M{left + LEFT} {y(value):.1f}h{WIDTH}" stroke="#8886"/>')
        parts.append(f'<text x="{left + LEFT - 6}" y="{y(value) + 4:.1f}" text-anchor="end">{value} dB</text>')
    path = "L".join(f"{x(step):.1f} {y(value):.1f}" for step, value in points)
    parts.append(f'<path d="M{path}" fill="none" stroke="#2a7ab0" stroke-width="2"/>')
    parts.append(f'<text x="{x(last):.0f}" y="{TOP + HEIGHT + 18}" text-anchor="end">step {last}</text>')
    parts.append(f'<text x="{x(last):.0f}" y="{y(points[-1][1]) - 8:.0f}" text-anchor="end">{points[-1][1]:.1f}</text>')
    return parts


def main():
    logs, step = WORK / "logs", WIDTH + LEFT + 24
    parts = panel("Autoencoder: frames never trained on", read(logs / "autoencoder.csv", "psnr_val"), 0)
    parts += panel("NanoWM: 8 steps, against the reconstruction", read(logs / "nanowm.csv", "psnr"), step)
    head = (f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {2 * step} {TOP + HEIGHT + 30}" '
            'font-family="sans-serif" font-size="12" fill="#777">')
    (Path(__file__).parent / "curve.svg").write_text("\n".join([head, *parts, "</svg>"]) + "\n")


if __name__ == "__main__":
    main()
