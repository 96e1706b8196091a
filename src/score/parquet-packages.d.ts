/** The parts of the two packages that parquet-file.ts uses, so that types are checked also before they are installed. */
declare module 'hyparquet' {
  export interface AsyncBuffer {
    readonly byteLength: number;
    slice(start: number, end?: number): Promise<ArrayBuffer>;
  }
  interface FileMetaData {
    readonly row_groups: readonly { readonly num_rows: bigint }[];
  }
  export function parquetMetadataAsync(file: AsyncBuffer): Promise<FileMetaData>;
  export function parquetReadObjects(options: {
    file: AsyncBuffer;
    metadata: FileMetaData;
    rowStart: number;
    rowEnd: number;
  }): Promise<Record<string, unknown>[]>;
}

declare module 'hyparquet-writer' {
  export class ByteWriter {
    index: number;
    getBytes(): Uint8Array;
  }
  export class ParquetWriter {
    constructor(options: {
      writer: ByteWriter;
      createdBy: string;
      schema: {
        name: string;
        num_children?: number;
        type?: string;
        converted_type?: string;
        repetition_type?: string;
      }[];
    });
    write(options: { columnData: { name: string; data: readonly unknown[] }[]; rowGroupSize: number }): void;
    finish(): void;
  }
}
