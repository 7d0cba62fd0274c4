/** Graphs as `.onnx` files, with their weights inside or beside them in shards. */
import { invalid, unsupported } from '../errors.ts';
import type { Attribute, Graph, Node, Port } from './graph.ts';
import type { Initialiser } from './initialiser.ts';
import * as onnx from './schema.ts';
import { bytes, float, integer, join, message, text } from './wire.ts';
import type { Chunks } from './wire.ts';

/** 64 MiB, the largest shard that the bundle contract allows (design.md section 3). */
export const MAX_SHARD_BYTES = 64 * 2 ** 20;

/**
 * What a shard is filled to; a single larger weight has one of its own. A page that converts a checkpoint of 2 GB
 * needs 495 MB with shards of 32 MiB and 738 MB with shards of 64 (e2e/bench/large.ts --page).
 */
const FILLED_SHARD_BYTES = 32 * 2 ** 20;
/** Smaller constants stay in the model file: the runtime reads shapes from there before it opens shards. */
const EMBED_BYTES = 1024;
/** Shards keep every tensor on a boundary that all typed arrays can view. */
const ALIGNMENT = 64;

export interface SerialiseOptions {
  /** Weights beside the model as `<prefix>.<i>.bin`; left out, everything is in the model file. */
  readonly externalData?: { readonly prefix: string; readonly maxShardBytes?: number };
}

export interface Shard {
  /** Relative to the model file. */
  readonly path: string;
  readonly data: Uint8Array;
}

export interface SerialisedModel {
  readonly model: Uint8Array;
  readonly shards: readonly Shard[];
}

/** @throws when a single weight is larger than a shard may be. */
export function serialise(graph: Graph, options: SerialiseOptions = {}): SerialisedModel {
  const places = placesOf(graph.initialisers, options);
  return { model: modelBytes(graph, places), shards: [...shardsOf(graph.initialisers, places)] };
}

/** A file of one or several graphs. */
export interface PackedFile {
  readonly name: string;
  readonly bytes: Uint8Array;
  /** Names of the graph files whose weights these are; empty for a graph itself. */
  readonly externalDataOf: readonly string[];
}

/**
 * `<graph>.onnx` for each of `graphs`, after their shards. A weight that several graphs hold under one name is
 * the same to them and is stored once. Each shard is made when it is asked for, so that no more than one is in
 * memory. A single graph whose weights fit in a shard keeps them inside.
 * @throws when a single weight is larger than a shard may be, or two graphs mean different weights by a name.
 */
export function* pack(graphs: readonly Graph[], prefix: string): Generator<PackedFile, void, undefined> {
  const all = union(graphs);
  const beside = graphs.length > 1 || weightBytes(graphs) > MAX_SHARD_BYTES;
  const places = placesOf(all, beside ? { externalData: { prefix } } : {});
  const names = graphs.map(({ name }) => `${name}.onnx`);
  for (const { path, data } of shardsOf(all, places))
    yield { name: path, bytes: data, externalDataOf: names };
  for (const [i, graph] of graphs.entries())
    yield { name: names[i], bytes: modelBytes(graph, places), externalDataOf: [] };
}

/** What the weights of `graphs` take when each is stored once. */
export function weightBytes(graphs: readonly Graph[]): number {
  return union(graphs).reduce((sum, { byteLength }) => sum + byteLength, 0);
}

function union(graphs: readonly Graph[]): Initialiser[] {
  const all = new Map<string, Initialiser>();
  for (const initialiser of graphs.flatMap(({ initialisers }) => initialisers)) {
    const { name, dtype, shape } = initialiser;
    const known = all.get(name) ?? initialiser;
    if (known.dtype !== dtype || known.shape.join() !== shape.join())
      throw invalid('weight', name, 'two graphs that share their weights mean different ones by it');
    all.set(name, known);
  }
  return [...all.values()];
}

function modelBytes(graph: Graph, places: ReadonlyMap<string, Place>): Uint8Array {
  return join([
    ...integer(onnx.MODEL.irVersion, onnx.IR_VERSION),
    ...text(onnx.MODEL.producer, 'nanowm-playground'),
    ...message(onnx.MODEL.graph, ...graphFields(graph, places)),
    ...onnx.OPSETS.flatMap(({ domain, version }) =>
      message(onnx.MODEL.opset, text(onnx.OPSET.domain, domain), integer(onnx.OPSET.version, version)),
    ),
  ]);
}

interface Place {
  readonly path: string;
  readonly offset: number;
}

