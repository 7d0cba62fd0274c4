/** `infer`: any graph on any inputs, array names being input and output names. */
import { readNpz, writeNpz } from '../../../models/files/npz.ts';
import { openGraphFile } from '../../../workers/node/open.ts';
import type { Command } from '../command.ts';
import { readBytes, writeWhole } from '../files.ts';
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
    const arrays = readNpz(await readBytes(inputs), inputs);
    const session = await openGraphFile(graph, await readBytes(graph), {
      runtime: args.choice('backend', ['auto', 'node', 'wasm']) ?? 'auto',
      threads: args.whole('threads', 1),
    });
    const feeds = Object.fromEntries(session.inputs.map((name) => [name, arrays.get(name)]));
    const outputs = await session.run(feeds);
    await session.release();
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
