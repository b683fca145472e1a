import { askRobot, type Channel, publicUrl, textOf, wordOf } from './channel';

const API = 'https://api.telegram.org';
const TOO_MANY = 429;

const baseOf = ({ origin, pathname }: URL): string => `${origin}${pathname.replace(/\/+$/, '')}`;

/** A bot of Telegram: sendMessage of the Bot API. The token is part of the address. */
export const telegram: Channel<'telegram'> = {
  read: ({ token, chatId, apiUrl }) => ({
    token,
    chatId,
    // Where Telegram itself cannot be reached, a proxy of the same calls can.
    ...(apiUrl?.trim() ? { apiUrl: baseOf(publicUrl(apiUrl, 'apiUrl')) } : {}),
  }),
  shown: ({ token, chatId, apiUrl }) =>
    `${apiUrl === undefined ? '' : `${new URL(apiUrl).host} · `}机器人 ${token.split(':')[0]} → ${chatId}`,
  send: ({ token, chatId, apiUrl = API }, news, { post }) =>
    askRobot(
      post,
      new URL(`${apiUrl}/bot${token}/sendMessage`),
      { chat_id: chatId, text: textOf(news), link_preview_options: { is_disabled: true } },
      ({ ok, error_code: code, description }) =>
        typeof ok !== 'boolean'
          ? undefined
          : { ok, code: Number(code), message: wordOf(description), isBusy: code === TOO_MANY },
    ),
};
