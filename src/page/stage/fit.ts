/** How large a picture is shown: by a whole factor in device pixels, so that no pixel is ever blended with its neighbour. */

export interface Fit {
  /** Device pixels for one pixel of the picture, down the picture. A whole number unless there is no room for one. */
  readonly factor: number;
  /** Size in CSS pixels. */
  readonly width: number;
  readonly height: number;
}

/**
 * The largest whole factor that fits.
 * @param room CSS pixels there are in each direction.
 * @param size pixels of the picture.
 * @param density devicePixelRatio; fractions are handled (1.25, 1.5).
 * @param aspect width : height as shown; the picture's own when null.
 */
export function fitWhole(
  room: { readonly width: number; readonly height: number },
  size: { readonly width: number; readonly height: number },
  density: number,
  aspect: number | null = null,
): Fit {
  const shape = aspect ?? size.width / size.height;
  // The height is the side that a whole factor is kept for; the width follows the aspect.
  const available = Math.min(room.height, room.width / shape) * density;
  const factor = available >= size.height ? Math.floor(available / size.height) : available / size.height;
  const height = (size.height * factor) / density;
  return { factor, width: height * shape, height };
}
