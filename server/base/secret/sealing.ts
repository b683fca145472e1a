import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto';

const ALGORITHM = 'aes-256-gcm';
/** Bytes. */
export const KEY_LENGTH = 32;
const IV_LENGTH = 12;
const TAG_LENGTH = 16;

/** A key that wraps data keys; `id` tells which one it was and nothing about it. */
export interface MasterKey {
  id: string;
  bytes: Buffer;
}

/** A text sealed with a data key of its own, and that data key wrapped by a master key; base64url. */
export interface Sealed {
  masterId: string;
  wrappedKey: string;
  sealed: string;
}

/** What a seal is bound to: it opens for nothing else. */
export interface SecretName {
  purpose: string;
  recordId: string;
  /** What else of the record must be as it was: its owner, for one. */
  context: string;
}

type Place = Pick<SecretName, 'purpose' | 'recordId'>;

export function masterKeyOf(bytes: Buffer): MasterKey {
  const id = createHash('sha256').update('master key\0').update(bytes).digest('hex').slice(0, 16);
  return { id, bytes };
}

export const newMasterKey = (): MasterKey => masterKeyOf(randomBytes(KEY_LENGTH));

/** Of the parts, none of which can run into the next. */
const bindingOf = (...parts: string[]): Buffer => Buffer.from(JSON.stringify(parts));
const wrapBinding = ({ purpose, recordId }: Place) => bindingOf('data key', purpose, recordId);
const textBinding = ({ purpose, recordId, context }: SecretName) => bindingOf('secret', purpose, recordId, context);

function encrypt(key: Buffer, plain: Buffer, binding: Buffer): string {
  const iv = randomBytes(IV_LENGTH);
  const cipher = createCipheriv(ALGORITHM, key, iv, { authTagLength: TAG_LENGTH }).setAAD(binding);
  const content = Buffer.concat([cipher.update(plain), cipher.final()]);
  return Buffer.concat([iv, cipher.getAuthTag(), content]).toString('base64url');
}

/** @throws when the key is another one, or anything of content and binding was changed. */
function decrypt(key: Buffer, text: string, binding: Buffer): Buffer {
  const whole = Buffer.from(text, 'base64url');
  const decipher = createDecipheriv(ALGORITHM, key, whole.subarray(0, IV_LENGTH), { authTagLength: TAG_LENGTH })
    .setAAD(binding)
    .setAuthTag(whole.subarray(IV_LENGTH, IV_LENGTH + TAG_LENGTH));
  return Buffer.concat([decipher.update(whole.subarray(IV_LENGTH + TAG_LENGTH)), decipher.final()]);
}

/** Seals a text for one record: AES-256-GCM with a fresh data key, which the master key wraps. */
export function seal(master: MasterKey, name: SecretName, text: string): Sealed {
  const dataKey = randomBytes(KEY_LENGTH);
  return {
    masterId: master.id,
    wrappedKey: encrypt(master.bytes, dataKey, wrapBinding(name)),
    sealed: encrypt(dataKey, Buffer.from(text), textBinding(name)),
  };
}

/** @throws when it was sealed with another master key, for another record, or was changed. */
export function unseal(master: MasterKey, name: SecretName, { wrappedKey, sealed }: Sealed): string {
  const dataKey = decrypt(master.bytes, wrappedKey, wrapBinding(name));
  return decrypt(dataKey, sealed, textBinding(name)).toString();
}

/** The same data key, wrapped by another master key; what it seals stays as it is. */
export function rewrap(from: MasterKey, to: MasterKey, place: Place, wrappedKey: string) {
  const binding = wrapBinding(place);
  return { masterId: to.id, wrappedKey: encrypt(to.bytes, decrypt(from.bytes, wrappedKey, binding), binding) };
}
