/** `infer`: any graph on any inputs, array names being input and output names. */
import { dirname } from 'node:path';
import { toFloat32 } from '../../../models/array/convert.ts';
import type { Tensor } from '../../../models/array/tensor.ts';
import { readNpz, writeNpz } from '../../../models/files/npz.ts';
import { readOnnx } from '../../../models/onnx/reader.ts';
import { openGraphFile } from '../../../workers/node/open.ts';
import { MOST_THREADS } from '../command.ts';
import type { Command } from '../command.ts';
import { checkFolder, readBytes, writeWhole } from '../files.ts';
import { table } from '../output.ts';

export const command: Command = {
  summary: 'Runs an ONNX graph on the arrays of an .npz file.',
  usage: '',
  options: {
    graph: { type: 'string', value: 'F.onnx', help: 'the graph' },
    inputs: {
      type: 'string',
      value: 'F.npz',
      help: 'arrays named as the inputs of the graph; others are ignored',
    },
    out: { type: 'string', value: 'F.npz', help: 'where the outputs go' },
    backend: {
      type: 'string',
      value: 'auto|node|wasm',
      help: 'runtime (auto: onnxruntime-node when installed)',
    },
    threads: { type: 'string', value: 'N', help: 'threads of the runtime' },
  },
  async run(args) {
    const out = args.required('out');
    const graph = args.required('graph');
    const inputs = args.required('inputs');
    await checkFolder(dirname(out));
    const arrays = readNpz(await readBytes(inputs), inputs);
    const model = await readBytes(graph);
    const dtypes = new Map(readOnnx(model).inputs.map(({ name, dtype }) => [name, dtype]));
    const session = await openGraphFile(graph, model, {
      runtime: args.choice('backend', ['auto', 'node', 'wasm']) ?? 'auto',
      threads: args.whole('threads', 1, MOST_THREADS),
    });
    const feeds = Object.fromEntries(
      session.inputs.map((name) => [name, fitted(arrays.get(name), dtypes.get(name))]),
    );
    const outputs = await session.run(feeds);
    await session.release();
    await args.pause();
    await writeWhole(out, writeNpz(outputs));
    const shapes = Object.entries(outputs).map(([name, { dtype, shape }]) => ({ name, dtype, shape }));
    if (args.flag('json')) console.log(JSON.stringify({ runtime: session.runtime, out, outputs: shapes }));
    else
      console.log(
        `${session.runtime}\n${table(
          ['output', 'dtype', 'shape'],
          shapes.map((s) => [s.name, s.dtype, s.shape.join(' x ')]),
        )}`,
      );
  },
};

/** NumPy's default dtypes are wider than a graph's: any number is taken where float32 is wanted. */
function fitted(tensor: Tensor, wanted: string | undefined): Tensor {
  if (wanted !== 'float32' || tensor.dtype === 'float32') return tensor;
  return { dtype: 'float32', shape: tensor.shape, data: toFloat32(tensor) };
}
