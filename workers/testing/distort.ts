/** A device whose kernels are wrong: what its graphs give is changed before anybody sees it. */
import type * as OrtModule from 'onnxruntime-web';
import type { OpenPlatform } from '../inference/platform.ts';

/** @param change what the device makes of an output of float32, in place */
export function distorted(
  platform: OpenPlatform,
  change: (output: string, data: Float32Array) => void,
): OpenPlatform {
  const { ort } = platform;
  const create = async (...given: Parameters<typeof ort.InferenceSession.create>) => {
    const session = await ort.InferenceSession.create(...given);
    const run = async (
      ...feeds: Parameters<typeof session.run>
    ): Promise<OrtModule.InferenceSession.ReturnType> => {
      const results = await session.run(...feeds);
      for (const [name, { data }] of Object.entries(results)) change(name, data as Float32Array);
      return results;
    };
    return {
      inputNames: session.inputNames,
      outputNames: session.outputNames,
      run,
      release: () => session.release(),
    };
  };
  return { ...platform, ort: { ...ort, InferenceSession: { create } } as unknown as typeof ort };
}
