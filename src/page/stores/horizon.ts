/** Frames that are asked for, when clips of different lengths are walked through. */

/**
 * The frames to ask for on a clip that has `most`: those of now, or those that were asked for before a shorter clip
 * cut them, unless something else was asked for since.
 */
export function createFitting(): (horizon: number, most: number) => number {
  let cut: { readonly from: number; readonly to: number } | null = null;
  return (horizon, most) => {
    const wanted = cut?.to === horizon ? cut.from : horizon;
    const fits = Math.min(wanted, most);
    cut = fits < wanted ? { from: wanted, to: fits } : null;
    return fits;
  };
}
