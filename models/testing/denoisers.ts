/** Networks whose answers are known exactly, in place of a trained one. */
import { alphaBars } from '../diffusion/noise-schedule.ts';
import { tauOf } from '../diffusion/flow.ts';
import type { ProcessSpec } from '../diffusion/process.ts';
import type { Denoiser } from '../diffusion/denoiser.ts';

/**
 * The perfect denoiser of data whose every number is normal with `mean` and `deviation`: the
 * posterior mean of the clean frame, put into the form that `diffusion` predicts. With deviation 0
 * it knows the clean frame; otherwise the sampler's exact end is mean + deviation * noise.
 */
export function gaussianDenoiser(diffusion: ProcessSpec, mean: number, deviation: number): Denoiser {
  const bars = alphaBars(diffusion);
  const variance = deviation ** 2;
  return async (x, timesteps) => {
    const size = x.length / timesteps.length;
    return x.map((value, i) => {
      const timestep = timesteps[Math.floor(i / size)];
      const flow = diffusion.prediction === 'flow';
      const signal = flow ? tauOf(timestep) : Math.sqrt(bars[timestep]);
      const noise = flow ? 1 - signal : Math.sqrt(1 - bars[timestep]);
      const total = signal ** 2 * variance + noise ** 2;
      const residual = value - signal * mean;
      const x0 = mean + (total === 0 ? residual : (signal * variance * residual) / total);
      const eps = total === 0 ? 0 : (noise * residual) / total;
      switch (diffusion.prediction) {
        case 'v':
          return signal * eps - noise * x0;
        case 'epsilon':
          return eps;
        case 'x':
          return x0;
        default:
          return x0 - eps;
      }
    });
  };
}