/** Empty when everything stays in the model file. */
function placesOf(
  initialisers: readonly Initialiser[],
  { externalData }: SerialiseOptions,
): Map<string, Place> {
  const places = new Map<string, Place>();
  if (externalData === undefined) return places;
  const { prefix, maxShardBytes = MAX_SHARD_BYTES } = externalData;
  let shard = 0;
  let offset = 0;
  for (const { name, byteLength: size } of initialisers) {
    if (size <= EMBED_BYTES) continue;
    if (size > maxShardBytes) {
      const remedy = `it needs ${size} bytes, a shard holds ${maxShardBytes}; store the weights as fp16 or allow larger shards`;
      throw unsupported('weight size', name, remedy);
    }
    if (offset > 0 && offset + size > Math.min(maxShardBytes, FILLED_SHARD_BYTES)) {
      shard += 1;
      offset = 0;
    }
    places.set(name, { path: `${prefix}.${shard}.bin`, offset });
    offset = Math.ceil((offset + size) / ALIGNMENT) * ALIGNMENT;
  }
  return places;
}

function* shardsOf(
  initialisers: readonly Initialiser[],
  places: ReadonlyMap<string, Place>,
): Generator<Shard, void, undefined> {
  const members = new Map<string, [Initialiser, Place][]>();
  for (const initialiser of initialisers) {
    const place = places.get(initialiser.name);
    if (place === undefined) continue;
    const shard = members.get(place.path) ?? [];
    members.set(place.path, shard);
    shard.push([initialiser, place]);
  }
  for (const [path, shard] of members) {
    const [last, place] = shard.at(-1)!;
    const data = new Uint8Array(place.offset + last.byteLength);
    for (const [initialiser, { offset }] of shard) data.set(initialiser.bytes(), offset);
    yield { path, data };
  }
}

function graphFields(graph: Graph, places: ReadonlyMap<string, Place>): Chunks[] {
  const named = (value: string) => graph.renamed.get(value) ?? value;
  return [
    ...graph.nodes.map((node, index) => message(onnx.GRAPH.node, ...nodeFields(node, index, named))),
    text(onnx.GRAPH.name, graph.name),
    ...graph.initialisers.map((initialiser) =>
      message(onnx.GRAPH.initializer, ...tensorFields(initialiser, places.get(initialiser.name))),
    ),
    ...graph.inputs.map((port) => message(onnx.GRAPH.input, ...portFields(port))),
    ...graph.outputs.map((port) => message(onnx.GRAPH.output, ...portFields(port))),
  ];
}

function nodeFields(node: Node, index: number, named: (value: string) => string): Chunks[] {
  return [
    ...node.inputs.map((value) => text(onnx.NODE.input, named(value))),
    ...node.outputs.map((value) => text(onnx.NODE.output, named(value))),
    text(onnx.NODE.name, `${node.op}_${index}`),
    text(onnx.NODE.op, node.op),
    ...Object.entries(node.attributes).map(([name, value]) =>
      message(onnx.NODE.attribute, text(onnx.ATTRIBUTE.name, name), ...attributeFields(value)),
    ),
    ...(node.domain === '' ? [] : [text(onnx.NODE.domain, node.domain)]),
  ];
}

function attributeFields(value: Attribute): Chunks[] {
  const type = (code: number) => integer(onnx.ATTRIBUTE.type, code);
  if (typeof value === 'string')
    return [text(onnx.ATTRIBUTE.string, value), type(onnx.ATTRIBUTE_TYPE.string)];
  if (typeof value === 'number') return [integer(onnx.ATTRIBUTE.int, value), type(onnx.ATTRIBUTE_TYPE.int)];
  if ('float' in value) return [float(onnx.ATTRIBUTE.float, value.float), type(onnx.ATTRIBUTE_TYPE.float)];
  return [...value.map((item) => integer(onnx.ATTRIBUTE.ints, item)), type(onnx.ATTRIBUTE_TYPE.ints)];
}

function tensorFields(initialiser: Initialiser, place: Place | undefined): Chunks[] {
  const head = [
    ...initialiser.shape.map((side) => integer(onnx.TENSOR.dims, side)),
    integer(onnx.TENSOR.dtype, onnx.DTYPE_CODES[initialiser.dtype]),
    text(onnx.TENSOR.name, initialiser.name),
  ];
  if (place === undefined) return [...head, bytes(onnx.TENSOR.raw, initialiser.bytes())];
  const entries = { location: place.path, offset: `${place.offset}`, length: `${initialiser.byteLength}` };
  return [
    ...head,
    ...Object.entries(entries).map(([key, value]) =>
      message(onnx.TENSOR.external, text(onnx.ENTRY.key, key), text(onnx.ENTRY.value, value)),
    ),
    integer(onnx.TENSOR.location, onnx.EXTERNAL),
  ];
}

function portFields({ name, shape }: Port): Chunks[] {
  const dims = shape.map((dim) =>
    message(
      onnx.SHAPE.dim,
      typeof dim === 'number' ? integer(onnx.DIM.value, dim) : text(onnx.DIM.name, dim),
    ),
  );
  const tensor = message(
    onnx.TYPE.tensor,
    integer(onnx.TENSOR_TYPE.dtype, onnx.DTYPE_CODES.float32),
    message(onnx.TENSOR_TYPE.shape, ...dims),
  );
  return [text(onnx.VALUE_INFO.name, name), message(onnx.VALUE_INFO.type, tensor)];
}
