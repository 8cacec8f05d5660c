/** Pieces below this are copied together; larger ones are kept as they are. */
const SMALL_PIECE_BYTES = 1024;
/** A block is larger than the one before it: most bodies are small, and what is read stays in its block. */
const FIRST_BLOCK_BYTES = 1024;
const MAX_BLOCK_BYTES = 16 * 1024;
const BLOCK_GROWTH = 4;
const EMPTY: Uint8Array = new Uint8Array(0);

/**
 * Bytes in the order they came, in memory that grows with their number and not with that of the pieces: a server that
 * sends two million chunks of one byte must not cost two million objects.
 */
export class ByteCollector {
  #pieces: Uint8Array[] = [];
  #length = 0;
  #block = EMPTY;
  #nextBlockBytes = FIRST_BLOCK_BYTES;
  #start = 0;
  #end = 0;

  get length(): number {
    return this.#length;
  }

  add(bytes: Uint8Array): void {
    this.#length += bytes.length;
    if (bytes.length >= SMALL_PIECE_BYTES) {
      this.#seal();
      this.#pieces.push(bytes);
      return;
    }
    if (bytes.length > this.#block.length - this.#end) {
      this.#seal();
      this.#block = Buffer.allocUnsafe(this.#nextBlockBytes);
      this.#nextBlockBytes = Math.min(this.#nextBlockBytes * BLOCK_GROWTH, MAX_BLOCK_BYTES);
      this.#start = 0;
      this.#end = 0;
    }
    this.#block.set(bytes, this.#end);
    this.#end += bytes.length;
  }

  /** All of it in one piece; the collector is empty again. */
  take(): Uint8Array {
    this.#seal();
    const pieces = this.#pieces;
    const [only] = pieces;
    const bytes = pieces.length === 1 && only !== undefined ? only : Buffer.concat(pieces, this.#length);
    this.#pieces = [];
    this.#length = 0;
    return bytes;
  }

  /** Puts what the block holds so far into its place among the pieces. */
  #seal(): void {
    if (this.#end > this.#start) this.#pieces.push(this.#block.subarray(this.#start, this.#end));
    this.#start = this.#end;
  }
}
