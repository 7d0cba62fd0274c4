/** CIELAB (D65, 2 degree observer) and sRGB, both ways. Pure numbers; for scales and their tests. */
export type Rgb = readonly [red: number, green: number, blue: number]; // 0..255
export type Lab = readonly [lightness: number, a: number, b: number];

/** White of D65 in XYZ with Y = 1 (CIE 15). */
const WHITE = [0.95047, 1, 1.08883] as const;

/** sRGB electro-optical transfer (IEC 61966-2-1): 0..255 to linear 0..1. */
export function toLinear(channel: number): number {
  const value = channel / 255;
  return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
}

/** Linear 0..1 to 0..255, unclamped and unrounded. */
export function fromLinear(value: number): number {
  return 255 * (value <= 0.0031308 ? 12.92 * value : 1.055 * value ** (1 / 2.4) - 0.055);
}

export function toLab([red, green, blue]: Rgb): Lab {
  const [r, g, b] = [toLinear(red), toLinear(green), toLinear(blue)];
  const x = bend((0.4124564 * r + 0.3575761 * g + 0.1804375 * b) / WHITE[0]);
  const y = bend((0.2126729 * r + 0.7151522 * g + 0.072175 * b) / WHITE[1]);
  const z = bend((0.0193339 * r + 0.119192 * g + 0.9503041 * b) / WHITE[2]);
  return [116 * y - 16, 500 * (x - y), 200 * (y - z)];
}

/** Unclamped: a channel outside 0..255 says that the colour is outside the sRGB gamut. */
export function fromLab([lightness, a, b]: Lab): Rgb {
  const fy = (lightness + 16) / 116;
  const x = WHITE[0] * unbend(fy + a / 500);
  const y = WHITE[1] * unbend(fy);
  const z = WHITE[2] * unbend(fy - b / 200);
  return [
    fromLinear(3.2404542 * x - 1.5371385 * y - 0.4985314 * z),
    fromLinear(-0.969266 * x + 1.8760108 * y + 0.041556 * z),
    fromLinear(0.0556434 * x - 0.2040259 * y + 1.0572252 * z),
  ];
}

/** Distance between two colours as CIE 1976 has it; about 2 is just noticeable. */
export function distance(first: Rgb, second: Rgb): number {
  const [l1, a1, b1] = toLab(first);
  const [l2, a2, b2] = toLab(second);
  return Math.hypot(l1 - l2, a1 - a2, b1 - b2);
}

function bend(t: number): number {
  return t > 216 / 24389 ? Math.cbrt(t) : (24389 / 27) * (t / 116) + 16 / 116;
}

function unbend(t: number): number {
  return t > 6 / 29 ? t ** 3 : 3 * (6 / 29) ** 2 * (t - 4 / 29);
}
