declare namespace PDFKit.Mixins {
  /** A picture that may be drawn many times and is stored once. */
  interface OpenedPicture {
    readonly width: number;
    readonly height: number;
  }

  /** pdfkit's types omit these. */
  interface PDFImage {
    openImage(file: Buffer): OpenedPicture;
    image(picture: OpenedPicture, x: number, y: number, options: ImageOption): this;
  }
}
