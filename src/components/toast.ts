import { message } from 'antd';

/** What the server adds to tell one failure from another; it is the same text all the same. */
const REQUEST_NUMBER = /（请求编号 [^）]*）/;

/** The same text again renews the toast that shows it; it is never shown twice. */
function show(type: 'success' | 'error' | 'info', text: string): void {
  void message.open({ type, content: text, key: `${type} ${text.replace(REQUEST_NUMBER, '')}` });
}

/** A short word on what has happened; goes after three seconds. */
export const toast = {
  success: (text: string) => show('success', text),
  error: (text: string) => show('error', text),
  info: (text: string) => show('info', text),
};
