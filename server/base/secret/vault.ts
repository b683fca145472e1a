import { Object as Obj, type Static, String as Str } from 'typebox';
import { Maybe } from '#contract/value';
import {
  changeWrap,
  dropSecret,
  holdMaster,
  holdWriters,
  putSecret,
  type SecretRow,
  secretAt,
  secretsByMaster,
  wrappedKeys,
} from '../db/accounts/secret';
import type { Database, Queries } from '../db/client';
import { conflict } from '../http/refusal';
import { type MasterKey, newMasterKey, rewrap, type SecretName, seal, unseal } from './sealing';

export interface VaultOptions {
  /** The first one seals; all of them open. None: the vault is closed. */
  masters: readonly MasterKey[];
  /** Why it is closed, in Chinese. */
  closed?: string;
  /** Keeps the master keys on the disk before it resolves; absent where somebody else keeps them. */
  save?: (masters: readonly MasterKey[]) => void;
}

/** What came of wrapping all secrets anew. */
export interface Rewrapped {
  /** The master key that wraps them now. */
  masterId: string;
  count: number;
  /** Secrets whose master key is not here, or that are damaged; they stay as they were. */
  locked: number;
}

export type SecretState = 'open' | 'locked' | 'damaged';

/** The secret was sealed with a master key that is not here, or for another record. */
export class SecretLocked extends Error {
  override readonly name = 'SecretLocked';
}

/** It was changed or is gone: no master key opens it. */
export class SecretDamaged extends SecretLocked {}

/** Keeps secrets in the database, sealed. What it hands out is never to be logged, stored or answered. */
export class Vault {
  #masters: readonly MasterKey[];

  constructor(private readonly options: VaultOptions) {
    this.#masters = options.masters;
  }

  /** Why nothing can be sealed, in Chinese; null when it can. */
  get closed(): string | null {
    return this.#masters.length > 0 ? null : (this.options.closed ?? '没有主密钥');
  }

  /** The master key that it was given to seal with; null where it keeps its own. */
  get given(): string | null {
    return this.options.save === undefined ? (this.#masters[0]?.id ?? null) : null;
  }

  /** Whether a secret that this master key wraps can be read. */
  opens(masterId: string): boolean {
    return this.#masters.some(({ id }) => id === masterId);
  }

  /** Seals a text as the record's secret, in the place of the one before. */
  async keep(tx: Queries, name: SecretName, text: string): Promise<void> {
    // Sealed only once nobody can be wrapping the others: it would be left behind with the old master key.
    await holdMaster(tx);
    const { purpose, recordId } = name;
    await putSecret(tx, { purpose, recordId, ...seal(this.#current(), name, text) });
  }

  /** @throws SecretLocked, SecretDamaged */
  async read(db: Queries, name: SecretName): Promise<string> {
    return this.open(name, await secretAt(db, name));
  }

  /** What a record's secret says. @throws SecretLocked, SecretDamaged */
  open(name: SecretName, row: SecretRow | null): string {
    if (row === null) throw new SecretDamaged('the secret is gone');
    const master = this.#masters.find(({ id }) => id === row.masterId);
    if (master === undefined) throw new SecretLocked('no master key opens the secret');
    try {
      return unseal(master, name, row);
    } catch {
      throw new SecretDamaged('the secret is not what was sealed');
    }
  }

  /** Whether a record's secret can be read, waits for its master key, or never can be. */
  stateOf(name: SecretName, row: SecretRow | null): SecretState {
    try {
      this.open(name, row);
      return 'open';
    } catch (error) {
      return error instanceof SecretDamaged ? 'damaged' : 'locked';
    }
  }

  async forget(tx: Queries, name: Pick<SecretName, 'purpose' | 'recordId'>): Promise<void> {
    await dropSecret(tx, name);
  }

  /** How many secrets no master key here opens. */
  async locked(db: Queries): Promise<number> {
    const masters = await secretsByMaster(db);
    return masters.reduce((sum, { masterId, count }) => (this.opens(masterId) ? sum : sum + count), 0);
  }

  /**
   * Wraps all data keys anew, in one transaction: by a new master key where the vault keeps its own, else by the first
   * of those it was given. A crash at any point leaves every secret with a master key that is on the disk.
   */
  async rotate(db: Database): Promise<Rewrapped> {
    const { save } = this.options;
    if (save) {
      const masters = [newMasterKey(), ...this.#masters];
      save(masters);
      this.#masters = masters;
    }
    const to = this.#current();
    const rewrapped = await db.transaction((tx) => this.#rewrapAll(tx, to));
    if (save) {
      this.#masters = [to];
      save(this.#masters);
    }
    return { masterId: to.id, ...rewrapped };
  }

  async #rewrapAll(tx: Queries, to: MasterKey): Promise<Omit<Rewrapped, 'masterId'>> {
    await holdWriters(tx);
    const rows = await wrappedKeys(tx);
    let count = 0;
    for (const row of rows) {
      const wrap = this.#rewrapped(row, to);
      if (wrap === null) continue;
      await changeWrap(tx, row, wrap);
      count += 1;
    }
    return { count, locked: rows.length - count };
  }

  /** null for what cannot be opened: one damaged row must not keep the others with the old master key. */
  #rewrapped(row: Omit<SecretRow, 'sealed'>, to: MasterKey) {
    const from = this.#masters.find(({ id }) => id === row.masterId);
    if (from === undefined) return null;
    try {
      return rewrap(from, to, row, row.wrappedKey);
    } catch {
      return null;
    }
  }

  #current(): MasterKey {
    const [current] = this.#masters;
    if (current === undefined) throw new Error('the vault is closed');
    return current;
  }
}

/** What the command goes by. */
export const RotationOrder = Obj(
  { given: Maybe(Str({ description: '命令的 SECRET_KEY 中第一个主密钥的标识；没有时为空' })) },
  { additionalProperties: false },
);
export type RotationOrder = Static<typeof RotationOrder>;

/** Wraps all secrets by the newest master key. @throws 409 where server and command are given different ones. */
export async function rotateMaster(vault: Vault, db: Database, { given }: RotationOrder): Promise<Rewrapped> {
  if (vault.closed !== null) throw conflict(vault.closed);
  if (vault.given !== given) {
    throw conflict('正在运行的服务用的是另一个 SECRET_KEY：请先以“新,旧”两个主密钥重启它，再运行本命令');
  }
  return vault.rotate(db);
}
