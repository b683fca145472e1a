import { Null, Object as Obj, type Static, String as Str } from 'typebox';
import { endpoint } from './endpoint';
import { listOf } from './list';
import { Instant, Text } from './value';

/** Views that a user keeps of one screen at most. */
export const MOST_VIEWS = 30;
export const VIEW_NAME_LENGTH = 40;

const Screen = Str({
  title: '页面',
  pattern: '^/[A-Za-z/]{0,60}$',
  description: '页面的路径',
});

export const SavedView = Obj({
  id: Str(),
  name: Str(),
  query: Str({ description: '地址中 ? 之后的部分' }),
  createdAt: Instant('保存时间'),
});
export type SavedView = Static<typeof SavedView>;

export const savedView = {
  list: endpoint({
    method: 'GET',
    path: '/api/view',
    right: 'signedIn',
    tag: '视图',
    summary: '本人在一个页面保存的视图，按名称排列',
    query: Obj({ screen: Screen }),
    data: listOf(SavedView),
  }),
  save: endpoint({
    method: 'PUT',
    path: '/api/view',
    right: 'signedIn',
    tag: '视图',
    summary: '保存视图；同名的被替换',
    body: Obj(
      {
        screen: Screen,
        name: Text({ title: '名称', minLength: 1, maxLength: VIEW_NAME_LENGTH, description: '首尾空白不计' }),
        query: Str({
          title: '筛选',
          maxLength: 2000,
          pattern: "^[A-Za-z0-9%&=_.,:;~+*!'()@$/?-]*$",
          description: '地址中 ? 之后的部分，已编码',
        }),
      },
      { additionalProperties: false },
    ),
    data: SavedView,
  }),
  remove: endpoint({
    method: 'DELETE',
    path: '/api/view',
    right: 'signedIn',
    tag: '视图',
    summary: '删除视图',
    body: Obj({ id: Text({ title: '视图', minLength: 1, maxLength: 64 }) }, { additionalProperties: false }),
    data: Null(),
  }),
};
