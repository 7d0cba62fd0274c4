/**
 * Moves places apart until each is at least `gap` from the next, as little as possible, in the order they have.
 * @returns places in the order of the input.
 */
export function spread(places: readonly number[], gap: number): number[] {
  const order = places.map((_, i) => i).sort((a, b) => places[a]! - places[b]!);
  // Blocks of neighbours that touch; each lies where its members' mean wants it.
  const blocks: { members: number[]; start: number }[] = [];
  for (const index of order) {
    blocks.push({ members: [index], start: places[index]! });
    for (;;) {
      const last = blocks.at(-1)!;
      const before = blocks.at(-2);
      if (!before || before.start + before.members.length * gap <= last.start) break;
      const members = [...before.members, ...last.members];
      const wanted = members.reduce((sum, member, i) => sum + places[member]! - i * gap, 0) / members.length;
      blocks.splice(-2, 2, { members, start: wanted });
    }
  }
  const out = new Array<number>(places.length);
  for (const { members, start } of blocks) members.forEach((member, i) => (out[member] = start + i * gap));
  return out;
}
