/** Mounts the noise scale: one column of colour for each device pixel. */
import { noiseColour } from '../colour/noise.ts';
import { attach } from './attach.ts';

export function mountScale(canvas: HTMLCanvasElement): () => void {
  const paint = () => {
    const width = Math.max(2, Math.round(canvas.clientWidth * window.devicePixelRatio));
    if (canvas.width === width) return;
    canvas.width = width;
    canvas.height = 1;
    const pen = canvas.getContext('2d');
    if (!pen) return;
    const image = pen.createImageData(width, 1);
    for (let x = 0; x < width; x++) image.data.set([...noiseColour(x / (width - 1)), 255], x * 4);
    pen.putImageData(image, 0, 0);
  };
  return attach(paint, [], canvas);
}
