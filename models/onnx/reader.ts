/**
 * Says what is in an `.onnx` file: inputs, outputs, operators, weights. Reads the structure only;
 * weights stay where they are.
 */
import { BYTES_PER_ELEMENT } from '../array/bytes.ts';
import { sizeOf } from '../array/tensor.ts';
import type { Dtype } from '../array/tensor.ts';
import { invalid } from '../errors.ts';
import type { Dim } from './graph.ts';
import * as onnx from './schema.ts';
import { integers, readFields, text } from './wire-reader.ts';
import type { Field } from './wire-reader.ts';

export interface PortSummary {
  readonly name: string;
  readonly dtype: Dtype | 'other';
  readonly shape: readonly Dim[];
}

export interface InitialiserSummary {
  readonly name: string;
  readonly dtype: Dtype | 'other';
  readonly shape: readonly number[];
  readonly byteLength: number;
  /** File beside the model that holds the values; null when they are inside. */
  readonly external: { readonly path: string; readonly offset: number } | null;
}

export interface NodeSummary {
  readonly name: string;
  /** With its domain in front when that is not ONNX's own: `com.microsoft.QuickGelu`. */
  readonly op: string;
  readonly inputs: readonly string[];
  readonly outputs: readonly string[];
}

export interface OnnxSummary {
  readonly graph: string;
  /** Domain -> version; ONNX's own domain is ''. */
  readonly opsets: Readonly<Record<string, number>>;
  readonly inputs: readonly PortSummary[];
  readonly outputs: readonly PortSummary[];
  readonly nodes: readonly NodeSummary[];
  readonly opCounts: Readonly<Record<string, number>>;
  readonly initialisers: readonly InitialiserSummary[];
  /** All weights, inside and beside. */
  readonly weightBytes: number;
}

/** @throws one sentence when the bytes are no ONNX file or end too early. */
export function readOnnx(file: Uint8Array): OnnxSummary {
  const model = readFields(file);
  const graph = of(model, onnx.MODEL.graph)[0];
  if (graph === undefined) {
    throw invalid('ONNX file', 'no graph in it', 'give the .onnx file of a bundle, whole');
  }
  const fields = readFields(graph.bytes);
  const opsets = of(model, onnx.MODEL.opset).map(({ bytes }): [string, number] => {
    const opset = readFields(bytes);
    return [string(opset, onnx.OPSET.domain), number(opset, onnx.OPSET.version)];
  });
  const nodes = of(fields, onnx.GRAPH.node).map(({ bytes }) => readNode(bytes));
  const initialisers = of(fields, onnx.GRAPH.initializer).map(({ bytes }) => readInitialiser(bytes));
  const held = new Set(initialisers.map(({ name }) => name));
  return {
    graph: string(fields, onnx.GRAPH.name),
    opsets: Object.fromEntries(opsets),
    inputs: of(fields, onnx.GRAPH.input)
      .map(({ bytes }) => readPort(bytes))
      .filter(({ name }) => !held.has(name)),
    outputs: of(fields, onnx.GRAPH.output).map(({ bytes }) => readPort(bytes)),
    nodes,
    opCounts: count(nodes.map(({ op }) => op)),
    initialisers,
    weightBytes: initialisers.reduce((sum, { byteLength }) => sum + byteLength, 0),
  };
}

function readNode(bytes: Uint8Array): NodeSummary {
  const fields = readFields(bytes);
  const domain = string(fields, onnx.NODE.domain);
  const op = string(fields, onnx.NODE.op);
  return {
    name: string(fields, onnx.NODE.name),
    op: domain === '' || domain === 'ai.onnx' ? op : `${domain}.${op}`,
    inputs: of(fields, onnx.NODE.input).map(text),
    outputs: of(fields, onnx.NODE.output).map(text),
  };
}

function readInitialiser(bytes: Uint8Array): InitialiserSummary {
  const fields = readFields(bytes);
  const shape = of(fields, onnx.TENSOR.dims).flatMap(integers).map(Number);
  const entries = of(fields, onnx.TENSOR.external).map(({ bytes: entry }): [string, string] => {
    const pair = readFields(entry);
    return [string(pair, onnx.ENTRY.key), string(pair, onnx.ENTRY.value)];
  });
  const place = Object.fromEntries(entries);
  const isExternal = number(fields, onnx.TENSOR.location) === onnx.EXTERNAL;
  const dtype = dtypeName(fields, onnx.TENSOR.dtype);
  return {
    name: string(fields, onnx.TENSOR.name),
    dtype,
    shape,
    byteLength: sizeOf(shape) * (dtype === 'other' ? 0 : BYTES_PER_ELEMENT[dtype]),
    external: isExternal ? { path: place.location ?? '', offset: Number(place.offset ?? 0) } : null,
  };
}

function readPort(bytes: Uint8Array): PortSummary {
  const fields = readFields(bytes);
  const type = nested(fields, onnx.VALUE_INFO.type);
  const tensor = nested(type, onnx.TYPE.tensor);
  const shape = nested(tensor, onnx.TENSOR_TYPE.shape);
  return {
    name: string(fields, onnx.VALUE_INFO.name),
    dtype: dtypeName(tensor, onnx.TENSOR_TYPE.dtype),
    shape: of(shape, onnx.SHAPE.dim).map(({ bytes: dim }, index) => {
      const sides = readFields(dim);
      const named = string(sides, onnx.DIM.name);
      const known = of(sides, onnx.DIM.value).length > 0;
      return known ? number(sides, onnx.DIM.value) : named || `dimension_${index}`;
    }),
  };
}

function dtypeName(fields: readonly Field[], field: number): Dtype | 'other' {
  return onnx.dtypeOfCode(number(fields, field)) ?? 'other';
}

function of(fields: readonly Field[], field: number): Field[] {
  return fields.filter((candidate) => candidate.field === field);
}

function nested(fields: readonly Field[], field: number): Field[] {
  return of(fields, field).flatMap(({ bytes }) => readFields(bytes));
}

function string(fields: readonly Field[], field: number): string {
  return of(fields, field).map(text).at(-1) ?? '';
}

function number(fields: readonly Field[], field: number): number {
  return Number(of(fields, field).at(-1)?.integer ?? 0);
}

function count(names: readonly string[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const name of [...names].sort()) counts[name] = (counts[name] ?? 0) + 1;
  return counts;
}
