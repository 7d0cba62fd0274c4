/**
 * A restricted unpickler, protocols 0 to 5 (the opcodes: CPython's Lib/pickletools.py). It makes data of a
 * pickle and runs nothing: a class or function must stand in the caller's list, and what it is called with
 * becomes data by the list's own code.
 */
import { unsupported } from '../errors.ts';
import type { Cursor } from './pickle-cursor.ts';
import { length4, length8, NO, readLiteral } from './pickle-literals.ts';
import { PickleStack } from './pickle-stack.ts';
import { isBuildable, PickleGlobal } from './pickle-values.ts';

export interface PickleRules {
  /** The class or function `name` of `module`. @throws one sentence that names it when it is not allowed. */
  readonly find: (module: string, name: string) => PickleGlobal;
  /** What a persistent id stands for: in PyTorch's files, a storage. */
  readonly persistent?: (id: unknown) => unknown;
}

const HIGHEST_PROTOCOL = 5;
const STOP = 0x2e;

/** The value of the pickle at the cursor, which stands behind it then. @throws one sentence. */
export function unpickle(cursor: Cursor, rules: PickleRules): unknown {
  const stack = new PickleStack(cursor.label);
  for (;;) {
    stack.countOperation();
    const opcode = cursor.byte();
    if (opcode === STOP) return stack.pop();
    const literal = readLiteral(opcode, cursor, stack);
    if (literal !== NO) stack.push(literal);
    else if (!arrange(opcode, cursor, stack)) make(opcode, cursor, stack, rules);
  }
}

/** Opcodes that move values and fill lists and dicts; false for the others. */
function arrange(opcode: number, cursor: Cursor, stack: PickleStack): boolean {
  switch (opcode) {
    case 0x28: // MARK
      stack.mark();
      return true;
    case 0x30: // POP
      stack.drop();
      return true;
    case 0x31: // POP_MARK
      stack.popMark();
      return true;
    case 0x32: // DUP
      stack.push(stack.top());
      return true;
    case 0x70: // PUT
      stack.memoize(placeOf(cursor.line(), stack));
      return true;
    case 0x71: // BINPUT
      stack.memoize(cursor.byte());
      return true;
    case 0x72: // LONG_BINPUT
      stack.memoize(length4(cursor));
      return true;
    case 0x94: // MEMOIZE
      stack.memoize();
      return true;
    case 0x67: // GET
      stack.push(stack.recall(placeOf(cursor.line(), stack)));
      return true;
    case 0x68: // BINGET
      stack.push(stack.recall(cursor.byte()));
      return true;
    case 0x6a: // LONG_BINGET
      stack.push(stack.recall(length4(cursor)));
      return true;
    case 0x5d: // EMPTY_LIST
    case 0x29: // EMPTY_TUPLE
      stack.pushContainer([]);
      return true;
    case 0x7d: // EMPTY_DICT
      stack.pushContainer(new Map());
      return true;
    case 0x8f: // EMPTY_SET
      stack.pushContainer(new Set());
      return true;
    case 0x6c: // LIST
    case 0x74: // TUPLE
      stack.pushContainer(stack.popMark());
      return true;
    case 0x85: // TUPLE1
    case 0x86: // TUPLE2
    case 0x87: // TUPLE3
      stack.pushContainer(stack.popMany(opcode - 0x84));
      return true;
    case 0x91: // FROZENSET
      stack.pushContainer(new Set(stack.popMark()));
      return true;
    case 0x64: {
      // DICT
      const items = stack.popMark();
      stack.pushContainer(new Map());
      setItems(items, stack);
      return true;
    }
    case 0x61: // APPEND
      append([stack.pop()], stack);
      return true;
    case 0x65: // APPENDS
    case 0x90: // ADDITEMS
      append(stack.popMark(), stack);
      return true;
    case 0x73: // SETITEM
      setItems(stack.popMany(2), stack);
      return true;
    case 0x75: // SETITEMS
      setItems(stack.popMark(), stack);
      return true;
    default:
      return false;
  }
}

