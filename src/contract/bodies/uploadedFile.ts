import { Readable } from 'node:stream';

/** A file of a `multipart/form-data` body, as handlers get it. */
export interface UploadedFile {
  /** As the client calls it, without folders; empty when it does not say. */
  readonly name: string;
  /** As the client says; `application/octet-stream` when it does not. Nobody has looked at the content. */
  readonly mediaType: string;
  /** In bytes. */
  readonly size: number;
  /** The content, from its beginning at each call. */
  stream(): Readable;
}

/** A file that is in memory. Nothing that a client sends as JSON is an instance of it. */
export class BufferedFile implements UploadedFile {
  readonly size: number;
  readonly #content: Buffer;

  constructor(
    readonly name: string,
    readonly mediaType: string,
    content: Buffer,
  ) {
    this.size = content.length;
    this.#content = content;
  }

  stream(): Readable {
    return Readable.from(this.#content.length === 0 ? [] : [this.#content]);
  }
}
