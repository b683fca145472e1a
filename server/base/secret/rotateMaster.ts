import { Object as Obj, type Static, String as Str } from 'typebox';
import { Maybe } from '#contract/value';
import type { Database } from '../db/client';
import { conflict } from '../http/refusal';
import type { Rewrapped, Vault } from './vault';

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
