import path from 'node:path';
import { NodeFS } from '@electric-sql/pglite/nodefs';
import type { OpeningJournal } from './openingJournal';
import type { WalSync } from './walSync';

type InitArgs = Parameters<NodeFS['init']>;

interface FileNode {
  name: string;
}
interface FileStream {
  node: FileNode;
  nfd: number;
}
interface Attributes {
  size?: number;
}
/** The part of Emscripten's NODEFS that is wrapped here; its own types leave it out. */
interface NodeFileSystem {
  realPath(node: FileNode): string;
  stream_ops: {
    write(stream: FileStream, buffer: Int8Array, offset: number, length: number, position: number): number;
    setattr(stream: FileStream, attributes: Attributes): void;
    fsync?(stream: FileStream): number;
  };
  node_ops: {
    setattr(node: FileNode, attributes: Attributes): void;
    mknod(parent: FileNode, name: string, mode: number, device: number): FileNode;
    rename(node: FileNode, parent: FileNode, name: string): void;
    unlink(parent: FileNode, name: string): void;
  };
}
interface EmscriptenModule {
  NODEFS: NodeFileSystem;
  FS: { ErrnoError: new (errno: number) => Error };
}

const SEGMENT = /^[0-9A-F]{24}$/;
const EIO = 29;
const ZEROS = Buffer.alloc(128 * 1024);

/** A new page is all zeros until its log record is in: it carries no change that could overtake the log. */
function isBlank(buffer: Int8Array, offset: number, length: number): boolean {
  if (length > ZEROS.length) return false;
  return Buffer.from(buffer.buffer, buffer.byteOffset + offset, length).equals(ZEROS.subarray(0, length));
}

/**
 * PGlite's file system on a folder, made honest: PostgreSQL's own syncs (checkpoints, new segments,
 * renames) reach the disk, which PGlite drops; writes to the write-ahead log are counted, so that a
 * commit can wait for a sync it shares; and no other change overtakes the log. PostgreSQL must run
 * with `fsync=on`. Chosen over a sync of the whole file system after each checkpoint: a checkpoint
 * names its files itself, in the right order, without waiting for what other programs wrote.
 */
export class SyncedFolder extends NodeFS {
  /** Set while the database starts. */
  journal: OpeningJournal | null = null;

  constructor(
    root: string,
    private readonly wal: WalSync,
    private readonly syncAll: (fd: number, file: string) => void,
  ) {
    super(root);
  }

  override async init(...[pg, options]: InitArgs): ReturnType<NodeFS['init']> {
    const prepared = await super.init(pg, options);
    const wrap = (module: unknown) => this.#wrap(module as EmscriptenModule);
    prepared.emscriptenOpts.preRun = [...(prepared.emscriptenOpts.preRun ?? []), wrap];
    return prepared;
  }

  #wrap(module: EmscriptenModule): void {
    this.#wrapWrites(module);
    this.#wrapNames(module);
  }

  #wrapWrites({ NODEFS, FS }: EmscriptenModule): void {
    const { stream_ops } = NODEFS;
    const { write } = stream_ops;
    const change = this.#changer(FS);
    stream_ops.write = (stream, buffer, offset, length, position) => {
      const file = NODEFS.realPath(stream.node);
      this.journal?.remember(file);
      if (isSegment(file)) change(() => this.wal.noteWrite(file, length));
      else if (!isBlank(buffer, offset, length)) change(() => this.wal.flushNow());
      return write(stream, buffer, offset, length, position);
    };
    stream_ops.fsync = (stream) => {
      const file = NODEFS.realPath(stream.node);
      change(() => this.wal.attempt(() => this.syncAll(stream.nfd, file)));
      return 0;
    };
  }

  #wrapNames({ NODEFS, FS }: EmscriptenModule): void {
    const { node_ops, stream_ops } = NODEFS;
    const { mknod, rename, unlink } = node_ops;
    const setNode = node_ops.setattr;
    const setStream = stream_ops.setattr;
    const change = this.#changer(FS);
    const before = (file: string) => {
      this.journal?.remember(file);
      change(() => this.wal.flushNow());
    };
    const inside = (parent: FileNode, name: string) => path.join(NODEFS.realPath(parent), name);
    node_ops.mknod = (parent, name, mode, device) => {
      this.journal?.remember(inside(parent, name));
      return mknod(parent, name, mode, device);
    };
    node_ops.rename = (node, parent, name) => {
      before(NODEFS.realPath(node));
      before(inside(parent, name));
      rename(node, parent, name);
    };
    node_ops.unlink = (parent, name) => {
      before(inside(parent, name));
      unlink(parent, name);
    };
    node_ops.setattr = (node, attributes) => {
      if (attributes.size !== undefined) before(NODEFS.realPath(node));
      setNode(node, attributes);
    };
    stream_ops.setattr = (stream, attributes) => {
      if (attributes.size !== undefined) before(NODEFS.realPath(stream.node));
      setStream(stream, attributes);
    };
  }

  /** PostgreSQL must see a failed sync as the input/output error it is, and stop. */
  #changer(FS: EmscriptenModule['FS']) {
    return (act: () => void): void => {
      try {
        act();
      } catch {
        throw new FS.ErrnoError(EIO);
      }
    };
  }
}

const isSegment = (file: string) => SEGMENT.test(path.basename(file)) && path.basename(path.dirname(file)) === 'pg_wal';