/** Opcodes that name classes, make objects, or stand for data elsewhere. */
function make(opcode: number, cursor: Cursor, stack: PickleStack, rules: PickleRules): void {
  const find = (module: unknown, name: unknown) => {
    if (typeof module !== 'string' || typeof name !== 'string') {
      throw stack.damaged('a name in it is no text');
    }
    return rules.find(module, name);
  };
  const refer = (id: unknown) => {
    if (!rules.persistent) throw stack.damaged('it refers to data outside of it');
    stack.push(rules.persistent(id));
  };
  switch (opcode) {
    case 0x80: {
      // PROTO
      const protocol = cursor.byte();
      if (protocol <= HIGHEST_PROTOCOL) return;
      throw unsupported('pickle protocol', `${protocol} in ${cursor.label}`, 'save it with protocol 2 to 5');
    }
    case 0x95: // FRAME: a length that only matters to buffers
      length8(cursor);
      return;
    case 0x63: // GLOBAL
      stack.push(find(utf8(cursor.line()), utf8(cursor.line())));
      return;
    case 0x93: {
      // STACK_GLOBAL
      const [module, name] = stack.popMany(2);
      stack.push(find(module, name));
      return;
    }
    case 0x52: // REDUCE
    case 0x81: {
      // NEWOBJ
      const [callee, args] = stack.popMany(2);
      call(callee, args, stack);
      return;
    }
    case 0x92: {
      // NEWOBJ_EX: (class, arguments, named arguments)
      const [callee, args, named] = stack.popMany(3);
      if (!(named instanceof Map) || named.size > 0) {
        throw unsupported('pickle call', `with named arguments in ${cursor.label}`, 'save only the weights');
      }
      call(callee, args, stack);
      return;
    }
    case 0x69: {
      // INST
      const callee = find(utf8(cursor.line()), utf8(cursor.line()));
      call(callee, stack.popMark(), stack);
      return;
    }
    case 0x6f: {
      // OBJ
      const [callee, ...args] = stack.popMark();
      call(callee, args, stack);
      return;
    }
    case 0x62: {
      // BUILD
      const state = stack.pop();
      stack.countWork(state);
      const target = stack.top();
      if (isBuildable(target)) target.build(state);
      // Attributes of a dict's subclass (a state dict's _metadata) say nothing about its items.
      else if (!(target instanceof Map)) throw stack.damaged('it gives a state to what has none');
      return;
    }
    case 0x50: // PERSID
      refer(utf8(cursor.line()));
      return;
    case 0x51: // BINPERSID
      refer(stack.pop());
      return;
    default:
      throw stack.damaged(`0x${opcode.toString(16).padStart(2, '0')} in it is no allowed opcode`);
  }
}

function call(callee: unknown, args: unknown, stack: PickleStack): void {
  if (!(callee instanceof PickleGlobal) || !Array.isArray(args)) {
    throw stack.damaged('it calls what is no function');
  }
  if (!callee.call) {
    throw unsupported('pickle call', `${callee.name} in ${stack.label}`, 'save only the weights');
  }
  stack.countWork(args);
  stack.pushContainer(callee.call(args));
}

function setItems(items: readonly unknown[], stack: PickleStack): void {
  const dict = stack.top();
  if (!(dict instanceof Map) || items.length % 2 !== 0) {
    throw stack.damaged('it puts items into what is no dict');
  }
  for (let i = 0; i < items.length; i += 2) {
    if (dict.has(items[i])) throw stack.damaged(`a dict in it names ${keyText(items[i])} twice`);
    dict.set(items[i], items[i + 1]);
  }
}

function append(items: readonly unknown[], stack: PickleStack): void {
  const list = stack.top();
  if (list instanceof Set) for (const item of items) list.add(item);
  else if (Array.isArray(list)) for (const item of items) list.push(item);
  else throw stack.damaged('it appends to what is no list');
}

function keyText(key: unknown): string {
  return typeof key === 'string' ? `'${key.slice(0, 60)}'` : 'a key';
}

/** A place in the memo, written as text. */
function placeOf(line: string, stack: PickleStack): number {
  if (!/^\d{1,9}$/.test(line)) throw stack.damaged('a place in it is no number');
  return Number(line);
}

/** The cursor reads lines byte by byte; names are UTF-8. */
function utf8(line: string): string {
  return new TextDecoder().decode(Uint8Array.from(line, (letter) => letter.charCodeAt(0)));
}
