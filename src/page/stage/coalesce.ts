/** Many requests, one painting: the next time that the screen is drawn. */
export interface Coalesced {
  request(): void;
  cancel(): void;
}

export function coalesce(paint: () => void): Coalesced {
  let asked = 0;
  return {
    request: () => {
      asked ||= requestAnimationFrame(() => {
        asked = 0;
        paint();
      });
    },
    cancel: () => {
      cancelAnimationFrame(asked);
      asked = 0;
    },
  };
}
