import { isIP } from 'node:net';
import type { SecureContextOptions } from 'node:tls';
import { addressesOf, isPublicAddress, type Resolve, resolvePublic } from './publicPost';

/** A mail server, and who sends there. */
export interface MailServer {
  host: string;
  port: number;
  /** Encrypted from the first byte, or once the server has agreed to; never not at all. */
  security: 'tls' | 'starttls';
  user: string;
  password: string;
}

interface Letter {
  from: string;
  to: string;
  subject: string;
  text: string;
  /** Of every attempt at the same letter, so that a reader shows it once. */
  messageId: string;
}

/** Hands a letter to a mail server. @returns what that said. @throws AddressRefused, or nodemailer's error with its `code` */
export type PublicMail = (server: MailServer, letter: Letter) => Promise<string>;

interface PublicMailOptions {
  resolve?: Resolve;
  isAllowed?: (address: string) => boolean;
  /** Whom else to trust beside the authorities that Node knows. */
  ca?: SecureContextOptions['ca'];
}

/** One answer of a mail server is waited for so long. */
const WITHIN_MS = 10_000;

/**
 * Hands letters to mail servers of the public internet alone. The name is resolved once and every address it has must be
 * public; the connection goes to the first of them, and the certificate must be of the name.
 */
export function createPublicMail({
  resolve = resolvePublic,
  isAllowed = isPublicAddress,
  ca,
}: PublicMailOptions = {}): PublicMail {
  return async ({ host, port, security, user, password }, letter) => {
    const [first] = await addressesOf(host, { resolve, isAllowed });
    // Loaded when somebody is written to: not while the product starts.
    const { createTransport } = await import('nodemailer');
    const transport = createTransport({
      host: first!.address,
      port,
      secure: security === 'tls',
      requireTLS: true,
      auth: { user, pass: password },
      tls: { ...(isIP(host) === 0 ? { servername: host } : {}), minVersion: 'TLSv1.2', ...(ca ? { ca } : {}) },
      connectionTimeout: WITHIN_MS,
      greetingTimeout: WITHIN_MS,
      socketTimeout: WITHIN_MS,
      disableFileAccess: true,
      disableUrlAccess: true,
    });
    try {
      const { response } = await transport.sendMail(letter);
      return response;
    } finally {
      transport.close();
    }
  };
}
