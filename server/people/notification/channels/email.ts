import { AddressRefused, refuseLocalName } from '../publicPost';
import { type Channel, FieldRefused, headOf, textOf } from './channel';

/** What nodemailer's errors are called, for whoever set the server up. */
const WORDS: Record<string, string> = {
  EAUTH: '用户名或密码（授权码）不被接受',
  ENOAUTH: '用户名或密码（授权码）不被接受',
  EENVELOPE: '发件或收件邮箱不被接受',
  EMESSAGE: '邮件服务器拒收这封邮件',
  ETLS: '无法建立加密连接，请检查端口与加密方式',
  ESOCKET: '无法建立加密连接，请检查端口与加密方式',
  ECONNECTION: '无法连接邮件服务器',
  EPROTOCOL: '对方不是邮件服务器',
  ETIMEDOUT: '超时',
};

interface MailError {
  code?: unknown;
  /** Of SMTP. */
  responseCode?: unknown;
}

/** A mail server of the user's own, and an address that gets the letters. */
export const email: Channel<'email'> = {
  read(given) {
    const host = given.host.toLowerCase();
    try {
      refuseLocalName(host);
    } catch (error) {
      if (error instanceof AddressRefused) throw new FieldRefused('host', error.message);
      throw error;
    }
    return { ...given, host };
  },
  shown: ({ host, to }) => `${host} → ${to}`,
  async send({ from, to, ...server }, news, { mail }) {
    const messageId = `<hedge-console-${news.id}@${from.split('@')[1]}>`;
    try {
      await mail(server, { from, to, subject: headOf(news), text: textOf(news), messageId });
      return { ok: true, detail: 'SMTP 250', status: 250 };
    } catch (error) {
      if (error instanceof AddressRefused) throw error;
      const { code, responseCode } = error as MailError;
      const said = typeof responseCode === 'number' ? `（SMTP ${responseCode}）` : '';
      const words = WORDS[String(code)];
      if (words === undefined) throw error;
      return { ok: false, detail: `${words}${said}`, status: null };
    }
  },
};
