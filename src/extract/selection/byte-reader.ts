const IS_BIG_ENDIAN = new Uint8Array(Uint16Array.of(1).buffer)[0] === 0;

/** Takes arrays of numbers out of packed weights, one after the other: little-endian, copied and not looked at. */
export class ByteReader {
  private readonly packed: Uint8Array;
  private at = 0;

  constructor(packed: Uint8Array) {
    // A Buffer's `slice` would not copy.
    this.packed = new Uint8Array(packed.buffer, packed.byteOffset, packed.byteLength);
  }

  bytes(count: number): Uint8Array {
    const start = this.at;
    this.at += count;
    return this.packed.subarray(start, this.at);
  }

  int16s(count: number): Int16Array {
    return new Int16Array(this.take(count, 2));
  }

  int32s(count: number): Int32Array {
    return new Int32Array(this.take(count, 4));
  }

  float32s(count: number): Float32Array {
    return new Float32Array(this.take(count, 4));
  }

  private take(count: number, width: 2 | 4): ArrayBuffer {
    const copy = this.bytes(count * width).slice();
    if (IS_BIG_ENDIAN) {
      const swapped = Buffer.from(copy.buffer);
      if (width === 2) swapped.swap16();
      else swapped.swap32();
    }
    return copy.buffer;
  }
}
