import { Link } from '@umijs/max';
import { Alert } from 'antd';
import type { Draft } from '@/services/drafts';

/** Which forms were open when the session ended or the page was left, and where; it goes when each was taken up or thrown away. */
export default function DraftBanner({ drafts }: { drafts: readonly Draft[] }) {
  return (
    <Alert
      banner
      type="info"
      closable={{ 'aria-label': '关闭提示' }}
      title={
        <>
          离开前有未保存的内容：
          {drafts.map(({ title, place }, i) => (
            <span key={title + place}>
              {i > 0 && '、'}
              <Link to={place}>{title}</Link>
            </span>
          ))}
          。打开该表单即可恢复。
        </>
      }
    />
  );
}
