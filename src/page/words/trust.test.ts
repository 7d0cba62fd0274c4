import { expect, test } from 'vitest';
import type { GraphTest } from '../../../workers/protocol.ts';
import type { Report } from '../stores/trust-kept.ts';
import { deviationWords, largestWords, leadOf, lightOf, lightOfGraph, notesOf, reportText } from './trust.ts';

const GRAPH: GraphTest = {
  graph: 'cached.onnx',
  backend: 'webgpu',
  against: 'WASM',
  largest: 14.3171,
  deviation: 5.66e-7,
  health: 'ok',
  reference: 'ok',
  verdict: 'same',
  note: null,
  milliseconds: 51.4,
};
const NAN: GraphTest = {
  ...GRAPH,
  graph: 'decode.onnx',
  against: null,
  largest: null,
  deviation: null,
  health: 'nan',
  reference: null,
  verdict: 'off',
  note: 'Only looked at.',
};
const report = (graphs: readonly GraphTest[], verdict: Report['verdict'], backend: 'webgpu' | 'wasm') => ({
  device: {
    backend,
    adapter: 'acme one',
    threads: 1,
    runtime: 'onnxruntime-web 1',
    fallbacks: ['It was left.'],
  },
  graphs,
  verdict,
  date: '2026-12-07T10:00:00.000Z',
});

test('numbers are short, and what is not finite is a dash', () => {
  expect([0, 5.66e-7, 0.0123, 0.3, null].map(deviationWords)).toEqual([
    '0',
    '5.7e-7',
    '0.012',
    '0.3',
    '\u2013',
  ]);
  expect([14.3171, 0, null].map(largestWords)).toEqual(['14.3', '0', '\u2013']);
});

test('the light is the verdict; what could be compared with nothing is healthy, not the same', () => {
  expect(lightOf({ status: 'done', report: report([GRAPH], 'close', 'webgpu') })).toBe('close');
  expect(lightOf({ status: 'done', report: report([], null, 'wasm') })).toBe('healthy');
  expect(lightOf({ status: 'refused', sentence: '' })).toBe('off');
  expect(lightOf({ status: 'testing', progress: null })).toBe('testing');
  expect(lightOfGraph(NAN)).toBe('off');
  expect(lightOfGraph({ health: 'ok', verdict: null })).toBe('healthy');
});

test('what "same" means is told for the device that it was found on', () => {
  expect(leadOf(report([GRAPH], 'same', 'webgpu'))).toContain('WASM gives');
  expect(leadOf(report([GRAPH], 'same', 'wasm'))).toContain('both ways through the network');
});

test('a note of several graphs is told once, with their names', () => {
  expect(notesOf([GRAPH, { ...NAN, graph: 'encode.onnx' }, NAN])).toEqual([
    'encode.onnx, decode.onnx: Only looked at.',
  ]);
});

test('the text for a bug report holds the device, every graph and every sentence', () => {
  expect(reportText(report([GRAPH, NAN], 'off', 'webgpu'), 'Tiny maze').split('\n')).toEqual([
    'Self-test: off',
    'Tiny maze',
    'webgpu, acme one, threads: 1, onnxruntime-web 1',
    '2026-12-07T10:00:00.000Z',
    'cached.onnx, same, deviation 5.7e-7, against WASM, largest 14.3, 51 ms',
    'decode.onnx, NaN, deviation \u2013, looked at, largest \u2013, 51 ms',
    'decode.onnx: Only looked at.',
    'It was left.',
  ]);
});
