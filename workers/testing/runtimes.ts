/** Which runtimes this machine has, for tests: onnxruntime-node is an optional dependency. */
const native = 'onnxruntime-node';

/** False where onnxruntime-node is not installed or its binary does not load. */
export const hasNative = await import(/* @vite-ignore */ native).then(
  () => true,
  () => false,
);

export const RUNTIMES: readonly ('wasm' | 'node')[] = hasNative ? ['wasm', 'node'] : ['wasm'];
