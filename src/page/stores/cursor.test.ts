import { describe, expect, it } from 'vitest';
import { createCursor } from './cursor.ts';

function at(count: number, frame = 0) {
  const cursor = createCursor(frame);
  cursor.setCount(count);
  return cursor;
}

describe('the frame cursor', () => {
  it('stays inside the clip', () => {
    const cursor = at(4);
    cursor.step(-1);
    expect(cursor.store.getState().frame).toBe(0);
    cursor.go(99);
    expect(cursor.store.getState().frame).toBe(3);
  });

  it('keeps the frame that the address asked for until the clip is there', () => {
    const cursor = createCursor(2);
    expect(cursor.store.getState().frame).toBe(2);
    cursor.setCount(4);
    expect(cursor.store.getState().frame).toBe(2);
    cursor.setCount(2);
    expect(cursor.store.getState().frame).toBe(1);
  });

  it('plays to the end and starts over with loop, stops there without', () => {
    const cursor = at(3);
    cursor.toggle();
    const seen = Array.from({ length: 4 }, () => {
      cursor.advance(true);
      return cursor.store.getState().frame;
    });
    expect(seen).toEqual([1, 2, 0, 1]);
    cursor.advance(false);
    cursor.advance(false);
    expect(cursor.store.getState()).toMatchObject({ frame: 2, playing: false });
  });

  it('starts from the first frame when played at the last', () => {
    const cursor = at(3, 2);
    cursor.toggle();
    expect(cursor.store.getState()).toMatchObject({ frame: 0, playing: true });
  });

  it('stops playing when the visitor steps', () => {
    const cursor = at(3);
    cursor.toggle();
    cursor.step(1);
    expect(cursor.store.getState()).toMatchObject({ frame: 1, playing: false });
  });

  it('does not play a single frame', () => {
    const cursor = at(1);
    cursor.toggle();
    expect(cursor.store.getState().playing).toBe(false);
  });
});
