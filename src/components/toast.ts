import { message } from 'antd';

/** The same text again renews the toast that shows it; it never stands there twice. */
function show(type: 'success' | 'error' | 'info', text: string): void {
  void message.open({ type, content: text, key: `${type} ${text}` });
}

/** A short word on what has happened; goes after three seconds. */
export const toast = {
  success: (text: string) => show('success', text),
  error: (text: string) => show('error', text),
  info: (text: string) => show('info', text),
};
