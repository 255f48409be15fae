export type Change =
  | { kind: 'write'; at: number; data: Buffer }
  | { kind: 'zero'; at: number; length: number }
  | { kind: 'truncate' | 'grow'; size: number };

/** The bytes of a file, to which changes are made; where none wrote, there are zeros. */
export class Content {
  #size = 0;
  #room: Buffer = Buffer.alloc(0);

  make(change: Change): void {
    switch (change.kind) {
      case 'write':
        this.#reach(change.at + change.data.length);
        change.data.copy(this.#room, change.at);
        break;
      case 'zero':
        this.#room.fill(0, change.at, Math.min(this.#size, change.at + change.length));
        break;
      case 'grow':
        this.#reach(change.size);
        break;
      case 'truncate':
        if (change.size < this.#size) this.#room.fill(0, change.size, this.#size);
        else this.#reach(change.size);
        this.#size = change.size;
        break;
    }
  }

  with(changes: readonly Change[]): Buffer {
    const copy = new Content();
    copy.make({ kind: 'write', at: 0, data: this.#bytes() });
    for (const change of changes) copy.make(change);
    return copy.#bytes();
  }

  #bytes(): Buffer {
    return this.#room.subarray(0, this.#size);
  }

  #reach(size: number): void {
    if (size > this.#room.length) {
      const room = Buffer.alloc(Math.max(size, 2 * this.#room.length));
      this.#room.copy(room);
      this.#room = room;
    }
    this.#size = Math.max(this.#size, size);
  }
}
