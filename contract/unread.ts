import { Integer, Object as Obj } from 'typebox';
import { endpoint } from './endpoint';

/** Apart from the other notifications: every screen asks for it, and loads no more than this to do so. */
export const unread = {
  count: endpoint({
    method: 'GET',
    path: '/api/notification/unread',
    right: 'signedIn',
    tag: '通知',
    summary: '未读通知数；静音的类别不计',
    data: Obj({ unread: Integer() }),
  }),
};
